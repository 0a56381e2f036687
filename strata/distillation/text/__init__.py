"""A message taken apart: its sentences, whose words they are, what an entry keeps."""
