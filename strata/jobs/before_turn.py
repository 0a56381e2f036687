"""Recall before the turn: what of memory bears on a message, before the agent reads it."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from strata.bundle import BUNDLE
from strata.embedding_models.folder import DEFAULT_NAME, find_model
from strata.embedding_models.remembering import LONGEST, MOST, shared
from strata.errors import ModelUnavailable, StrataError
from strata.hits import Tier
from strata.jobs.query import (
    near_project,
    notice_forgotten_of,
    project_of,
    superseded,
    take_in_shared,
)
from strata.jobs.recalled import note_use
from strata.messages import Voice
from strata.models import Frame
from strata.notes.entries import parse_entry
from strata.notes.headings import session_of
from strata.notes.markdown import heading, unbulleted
from strata.notes.marks import spoken
from strata.search.answering.bearing import features, nearest, net, together
from strata.search.answering.finding import Question, places
from strata.search.answering.passages import Files
from strata.search.answering.ranking import PROJECT_BONUS, Ranking
from strata.search.indexing.scanning import scan, tier_of
from strata.search.language.keywords import content_terms
from strata.search.language.terms import Finder
from strata.search.stores.store import Scope
from strata.tokens import token_count, unspaced_count
from strata.workspace.recalls import recall_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import date

    from strata.embedding_models.remembering import RememberingEncoder
    from strata.memory import Memory
    from strata.search.answering.ranking import Place
    from strata.search.answering.superseded import History
    from strata.search.indexing.scanning import FileState

    # What tells whether lines are about the project at hand; none where there is none.
    Near = Callable[[Place], bool] | None

# Passages that are looked at, and lines of them; what a person types is rarely longer.
_PASSAGES, _LINES, _ASKED_CHARACTERS = 16, 75, 600
# Eight tokens take the model a millisecond: the message is read, and with what is left of
# so many, lines that never were; the rest of these afterwards.
_TOKENS = 48
# Who was reminded of something needs it no more, until so many messages later.
_AGAIN_AFTER = 12
# So much of what a line says beyond the message stands in an answer that used it.
_USED = 0.34
_CONVERSATIONS = 200
# What may be somebody else's words is not put before an agent that did not ask.
_NOT_SURELY_THEIRS = {Frame.SAYING, Frame.READ, Frame.HEARD}
# What are operators in a question are signs in a message.
_OPERATORS = re.compile(r"[\"“”「」『』]|(?<!\w)-(?=\S)")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of memory that may be shown, where it stands, and the *key* of its words."""

    path: str
    number: int
    text: str
    day: date | None
    key: str

    @property
    def citation(self) -> str:
        """The line, as `get` reads it."""
        return f"{self.path}#L{self.number}-L{self.number}"

    @property
    def start_line(self) -> int:
        """Where it begins, as that of longer passages."""
        return self.number

    @property
    def end_line(self) -> int:
        """Where it ends."""
        return self.number

    @property
    def tier(self) -> Tier:
        """The kind of note that it stands in."""
        return tier_of(self.path)


@dataclass(slots=True)
class Conversation:
    """What was shown in it: by the message it came with, and what no answer has used."""

    messages: int = 0
    shown: dict[str, int] = field(default_factory=dict)
    unused: list[tuple[str, str]] = field(default_factory=list)

    def is_new(self, line: Line) -> bool:
        """Say whether *line* is not to be seen in what the agent has read lately."""
        before = self.shown.get(line.key)
        return before is None or self.messages - before > _AGAIN_AFTER


class Conversations:
    """Those that had a turn lately, by their ids."""

    def __init__(self) -> None:
        self._known: dict[str, Conversation] = {}

    def of(self, number: str) -> Conversation:
        """Return the conversation *number*, new or known."""
        found = self._known.pop(number, None) or Conversation()
        self._known[number] = found
        while len(self._known) > _CONVERSATIONS:
            self._known.pop(next(iter(self._known)))
        return found


