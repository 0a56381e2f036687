"""One reading of a sentence: its words, values, dates, and whose words they are."""
