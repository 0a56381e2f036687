"""What was forgotten leaves the talks of other tools too: Strata alone keeps these."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from strata.errors import DecryptionFailed
from strata.jobs.forgetting.documents import Document, is_talk, text_of
from strata.jobs.forgetting.recognition import in_utc
from strata.jobs.undoing.runs import open_recording
from strata.language.sentences import split_sentences
from strata.models import IMPORTED
from strata.notes.sayings import may_say, words_of
from strata.transcripts.entries import decode, parse_entry
from strata.workspace import stored
from strata.workspace.recording import recorded_runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from strata.jobs.forgetting.recognition import Recogniser
    from strata.jobs.forgetting.target import Chosen, Target
    from strata.memory import Memory

    # Any: it is JSON.
    Line = dict[str, Any]

TALK = "talk"
# What the first line of a talk says of it in words.
_WORDED = ("title", "project")
# In a line that has lost words: to which forgettings.
_DONE = "forgotten"


@dataclass(frozen=True, slots=True)
class Clues:
    """
    What tells at a glance that a talk may hold what is forgotten.

    That are *words* of it, and the *sessions* that its entries rest on. Where the time
    is what is forgotten, it may be *anywhere*.
    """

    words: tuple[tuple[str, ...], ...] = ()
    sessions: frozenset[str] = field(default_factory=frozenset)
    anywhere: bool = False

    @classmethod
    def of(cls, target: Target, chosen: Chosen) -> Clues:
        """Return the clues to *target* and to what was *chosen* for it."""
        texts = [target.words, *map(words_of, chosen.statements)]
        sessions = {session for session, _ in chosen.evidence} | chosen.sessions
        words = tuple(dict.fromkeys(filter(None, texts)))
        return cls(words, frozenset(sessions), target.since is not None)

    def lead_to(self, document: Document) -> bool:
        """Say whether *document* is worth a look."""
        if self.anywhere or document.file.stem in self.sessions:
            return True
        return any(may_say(document.text, words) for words in self.words)


def talks(memory: Memory, clues: Clues | None) -> Iterator[Document]:
    """Yield the talks of other tools, and what undo has of them, where *clues* lead to."""
    for document in _all(memory):
        if clues is None or document.place == "undo" or clues.lead_to(document):
            yield document


def scrubbed_talk(document: Document, known: Recogniser) -> str:
    """Return the text of the talk *document* without what is *known* as forgotten."""
    session = document.path.rpartition("/")[2].removesuffix(".jsonl")
    stands = document.text.splitlines(keepends=True)
    lines = [_decoded(line) for line in stands]
    left = iter(scrubbed_lines(session, filter(None, lines), known))
    kept = []
    for text, line in zip(stands, lines, strict=True):
        if line is None:
            # What is damaged is no line of ours, but can be read.
            kept += [] if known.forgets_text(text) else [text]
            continue
        after = next(left)
        if after is line:
            kept.append(text)
        elif after is not None:
            kept.append(f"{json.dumps(after, ensure_ascii=False)}\n")
    return "".join(kept)


def scrubbed_lines(
    session: str, lines: Iterable[Line], known: Recogniser
) -> list[Line | None]:
    """Return for each of the *lines* of a talk what may stay of it, None for nothing."""
    scrubbing, before = _Scrubbing(session, known), list(lines)
    after = [scrubbing.left_of(each) for each in before]
    pairs = zip(before, after, strict=True)
    loses = any(new is not old or _DONE in old for old, new in pairs)
    return [_untitled(each, loses, known) for each in after]


def new_talks(memory: Memory) -> Iterator[Document]:
    """Yield the talks that others than a forgetting have written since `mark_talks`."""
    known = _marked(memory)
    for file in _files(memory):
        if known.get(file.name) != _state(file) and (text := text_of(file)) is not None:
            path = file.relative_to(memory.workspace.root).as_posix()
            yield Document(TALK, path, text, file)


def mark_talks(memory: Memory) -> None:
    """Take note of the talks as they are, with all that was forgotten out of them."""
    states = {file.name: _state(file) for file in _files(memory)}
    if states != _marked(memory):
        content = json.dumps(states).encode()
        memory.workspace.write_private(_marks_file(memory), content)


def _marked(memory: Memory) -> dict[str, list[int]]:
    with suppress(OSError, ValueError, TypeError, DecryptionFailed):
        return dict(json.loads(stored.read(_marks_file(memory))))
    return {}


def _marks_file(memory: Memory) -> Path:
    return memory.workspace.layout.private / "cache" / "swept-talks.json"


def _state(file: Path) -> list[int]:
    found = file.stat()
    return [found.st_mtime_ns, found.st_size]


def _files(memory: Memory) -> list[Path]:
    return sorted(memory.workspace.layout.imported_folder.glob("*/*.jsonl"))


def _untitled(line: Line | None, loses: bool, known: Recogniser) -> Line | None:  # noqa: FBT001 - in one place
    """Return the first *line* without the names that its talk has, where they may tell."""
    source = line.get(IMPORTED) if line else None
    if line is None or not isinstance(source, dict):
        return line
    named = {name: str(source[name]) for name in _WORDED if source.get(name)}
    # Whoever named the talk did so after what was said in it.
    gone = [name for name, told in named.items() if loses or known.forgets_text(told)]
    return {**line, IMPORTED: {**source, **dict.fromkeys(gone, "")}} if gone else line


def _decoded(line: str) -> Line | None:
    try:
        told = decode(line)
    except ValueError:
        return None
    return told if isinstance(told, dict) else None


class _Scrubbing:
    """Goes through the lines of one talk, in order, and takes out what is *known*."""

    def __init__(self, session: str, known: Recogniser) -> None:
        self._session = session
        self._known = known
        # What the last message was about that a forgotten line rests on.
        self._echoed: list[frozenset[str]] = []

    def left_of(self, told: Line) -> Line | None:
        """Return what may stay of the next line: itself, another, or None for nothing."""
        entry = parse_entry(told)
        if entry.said is None:
            return told
        at = in_utc(datetime.fromtimestamp(entry.said.time, UTC))
        if self._known.forgets_moment(self._session, at):
            return None
        by_owner = entry.said.role == "user"
        held = self._known.up_to(at) if by_owner else self._known
        behind = held.terms_behind(self._session, entry.id)
        about = [part for parts in behind.values() for part in parts]
        # An assistant answers in the words that it was told.
        told_back = [] if by_owner else self._echoed
        self._echoed = about or told_back
        left = _words_left(held, entry.said.text, [*about, *told_back])
        fresh = sorted(behind.keys() - set(told.get(_DONE) or ()))
        if left == entry.said.text and not fresh:
            return told
        if not left or left == entry.said.text:
            # It stands behind a forgotten line, in words that nobody knows again.
            return None
        content = [{"type": "text", "text": left}]
        done = {_DONE: sorted({*(told.get(_DONE) or ()), *fresh})} if behind else {}
        return {**told, **done, "message": {**told["message"], "content": content}}


def changed_talks(
    memory: Memory, known: Recogniser, clues: Clues | None
) -> Iterator[tuple[Document, str]]:
    """Give each talk that holds what is *known*, with what may stay of it."""
    for document in talks(memory, clues):
        after = scrubbed_talk(document, known)
        if after != document.text:
            yield document, after


def _all(memory: Memory) -> Iterator[Document]:
    layout = memory.workspace.layout
    for file in _files(memory):
        path = file.relative_to(layout.root).as_posix()
        if (text := text_of(file)) is not None:
            yield Document(TALK, path, text, file)
    for run in recorded_runs(layout.undo_folder):
        for change in open_recording(memory, run).changes():
            if change.image and is_talk(change.path):
                text = text_of(change.image)
                if text is not None:
                    yield Document("undo", change.path, text, change.image)


def _words_left(known: Recogniser, text: str, about: Sequence[frozenset[str]]) -> str:
    """Return *text* without the sentences that say it, or what forgotten lines rest on."""
    if not about and not known.spells(text):
        return text
    position, kept = 0, []
    for sentence in split_sentences(text):
        said = text[sentence.start : sentence.end]
        if known.spells(said) or (about and known.is_about(about, said)):
            kept.append(text[position : sentence.start])
            position = sentence.end
    left = "".join([*kept, text[position:]]).strip() if kept else text
    # What goes over several sentences goes with all of them.
    return "" if known.spells(left) else left
