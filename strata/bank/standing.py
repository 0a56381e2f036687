"""What holds of somebody or something, and what held before, with the evidence."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from strata.bank.statements import Kind
from strata.statements.relations import Relation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
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
    or put something else there. It held *until* a day, None where it still does. *earlier*
    are its words before richer ones took their place, each with the day of those.
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
class Standing:
    """What holds *now*, the *opinions* that hold, and what was or happened: *past*."""

    now: tuple[Held, ...]
    opinions: tuple[Held, ...]
    past: tuple[Held, ...]


def standing(
    told: Sequence[Stated], today: date, reading: Reading, besides: Iterable[str] = ()
) -> Standing:
    """
    Return what *told*, all of one entity and in the order of time, come to on *today*.

    The terms in *besides* are its names, which all of it has in common.
    """
    held = [
        _bounded(each, today, reading)
        for each in _held(told, reading, frozenset(besides))
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
    told: Sequence[Stated], reading: Reading, besides: frozenset[str]
) -> list[Held]:
    """Join what says the same, and end what something newer takes the place of."""
    held: list[Held] = []
    about: dict[str, list[int]] = defaultdict(list)
    for each in told:
        # What says nothing but the name is told by its words.
        terms = sorted(reading.terms(each.text) - besides) or [each.text.casefold()]
        # What many speak of says little about which of them is meant.
        near = {place for term in terms for place in about[term][-_NEAREST:]}
        again = None
        open_ones = [place for place in sorted(near) if not held[place].until]
        relations = _relations([held[n] for n in open_ones], each, reading)
        for place, found in zip(open_ones, relations, strict=True):
            older = held[place]
            if found is Relation.SAME:
                # What was asked for twice happened twice.
                if older.kind is each.kind and each.kind is not Kind.EVENT:
                    again = place
            elif found in _ENDS and not _repeats(older, each):
                against = (*older.against, each)
                held[place] = replace(older, against=against, until=each.day)
        if again is None:
            again = len(held)
            held.append(Held(each.shown, each.kind, (each,)))
        else:
            held[again] = _again(held[again], each, reading)
        for term in terms:
            if again not in about[term]:
                about[term].append(again)
    return held


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
