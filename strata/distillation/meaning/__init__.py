"""What a statement says, and how two of them stand to each other."""
