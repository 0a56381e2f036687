"""Which admitted lines fit into MEMORY.md, beside what others wrote there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.distillation.tightening import first_words
from strata.distillation.triggers import triggers_of
from strata.distillation.value import value_of
from strata.notes.lines import Line, render_line
from strata.notes.long_term import Section, compose, fits

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import date

    from strata.jobs.considering import Admitted

# How a line is written where there is room, where there is little, and where there is none.
ROOMY, SHORT, BARE, SHORTEST = range(4)
_TRIGGERS = {ROOMY: 3, SHORT: 1, BARE: 0, SHORTEST: 0}


@dataclass(slots=True)
class Place:
    """An admitted claim with its line; *level* tells how short that is written."""

    admitted: Admitted
    value: float
    level: int = ROOMY

    @property
    def line(self) -> str:
        """The line as it stands in MEMORY.md."""
        triggers = triggers_of(self.admitted.text)
        text = self.admitted.text
        if self.level == SHORTEST:
            text = first_words(text)
        return render_line(
            Line(
                text,
                _days(self.admitted),
                self.admitted.judgement.importance,
                triggers[: _TRIGGERS[self.level]],
                self.admitted.pinned,
            )
        )


def fit(
    text: str,
    ours: Collection[str],
    admitted: Sequence[Admitted],
    *,
    present: Collection[str],
    today: date,
) -> tuple[list[Place], list[Place]]:
    """
    Return the places that MEMORY.md *text* has for *admitted*, and those it has not.

    *ours* are the lines that may leave, *present* the ids of those that have a line now.
    The least valuable are written shorter before any leaves.
    """
    places = [_place(each, present, today) for each in admitted]
    ranked = sorted(places, key=_rank)
    for level in (SHORT, BARE, SHORTEST):
        for place in ranked:
            if fits(page(text, ours, places)):
                return places, []
            place.level = level
    evicted: list[Place] = []
    while ranked and not fits(
        page(text, ours, [p for p in places if p not in evicted])
    ):
        evicted.append(ranked.pop(0))
    _readmit(text, ours, places, evicted)
    return [place for place in places if place not in evicted], evicted


def page(text: str, ours: Collection[str], places: Sequence[Place]) -> str:
    """Return MEMORY.md *text* with exactly the lines of *places* as Strata's."""
    return compose(text, ours, wanted_lines(places))


def wanted_lines(places: Sequence[Place]) -> Mapping[Section, list[str]]:
    """Return the lines of *places* by section, in their order."""
    wanted: dict[Section, list[str]] = {}
    for place in places:
        section = section_of(place.admitted.judgement.section)
        wanted.setdefault(section, []).append(place.line)
    return wanted


def section_of(name: str) -> Section:
    """Return the section called *name*; a judge's unknown one becomes the decisions."""
    return next((each for each in Section if each.value == name), Section.DECISIONS)


def _readmit(
    text: str, ours: Collection[str], places: list[Place], evicted: list[Place]
) -> None:
    """Take back what still fits, the most valuable first: one long line left room."""
    for place in sorted(evicted, key=_rank, reverse=True):
        kept = [each for each in places if each not in evicted or each is place]
        if fits(page(text, ours, kept)):
            evicted.remove(place)


def _place(admitted: Admitted, present: Collection[str], today: date) -> Place:
    there = admitted.id in present
    value = value_of(admitted.claim, admitted.judgement, today, present=there)
    return Place(admitted, value)


def _rank(place: Place) -> tuple[bool, bool, float, date, str]:
    """Order places by what they are worth, the least first."""
    admitted = place.admitted
    said = admitted.claim.days[-1]
    return admitted.pinned, admitted.explicit, place.value, said, admitted.id


def _days(admitted: Admitted) -> tuple[date, ...]:
    """Return the first and the newest day on which it was said; the journal has all."""
    days = admitted.claim.days
    return days if len(days) == 1 else (days[0], days[-1])
