"""What is found below a workspace: files, index, journal, logs, git objects."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from playing import World

LONGEST_SHARED = 12
_BLOCK = LONGEST_SHARED // 2
_TAGGED = re.compile(r"(?:- )?\[(?:preference|decision|偏好|决策)\] (?P<text>.*)")


def everything(world: World) -> Iterator[tuple[str, str]]:
    """Yield name and contents of all that Strata left, printed or sent to a model."""
    for path in sorted(world.workspace.rglob("*")):
        if path.is_file() and ".git" not in path.relative_to(world.workspace).parts:
            name = str(path.relative_to(world.workspace))
            yield name, f"{name}\n{path.read_bytes().decode('utf-8', 'replace')}"
    if (world.workspace / ".git").is_dir():
        yield "git objects", _git_objects(world.workspace)
    for log in sorted((world.state / "strata").rglob("*.log")):
        yield str(log), log.read_text("utf-8", "replace")
    yield "output", "\n".join(world.printed)
    yield "model requests", "\n".join(world.asked)


def leaks(forms: Sequence[str], texts: Sequence[tuple[str, str]]) -> list[str]:
    """Return where one of *forms*, or enough of it to matter, stands."""
    return [name for name, text in texts if any(_stands(form, text) for form in forms)]


def _stands(form: str, text: str) -> bool:
    if len(form) <= LONGEST_SHARED:
        return form in text
    # Each stretch of twelve characters has one of these blocks of six as a whole in it.
    for at in range(0, len(form) - _BLOCK + 1, _BLOCK):
        place = text.find(form[at : at + _BLOCK])
        while place >= 0:
            if _shared(form, at, text, place) >= LONGEST_SHARED:
                return True
            place = text.find(form[at : at + _BLOCK], place + 1)
    return False


def _shared(form: str, at: int, text: str, place: int) -> int:
    """Return how many characters *form* and *text* share around these places."""
    before = after = 0
    while at > before < place and form[at - before - 1] == text[place - before - 1]:
        before += 1
    rest = min(len(form) - at, len(text) - place)
    while after < rest and form[at + after] == text[place + after]:
        after += 1
    return before + after


def long_term(world: World) -> str:
    """Return MEMORY.md, or nothing."""
    path = world.workspace / "MEMORY.md"
    return path.read_text("utf-8") if path.is_file() else ""


def notes(world: World) -> str:
    """Return the daily and weekly notes, archived ones too."""
    folder = world.workspace / "memory"
    return "\n".join(path.read_text("utf-8") for path in sorted(folder.rglob("*.md")))


def rules_in(text: str) -> list[str]:
    """Return what *text* has as preferences and decisions."""
    found = (_TAGGED.match(line) for line in text.splitlines())
    return [match["text"] for match in found if match]


def _git_objects(folder: Path) -> str:
    listed = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    return listed.stdout.decode("utf-8", "replace")
