"""Which redaction this is: what was gone through by another is gone through again."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path


@cache
def version() -> bytes:
    """Return what tells this redaction from another: a hash of its rules and weights."""
    found = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.*")):
        if file.suffix in {".py", ".toml", ".bin"}:
            found.update(file.read_bytes())
    return found.hexdigest()[:16].encode()
