"""Which admitted lines fit into MEMORY.md, beside what others wrote there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.jobs.deciding.considering import wordings_of
from strata.notes.lines import Line, render_line
from strata.notes.long_term import (
    MOST_BYTES,
    MOST_LINES,
    Section,
    bare_lines,
    compose,
    fits,
    size_of,
)
from strata.statements.tightening import first_words
from strata.statements.triggers import triggers_of
from strata.statements.value import value_of
from strata.workspace.recalls import recall_key

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import date

    from strata.history.outcomes import Admitted
    from strata.models import Language

# How a line is written where there is room, where there is little, and where there is none.
ROOMY, SHORT, BARE, SHORTEST = range(4)
_TRIGGERS = {ROOMY: 3, SHORT: 1, BARE: 0, SHORTEST: 0}


@dataclass(slots=True, eq=False)
class Place:
    """
    An admitted claim with its line; *level* tells how short that is written.

    *value* counts that it has a line already. *worth* does not: how short a line is written
    must not change when the same night is repeated.
    """

    admitted: Admitted
    value: float
    worth: float
    level: int = ROOMY
    _written: dict[int, str] = field(default_factory=dict)

    @property
    def line(self) -> str:
        """The line as it stands in MEMORY.md."""
        if self.level not in self._written:
            self._written[self.level] = self._write()
        return self._written[self.level]

    @property
    def size(self) -> int:
        """How many bytes the line takes, its end included."""
        return size_of(self.line) + 1

    def _write(self) -> str:
        text = self.admitted.text
        triggers = self.admitted.judgement.triggers or triggers_of(text)
        return render_line(
            Line(
                first_words(text) if self.level == SHORTEST else text,
                _days(self.admitted),
                self.admitted.judgement.importance,
                triggers[: _TRIGGERS[self.level]],
                self.admitted.pinned,
            )
        )


@dataclass(frozen=True, slots=True)
class Standing:
    """
    What counts for a line beside what it says.

    *present* are the ids that have a line now, *recalled* tells on how many days questions
    found a statement, by its `recall_key`. What somebody has *put_elsewhere* stays there.
    """

    present: Collection[str]
    recalled: Mapping[str, int]
    today: date
    put_elsewhere: Collection[str] = ()
    language: Language = "en"


def overflows(
    text: str, ours: Collection[str], admitted: Sequence[Admitted], language: Language
) -> bool:
    """Say whether *admitted* do not all fit into MEMORY.md *text* as they are worded."""
    places = [Place(each, 0, 0) for each in admitted]
    room = _Room(text, ours, (), language)
    return not room.holds(places, sum(place.size for place in places))


def most_valuable(admitted: Sequence[Admitted], today: date) -> list[Admitted]:
    """Return *admitted*, those first that are worth most, whatever has a line now."""
    standing = Standing((), {}, today)
    ranked = sorted((_place(each, standing) for each in admitted), key=_rank)
    return [place.admitted for place in reversed(ranked)]


def fit(
    text: str, ours: Collection[str], admitted: Sequence[Admitted], standing: Standing
) -> tuple[list[Place], list[Place]]:
    """
    Return the places that MEMORY.md *text* has for *admitted*, and those it has not.

    *ours* are the lines that may leave. The least valuable are written shorter before any
    leaves.
    """
    places = [_place(each, standing) for each in admitted]
    ranked = sorted(places, key=_rank)
    room = _Room(text, ours, standing.put_elsewhere, standing.language)
    if _shorten_until_all_fit(room, places):
        return places, []
    kept: list[Place] = []
    size = 0
    for place in reversed(ranked):
        # The most valuable first; a long line that does not fit leaves room for others.
        if room.holds([*kept, place], size + place.size):
            kept.append(place)
            size += place.size
    evicted = [place for place in ranked if place not in kept]
    return [place for place in places if place in kept], evicted


def _shorten_until_all_fit(room: _Room, places: Sequence[Place]) -> bool:
    """Write the least valuable lines shorter, one after the other; say whether all fit."""
    ranked = sorted(places, key=lambda place: _order(place, place.worth))
    size = sum(place.size for place in places)
    for level in (SHORT, BARE, SHORTEST):
        for place in ranked:
            if room.holds(places, size):
                return True
            size -= place.size
            place.level = level
            size += place.size
    return room.holds(places, size)


class _Room:
    """How much of the page is left beside what others wrote there."""

    def __init__(
        self,
        text: str,
        ours: Collection[str],
        put_elsewhere: Collection[str],
        language: Language,
    ) -> None:
        self._text, self._ours = text, ours
        self._put_elsewhere, self._language = put_elsewhere, language
        bare = compose(text, ours, {})
        self._lines, self._bytes = len(bare_lines(bare)), size_of(bare)

    def holds(self, places: Sequence[Place], size: int) -> bool:
        """Say whether the page fits with *places* of *size* bytes; sums are cheap."""
        if self._lines + len(places) > MOST_LINES or self._bytes + size > MOST_BYTES:
            return False
        wanted = wanted_lines(places)
        return fits(
            compose(self._text, self._ours, wanted, self._put_elsewhere, self._language)
        )


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


def _place(admitted: Admitted, standing: Standing) -> Place:
    said = wordings_of(admitted.claim) if standing.recalled else ()
    used = max((standing.recalled.get(recall_key(each), 0) for each in said), default=0)
    value, worth = (
        value_of(
            admitted.claim,
            admitted.judgement,
            standing.today,
            present=present,
            recalled=used,
        )
        for present in (admitted.id in standing.present, False)
    )
    return Place(admitted, value, worth)


def _rank(place: Place) -> tuple[bool, bool, float, date, str]:
    return _order(place, place.value)


def _order(place: Place, value: float) -> tuple[bool, bool, float, date, str]:
    """Order places by what they are worth, the least first."""
    admitted = place.admitted
    said = admitted.claim.days[-1]
    return admitted.pinned, admitted.explicit, value, said, admitted.id


def _days(admitted: Admitted) -> tuple[date, ...]:
    """Return the first and the newest day on which it was said; the journal has all."""
    days = admitted.claim.days
    return days if len(days) == 1 else (days[0], days[-1])
