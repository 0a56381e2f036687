"""Which statements deserve a line of long-term memory, and in which words."""
