"""Which language the owner is spoken to in, and notes and reports are written in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.notes.daily import items
from strata.notes.marks import spoken
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from strata.memory import Memory
    from strata.models import Language

_NOTES = 14
_HANZI = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")


def spoken_language(memory: Memory) -> str:
    """Return the language of the settings, else that of most of the latest notes."""
    chosen = memory.settings.language
    return written_language(memory) if chosen == "auto" else chosen


def written_language(memory: Memory) -> Language:
    """Return which of the languages that Strata can write notes in is the owner's."""
    if memory.settings.language != "auto":
        return "zh" if memory.settings.language == "zh" else "en"
    notes = sorted(memory.workspace.layout.daily_notes())[-_NOTES:]
    texts = [
        memory.workspace.read(path) for path in (LONG_TERM, *(p for _, p in notes))
    ]
    lines = [spoken(item.said) for text in texts for item in items(text)]
    chinese = sum(1 for line in lines if _is_chinese(line))
    return "zh" if chinese * 2 > len(lines) else "en"


def _is_chinese(line: str) -> bool:
    return len(_HANZI.findall(line)) > len(_WORD.findall(line))
