"""What of one memory may leave it: nothing forgotten, no secret, nobody else's words."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from strata.history.names import PERSONAL, SHARED
from strata.jobs.audit_scan import cleaned, cleaner
from strata.jobs.exporting.entry_records import NO_TEXTS, entry_records
from strata.jobs.forgetting.documents import memory_files, text_of
from strata.jobs.forgetting.keeping import keep_forgotten
from strata.jobs.forgetting.recognition import recogniser
from strata.jobs.forgetting.removal import rewrite
from strata.jobs.forgetting.scrubbing import FIXED, parsed, scrub_journal
from strata.jobs.undoing.runs import alone
from strata.json_texts import with_texts
from strata.search.indexing.scanning import day_of, scan
from strata.workspace import stored
from strata.workspace.shared_pages import is_copy

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date
    from pathlib import Path

    from strata.jobs.forgetting.recognition import Recogniser
    from strata.memory import Memory
    from strata.progress import Progress

    Clean = Callable[[str], str]

_CONSENTS = {PERSONAL, SHARED}


@dataclass(frozen=True, slots=True)
class Contents:
    """
    The *notes* of a memory by their paths, its *entries*, its *journal* and *recalls*.

    *masked* counts the lines in which a placeholder stands for what must not leave.
    *left_out* names the files below memory that are no notes, or are themselves named
    after what must not leave.
    """

    notes: dict[str, str]
    entries: list[dict[str, Any]] = field(default_factory=list)  # Any: it is JSON
    journal: bytes = b""
    recalls: bytes = b""
    masked: int = 0
    left_out: tuple[str, ...] = ()


def contents(memory: Memory, since: date | None, progress: Progress) -> Contents:
    """
    Read all that may leave *memory*, as it is at one moment.

    With *since* it is what is dated from that day on, without journal and page.
    """
    with alone(memory, doing="exporting"):
        keep_forgotten(memory)
        known = recogniser(memory)
        if known:
            _keep_journal_forgotten(memory, known)
        found = _read(memory, since, known)
    return _masked(memory, found, progress)


def _keep_journal_forgotten(memory: Memory, known: Recogniser) -> None:
    """Clear the journal of what came back with a copy that somebody put there."""
    file = memory.workspace.layout.journal_file
    if file.exists():
        rewrite(memory, file, scrub_journal(stored.read(file), known)[0])


def without_consents(journal: bytes) -> bytes:
    """
    Return *journal* without what its owner lets other people and other agents read.

    It is said of those of one installation; who hands an archive over cannot say it.
    """
    lines = journal.splitlines(keepends=True)
    return b"".join(line for line in lines if not _is_consent(line))


def _is_consent(line: bytes) -> bool:
    record = parsed(line) if any(each.encode() in line for each in _CONSENTS) else None
    return bool(record and record.get("event") in _CONSENTS)


def _read(memory: Memory, since: date | None, known: Recogniser | None) -> Contents:
    root, layout = memory.workspace.root, memory.workspace.layout
    # A file that is named after what was forgotten keeps its name, and stays.
    unnamed = known.unnamed if known else str
    texts = {path: text_of(root / path) for path in scan(root) if unnamed(path) == path}
    # What other agents share is theirs to hand over.
    copies = {path for path, text in texts.items() if is_copy(path, text or "")}
    notes = {
        path: text
        for path, text in texts.items()
        if text is not None and path not in copies
    }
    files = {file.relative_to(root).as_posix() for file in memory_files(memory)}
    others = {path for path in files - {*notes} - copies if not _stays(path)}
    entries = list(entry_records(memory, notes, since))
    left_out = tuple(sorted(map(unnamed, others)))
    if since:
        dated = {path: text for path, text in notes.items() if _is_from(path, since)}
        return Contents(dated, entries, left_out=left_out)
    journal, recalls = _stored(layout.journal_file), _stored(layout.recalls_file)
    return Contents(notes, entries, journal, recalls, left_out=left_out)


def _stays(path: str) -> bool:
    """Say whether *path* is a copy of a note, or OpenClaw's."""
    hidden = any(part.startswith(".") for part in path.split("/"))
    return (
        hidden
        or ".md.bak-" in path
        or path.endswith("DREAMS.md")
        or "/dreaming/" in path
    )


def _is_from(path: str, since: date) -> bool:
    day = day_of(path)
    return day is not None and day >= since


def _stored(file: Path) -> bytes:
    return stored.read(file) if file.exists() else b""


def _masked(memory: Memory, found: Contents, progress: Progress) -> Contents:
    # The journal says again what notes say.
    clean = cache(cleaner(memory))
    notes, left_out, masked = {}, list(found.left_out), 0
    for done, (path, text) in enumerate(found.notes.items(), 1):
        if (name := clean(path)) != path:
            left_out.append(name)
            continue
        notes[path] = after = clean(text)
        masked += _differing(text, after) if after != text else 0
        progress(done, len(found.notes))
    lines = without_consents(found.journal).splitlines(keepends=True)
    journal = [cleaned(line, clean, FIXED) for line in lines]
    masked += sum(a != b for a, b in zip(lines, journal, strict=True))
    entries = [with_texts(each, clean, NO_TEXTS) for each in found.entries]
    return Contents(
        notes,
        [each for each in entries if each["note"] in notes],
        b"".join(journal),
        found.recalls,
        masked,
        tuple(map(clean, left_out)),
    )


def _differing(before: str, after: str) -> int:
    """Count the lines that differ; a key of many lines becomes one placeholder."""
    pairs = zip(before.split("\n"), after.split("\n"), strict=False)
    return sum(one != other for one, other in pairs) or 1
