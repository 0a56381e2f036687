"""What matters is found: facts, and the check against the words they came from."""
