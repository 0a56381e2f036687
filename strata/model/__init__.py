"""A language model is asked, and it costs something."""
