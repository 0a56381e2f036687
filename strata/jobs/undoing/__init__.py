"""A run as a whole: alone, recorded, committed, and taken back."""
