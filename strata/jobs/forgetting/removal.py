"""What the tombstones know leaves every file; all else stays byte for byte."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from strata.jobs.forgetting.documents import (
    decoded,
    documents,
    notes,
    text_of,
    version_text,
)
from strata.jobs.forgetting.machine_logs import leave_logs
from strata.jobs.forgetting.scrubbing import (
    redigest,
    scrub_journal,
    scrub_json,
    unnamed,
)
from strata.jobs.forgetting.striking import without
from strata.jobs.forgetting.talks import TALK, changed_talks
from strata.jobs.tab import leave_tab
from strata.jobs.undoing.runs import open_recording
from strata.models import IMPORTED
from strata.notes.entries import without_topic
from strata.notes.sayings import sayings
from strata.workspace import stored
from strata.workspace.git_history import GitHistory
from strata.workspace.layout import LONG_TERM
from strata.workspace.recording import digest, recorded_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from strata.jobs.forgetting.documents import Document
    from strata.jobs.forgetting.recognition import Recogniser
    from strata.jobs.forgetting.talks import Clues
    from strata.memory import Memory
    from strata.notes.sayings import Said
    from strata.workspace.git_history import Rewritten

# Below .strata: looked after one by one, or without any words.
_APART = {"index", "undo", "backups", "locks", "receipts", "machines", IMPORTED}
_APART |= {"config.toml", "journal.jsonl", "forgotten.jsonl"}
_KINDS = {"undo": "undo", TALK: "talks"}
_KEPT_CACHES = {"sync.json", "recalls.txt", "model.json"}


@dataclass(slots=True)
class Removed:
    """How many lines went from which file, and what else changed, by its kind."""

    lines: Counter[str] = field(default_factory=Counter)
    more: Counter[str] = field(default_factory=Counter)


def preview(memory: Memory, known: Recogniser) -> list[tuple[Document, list[Said]]]:
    """Return every document with the lines, or the topics of such, that would leave it."""
    found = ((d, known.lines(d.path, d.text)) for d in documents(memory) if d.is_lines)
    return [
        (d, [_leaving(each, known) for each in lines]) for d, lines in found if lines
    ]


def _leaving(said: Said, known: Recogniser) -> Said:
    """Return *said* with what leaves it: all, or its topic."""
    text = said.text
    topic = text[len(without_topic(text)) :]
    return replace(said, raw=topic.strip()) if known.left_of(said) else said


def remove(memory: Memory, known: Recogniser, clues: Clues | None = None) -> Removed:
    """
    Take what is *known* out of all that Strata keeps, but for index and git.

    It may be killed anywhere, and done again. *clues* lead to the talks of other tools
    that are worth a look; without them all are looked through.
    """
    removed = Removed()
    leave_tab(memory)
    lines = (document for document in documents(memory) if document.is_lines)
    texts = [(each, without(each.path, each.text, known)) for each in lines]
    talks = changed_talks(memory, known, clues)
    removed.more += rewrite_copies(memory, [*texts, *talks])
    _names(memory, known, removed)
    _journal(memory, known, removed)
    _recalls(memory, known, removed)
    _others(memory, known, removed)
    removed.more["machines"] += leave_logs(memory, known)
    sweep(memory, known, removed)
    return removed


def rewrite_copies(
    memory: Memory, texts: Sequence[tuple[Document, str]]
) -> Counter[str]:
    """
    Let Strata's own copies among documents say the *texts*, and count them by their kind.

    The logs of undo come first: they name all files by their digests, which nobody could
    tell any more after the files changed.
    """
    changed = [(d, bytes_of(text)) for d, text in texts if text != d.text]
    digests = {digest(bytes_of(d.text)): digest(after) for d, after in changed}
    done = Counter[str]()
    if changed:
        _rewrite_logs(memory, partial(redigest, digests=digests))
    for document, after in changed:
        if document.file.is_relative_to(memory.workspace.layout.private):
            kind = _KINDS.get(document.place, "backups")
            before = document.file.stat()
            done[kind] += rewrite(memory, document.file, after)
            if document.place == TALK:
                # When it was last changed says when it ended.
                os.utime(document.file, ns=(before.st_atime_ns, before.st_mtime_ns))
    return done


def rewrite(memory: Memory, file: Path, content: bytes) -> bool:
    """Replace Strata's own *file* by *content*; say whether that differs."""
    if not file.exists() or stored.read(file) == content:
        return False
    memory.workspace.write_private(file, content)
    return True


def sweep(
    memory: Memory,
    known: Recogniser,
    removed: Removed,
    wanted: Callable[[Path], bool] = lambda _file: True,
) -> None:
    """Take what is *known* out of the memory files and copies that are *wanted*."""
    for document in list(notes(memory, wanted)):
        path = document.path
        count = len(known.lines(path, document.text)) if document.is_lines else 1
        change = partial(_scrubbed_text, path, known)
        if count and memory.workspace.update(path, change):
            removed.lines[path] += count
            if document.is_lines:
                _drop_if_empty(memory, document)


