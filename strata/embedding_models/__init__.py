"""Embedding models: fetched, checked and kept in the bundle's own folder."""
