"""
What a statement is to an earlier one of the same owner, in the loose words of talk.

`relations` compares two statements as such. In a conversation people repeat a rule in half
a sentence ("the rule stays"), or turn it around while telling why ("the server was down
twice, I'm giving up on it"). The words that do so are what this module knows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.lexicon import kind_of
from strata.language.statement import read
from strata.statements.relations import Relation, relation
from strata.statements.topics import WIDE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.language.meanings import Term

AGAIN = cue("turns.again")
STRONG_TURN = cue("turns.strong_turn")
TURN = cue("turns.turn")
_HALF_HOUR = re.compile(r"\bhalf an hour\b|\bhalf hour\b|\bhalf-hour\b", re.IGNORECASE)
_HALF_HOUR_CHINESE = re.compile(r"半个?(?:小时|钟头)")
# The parts of a path are words as well.
_PATH = re.compile(r"/([\w.-]+)/([\w.-]+)")
# For whom, or of what, a rule is: "reports for Acme", 给海石的报告, 译栈的端口.
_WHOSE = re.compile(
    r"\b(?:for|of|at) (?:the |our )?([A-Z][\w-]+)"
    r"|(?:给|替|对)([\u3400-\u9fff]{2,4}?)[的写发]"
    r"|(?:^|以后|今后|往后|[,\uff0c])(?!我|咱|你|他|她)([\u3400-\u9fff]{2,4}?)的"
)
# So much shared meaning makes a topic, where the newer one says that something changes.
_TOPIC = 1.4
_TOPIC_WITH_SORT = 0.9
# What they share is what the older one is about, or at least no aside of it.
_ABOUT = 0.3
_CLASHING = 0.5
_BESIDE = 0.2
# So much of the smaller one must stand in the larger for them to be the same.
_CONTAINED = 0.7
_CONTAINED_AGAIN = 0.4
# Less of it, where they share so much and something that is named: the rest is asides.
_CORE = 3.0
_CONTAINED_CORE = 0.5
_ONE_WORD = 1.0


def succession(
    older: str, newer: str, *, said: str = "", decides: bool = False, hold: bool = True
) -> Relation:
    """
    Return what *newer* is to *older*, both an owner's, the older one still in force.

    *said* is the whole entry of which *newer* is what lasts. *decides* says that both are
    decisions: two about one topic exclude each other; *hold*, that both hold for long.
    """
    related = relation(older, newer)
    if related is Relation.SAME:
        return related
    old, new = _told(older), _told(newer)
    # What calls a rule to mind is not what the rule is about.
    about = _told(AGAIN.sub(" ", newer)) if new.again else new
    whole = _told(said or newer)
    pair = _Pair(old, new, whole, old.shared_with(new) & about.terms.keys())
    if related is Relation.DIFFERENT and pair.repeats():
        return Relation.SAME
    if whole.changes or decides or (hold and whole.outright):
        turned = _Pair(old, whole, whole, old.shared_with(whole))
        if turned.turns(decides=decides, hold=hold):
            return Relation.UPDATES
    if related is Relation.DIFFERENT or _is_for_another(old, whole):
        return Relation.DIFFERENT
    if pair.is_about_same() or pair.is_replaced():
        return related
    return Relation.DIFFERENT


@dataclass(frozen=True, slots=True)
class _Told:
    """
    What a *text* tells: its *terms*, and of what sort each is that is a value.

    It calls something to mind *again*, *changes* something or does so *outright*, and may
    say for *whom* or of what it is.
    """

    text: str
    terms: dict[str, Term]
    sorts: dict[str, str]
    weight: float
    again: bool
    changes: bool
    outright: bool
    whom: str

    def shared_with(self, other: _Told) -> set[str]:
        """Return what both tell, and that tells something."""
        return {
            key
            for key in self.terms.keys() & other.terms.keys()
            if _tells(self.terms[key])
        }

    def sorts_beside(self, shared: set[str]) -> set[str]:
        """Return of what sorts the values are that it has beside what is *shared*."""
        return {sort for key, sort in self.sorts.items() if key not in shared}


class _Pair:
    """Two statements, and what they share; *whole* is all that the newer one says."""

    def __init__(self, old: _Told, new: _Told, whole: _Told, shared: set[str]) -> None:
        self._older, self._newer, self._whole = old, new, whole
        self._old, self._new = old.terms, new.terms
        self._shared = shared
        self._common = _weight(self._old[key] for key in shared)
        self._share = self._common / max(old.weight, 0.1)

    @cached_property
    def _topic(self) -> float:
        sorts = self._older.sorts
        return sum(self._old[key].weight for key in self._shared if key not in sorts)

    def repeats(self) -> bool:
        """Say whether the newer one says nearly the same, or calls the older to mind."""
        again = self._whole.again
        if self._whole.changes and not again:
            return False
        weights = [self._older.weight, self._newer.weight]
        # A statement of which one word is understood says too little to be compared.
        if self._common < _TOPIC_WITH_SORT or min(weights) <= _ONE_WORD:
            return False
        least = _CONTAINED_AGAIN if again else _CONTAINED
        if self._common >= _CORE and self._is_named():
            least = min(least, _CONTAINED_CORE)
        contained = self._common / max(min(weights), 0.1) >= least
        return contained and not (self._other_values() or self._opposes())

    def _is_named(self) -> bool:
        """Say whether they share whom or what they speak of, or a figure."""
        return any(self._old[key].kind in {"name", "value"} for key in self._shared)

    def turns(self, *, decides: bool, hold: bool) -> bool:
        """Say whether the newer one puts something else in the place of the older."""
        news = (t for key, t in self._new.items() if key not in self._shared)
        if not any(map(_tells, news)):
            return False
        outright = hold and self._whole.outright
        apart = _is_for_another(self._older, self._whole)
        # One word in many is a word in passing: 家长 of 家长接待 and 家长的消息.
        beside = outright and (self._topic > _ONE_WORD or self._is_topic())
        if apart or self._share < (_BESIDE if beside else _ABOUT):
            return False
        if self._other_values() and self._whole.changes:
            return self._topic >= _TOPIC_WITH_SORT
        if self._other_values() and decides:
            return self._topic >= _TOPIC
        least = _TOPIC_WITH_SORT if outright else _TOPIC
        return (outright or (self._whole.changes and decides)) and self._topic >= least

    def _is_topic(self) -> bool:
        """Say whether what they share is much of what the older one is about."""
        values = self._older.sorts
        about = _weight(term for key, term in self._old.items() if key not in values)
        return self._topic >= _CLASHING * about

    def is_about_same(self) -> bool:
        """Say whether what they share is more than a word in passing."""
        return self._topic >= _TOPIC_WITH_SORT and self._share >= _BESIDE

    def is_replaced(self) -> bool:
        """Say whether the newer one denies a value and has another one of its sort."""
        older, newer = self._older.sorts, self._newer.sorts
        denied = {
            older.get(key)
            for key in self._shared
            if self._old[key].sign > 0 > self._new[key].sign
        }
        put = {
            newer.get(key)
            for key, term in self._new.items()
            if key not in self._old and term.sign > 0
        }
        return bool((denied & put) - {None})

    def _other_values(self) -> bool:
        """Say whether what only one of them says is another value of one sort."""
        told = (self._older, self._newer)
        old, new = (each.sorts_beside(self._shared) for each in told)
        return not old.isdisjoint(new)

    def _opposes(self) -> bool:
        """Say whether one denies most of what they share, and the other affirms it."""
        opposed = [k for k in self._shared if self._old[k].sign != self._new[k].sign]
        return 2 * _weight(self._old[key] for key in opposed) > self._common


def _is_for_another(older: _Told, newer: _Told) -> bool:
    """Say whether they rule the same for two different clients, projects or things."""
    if not (older.whom and newer.whom):
        return False
    return older.whom not in newer.text and newer.whom not in older.text


@lru_cache(maxsize=8192)
def _told(text: str) -> _Told:
    terms = _contents(text)
    sorts = {key: kind_of(term.key, term.kind) for key, term in terms.items()}
    whose = _WHOSE.search(text)
    return _Told(
        text,
        terms,
        {key: sort for key, sort in sorts.items() if sort is not None},
        _weight(terms.values()),
        AGAIN.search(text) is not None,
        TURN.search(text) is not None,
        STRONG_TURN.search(text) is not None,
        next(filter(None, whose.groups())) if whose else "",
    )


def _contents(text: str) -> dict[str, Term]:
    """Return the terms of *text* that carry weight, without those that only name a sort."""
    plain = _PATH.sub(
        r"\1 \2", _HALF_HOUR.sub("30 minutes ", _HALF_HOUR_CHINESE.sub("30 分钟", text))
    )
    terms = {key: term for key, term in read(plain).meaning.keys.items() if term.weight}
    sorts = {kind_of(term.key, term.kind) for term in terms.values()}
    return {key: term for key, term in terms.items() if key not in sorts}


def _tells(term: Term) -> bool:
    return term.key not in WIDE and term.weight >= 0.5  # noqa: PLR2004 - hanzi by themselves weigh half


def _weight(terms: Iterable[Term]) -> float:
    """Return how much *terms* tell; a word of every day tells less."""
    return sum(term.weight / 2 if term.key in WIDE else term.weight for term in terms)
