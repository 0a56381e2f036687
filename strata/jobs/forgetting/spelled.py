"""Whether a file says what was forgotten, however big it is and in whatever form."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from strata.jobs.forgetting.documents import decoded
from strata.notes.sayings import contains, words_of
from strata.workspace import stored
from strata.workspace.forms import is_encrypted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Texts that must be nowhere, each with its words.
Needles = Sequence[tuple[str, tuple[str, ...]]]

_PIECE_BYTES = 1024 * 1024
_NOTHING = bytes(_PIECE_BYTES)
# Fewer letters stand in other words too, and in bytes that are no text.
_SHORTEST = 4


def says(file: Path, needles: Needles) -> bool:
    """
    Say whether *file* spells or words any of *needles*; raise OSError.

    What is no text, as the index is, is read in pieces: it can be larger than memory.
    """
    spellings = [each for text, _ in needles for each in _spellings(text)]
    with file.open("rb") as opened:
        first = opened.read(_PIECE_BYTES)
    if b"\0" in first and not is_encrypted(first):
        pieces = _pieces(file, max(map(len, spellings))) if spellings else ()
        return any(each in piece for piece in pieces for each in spellings)
    content = stored.read(file)
    return any(each in content for each in spellings) or _words(content, needles)


def _spellings(text: str) -> set[bytes]:
    if len(text) < _SHORTEST:
        return set()
    return {text.encode(), text.encode("utf-16-le"), json.dumps(text)[1:-1].encode()}


def _words(content: bytes, needles: Needles) -> bool:
    read = decoded(content) if needles else None
    if read is None:
        return False
    lines = [words_of(line) for line in read.splitlines()]
    return any(contains(line, words) for _, words in needles for line in lines)


def _pieces(file: Path, overlap: int) -> Iterator[bytes]:
    """Yield what *file* holds, in pieces that overlap, but for long stretches of zeros."""
    with file.open("rb") as opened:
        before = b""
        while read := opened.read(_PIECE_BYTES):
            if read != _NOTHING or any(before):
                yield before + read
            before = read[-overlap:]
