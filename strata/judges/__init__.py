"""Who judges what was said: a small learned judge, a language model, and the law."""
