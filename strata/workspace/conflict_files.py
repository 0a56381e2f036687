"""
Second versions of a file that synchronisers leave beside it, known by their names.

What each of them calls such a file, as it documents or shows it, is one pattern. A name
alone proves nothing: whoever uses this has to look at what the file says, and the more
so where people give such names themselves.
"""

from __future__ import annotations

import re
import socket
from typing import TYPE_CHECKING, NamedTuple

from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

# A name says that it is a second version, or a person may give such a one as well, or it
# ends in some word, which has to be the name of a computer.
_SAID, _NUMBERED, _NAMED = range(3)
# What Windows calls a computer that nobody gave a name.
_UNNAMED = re.compile(r"(?:DESKTOP|LAPTOP)-[A-Z0-9]{7,8}", re.IGNORECASE)
# The name without its suffix is in "name"; those that say most stand first.
_PATTERNS = [
    (re.compile(rf"(?P<name>.+?){pattern}\Z", re.IGNORECASE), says)
    for pattern, says in (
        # Syncthing
        (r"\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?", _SAID),
        # Dropbox, ownCloud and Nextcloud, in the languages that put the word last as well
        (r" \([^()]*conflicted copy[^()]*\)(?: ?\d*)", _SAID),
        (r"_conflict-\d{8}-\d{6}", _SAID),
        (r" \([^()]*(?:冲突副本|冲突的副本)[^()]*\)", _SAID),
        # Resilio Sync
        (r"\.Conflict(?:\d*)", _SAID),
        # Google Drive
        (r" ?\(\d{1,3}\)", _NUMBERED),
        # iCloud Drive
        (r" \d{1,3}", _NUMBERED),
        # OneDrive: the name of the computer
        (r"-(?P<host>[A-Za-z][A-Za-z0-9-]{1,30})", _NAMED),
    )
]
_START, _MIDDLE, _BASE, _END = "<<<<<<<", "=======", "|||||||", ">>>>>>>"


class Named(NamedTuple):
    """A file *path* named like a second version of the one *beside* it."""

    path: str
    beside: str
    # Whether only a synchroniser gives such a name; and whether it is known to be one's.
    says_so: bool
    may_be: bool


def conflict_files(root: Path, hosts: Collection[str] = ()) -> Iterator[Named]:
    """
    Yield each file of memory named like a second version, and the one beside it.

    *hosts* are names of computers that may have written one, beside that of this one.
    """
    known = {each.casefold() for each in (*hosts, socket.gethostname().split(".")[0])}
    memory = root / "memory"
    files = [*sorted(root.glob(f"{LONG_TERM[:-3]}*.md")), *sorted(memory.rglob("*.md"))]
    for file in files:
        if file.is_symlink() or not file.is_file():
            continue
        for pattern, says in _PATTERNS:
            found = pattern.match(file.stem)
            beside = file.with_name(f"{found['name']}.md") if found else file
            if found and beside != file and beside.is_file():
                is_host = says == _NAMED and _is_host(found["host"], known)
                yield Named(
                    file.relative_to(root).as_posix(),
                    beside.relative_to(root).as_posix(),
                    says == _SAID,
                    is_host or says != _NAMED,
                )
                break


def _is_host(name: str, known: Collection[str]) -> bool:
    return name.casefold() in known or bool(_UNNAMED.fullmatch(name))


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
