"""
Second versions of a file that synchronisers leave beside it, known by their names.

What each of them calls such a file, as it documents or shows it, is one pattern. A name
alone proves nothing: whoever uses this has to look at what the file says.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_DATE = r"\d{4}-\d\d-\d\d"
# The name without its suffix is in "name"; those that say most stand first.
_PATTERNS = [
    re.compile(rf"(?P<name>.+?){pattern}\Z", re.IGNORECASE)
    for pattern in (
        # Syncthing
        r"\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?",
        # Dropbox, ownCloud and Nextcloud, in the languages that put the word last as well
        r" \([^()]*conflicted copy[^()]*\)(?: ?\d*)",
        r"_conflict-\d{8}-\d{6}",
        r" \([^()]*(?:冲突副本|冲突的副本)[^()]*\)",
        # Resilio Sync
        r"\.Conflict(?:\d*)",
        # Google Drive
        r" ?\(\d{1,3}\)",
        # iCloud Drive
        r" \d{1,3}",
        # OneDrive: the name of the computer
        r"-[A-Za-z][A-Za-z0-9-]{2,30}",
    )
]
_START, _MIDDLE, _BASE, _END = "<<<<<<<", "=======", "|||||||", ">>>>>>>"


def conflict_files(root: Path) -> Iterator[tuple[str, str]]:
    """Yield each file of memory named like a second version, and the one beside it."""
    memory = root / "memory"
    files = [*sorted(root.glob(f"{LONG_TERM[:-3]}*.md")), *sorted(memory.rglob("*.md"))]
    for file in files:
        if file.is_symlink() or not file.is_file():
            continue
        for pattern in _PATTERNS:
            found = pattern.match(file.stem)
            beside = file.with_name(f"{found['name']}.md") if found else file
            if beside != file and beside.is_file():
                yield (
                    file.relative_to(root).as_posix(),
                    beside.relative_to(root).as_posix(),
                )
                break


def sides(text: str) -> tuple[str, str] | None:
    """
    Return the two versions in a *text* into which git wrote its conflict, else None.

    Marks that do not match are somebody's words.
    """
    if f"{_START} " not in text or f"{_END} " not in text:
        return None
    ours, theirs, where = [], [], ""
    for line in text.splitlines(keepends=True):
        mark = line.split(" ", 1)[0].rstrip("\r\n")
        if mark == _START and not where:
            where = _START
        elif mark == _BASE and where == _START:
            where = _BASE
        elif mark == _MIDDLE and where in {_START, _BASE}:
            where = _MIDDLE
        elif mark == _END and where == _MIDDLE:
            where = ""
        else:
            ours += [line] if where in {"", _START} else []
            theirs += [line] if where in {"", _MIDDLE} else []
    return None if where or ours == theirs else ("".join(ours), "".join(theirs))
