"""What the tombstones know leaves every file; all else stays byte for byte."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from strata.jobs.forgetting.documents import decoded, documents, notes, text_of
from strata.jobs.forgetting.scrubbing import (
    new_digests,
    redigest,
    rewrite,
    scrub_journal,
    scrub_json,
    unnamed,
)
from strata.jobs.undoing.runs import open_recording
from strata.notes.headings import is_remembered
from strata.notes.markdown import heading
from strata.notes.sayings import sayings
from strata.workspace import stored
from strata.workspace.recording import recorded_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from strata.jobs.forgetting.documents import Document
    from strata.jobs.forgetting.recognition import Recogniser
    from strata.memory import Memory
    from strata.notes.sayings import Said

# Below .strata: looked after one by one, or without any words.
_OWN = {"index", "cache", "undo", "backups", "locks", "receipts"}
_KEPT_CACHES = {"sync.json", "recalls.txt", "model.json"}
_OWN_FILES = {"config.toml", "journal.jsonl", "forgotten.jsonl", "audit.jsonl"}
_JSON = {".json", ".jsonl"}


@dataclass(slots=True)
class Removed:
    """How many lines went from which file, and what else changed, by its kind."""

    lines: Counter[str] = field(default_factory=Counter)
    more: Counter[str] = field(default_factory=Counter)


def preview(memory: Memory, known: Recogniser) -> list[tuple[Document, list[Said]]]:
    """Return every document with the lines that would leave it."""
    found = ((d, known.lines(d.path, d.text)) for d in documents(memory) if d.is_lines)
    return [(document, lines) for document, lines in found if lines]


def remove(memory: Memory, known: Recogniser) -> Removed:
    """
    Take what is *known* out of all that Strata keeps, but for index and git.

    It may be killed anywhere, and done again. The logs of undo come first: they name the
    files by their digests, which nobody could tell any more after the files changed.
    """
    removed = Removed()
    _undo(memory, known, removed)
    _names(memory, known, removed)
    _journal(memory, known, removed)
    _caches(memory, known, removed)
    _others(memory, known, removed)
    sweep(memory, known, removed)
    return removed


def sweep(
    memory: Memory,
    known: Recogniser,
    removed: Removed,
    wanted: Callable[[Path], bool] = lambda _file: True,
) -> None:
    """Take what is *known* out of the memory files and copies that are *wanted*."""
    for document in list(notes(memory, wanted)):
        path = document.path
        lines = known.lines(path, document.text) if document.is_lines else []
        if lines:
            memory.workspace.update(path, partial(without, path, known=known))
            removed.lines[path] += len(lines)
            _drop_if_empty(memory, document)
        elif not document.is_lines:
            _json_note(memory, document, known, removed)


def without(path: str, text: str, known: Recogniser) -> str:
    """Return the *text* of the file *path* without the lines that are *known*."""
    gone = {said.number for said in known.lines(path, text)}
    lines = text.split("\n")
    gone |= _emptied(lines, gone)
    kept: list[str] = []
    for number, line in enumerate(lines, 1):
        if number in gone:
            continue
        # A gap that was on both sides of what went is one gap.
        doubled = number - 1 in gone and not line.strip() and kept[-1:] == [""]
        if not doubled:
            kept.append(line)
    return "\n".join(kept)


def _emptied(lines: list[str], gone: set[int]) -> set[int]:
    """
    Return the headings of what was remembered by hand, under which nothing is left.

    The heading of a conversation stays: it tells that the conversation was read.
    """
    found: set[int] = set()
    for number, line in enumerate(lines, 1):
        if is_remembered(line):
            below = takewhile(lambda each: not heading(each), lines[number:])
            said = {at for at, words in enumerate(below, number + 1) if words.strip()}
            found |= {number} if said and said <= gone else set()
    return found


def scrubbed(path: str, content: bytes, known: Recogniser) -> bytes:
    """Return the *content* of the file *path* in its own form, without what is *known*."""
    text = decoded(content)
    if text is None:
        return content
    if not path.endswith(".json"):
        return _bytes(without(path, text, known))
    try:
        return scrub_json(content, known)
    except ValueError:
        return content


def _drop_if_empty(memory: Memory, document: Document) -> None:
    """Remove a note in which nothing but its own titles is left."""
    text = memory.workspace.read(document.path)
    left = list(sayings(document.path, text))
    titles = all(said.frame and not said.label for said in left)
    if titles and left != list(sayings(document.path, document.text)):
        memory.workspace.remove(document.path, text=text)


def _json_note(
    memory: Memory, document: Document, known: Recogniser, removed: Removed
) -> None:
    def change(text: str) -> str:
        after = scrubbed(document.path, _bytes(text), known)
        return after.decode("utf-8", "surrogateescape")

    if memory.workspace.update(document.path, change):
        removed.lines[document.path] += 1


def _undo(memory: Memory, known: Recogniser, removed: Removed) -> None:
    folder = memory.workspace.layout.undo_folder
    pairs = [(d, _scrubbed(d, known)) for d in documents(memory) if d.is_lines]
    digests = new_digests((_bytes(d.text), after) for d, after in pairs)
    if not digests:
        return
    for run in recorded_runs(folder):
        log = folder / run.id / "log.jsonl"
        rewrite(memory, log, redigest(stored.read(log), digests))
    for document, after in pairs:
        if document.place == "undo" or document.file.is_relative_to(folder.parent):
            kind = "undo" if document.place == "undo" else "backups"
            removed.more[kind] += rewrite(memory, document.file, after)


def _names(memory: Memory, known: Recogniser, removed: Removed) -> None:
    """Let no log of undo name a file after what was forgotten."""
    for run in recorded_runs(memory.workspace.layout.undo_folder):
        recording = open_recording(memory, run)
        for change in recording.changes():
            if change.image and known.forgets_name(change.path):
                memory.workspace.remove_private(change.image)
        log = recording.folder / "log.jsonl"
        removed.more["undo"] += rewrite(memory, log, unnamed(stored.read(log), known))


def _journal(memory: Memory, known: Recogniser, removed: Removed) -> None:
    file = memory.workspace.layout.journal_file
    if file.exists():
        scrubbed = scrub_journal(stored.read(file), known)
        if scrubbed.changed:
            rewrite(memory, file, b"".join(scrubbed.lines))
            removed.more["journal"] += scrubbed.changed


def _caches(memory: Memory, known: Recogniser, removed: Removed) -> None:
    folder = memory.workspace.layout.private / "cache"
    for file in sorted(folder.rglob("*")) if folder.is_dir() else []:
        if file.is_file() and file.name not in _KEPT_CACHES:
            # Whatever a cache holds came out of the words, in some form.
            memory.workspace.remove_private(file)
            removed.more["caches"] += 1
    recalls = memory.workspace.layout.recalls_file
    if recalls.exists():
        lines = stored.read(recalls).decode("utf-8", "replace").splitlines()
        after = "".join(f"{_without_keys(line, known)}\n" for line in lines)
        removed.more["caches"] += rewrite(memory, recalls, after.encode())


def _without_keys(line: str, known: Recogniser) -> str:
    day, *keys = line.split(" ")
    return " ".join([day, *(key for key in keys if not known.knows(f"recall:{key}"))])


def _others(memory: Memory, known: Recogniser, removed: Removed) -> None:
    """Scrub what nobody else here knows: events that wait, logs, drafts of a crash."""
    for file in _private_files(memory):
        text = text_of(file)
        if text is None:
            continue
        after = _scrubbed_text(file, text, known)
        if after != _bytes(text) and file.parent.name == "drafts":
            memory.workspace.remove_private(file)
            removed.more["other"] += 1
        else:
            removed.more["other"] += rewrite(memory, file, after)


def _private_files(memory: Memory) -> Iterator[Path]:
    private = memory.workspace.layout.private
    for file in sorted(private.rglob("*")) if private.is_dir() else []:
        place = file.relative_to(private)
        strange = place.parts[0] not in _OWN | _OWN_FILES
        if strange and file.is_file() and not file.is_symlink():
            yield file


def _scrubbed_text(file: Path, text: str, known: Recogniser) -> bytes:
    if file.suffix not in _JSON:
        return _bytes(without(file.name, text, known))
    try:
        return scrub_json(_bytes(text), known)
    except ValueError:
        return b"".join(scrub_journal(_bytes(text), known).lines)


def _scrubbed(document: Document, known: Recogniser) -> bytes:
    return _bytes(without(document.path, document.text, known))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
