"""The window on memory: pages for a browser on this machine, over the same jobs."""
