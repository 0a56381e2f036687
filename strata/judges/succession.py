"""
What a newer statement is to an older one of the same owner, as learned from talk.

`relations` compares two statements as such. People rarely say that they replace one by
another: they give a new price in passing, or complain of what was. What they share, what
is left over on either side, and the words of the newer one around what they share tell
which it is, weighed by a small layer that learned from pairs (`training/relations.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from strata.judges.features import bucket, words_of
from strata.judges.local import LocalJudge, read_weights
from strata.language.lexicon import kind_of
from strata.language.statement import read
from strata.patterns import pattern
from strata.statements.comparison import weigh
from strata.statements.relations import Relation, relation
from strata.statements.topics import CLAUSE, WIDE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from strata.language.meanings import Meaning, Term

    Terms = dict[str, Term]

WEIGHTS = Path(__file__).with_name("succession.npz")
# What the layer has a column for: the newer one ends the older, or says the same.
ENDS, SAYS_AGAIN = "ends", "same"
HEADS = (ENDS, SAYS_AGAIN)
# From here on it does. A wrong end hides what holds, so four in five must be right.
ENDS_FROM, SAME_FROM = 0.0, 0.0
# Two that fit less well as a whole are about different things: two pairs in three.
_NEAR = 0.2
# The words add at most so much to how the two fit: where that cannot do, as of most pairs,
# they are not asked, which takes half the time.
_WORDS_ADD = (2.0, 3.0)
# A day that a note has worked out stands behind the words that were said.
_DAY = pattern(r"\s?\(\d{4}-\d\d[^()]{0,24}\)")
# People who type Chinese put spaces where others put commas.
_CUT = pattern(
    rf"{CLAUSE.pattern}|(?<=[\u3400-\u9fff])\s+(?=\S)|(?<=\S)\s+(?=[\u3400-\u9fff])"
)
_QUESTION = ("?", "？")
# Who tells less than that says too little to be taken for the same.
_ENOUGH = 1.5
# Words that no topic is made of weigh this much, and hold this much at most.
_SLIGHT, _MOST = 0.2, 3.0
_GRAMS, _OLD_GRAMS, _FLAG = 2.0, 1.0, 0.5
_STEPS = (0.4, 0.9, 1.4, 1.9, 2.9)


def succession(older: str, newer: str) -> Relation:
    """Return what *newer* is to *older*, both an owner's, the older one still in force."""
    related = relation(older, newer)
    if related is not Relation.DIFFERENT or _fit(_whole(older), _whole(newer)) < _NEAR:
        return related
    ends, same = likely(older, newer)
    if ends >= ENDS_FROM:
        return Relation.UPDATES
    return Relation.SAME if same >= SAME_FROM else Relation.DIFFERENT


def tells_nothing_new(older: str, newer: str) -> bool:
    """Say whether *newer* tells nothing that *older* does not, and enough to compare."""
    old, new = _whole(older), _whole(newer)
    ours, theirs = old.meaning.keys, new.meaning.keys
    told = [key for key, term in theirs.items() if term.weight > _SLIGHT]
    if new.weight < _ENOUGH or any(key not in ours for key in told):
        return False
    return all(ours[key].sign == theirs[key].sign for key in told)


def likely(older: str, newer: str) -> tuple[float, float]:
    """Return how much speaks for *newer* ending *older*, and for its saying the same."""
    pair = _pair(older, newer)
    fits = dict(pair.fits())
    found = _scores(fits)
    if any(score >= -most for score, most in zip(found, _WORDS_ADD, strict=True)):
        found = _scores({**fits, **pair.grams()})
    return found


def _scores(named: Mapping[str, float]) -> tuple[float, float]:
    found = {bucket(name): value for name, value in named.items()}
    ends, same = _layer().scores(found)
    return round(float(ends), 3), round(float(same), 3)


def pair_features(older: str, newer: str) -> dict[str, float]:
    """Return by what it is known, by name: the words, and how the two fit together."""
    pair = _pair(older, newer)
    return {**dict(pair.fits()), **pair.grams()}


