"""People, things and opinions: what the notes say of each, with the words that say so."""
