"""What the wording of a sentence says about its kind, in English and Chinese."""
