"""Recall before the turn: what of memory bears on a message, before the agent reads it."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from strata.bundle import BUNDLE
from strata.embedding_models.folder import DEFAULT_NAME, find_model
from strata.embedding_models.remembering import LONGEST, MOST, shared
from strata.errors import ModelUnavailable, StrataError
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
from strata.search.answering.bearing import features, nearest, net
from strata.search.answering.finding import Question, find
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
    from strata.hits import Hit, Tier
    from strata.memory import Memory
    from strata.search.answering.ranking import Place
    from strata.search.answering.superseded import History

    # What tells whether lines are about the project at hand; none where there is none.
    Near = Callable[[Place], bool] | None

# A line is shown from so high a chance on, and so many at most (training/bearing.py).
CUT, MOST_SHOWN = 0.35, 3
# Passages that are looked at, and lines of them; what a person types is rarely longer.
_PASSAGES, _LINES, _ASKED_CHARACTERS = 12, 75, 600
# What was never embedded costs 3 to 5 ms a line; the rest of it is read afterwards.
_NEW_LINES = 3
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
    """A line of memory that may be shown, and where it stands."""

    path: str
    number: int
    text: str
    day: date | None

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
        before = self.shown.get(recall_key(line.text))
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
    bearing = _bearing(memory, message, lines, near)
    chosen = [line for line in bearing if conversation.is_new(line)]
    shown = _within(chosen[:MOST_SHOWN], message, memory.settings.recall_tokens)
    if not in_time():
        return ""
    for line in shown:
        conversation.shown[recall_key(line.text)] = conversation.messages
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


def remember_some(memory: Memory, texts: Iterator[str], many: int) -> None:
    """Embed *many* lines that a turn lacked, or else the next of *texts*."""
    if encoder := _encoder(memory):
        some = encoder.wished(many) or [*islice(texts, many)]
        encoder.encode(some)


def memorable(memory: Memory) -> Iterator[str]:
    """Yield what the lines of memory say, the newest notes first, as many as are kept."""
    return islice(_all_lines(memory), MOST // 2)


def _all_lines(memory: Memory) -> Iterator[str]:
    for path in sorted(scan(memory.workspace.root), reverse=True):
        with suppress(StrataError, OSError):
            text = memory.workspace.read(path).encode("utf-8", "replace").decode()
            for _, line in _statements(text.split("\n"), 1):
                if len(line) <= LONGEST:
                    yield line


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
    answer = find(memory.index, memory.workspace.root, asked, ranking)
    found: dict[str, Line] = {}
    files = Files(memory.workspace.root)
    for hit in (*answer.hits, *answer.closest):
        for line in _lines_of(files, hit, number):
            holds = history.successor(line.text) is None
            if holds and not history.is_unconfirmed(line.text):
                found.setdefault(recall_key(line.text), line)
    return list(found.values())[:_LINES]


def _lines_of(files: Files, hit: Hit, number: str) -> Iterator[Line]:
    whole = files.lines(hit.path)
    part = whole[hit.start_line - 1 : hit.end_line]
    for place, text in _statements(part, hit.start_line):
        # What was said in this conversation is in front of the agent anyway.
        own = number.startswith(_session_at(whole, place))
        if not own and parse_entry(text).frame not in _NOT_SURELY_THEIRS:
            yield Line(hit.path, place, text, hit.day)


def _session_at(lines: Sequence[str], number: int) -> str:
    """Return the label of the conversation that line *number* of a note comes from."""
    for line in reversed(lines[:number]):
        if found := session_of(line):
            return found.label
    return "nobody's"


def _statements(lines: Sequence[str], first: int) -> Iterator[tuple[int, str]]:
    """Yield the number of each line that says something, and what it says."""
    for number, line in enumerate(lines, start=first):
        text = spoken(unbulleted(line))
        if text and not heading(line) and not text.startswith(("---", "<!--", "|")):
            yield number, text


def _bearing(
    memory: Memory, message: str, lines: Sequence[Line], near: Near
) -> list[Line]:
    """
    Return those of *lines* that are likely needed to answer *message*, best first.

    Those of the project at hand come before others, which hides none of them.
    """
    encoder = _encoder(memory)
    if encoder is None or not lines:
        return []
    lines = [line for line in lines if len(line.text) <= LONGEST]
    later = [line for line in lines if not encoder.knows(line.text)][_NEW_LINES:]
    encoder.wish(line.text for line in later)
    lines = [line for line in lines if line not in later]
    vectors = encoder.encode([_question(message), *(line.text for line in lines)])
    asked, vectors = vectors[0], vectors[1:]
    table = features(message, [line.text for line in lines], vectors @ asked)
    weighed = nearest(table)
    chances = net().chances(asked, vectors[weighed], table[weighed])
    needed = [
        (chance, lines[place])
        for chance, place in zip(chances, weighed, strict=True)
        if chance >= CUT
    ]

    def worth(row: tuple[float, Line]) -> float:
        return row[0] * (1.0 if near is None or near(row[1]) else 1 - PROJECT_BONUS)

    return [line for _, line in sorted(needed, key=worth, reverse=True)]


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
