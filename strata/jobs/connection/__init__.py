"""What Strata sets up in OpenClaw, and takes back."""
