"""Which files are memory, and what their place says: tier and day."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.hits import Tier
from strata.notes.headings import as_day

if TYPE_CHECKING:
    from datetime import date

_WEEKLY = re.compile(r"memory/weekly/(\d{4}-\d\d-\d\d)[^/]*\.md")
_DAILY = re.compile(
    r"memory/(?:archive/(?:\d{4}/)?|daily/)?(\d{4}-\d\d-\d\d)[^/]*\.md", re.IGNORECASE
)
LONG_TERM = ("MEMORY.md", "USER.md")
# OpenClaw's own dreaming writes its working papers below memory/; they are no memory.
_NOT_MEMORY = re.compile(
    r"memory/(?:dreaming|\.[^/]+)/|(?:^|/)\.|(?:^|/)DREAMS\.md$|MEMORY\.md\.bak-"
)


def is_memory(path: str) -> bool:
    """Tell whether *path*, relative to the workspace and with slashes, is searched."""
    if path in LONG_TERM:
        return True
    return (
        path.startswith("memory/")
        and path.lower().endswith(".md")
        and _NOT_MEMORY.search(path) is None
    )


def is_memory_folder(path: str) -> bool:
    """Tell whether files below the folder *path* can be memory."""
    below = path == "memory" or path.startswith("memory/")
    return below and _NOT_MEMORY.search(f"{path}/") is None


def tier_of(path: str) -> Tier:
    """Name the tier of the memory file *path*."""
    if path in LONG_TERM:
        return Tier.LONG_TERM
    if path.startswith("memory/bank/"):
        return Tier.BANK
    if path.startswith("memory/weekly/"):
        return Tier.WEEKLY
    return Tier.DAILY if _DAILY.fullmatch(path) else Tier.OTHER


def day_of(path: str) -> date | None:
    """Return the day that a daily or weekly note is named for."""
    return _day(_WEEKLY.fullmatch(path) or _DAILY.fullmatch(path))


def _day(match: re.Match[str] | None) -> date | None:
    return as_day(match[1]) if match else None
