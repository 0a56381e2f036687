"""The bank is made of the notes, written, and asked."""
