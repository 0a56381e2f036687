"""The conversation is read: OpenClaw's stores, filtered and redacted."""
