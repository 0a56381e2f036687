"""From a conversation to its block in a daily note."""
