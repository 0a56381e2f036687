"""The way back from a line to the words that it rests on."""
