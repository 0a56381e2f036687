"""Memory files become an index that is kept up to date, and gives candidates."""
