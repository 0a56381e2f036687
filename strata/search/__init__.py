"""Chunks are indexed and found."""