def _pair(older: str, newer: str) -> _Pair:
    return _Pair(_DAY.sub("", older), _DAY.sub("", newer))


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause of a statement: where it stands, what it means, and how much it tells."""

    start: int
    end: int
    meaning: Meaning
    weight: float


@lru_cache(maxsize=4096)
def _clauses(text: str) -> tuple[_Clause, ...]:
    cuts = [0, *(each.end() for each in _CUT.finditer(text)), len(text)]
    parts = [(a, b) for a, b in pairwise(cuts) if text[a:b].strip()]
    means = [read(text[a:b].strip()).meaning for a, b in parts]
    return tuple(
        _Clause(*part, meaning, _tells(meaning.keys.values()))
        for part, meaning in zip(parts, means, strict=True)
    )


@lru_cache(maxsize=4096)
def _whole(text: str) -> _Clause:
    """Return all of *text* as one clause."""
    meaning = read(text).meaning
    return _Clause(0, len(text), meaning, _tells(meaning.keys.values()))


class _Pair:
    """Two statements where they are most alike: a clause of each, and its neighbours."""

    def __init__(self, older: str, newer: str) -> None:
        olds, news = _clauses(older), _clauses(newer)
        self._fit, one, other = _most_alike(olds, news)
        self._olds = olds[max(one - 1, 0) : one + 2]
        self._news = news[max(other - 1, 0) : other + 2]
        self._texts = _text(older, self._olds), _text(newer, self._news)
        self._parts = [
            len(text) / max(len(whole), 1)
            for text, whole in zip(self._texts, (older, newer), strict=True)
        ]
        self._old, self._new = _terms(self._olds), _terms(self._news)
        self._shared = self._old.keys() & self._new.keys()
        self._best = (
            olds[one].meaning.keys if olds else {},
            news[other].meaning.keys if news else {},
        )

    def fits(self) -> Iterator[tuple[str, float]]:
        """Give how the two fit together, each with a weight of about one."""
        yield "fit", self._fit
        yield from zip(("part of old", "part of new"), self._parts, strict=True)
        yield from self._shares()
        both = [
            [term for key, term in side.items() if key not in self._shared]
            for side in (self._old, self._new)
        ]
        best = [
            [term for key, term in side.items() if key not in self._shared]
            for side in self._best
        ]
        yield from self._left("", *both)
        yield from self._left("near ", *best)
        yield from self._signs()
        yield from self._forms()

    def _shares(self) -> Iterator[tuple[str, float]]:
        old, new = weigh(self._old.values()), weigh(self._new.values())
        shared = [self._old[key] for key in self._shared]
        common, topic = weigh(shared), self._topic
        names = sum(_sort(term) == "name" for term in shared)
        values = sum(_sort(term) not in {None, "name"} for term in shared)
        yield "common", min(common, 6.0) / 3
        yield "topic", min(topic, 5.0) / 2.5
        yield "common of old", common / max(old, 1.0)
        yield "common of new", common / max(new, 1.0)
        yield "common of less", common / max(min(old, new), 1.0)
        yield "topic of old", topic / max(old, 1.0)
        yield "topic of new", topic / max(new, 1.0)
        yield f"topic {_level(topic)}", _FLAG
        yield f"common {_level(common)}", _FLAG
        yield f"names {min(names, 2)}", _FLAG
        yield f"values {min(values, 2)}", _FLAG

    def _left(
        self, where: str, old: Sequence[Term], new: Sequence[Term]
    ) -> Iterator[tuple[str, float]]:
        """Give what is left over on either side, and of which sorts both have one."""
        sorts = [{_sort(term) for term in side} - {None} for side in (old, new)]
        clash, topic = sorts[0] & sorts[1], min(self._topic, 2.0) / 2
        for name, side, found in zip(("old", "new"), (old, new), sorts, strict=True):
            words = weigh(term for term in side if _sort(term) is None)
            yield f"{where}words of {name}", min(words, 6.0) / 3
            yield f"{where}name in {name}", float("name" in found)
            yield f"{where}value in {name}", float(bool(found - {"name"}))
        for sort in clash:
            yield f"{where}clash {str(sort).partition(':')[0]}", 0.7
        valued = float(bool(clash - {"name"}))
        yield f"{where}clash", valued
        yield f"{where}clash of topic", valued * topic
        yield f"{where}clash that fits", valued * self._fit
        yield f"{where}other name of topic", float("name" in clash) * topic

    def _signs(self) -> Iterator[tuple[str, float]]:
        opposed = [
            key for key in self._shared if self._old[key].sign != self._new[key].sign
        ]
        weight = weigh(self._old[key] for key in opposed)
        common = weigh(self._old[key] for key in self._shared)
        yield "opposed", min(weight, _MOST) / 2
        yield "opposed share", weight / max(common, _FLAG)
        yield "denied now", float(any(self._old[key].sign > 0 for key in opposed))
        yield "affirmed now", float(any(self._new[key].sign > 0 for key in opposed))
        yield "opposed topic", float(any(_is_topic(self._old[key]) for key in opposed))
        for name, terms in (("old", self._old), ("new", self._new)):
            denies = any(term.sign < 0 for term in terms.values())
            yield f"{name} denies", float(denies)

    def _forms(self) -> Iterator[tuple[str, float]]:
        speakers = []
        for name, clauses in (("old", self._olds), ("new", self._news)):
            meanings = [each.meaning for each in clauses]
            changes = float(any(each.change for each in meanings))
            yield f"{name} changes", changes
            yield f"{name} contrasts", float(any(each.contrast for each in meanings))
            yield f"{name} restates", float(any(each.restated for each in meanings))
            for limit in frozenset[str]().union(*(each.limits for each in meanings)):
                yield f"{name} limit {limit}", _FLAG
            speakers.append(frozenset[str]().union(*(e.speaker for e in meanings)))
        yield "changes topic", changes * min(self._topic, 2.0) / 2
        yield "changes what fits", changes * self._fit
        yield "same speaker", float(bool(speakers[0] & speakers[1]))
        yield "other speaker", float(all(speakers) and not speakers[0] & speakers[1])
        for name, text in zip(("old", "new"), self._texts, strict=True):
            yield f"{name} asks", float(text.rstrip().endswith(_QUESTION))
        yield "length", min(len(words_of(self._texts[1])), 60) / 30
        yield "clauses", len(self._news) / 4

    @cached_property
    def _topic(self) -> float:
        """How much they share that no name, no value and no word of every day is."""
        return weigh(filter(_is_topic, (self._old[key] for key in self._shared)))

    def grams(self) -> dict[str, float]:
        """Return the words of each, where what both have counts by its place alone."""
        old, new = map(words_of, self._texts)
        return {
            **_grams("n", _marked(new, old), 3, _GRAMS),
            **_grams("o", _marked(old, new), 2, _OLD_GRAMS),
        }


def _most_alike(
    olds: Sequence[_Clause], news: Sequence[_Clause]
) -> tuple[float, int, int]:
    """Return how well the two clauses that fit best fit, and which they are."""
    best = (0.0, 0, 0)
    for one, old in enumerate(olds):
        for other, new in enumerate(news):
            if fit := _fit(old, new):
                best = max(best, (fit, -one, -other))
    return best[0], -best[1], -best[2]


def _fit(old: _Clause, new: _Clause) -> float:
    """Return how much of what both tell they share; more of it counts for more."""
    ours, theirs = old.meaning.keys, new.meaning.keys
    both = _tells(ours[key] for key in ours.keys() & theirs.keys())
    size = max(old.weight, 1.0) * max(new.weight, 1.0)
    return both * math.sqrt(min(both, _MOST) / size)


def _tells(terms: Iterable[Term]) -> float:
    """Return how much *terms* tell; a word of every day tells less."""
    return sum(
        term.weight / 2 if term.key in WIDE else term.weight
        for term in terms
        if term.weight > _SLIGHT
    )


def _terms(clauses: Iterable[_Clause]) -> Terms:
    found: Terms = {}
    for clause in clauses:
        for key, term in clause.meaning.keys.items():
            found.setdefault(key, term)
    return found


def _text(whole: str, clauses: Sequence[_Clause]) -> str:
    return whole[clauses[0].start : clauses[-1].end].strip() if clauses else ""


def _sort(term: Term) -> str | None:
    """Return of what sort *term* is, where it is one of several: a value, or a name."""
    return kind_of(term.key, term.kind) or ("name" if term.kind == "name" else None)


def _is_topic(term: Term) -> bool:
    return term.weight > _SLIGHT and term.key not in WIDE and _sort(term) is None


def _level(weight: float) -> int:
    return sum(weight >= step for step in _STEPS)


def _marked(words: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return *words*, with a mark for what *others* have too; hanzi count in pairs."""
    single, pairs = set(others), set(pairwise(others))
    marks = [len(word) > 3 and word in single for word in words]  # noqa: PLR2004
    for place, pair in enumerate(pairwise(words)):
        if pair in pairs and all("\u3400" <= word <= "\u9fff" for word in pair):
            marks[place] = marks[place + 1] = True
    found: list[str] = []
    for word, mark in zip(words, marks, strict=True):
        if not mark:
            found.append(word)
        elif found[-1:] != ["="]:
            found.append("=")
    return found


def _grams(
    prefix: str, words: Sequence[str], longest: int, weight: float
) -> dict[str, float]:
    names = dict.fromkeys(
        prefix + "_".join(words[start : start + size])
        for size in range(1, longest + 1)
        for start in range(len(words) - size + 1)
    )
    return dict.fromkeys(names, weight / math.sqrt(len(names) or 1))


@lru_cache(maxsize=1)
def _layer() -> LocalJudge:
    return LocalJudge(read_weights(WEIGHTS))
