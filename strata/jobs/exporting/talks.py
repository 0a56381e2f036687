"""Talks of other tools: Strata alone keeps these, so that an archive has them too."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from strata.jobs.audit_scan import cleaned, cleaner
from strata.jobs.forgetting.documents import Document, text_of
from strata.jobs.forgetting.recognition import recogniser
from strata.jobs.forgetting.removal import bytes_of
from strata.jobs.forgetting.talks import TALK, scrubbed_talk
from strata.models import IMPORTED
from strata.transcripts.disclosure import is_done

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from strata.jobs.forgetting.recognition import Recogniser
    from strata.memory import Memory

FOLDER = "talks/"
_NAME = re.compile(r"talks/[a-z0-9-]{1,40}/[0-9a-f-]{36}\.jsonl")
# These hold no words of anybody's.
_NO_TEXTS = frozenset({"type", "id", "parentId", "timestamp", "role"})


def is_talk(name: str) -> bool:
    """Say whether an archive keeps a talk under *name*."""
    return _NAME.fullmatch(name) is not None


def talks_of(memory: Memory) -> Iterator[tuple[str, bytes, int]]:
    """
    Yield each talk by its name in an archive, and in how many lines something is masked.

    Nothing forgotten is in it, also where a copy brought it back.
    """
    folder = memory.workspace.layout.imported_folder
    allowed, known = memory.private.allowances, recogniser(memory)
    clean, never = cleaner(memory), memory.never_stored.removed
    for file in sorted(folder.glob("*/*.jsonl")):
        name = FOLDER + file.relative_to(folder).as_posix()
        if not is_talk(name) or (text := text_of(file)) is None:
            continue
        text = without_forgotten(text, file, known)
        # What today's redaction went through holds no secret of which it knows.
        change = never if is_done(file, allowed) else clean
        lines = bytes_of(text).splitlines(keepends=True)
        told = [cleaned(line, change, _NO_TEXTS) for line in lines]
        masked = sum(one != other for one, other in zip(lines, told, strict=True))
        yield name, b"".join(told), masked


def without_forgotten(text: str, file: Path, known: Recogniser | None) -> str:
    """Return the *text* of the talk in *file* without what is *known* as forgotten."""
    if known is None:
        return text
    return scrubbed_talk(Document(TALK, file.as_posix(), text, file), known)


def last_moment(text: str) -> datetime | None:
    """Return when the talk *text* ended, as its first line says, None where it does not."""
    with suppress(ValueError, KeyError, TypeError):
        return datetime.fromisoformat(
            json.loads(text.split("\n", 1)[0])[IMPORTED]["until"]
        )
    return None
