"""Markdown is composed and parsed; pure, no disk."""
