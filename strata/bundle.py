"""Where the bundle lies: the folder with `hooks`, `prompts` and `.models`."""

from __future__ import annotations

from pathlib import Path

BUNDLE = Path(__file__).resolve().parent.parent
