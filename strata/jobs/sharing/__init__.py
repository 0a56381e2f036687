"""What the owner lets several agents know."""
