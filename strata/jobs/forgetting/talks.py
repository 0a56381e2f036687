"""What was forgotten leaves the talks of other tools too: Strata alone keeps these."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from strata.jobs.forgetting.documents import Document, is_talk, text_of
from strata.jobs.forgetting.recognition import in_utc
from strata.jobs.undoing.runs import open_recording
from strata.language.sentences import split_sentences
from strata.models import IMPORTED
from strata.notes.sayings import may_say, words_of
from strata.transcripts.entries import decode, parse_entry
from strata.workspace.recording import recorded_runs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.jobs.forgetting.recognition import Recogniser
    from strata.jobs.forgetting.target import Chosen, Target
    from strata.memory import Memory

    # Any: it is JSON.
    Line = dict[str, Any]

TALK = "talk"
# What the first line of a talk says of it in words.
_WORDED = ("title", "project")


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
    kept = []
    for line in document.text.splitlines(keepends=True):
        try:
            told = decode(line)
        except ValueError:
            kept += [] if known.forgets_text(line) else [line]
            continue
        left = _left(told, session, known) if isinstance(told, dict) else told
        if left is told:
            kept.append(line)
        elif left is not None:
            kept.append(json.dumps(left, ensure_ascii=False) + "\n")
    return "".join(kept)


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
    for file in sorted(layout.imported_folder.glob("*/*.jsonl")):
        path = file.relative_to(layout.root).as_posix()
        if (text := text_of(file)) is not None:
            yield Document(TALK, path, text, file)
    for run in recorded_runs(layout.undo_folder):
        for change in open_recording(memory, run).changes():
            if change.image and is_talk(change.path):
                text = text_of(change.image)
                if text is not None:
                    yield Document("undo", change.path, text, change.image)


def _left(told: Line, session: str, known: Recogniser) -> Line | None:
    """Return what may stay of a line: itself, another one, or None for nothing."""
    if told.get("type") == "session":
        return _header(told, known)
    entry = parse_entry(told)
    if entry.said is None:
        return told
    at = _moment(entry.said.time)
    if known.forgets_moment(session, at):
        return None
    text = entry.said.text
    by_owner = entry.said.role == "user"
    left = _words_left(known, session, entry.id, text, at, by_owner=by_owner)
    if left == text:
        return told
    content = [{"type": "text", "text": left}]
    return (
        {**told, "message": {**told["message"], "content": content}} if left else None
    )


def _header(told: Line, known: Recogniser) -> Line:
    source = told.get(IMPORTED)
    if not isinstance(source, dict):
        return told
    gone = [
        name
        for name in _WORDED
        if name in source and known.forgets_text(str(source[name]))
    ]
    return {**told, IMPORTED: {**source, **dict.fromkeys(gone, "")}} if gone else told


def _words_left(  # noqa: PLR0913 - all that tells a message from others
    known: Recogniser,
    session: str,
    message: str,
    text: str,
    at: str,
    *,
    by_owner: bool,
) -> str:
    """Return *text* without the sentences that say it, or that forgotten lines rest on."""
    held = known.up_to(at) if by_owner else known
    about = held.terms_behind(session, message)
    if not about and not held.spells(text):
        return text
    position, kept = 0, []
    for sentence in split_sentences(text):
        said = text[sentence.start : sentence.end]
        if held.spells(said) or (about and held.is_about(about, said)):
            kept.append(text[position : sentence.start])
            position = sentence.end
    left = "".join([*kept, text[position:]]).strip() if kept else text
    # What goes over several sentences, or stands behind a line in other words.
    return "" if held.spells(left) or (about and left == text) else left


def _moment(seconds: float) -> str:
    return in_utc(datetime.fromtimestamp(seconds, UTC))
