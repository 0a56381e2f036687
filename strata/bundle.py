"""Which version this is, and where it lies: the folder with `hooks` and `.models`."""

from __future__ import annotations

from pathlib import Path

VERSION = "0.1.0"
BUNDLE = Path(__file__).resolve().parent.parent
