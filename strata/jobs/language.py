"""Which language the owner is spoken to in, and notes and reports are written in."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from strata.notes.daily import items
from strata.notes.long_term import scaffold_language
from strata.notes.managed_block import block_in
from strata.notes.marks import spoken
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from strata.memory import Memory
    from strata.models import Language

AGENTS = "AGENTS.md"
_NOTES = 14
# So many lines say enough, and each takes a while to read.
_ENOUGH = 300
# So few lines say nothing about a language.
_FEW = 5
# One line in so many is hardly any.
_RARE = 6
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
    chinese, lines = _counted(memory)
    return "zh" if chinese * 2 > lines else "en"


def settled_language(memory: Memory, standing: Language | None) -> Language:
    """
    Return the language of what stays for long, which *standing* is in, if it is there.

    That changes where the setting says so, or hardly a line is in its language any more.
    """
    if memory.settings.language != "auto" or standing is None:
        return written_language(memory)
    chinese, lines = _counted(memory)
    own = chinese if standing == "zh" else lines - chinese
    if lines < _FEW or own * _RARE > lines:
        return standing
    return "en" if standing == "zh" else "zh"


def page_language(memory: Memory) -> Language:
    """Return the language of MEMORY.md; a new one is in that of the rules for the agent."""
    page = scaffold_language(memory.workspace.read(LONG_TERM))
    return settled_language(memory, page or rules_language(memory))


def rules_language(memory: Memory) -> Language | None:
    """Return the language of the block in AGENTS.md, None where there is none."""
    standing = block_in(memory.workspace.read(AGENTS))
    if not standing:
        return None
    return "zh" if _HANZI.search(standing.partition("\n")[0]) else "en"


def has_chinese(memory: Memory) -> bool:
    """Tell whether more than hardly any of the latest lines are Chinese."""
    chinese, lines = _counted(memory)
    return lines >= _FEW and chinese * _RARE > lines


def _counted(memory: Memory) -> tuple[int, int]:
    """Return how many of the latest lines are Chinese, and how many there are."""
    notes = sorted(memory.workspace.layout.daily_notes(), reverse=True)[:_NOTES]
    lines: list[str] = []
    for path in (LONG_TERM, *(path for _, path in notes)):
        if len(lines) < _ENOUGH:
            text = memory.workspace.read(path)
            lines += [spoken(each.said) for each in islice(items(text), _ENOUGH)]
    return sum(1 for line in lines if _is_chinese(line)), len(lines)


def _is_chinese(line: str) -> bool:
    return len(_HANZI.findall(line)) > len(_WORD.findall(line))
