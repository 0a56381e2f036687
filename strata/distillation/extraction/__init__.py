"""What a conversation offers for the notes, found by rules."""
