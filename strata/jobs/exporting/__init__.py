"""What leaves memory for elsewhere, and comes back from there."""
