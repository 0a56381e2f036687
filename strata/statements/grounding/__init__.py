"""Whether a model's statement is borne out by the words that it cites."""
