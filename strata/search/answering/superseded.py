"""What holds no more: it ranks below what took its place, and says that it is gone."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from strata.notes.marks import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from strata.search.answering.passages import Passage
    from strata.search.answering.snippets import Marked

DEMOTION = 0.5
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Succession:
    """
    What took the place of a statement, and when; the text is empty if unknown.

    Where it was *taken_back*, nothing did: it never held, or its owner declined it.
    """

    text: str
    day: date | None
    taken_back: bool = False


@dataclass(frozen=True, slots=True)
class History:
    """
    Which statements were superseded, by their words, and by what in the end.

    *changes* are a statement's words and what took its place, in the order of time.
    *unconfirmed* are the words of what waits for a second word of the owner.
    """

    successors: Mapping[str, Succession] = field(default_factory=dict)
    changes: tuple[tuple[str, Succession], ...] = ()
    unconfirmed: frozenset[str] = frozenset()

    def successor(self, line: str) -> Succession | None:
        """Return what took the place of the entry *line*."""
        return self.successors.get(key_of(line)) if self.successors else None

    def is_unconfirmed(self, text: str) -> bool:
        """Say whether a line of *text* is one that waits."""
        return bool(self.unconfirmed) and any(
            key_of(line) in self.unconfirmed for line in text.split("\n")
        )

    def as_of(self, day: date) -> History:
        """Return what was known on *day*: later changes had not happened yet."""
        known = [
            each for each in self.changes if each[1].day is None or each[1].day <= day
        ]
        if len(known) == len(self.changes):
            return self
        return replace(_told(known), unconfirmed=self.unconfirmed)


class Shown(NamedTuple):
    """A passage that is shown, where the terms stand in it, and what superseded it."""

    passage: Passage
    marked: Marked
    old: Succession | None


def key_of(line: str) -> str:
    """Return the words of an entry without bullet, tag, source and comments."""
    return _BLANKS.sub(" ", spoken(line)).strip(" .。").lower()


def history_of(
    superseded: Iterable[tuple[str, str, str]],
    taken_back: Iterable[tuple[str, str]] = (),
    unconfirmed: Iterable[str] = (),
) -> History:
    """
    Read texts, the texts that took their place, and moments in ISO 8601.

    What was *taken_back* stays so, whatever was said before or after.
    """
    changes = [
        (key_of(old), Succession(new, _day(moment)))
        for old, new, moment in superseded
        if key_of(old) != key_of(new)
    ]
    gone = [
        (key_of(text), Succession("", _day(moment), taken_back=True))
        for text, moment in taken_back
    ]
    told = _told([*changes, *(each for each in gone if each[0])])
    return replace(told, unconfirmed=frozenset(map(key_of, unconfirmed)) - {""})


def _told(changes: Sequence[tuple[str, Succession]]) -> History:
    direct: dict[str, Succession] = {}
    for old, change in changes:
        direct[old] = change
        # What is said again holds again.
        direct.pop(key_of(change.text), None)
    last = {
        old: replace(each, text=_last(each, direct)) for old, each in direct.items()
    }
    return History(last, tuple(changes))


def _last(change: Succession, direct: Mapping[str, Succession]) -> str:
    """Return what holds where what took the place was superseded in its turn, or ""."""
    text = change.text
    while later := direct.get(key_of(text)):
        if not later.text:
            return "" if later.taken_back else text
        text = later.text
    return text


def demoted(
    passages: Sequence[Passage],
    marked: Sequence[Marked],
    terms: Mapping[str, float],
    history: History,
) -> list[Shown]:
    """Order *passages* anew: what was superseded comes after what took its place."""
    pairs = zip(passages, marked, strict=True)
    if not history.successors:
        return [Shown(*each, None) for each in pairs]
    shown = []
    for passage, lines in pairs:
        old = _outdated(lines, terms, history)
        score = _score(passage, old, passages) if old else passage.score
        shown.append(Shown(replace(passage, score=score), lines, old))
    return sorted(shown, key=lambda each: (-each.passage.score, each.old is not None))


def _outdated(
    passage: Marked, terms: Mapping[str, float], history: History
) -> Succession | None:
    """Return the successor of the line that answers best, unless another does as well."""
    values = passage.values(terms)
    best = max(values, default=0.0)
    top = [
        history.successor(line)
        for line, value in zip(passage.lines, values, strict=True)
        if value == best
    ]
    return top[0] if best and all(top) else None


def _score(passage: Passage, old: Succession, passages: Sequence[Passage]) -> float:
    """
    Halve the score, and stay below every passage that holds the successor.

    What was taken back stays below all.
    """
    if old.taken_back:
        least = min(each.score for each in passages)
        return min(DEMOTION * passage.score, 0.99 * least)
    key = key_of(old.text)
    holders = [
        each.score
        for each in passages
        if key and any(key_of(line) == key for line in each.text.split("\n"))
    ]
    return min([DEMOTION * passage.score, *(0.99 * score for score in holders)])


def _day(moment: str) -> date | None:
    try:
        return date.fromisoformat(moment[:10])
    except ValueError:
        return None
