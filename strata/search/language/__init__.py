"""Text becomes the terms that are looked for."""
