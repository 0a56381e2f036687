"""
What a statement is to an earlier one of the same owner, in the loose words of talk.

`relations` compares two statements as such. In a conversation people repeat a rule in half
a sentence ("the rule stays"), or turn it around while telling why ("the server was down
twice, I'm giving up on it"). The words that do so are what this module knows.
"""

from __future__ import annotations

import re
from functools import lru_cache
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
    old, new = _contents(older), _contents(newer)
    # What calls a rule to mind is not what the rule is about.
    about = _contents(AGAIN.sub(" ", newer)).keys()
    shared = {key for key in old.keys() & new.keys() & about if _tells(old[key])}
    pair = _Pair(older, said or newer, old, new, shared)
    if related is Relation.DIFFERENT and pair.repeats():
        return Relation.SAME
    whole = _contents(said) if said else new
    also = {key for key in old.keys() & whole.keys() if _tells(old[key])}
    turned = _Pair(older, said or newer, old, whole, also)
    if turned.turns(decides=decides, hold=hold):
        return Relation.UPDATES
    if _is_for_another(older, said or newer):
        return Relation.DIFFERENT
    if related is not Relation.DIFFERENT and (
        pair.is_about_same() or pair.is_replaced()
    ):
        return related
    return Relation.DIFFERENT


class _Pair:
    """Two statements, and what they share."""

    def __init__(
        self,
        older: str,
        said: str,
        old: dict[str, Term],
        new: dict[str, Term],
        shared: set[str],
    ) -> None:
        self._older, self._said = older, said
        self._old, self._new, self._shared = old, new, shared
        self._topic = sum(old[key].weight for key in shared if not _value(old[key]))
        self._common = _weight(old[key] for key in shared)
        self._share = self._common / max(_weight(old.values()), 0.1)
        self._changes = TURN.search(said) is not None

    def repeats(self) -> bool:
        """Say whether the newer one says nearly the same, or calls the older to mind."""
        if self._other_values() or self._opposes():
            return False
        again = AGAIN.search(self._said) is not None
        if self._changes and not again:
            return False
        weights = [_weight(self._old.values()), _weight(self._new.values())]
        least = _CONTAINED_AGAIN if again else _CONTAINED
        if self._common >= _CORE and self._is_named():
            least = min(least, _CONTAINED_CORE)
        # A statement of which one word is understood says too little to be compared.
        enough = self._common >= _TOPIC_WITH_SORT and min(weights) > _ONE_WORD
        return enough and self._common / max(min(weights), 0.1) >= least

    def _is_named(self) -> bool:
        """Say whether they share whom or what they speak of, or a figure."""
        return any(self._old[key].kind in {"name", "value"} for key in self._shared)

    def turns(self, *, decides: bool, hold: bool) -> bool:
        """Say whether the newer one puts something else in the place of the older."""
        news = (t for key, t in self._new.items() if key not in self._shared)
        if not any(map(_tells, news)):
            return False
        outright = hold and STRONG_TURN.search(self._said) is not None
        apart = _is_for_another(self._older, self._said)
        # One word in many is a word in passing: 家长 of 家长接待 and 家长的消息.
        beside = outright and (self._topic > _ONE_WORD or self._is_topic())
        if apart or self._share < (_BESIDE if beside else _ABOUT):
            return False
        if self._other_values() and self._changes:
            return self._topic >= _TOPIC_WITH_SORT
        if self._other_values() and decides:
            return self._topic >= _TOPIC
        least = _TOPIC_WITH_SORT if outright else _TOPIC
        return (outright or (self._changes and decides)) and self._topic >= least

    def _is_topic(self) -> bool:
        """Say whether what they share is much of what the older one is about."""
        about = _weight(term for term in self._old.values() if not _value(term))
        return self._topic >= _CLASHING * about

    def is_about_same(self) -> bool:
        """Say whether what they share is more than a word in passing."""
        return self._topic >= _TOPIC_WITH_SORT and self._share >= _BESIDE

    def is_replaced(self) -> bool:
        """Say whether the newer one denies a value and has another one of its sort."""
        denied = {
            kind_of(key, self._old[key].kind)
            for key in self._shared
            if self._old[key].sign > 0 > self._new[key].sign
        }
        put = {
            kind_of(key, term.kind)
            for key, term in self._new.items()
            if key not in self._old and term.sign > 0
        }
        return bool((denied & put) - {None})

    def _other_values(self) -> bool:
        """Say whether what only one of them says is another value of one sort."""
        old, new = (
            {
                kind_of(t.key, t.kind)
                for key, t in side.items()
                if key not in self._shared
            }
            for side in (self._old, self._new)
        )
        return bool((old & new) - {None})

    def _opposes(self) -> bool:
        """Say whether one denies most of what they share, and the other affirms it."""
        opposed = [k for k in self._shared if self._old[k].sign != self._new[k].sign]
        return 2 * _weight(self._old[key] for key in opposed) > self._common


def _is_for_another(older: str, newer: str) -> bool:
    """Say whether they rule the same for two different clients, projects or things."""
    one, other = _WHOSE.search(older), _WHOSE.search(newer)
    if one is None or other is None:
        return False
    theirs, its = (next(filter(None, found.groups())) for found in (one, other))
    return theirs not in newer and its not in older


@lru_cache(maxsize=8192)
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


def _value(term: Term) -> bool:
    return kind_of(term.key, term.kind) is not None


def _weight(terms: Iterable[Term]) -> float:
    """Return how much *terms* tell; a word of every day tells less."""
    return sum(term.weight / 2 if term.key in WIDE else term.weight for term in terms)