def has_leftovers(memory: Memory, known: Recogniser) -> bool:
    """Say whether an object that nothing leads to still holds what is *known*."""
    contents = GitHistory(memory.workspace.root).leftovers()
    texts = (content.decode("utf-8", "surrogateescape") for content in contents)
    return any(known.lines(LONG_TERM, text) for text in texts)


def rewrite_history(memory: Memory, known: Recogniser) -> Rewritten:
    """Take what is *known* out of every version, and destroy the old ones."""

    def change(path: str, content: bytes) -> bytes:
        if path:
            file = memory.workspace.root / path
            if version_text(content, file) is None:
                return content
            return stored.changed(content, file, lambda c: scrubbed(path, c, known))
        # The message of a commit, which must not be left without its subject.
        lines = content.decode("utf-8", "surrogateescape").split("\n")
        return bytes_of("\n".join(map(known.masked, lines)))

    return GitHistory(memory.workspace.root).rewrite(change)


def scrubbed(path: str, content: bytes, known: Recogniser) -> bytes:
    """Return the *content* of the file *path* in its own form, without what is *known*."""
    text = decoded(content)
    if text is None:
        return content
    if not path.endswith(".json"):
        return bytes_of(without(path, text, known))
    try:
        return scrub_json(content, known)
    except ValueError:
        return content


def _scrubbed_text(path: str, known: Recogniser, text: str) -> str:
    after = scrubbed(path, bytes_of(text), known)
    return after.decode("utf-8", "surrogateescape")


def bytes_of(text: str) -> bytes:
    """Return *text*, as it was decoded, byte for byte."""
    return text.encode("utf-8", "surrogateescape")


def _drop_if_empty(memory: Memory, document: Document) -> None:
    """Remove a note in which nothing but its own titles is left."""
    text = memory.workspace.read(document.path)
    left = list(sayings(document.path, text))
    titles = all(said.frame and not said.label for said in left)
    if titles and left != list(sayings(document.path, document.text)):
        memory.workspace.remove(document.path, text=text)


def _names(memory: Memory, known: Recogniser, removed: Removed) -> None:
    """Let no log of undo name a file after what was forgotten."""
    for run in recorded_runs(memory.workspace.layout.undo_folder):
        for change in open_recording(memory, run).changes():
            if change.image and known.forgets_name(change.path):
                memory.workspace.remove_private(change.image)
    _remove_untold(memory)
    removed.more["undo"] += _rewrite_logs(memory, partial(unnamed, known=known))


def _remove_untold(memory: Memory) -> None:
    """Remove what a run kept for undo right before it was killed: no log names it."""
    for run in recorded_runs(memory.workspace.layout.undo_folder):
        recording = open_recording(memory, run)
        told = {change.image for change in recording.changes()}
        for image in recording.folder.glob("*.before"):
            if image not in told:
                memory.workspace.remove_private(image)


def _rewrite_logs(memory: Memory, change: Callable[[bytes], bytes]) -> int:
    """Make *change* to the log of each run that can be undone; return how many differ."""
    folder = memory.workspace.layout.undo_folder
    logs = [folder / run.id / "log.jsonl" for run in recorded_runs(folder)]
    return sum(rewrite(memory, log, change(stored.read(log))) for log in logs)


def _journal(memory: Memory, known: Recogniser, removed: Removed) -> None:
    file = memory.workspace.layout.journal_file
    if file.exists():
        content, changed = scrub_journal(stored.read(file), known)
        removed.more["journal"] += changed if rewrite(memory, file, content) else 0


def _recalls(memory: Memory, known: Recogniser, removed: Removed) -> None:
    file = memory.workspace.layout.recalls_file
    if file.exists():
        kept = []
        for line in stored.read(file).decode("utf-8", "replace").splitlines():
            day, *keys = line.split(" ")
            stay = (key for key in keys if not known.knows(f"recall:{key}"))
            kept.append(" ".join([day, *stay]) + "\n")
        removed.more["caches"] += rewrite(memory, file, "".join(kept).encode())


def _others(memory: Memory, known: Recogniser, removed: Removed) -> None:
    """Scrub what nobody else here knows: events that wait, logs, drafts of a crash."""
    private = memory.workspace.layout.private
    for file in sorted(private.rglob("*")):
        place = file.relative_to(private).parts[0]
        if place in _APART or not file.is_file() or file.is_symlink():
            continue
        if place == "cache":
            if file.name not in _KEPT_CACHES:
                # Whatever a cache holds came out of the words, in some form; that it is
                # made anew does not say that any of this stood there.
                memory.workspace.remove_private(file)
            continue
        text = text_of(file)
        if text is None or (after := _scrubbed(file, text, known)) == bytes_of(text):
            continue
        removed.more["other"] += 1
        if file.parent.name == "drafts":
            memory.workspace.remove_private(file)
        else:
            memory.workspace.write_private(file, after)


def _scrubbed(file: Path, text: str, known: Recogniser) -> bytes:
    if file.suffix not in {".json", ".jsonl"}:
        return bytes_of(without(file.name, text, known))
    try:
        return scrub_json(bytes_of(text), known)
    except ValueError:
        return scrub_journal(bytes_of(text), known)[0]
