"""How far long work is, for whoever watches it."""

from __future__ import annotations

from collections.abc import Callable

# It is told how much is done, and of how much.
Progress = Callable[[int, int], None]


def silent(_done: int, _of: int) -> None:
    """Tell nobody how far it is."""
