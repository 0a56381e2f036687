"""From what was said to the lines of MEMORY.md, by rules, a model and the owner."""