class Ahead:
    """
    Reads the lines of a memory before they are needed, when there is time.

    What a turn lacked comes first, then MEMORY.md and the newest notes, as many lines as
    are kept; once all are read, those of notes that changed.
    """

    def __init__(self) -> None:
        self._lines: Iterator[str] = iter(())
        self._seen: dict[str, FileState] = {}

    def read(self, memory: Memory, many: int, *, look: bool = False) -> bool:
        """Embed *many* more lines of *memory*, or *look* for some; false without any."""
        encoder = _encoder(memory)
        if encoder is None:
            return False
        some = encoder.wished(many) or [*islice(self._lines, many)]
        if not some and (look or not self._seen):
            self._lines = islice(self._changed(memory), MOST // 2)
            some = [*islice(self._lines, many)]
        encoder.encode(some)
        return bool(some)

    def _changed(self, memory: Memory) -> Iterator[str]:
        known, self._seen = self._seen, scan(memory.workspace.root)
        paths = [path for path in self._seen if self._seen[path] != known.get(path)]
        for path in sorted(paths, key=_importance, reverse=True):
            with suppress(StrataError, OSError):
                text = memory.workspace.read(path).encode("utf-8", "replace").decode()
                for line in map(_statement, text.split("\n")):
                    if 0 < len(line) <= LONGEST:
                        yield line


def _importance(path: str) -> tuple[bool, str]:
    return tier_of(path) is Tier.LONG_TERM, path


def before_turn(
    memory: Memory,
    message: str,
    number: str,
    conversation: Conversation,
    in_time: Callable[[], bool] = lambda: True,
) -> str:
    """
    Return what the agent of *memory* should know before it answers *message*, or "".

    *number* is the id of the *conversation*, whose own words are not shown to it again.
    Without an embedding model nothing is shown, and nothing counts as shown that is not
    *in_time*.
    """
    conversation.messages += 1
    conversation.unused.clear()
    if not memory.settings.recall_tokens or not message.strip():
        return ""
    notice_forgotten_of(memory)
    take_in_shared(memory)
    history = superseded(memory).as_of(memory.now.date())
    near = near_project(memory, project_of(memory, number))
    lines = _lines(memory, _question(message), number, history, near)
    weighed = [
        (chance, line)
        for chance, line in _weighed(memory, message, lines)
        if conversation.is_new(line)
    ]
    shown = _within(_chosen(weighed, near), message, memory.settings.recall_tokens)
    if not in_time():
        return ""
    for line in shown:
        conversation.shown[line.key] = conversation.messages
        conversation.unused.append((line.text, message))
    memory.saw(*(line.citation for line in shown))
    return _fenced(shown, message) if shown else ""


def note_answer(memory: Memory, answer: str, conversation: Conversation) -> None:
    """Count as used what was shown before the turn and stands in its *answer*."""
    keys = [
        recall_key(line)
        for line, message in conversation.unused
        if _is_used(line, message, answer)
    ]
    conversation.unused.clear()
    note_use(memory, keys)


def _question(message: str) -> str:
    half = _ASKED_CHARACTERS // 2
    if len(message) > _ASKED_CHARACTERS:
        message = f"{message[:half]} {message[-half:]}"
    return " ".join(_OPERATORS.sub(" ", message).split())


def _lines(
    memory: Memory, question: str, number: str, history: History, near: Near
) -> list[Line]:
    """Return the lines of the passages nearest to *question*, each statement once."""
    ranking = Ranking(
        memory.now.date(),
        memory.settings.search_half_life_days,
        # Lines are weighed below, whichever passages they stand in.
        without=memory.settings.parts_off | {"names", "occasions"},
        near=near,
    )
    asked = Question(question, _PASSAGES, Scope(), history=history)
    found: dict[str, Line] = {}
    files = Files(memory.workspace.root)
    for place in places(memory.index, memory.workspace.root, asked, ranking):
        for line in _lines_of(files, place, number):
            holds = history.successor(line.text) is None
            if holds and not history.is_unconfirmed(line.text):
                found.setdefault(line.key, line)
    return list(found.values())[:_LINES]


def _lines_of(files: Files, place: Place, number: str) -> Iterator[Line]:
    whole = files.lines(place.path)
    label = _session_at(whole, place.start_line)
    for at in range(place.start_line, min(place.end_line, len(whole)) + 1):
        label = _label(whole[at - 1]) or label
        text, key = _meant(whole[at - 1])
        # What was said in this conversation is in front of the agent anyway.
        if text and not number.startswith(label):
            yield Line(place.path, at, text, place.day, key)


def _session_at(lines: Sequence[str], number: int) -> str:
    """Return the label of the conversation that line *number* of a note comes from."""
    labels = map(_label, reversed(lines[:number]))
    return next(filter(None, labels), "nobody's")


def _label(line: str) -> str:
    """Return the label of the conversation whose heading *line* is, else ""."""
    found = session_of(line) if line.startswith("#") else None
    return found.label if found else ""


# The same lines come with many messages.
@lru_cache(maxsize=4096)
def _meant(line: str) -> tuple[str, str]:
    """Return what *line* says for sure in the owner's name, and its key; else "" twice."""
    text = _statement(line)
    if not text or parse_entry(text).frame in _NOT_SURELY_THEIRS:
        return "", ""
    return text, recall_key(text)


def _statement(line: str) -> str:
    """Return what *line* says, "" where it is but a heading or a rule."""
    text = spoken(unbulleted(line))
    is_frame = heading(line) or text.startswith(("---", "<!--", "|"))
    return "" if is_frame else text


def _weighed(
    memory: Memory, message: str, lines: Sequence[Line]
) -> list[tuple[float, Line]]:
    """Return those of *lines* that are near *message*, and how likely each is needed."""
    encoder = _encoder(memory)
    if encoder is None:
        return []
    question = _question(message)
    lines = _readable(encoder, question, lines)
    if not lines:
        return []
    vectors = encoder.encode([question, *(line.text for line in lines)])
    asked, vectors = vectors[0], vectors[1:]
    table = features(message, [line.text for line in lines], vectors @ asked)
    places = nearest(table)
    chances = net().chances(asked, vectors[places], table[places])
    return [
        (float(chance), lines[at]) for chance, at in zip(chances, places, strict=True)
    ]


def _chosen(weighed: Sequence[tuple[float, Line]], near: Near) -> list[Line]:
    """
    Return the lines that are shown together, best first.

    Those of the project at hand come before others, which hides none of them.
    """

    def worth(row: tuple[float, Line]) -> float:
        return row[0] * (1.0 if near is None or near(row[1]) else 1 - PROJECT_BONUS)

    shown = sorted(
        (weighed[at] for at in together([chance for chance, _ in weighed])),
        key=worth,
        reverse=True,
    )
    return [line for _, line in shown]


def _readable(
    encoder: RememberingEncoder, question: str, lines: Sequence[Line]
) -> list[Line]:
    """Return those of *lines* for which there is time, and have the rest read later."""
    room = _TOKENS - token_count(question)
    found: list[Line] = []
    for line in lines:
        if encoder.knows(line.text):
            found.append(line)
        elif len(line.text) <= LONGEST:
            room -= token_count(line.text)
            if room >= 0:
                found.append(line)
            else:
                encoder.wish([line.text])
    return found


def _encoder(memory: Memory) -> RememberingEncoder | None:
    """Return the model from whose vectors the net has learned, whatever the index has."""
    try:
        model = memory.index.model
        if model is None or model.name == DEFAULT_NAME:
            return memory.index.remembering()
        folder = find_model(BUNDLE)
        return shared(folder) if folder else None
    except ModelUnavailable:
        return None


def _within(lines: Sequence[Line], message: str, tokens: int) -> list[Line]:
    """Return as many of *lines* as fit into *tokens* with all that is around them."""
    shown: list[Line] = []
    for line in lines:
        if token_count(_fenced([*shown, line], message)) <= tokens:
            shown.append(line)
    return shown


def _fenced(lines: Sequence[Line], message: str) -> str:
    """Return *lines* as data that says of itself that it is no instruction."""
    foreign = unspaced_count(message) * 4 > len(message)
    say = Voice("before-turn", "zh" if foreign else "en")
    told = [
        say(
            "line",
            text=each.text,
            day=f"{each.day}, " if each.day else "",
            at=each.citation,
        )
        for each in lines
    ]
    # A record cannot close the fence around it.
    told = [each.replace("<", "‹") for each in told]
    return "\n".join(["<strata-memory>", say("head"), *told, "</strata-memory>"])


def _is_used(line: str, message: str, answer: str) -> bool:
    """Say whether *answer* says what *line* does, and *message* did not."""
    terms = content_terms(line)
    said = Finder(terms).present(message)
    news = {term: weight for term, weight in terms.items() if term not in said}
    whole = sum(news.values())
    found = sum(news[term] for term in Finder(news).present(answer)) if news else 0.0
    return bool(whole) and found / whole >= _USED
