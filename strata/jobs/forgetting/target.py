"""What the owner wants forgotten, whether a line says it, and all that has to go."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from datetime import time, timedelta
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from strata.durations import in_order, moment_since, moment_until
from strata.errors import UsageError
from strata.messages import Notice
from strata.notes.marks import spoken
from strata.notes.sayings import contains, words_of

if TYPE_CHECKING:
    from datetime import date, datetime

    from strata.bank.statements import Stated

# Shorter texts are looked for as they are: too many lines are like a word or two.
_FEWEST_WORDS = 3
_ALIKE = 0.85
# More than there are lines in years of notes.
TEXTS_KEPT = 262144


@dataclass(frozen=True)
class Target:
    """
    Exactly one of: a statement, a name, a conversation by the start of its id, a time.

    The time goes from *since* up to, and not including, *until*.
    """

    text: str = ""
    entity: str = ""
    session: str = ""
    since: datetime | None = None
    until: datetime | None = None

    def __post_init__(self) -> None:
        given = [self.text, self.entity, self.session, self.since]
        if sum(1 for each in given if each) != 1:
            raise UsageError(Notice("forget.what"))
        if (self.text or self.entity) and not self.words:
            raise UsageError(Notice("forget.no-word"))

    @property
    def kind(self) -> str:
        """One of text, entity, session, period."""
        if self.since:
            return "period"
        return "text" if self.text else "entity" if self.entity else "session"

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words that a line says where it holds the text or the name itself."""
        return words_of(spoken(self.text) or self.entity)

    def is_said_by(self, text: str) -> bool:
        """Say whether *text* says it, in whatever words; only of a text or a name."""
        if not self.words:
            return False
        words = words_of(text)
        if contains(words, self.words):
            return True
        if self.entity or len(self.words) < _FEWEST_WORDS or len(words) < _FEWEST_WORDS:
            return False
        alike = _is_alike(self.words, words) and _is_about_the_same(self.text, text)
        return alike or is_same(self.text, text)


@dataclass(slots=True)
class Chosen:
    """
    What has to go, in plain words; only the hashes of it ever reach the disk.

    *scoped* statements go from what belongs to their day, *everywhere* ones from all
    places. *ids* stand for them in the journal and in caches, *evidence* are session and
    message of what they rest on, *sessions* the conversations that go as a whole. *renamed*
    are the new ids of what stays without its topic, by the old ones. *moments* are when the
    lines were said, by the clock of whichever machine heard them. *unsure* is what may
    tell of the same one by a short name, and stays.
    """

    everywhere: dict[str, None] = field(default_factory=dict)
    scoped: dict[tuple[date, str], None] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    renamed: dict[str, str] = field(default_factory=dict)
    evidence: set[tuple[str, str]] = field(default_factory=set)
    sessions: set[str] = field(default_factory=set)
    moments: set[str] = field(default_factory=set)
    unsure: list[Stated] = field(default_factory=list)

    @property
    def statements(self) -> list[str]:
        """Every statement that goes, once."""
        both = [*self.everywhere, *(text for _, text in self.scoped)]
        return list(dict.fromkeys(text for text in both if text))


def period(
    now: datetime, *, last: str = "", first: str = "", end: str = ""
) -> tuple[datetime | None, datetime | None]:
    """
    Return when a time begins and what it does not reach; (None, None) where none is named.

    It is since *last*, such as ``7d``, or else from *first* to *end*: whole days, but where
    an hour is named.
    """
    if last:
        since = moment_since(last, now)
        hours = last.strip().endswith(("h", "m"))
        return since if hours else _midnight(since), _midnight(now, days=1)
    if first:
        begin, until = moment_since(first, now), moment_until(end, now)
        in_order(begin, until)
        timed = until.time() != time()
        return begin, until if timed else _midnight(until, days=1)
    return None, None


def is_same(one: str, other: str) -> bool:
    """Say whether two statements say the same, in English or Chinese."""
    first, second = spoken(one), spoken(other)
    # One of them is compared with each line of memory.
    if _asked_terms(first).isdisjoint(_read_terms(second)):
        return words_of(first) == words_of(second)
    from strata.statements.relations import (  # noqa: PLC0415 - dictionaries
        Relation,
        relation,
    )

    return relation(first, second) is Relation.SAME


def _midnight(moment: datetime, *, days: int = 0) -> datetime:
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight + timedelta(days=days)


def common_terms(text: str) -> frozenset[str]:
    """Return what *text* is about, in terms that English and Chinese have in common."""
    return frozenset(_read_terms(text))


_asked_terms = lru_cache(maxsize=64)(common_terms)


# A forgetting reads each line of memory over and over: for the plan, in each file that may
# hold it, for the proof. A set would take ten times the room of these.
@lru_cache(maxsize=TEXTS_KEPT)
def _read_terms(text: str) -> tuple[str, ...]:
    from strata.statements.relations import folded_terms  # noqa: PLC0415 - as above

    return tuple(map(sys.intern, folded_terms(text)))


def _is_about_the_same(one: str, other: str) -> bool:
    """Say whether no name, thing or "not" stands in one and not in the other."""
    from strata.language.statement import read  # noqa: PLC0415 - as above

    first, second = spoken(one), spoken(other)
    if common_terms(first) != common_terms(second):
        return False
    return (read(first).denials > 0) is (read(second).denials > 0)


def _is_alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    # Word by word where there are words: one other number is another statement.
    if {each for each in one if each.isdigit()} != {e for e in other if e.isdigit()}:
        return False
    first, second = " ".join(one), " ".join(other)
    # Most differ by their lengths already, and a matcher takes its time to get ready.
    if 2 * min(len(first), len(second)) < _ALIKE * (len(first) + len(second)):
        return False
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE
