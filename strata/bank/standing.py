"""What holds of somebody or something, and what held before, with the evidence."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from strata.bank.statements import Kind
from strata.statements.relations import Relation

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import date

    from strata.bank.reading import Reading
    from strata.bank.statements import Stated

# What something newer takes the place of ends.
_ENDS = {Relation.UPDATES, Relation.CONTRADICTS}
# Nothing was heard of it for so long: it fades by half as much.
FADING_DAYS = 180
# A first word counts for two in three; each talk more moves that by less.
_PRIOR = 1.0
# A statement is compared with so many of the latest that share a term with it.
_NEAREST = 12


@dataclass(frozen=True, slots=True)
class Held:
    """
    What was said of somebody or something, once or again and again.

    *borne* are the statements that say so, the oldest first, *against* those that deny it
    or put something else there, maybe of another page. It held *until* a day, None where it
    still does. *earlier* are its words before richer ones took their place, each with the
    day of those.
    """

    text: str
    kind: Kind
    borne: tuple[Stated, ...]
    against: tuple[Stated, ...] = ()
    until: date | None = None
    earlier: tuple[tuple[date, str], ...] = ()

    @property
    def first(self) -> Stated:
        """The statement that said so first."""
        return self.borne[0]

    @property
    def last(self) -> Stated:
        """The statement that said so last."""
        return self.borne[-1]

    @property
    def shown(self) -> Stated:
        """The last statement that says it in the words of the page."""
        own = [each for each in self.borne if each.shown == self.text]
        return (own or self.borne)[-1]

    def confidence(self, today: date) -> float:
        """
        Return how sure it is that this holds, from 0 to 1.

        It rests on how many conversations said so and how many denied it: a second one in
        the same talk is no second proof. One of which an agent alone wrote that it said so
        counts for as much as the agent was sure. What was not said again for long fades
        towards one half.
        """
        told: dict[str, float] = defaultdict(float)
        for each in self.borne:
            told[each.talk] = max(told[each.talk], each.sure)
        talks = sum(told.values())
        denied = len({each.talk for each in self.against})
        sure = (talks + _PRIOR) / (talks + denied + 2 * _PRIOR)
        age = max((today - self.last.day).days, 0)
        kept: float = 0.5 ** max(age / FADING_DAYS - 1, 0.0)
        return round(0.5 + (sure - 0.5) * kept, 2)


@dataclass(frozen=True, slots=True)
class Ends:
    """
    What a model said of two statements: that one is over with the other, or holds.

    *over* and *holds* have by the key of the later one the keys of the earlier ones, *by*
    has by the key of an earlier one the statements with which it is over.
    """

    over: Mapping[str, Collection[str]] = field(default_factory=dict)
    holds: Mapping[str, Collection[str]] = field(default_factory=dict)
    by: Mapping[str, Sequence[Stated]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.over or self.holds)


def ends_in(
    stated: Iterable[Stated],
    over: Mapping[str, Collection[str]],
    holds: Mapping[str, Collection[str]],
) -> Ends:
    """Return what *over* and *holds* say of *stated*, of which some may be gone."""
    by: dict[str, list[Stated]] = defaultdict(list)
    for each in stated if over else ():
        for key in over.get(each.key, ()):
            by[key].append(each)
    return Ends(over, holds, by)


@dataclass(frozen=True, slots=True)
class Standing:
    """What holds *now*, the *opinions* that hold, and what was or happened: *past*."""

    now: tuple[Held, ...]
    opinions: tuple[Held, ...]
    past: tuple[Held, ...]


_UNASKED = Ends()


def standing(
    told: Sequence[Stated],
    today: date,
    reading: Reading,
    besides: Iterable[str] = (),
    ends: Ends = _UNASKED,
) -> Standing:
    """
    Return what *told*, all of one entity and in the order of time, come to on *today*.

    The terms in *besides* are its names, which all of it has in common. What a model says
    *ends*, or not, goes before what the *reading* tells.
    """
    held = [
        _bounded(each, today, reading)
        for each in _held(told, reading, frozenset(besides), ends)
    ]
    lasting = [each for each in held if each.until is None]
    return Standing(
        now=tuple(_newest_first(each for each in lasting if _holds(each))),
        opinions=tuple(
            _newest_first(each for each in lasting if each.kind is Kind.OPINION)
        ),
        past=tuple(
            sorted(
                (each for each in held if each.until or each.kind is Kind.EVENT),
                key=lambda each: each.first.moment,
            )
        ),
    )


def _holds(held: Held) -> bool:
    return held.kind in {Kind.WORLD, Kind.EXPERIENCE}


def _held(
    told: Sequence[Stated],
    reading: Reading,
    besides: frozenset[str],
    ends: Ends,
) -> list[Held]:
    """
    Join what says the same, and end what something newer takes the place of.

    That stands there as well, whomever it names: else nothing would be left to hold.
    """
    lines = _Lines(reading, besides, ends)
    for each in _with_enders(told, ends):
        lines.end_with(each)
        lines.take(each)
    return lines.held


class _Lines:
    """What was *held* so far, statement by statement, in the order of time."""

    def __init__(self, reading: Reading, besides: frozenset[str], ends: Ends) -> None:
        self.held: list[Held] = []
        self._reading, self._besides, self._ends = reading, besides, ends
        self._about: dict[str, list[int]] = defaultdict(list)
        self._places: dict[str, list[int]] = defaultdict(list)

    def end_with(self, newer: Stated) -> None:
        """End what a model says is over with *newer*, and no other wording of it."""
        for place in self._told_of(self._ends.over, newer):
            older, keys = self.held[place], self._ends.over[newer.key]
            gone = [each for each in older.borne if each.key in keys]
            left = [each for each in older.borne if each.key not in keys]
            if left and not older.until:
                self.held[place] = _in_words_of(older, left)
                place = len(self.held)  # noqa: PLW2901 - where it stands from now on
                self.held.append(_in_words_of(older, gone))
                for each in gone:
                    self._places[each.key].append(place)
            self.held[place] = _ended(self.held[place], newer)

    def take(self, each: Stated) -> None:
        """Join *each* to what says the same, or let it stand by itself."""
        # What says nothing but the name is told by its words.
        terms = sorted(self._reading.terms(each.text) - self._besides)
        terms = terms or [each.text.casefold()]
        again = self._compared(each, terms)
        if again is None:
            again = len(self.held)
            self.held.append(Held(each.shown, each.kind, (each,)))
        else:
            self.held[again] = _again(self.held[again], each, self._reading)
        for term in terms:
            if again not in self._about[term]:
                self._about[term].append(again)
        if self._ends:
            self._places[each.key].append(again)

    def _compared(self, each: Stated, terms: Iterable[str]) -> int | None:
        """End what *each* takes the place of; return the place of what it says again."""
        # What many speak of says little about which of them is meant.
        near = {place for term in terms for place in self._about[term][-_NEAREST:]}
        open_ones = [place for place in sorted(near) if not self.held[place].until]
        older_ones = [self.held[place] for place in open_ones]
        relations = _relations(older_ones, each, self._reading)
        stays, again = self._told_of(self._ends.holds, each), None
        for place, found in zip(open_ones, relations, strict=True):
            older = self.held[place]
            if found is Relation.SAME:
                # What was asked for twice happened twice.
                if older.kind is each.kind and each.kind is not Kind.EVENT:
                    again = place
            elif found in _ENDS and place not in stays:
                self.held[place] = _ended(older, each)
        return again

    def _told_of(self, told: Mapping[str, Collection[str]], newer: Stated) -> set[int]:
        """Return the places of what a model *told* of with *newer*."""
        # Where nobody was asked no key is needed.
        keys = told.get(newer.key, ()) if told else ()
        return {place for key in keys for place in self._places.get(key, ())}


def _with_enders(told: Sequence[Stated], ends: Ends) -> Sequence[Stated]:
    """Return *told* with what ends any of it, also where that tells of others."""
    if not ends.by:
        return told
    found = {id(by): by for each in told for by in ends.by.get(each.key, ())}
    if found.keys() <= set(map(id, told)):
        return told
    every = found | {id(each): each for each in told}
    return sorted(every.values(), key=lambda each: each.moment)


def _ended(older: Held, newer: Stated) -> Held:
    """Return *older* until the day of *newer*, unless that only repeats it."""
    if older.until or _repeats(older, newer):
        return older
    return replace(older, against=(*older.against, newer), until=newer.day)


def _in_words_of(held: Held, said: Sequence[Stated]) -> Held:
    """Return what of *held* was *said*, in the words of the page where they are of it."""
    own = any(each.shown == held.text for each in said)
    text = held.text if own else said[-1].shown
    return replace(held, text=text, borne=tuple(said), earlier=())


def _again(older: Held, newer: Stated, reading: Reading) -> Held:
    """Return *older*, which *newer* says again, in the richer of their words."""
    said = older.text if _repeats(older, newer) else newer.shown
    words, earlier = reading.richer(older.text, said), older.earlier
    if words != older.text:
        earlier = (*earlier, (newer.day, older.text))
    return replace(older, text=words, borne=(*older.borne, newer), earlier=earlier)


def _repeats(older: Held, newer: Stated) -> bool:
    """
    Say whether *newer* is what an agent retained of the talk that *older* is of.

    It is a part of what was said there: it takes the place of nothing, nor of the words.
    """
    own = {each.talk for each in older.borne if not each.retained}
    return newer.retained and bool(newer.label) and newer.talk in own


def _relations(
    older: Iterable[Held], newer: Stated, reading: Reading
) -> Sequence[Relation]:
    return reading.relations([each.last.text for each in older], newer.text)


def _bounded(held: Held, today: date, reading: Reading) -> Held:
    """End what says itself until when it holds."""
    if held.until or held.kind is Kind.EVENT:
        return held
    until = reading.until(held.last.text, held.last.day)
    return replace(held, until=until) if until and until < today else held


def _newest_first(held: Iterable[Held]) -> list[Held]:
    return sorted(held, key=lambda each: each.last.moment, reverse=True)
