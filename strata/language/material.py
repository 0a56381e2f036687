"""What a model gets to read of a conversation: its own words, numbered, in pieces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from strata.language.sentences import split_sentences
from strata.models import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from strata.language.sentences import Sentence
    from strata.models import Message

# An agent may write essays; what it achieved stands at the beginning or at the end.
_AGENT_HEAD = 5
_AGENT_TAIL = 2
# Beside its words a message costs its number, its speaker and its time.
FRAME_CHARS = 70
# Where a conversation must be cut, it is cut in the last part of what fits.
_EARLIEST_CUT = 0.5


@dataclass(frozen=True)
class Line:
    """One message as a model reads it: *id* is the number by which it is cited."""

    id: int
    message: Message

    @property
    def by_owner(self) -> bool:
        """Whether the owner said it, and not the agent."""
        return self.message.origin is Origin.OWNER

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """What is said in its writer's own words; orders to machines are left out."""
        said = tuple(
            sentence
            for sentence in split_sentences(self.message.text)
            if not sentence.injected and not sentence.carries_order
        )
        if self.by_owner or len(said) <= _AGENT_HEAD + _AGENT_TAIL:
            return said
        return (*said[:_AGENT_HEAD], *said[-_AGENT_TAIL:])

    @cached_property
    def text(self) -> str:
        """The words, on one line."""
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def size(self) -> int:
        """How many characters of a prompt it takes, about."""
        return len(self.text) + FRAME_CHARS


def line_of(message: Message) -> Line | None:
    """
    Return *message* as a line, or None where nobody said anything of their own.

    What the agent merely read back from memory is not said again.
    """
    if message.role == "tool" or message.recalled:
        return None
    if message.origin not in {Origin.OWNER, Origin.AGENT}:
        return None
    line = Line(0, message)
    return line if line.text else None


class Windows:
    """
    Gathers what is said into windows of at most *most_chars*, cut where the talk pauses.

    A window begins where a day does, after a long silence, or at least with the owner's
    words; its lines are numbered from 1.
    """

    def __init__(self, most_chars: int) -> None:
        self._most = most_chars
        self._held: list[Line] = []
        self._size = 0

    def add(self, message: Message) -> list[Line]:
        """Take in what *message* says; return a window that is full, or nothing yet."""
        full: list[Line] = []
        if (line := line_of(message)) is None:
            return full
        if self._held and self._size + line.size > self._most:
            full = self._cut(line)
        self._held.append(line)
        self._size += line.size
        return full

    def rest(self) -> list[Line]:
        """Return what has been gathered, and begin anew."""
        rest, self._held, self._size = self._held, [], 0
        return numbered(rest)

    def _cut(self, following: Line) -> list[Line]:
        lines = [*self._held, following]
        earliest = max(1, int(len(self._held) * _EARLIEST_CUT))
        places = range(earliest, len(lines))
        at = max(places, key=lambda place: _pause_before(lines, place))
        full, self._held = self._held[:at], self._held[at:]
        self._size = sum(line.size for line in self._held)
        return numbered(full)


def numbered(lines: Iterable[Line]) -> list[Line]:
    """Return *lines* as they are cited, by numbers from 1."""
    return [Line(number, line.message) for number, line in enumerate(lines, 1)]


def _pause_before(lines: Sequence[Line], place: int) -> tuple[bool, bool, float, int]:
    """Return how good a place is to cut: the owner speaks, after the longest silence."""
    before, after = lines[place - 1].message.time, lines[place].message.time
    other_day = before.date() != after.date()
    silence = (after - before).total_seconds()
    return lines[place].by_owner, other_day, silence, place
