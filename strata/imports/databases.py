"""Databases of other programs, which are read without a trace left beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from strata.imports.bundles import Bundle


def lies_still(source: Bundle, name: str) -> bool:
    """
    Say whether the database *name* can be read where it lies.

    In a zip it cannot; and where something waits in its journal but nobody has it open,
    who reads it writes an index beside it.
    """
    journal, index = f"{name}-wal", f"{name}-shm"
    names = source.names()
    waits = journal in names and source.size(journal) > 0
    return source.source.is_dir() and (not waits or index in names)


def apart(source: Bundle, name: str) -> Path:
    """Return the database *name* on disk, a copy with its journal where it is in use."""
    journal = f"{name}-wal"
    if lies_still(source, name) or journal not in source.names():
        return source.path(name)
    folder = source.scratch()
    source.copied(journal, folder)
    return source.copied(name, folder)
