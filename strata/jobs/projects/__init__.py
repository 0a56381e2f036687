"""Which project something is about, and what is said of the one at hand first."""
