"""Which admitted lines fit into MEMORY.md, beside what others wrote there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.jobs.deciding.considering import ids_of, wordings_of
from strata.models import Claim
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
from strata.notes.marks import unmarked
from strata.statements.tightening import first_words
from strata.statements.triggers import beyond
from strata.statements.value import value_of
from strata.workspace.recalls import recall_key

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import date

    from strata.history.outcomes import Admitted
    from strata.models import Language

# How a line is written: with all that it has, without triggers, without its source (which
# the journal has), and in its first words alone.
ROOMY, PLAIN, BARE, SHORTEST = range(4)
# At most so much of the page are marks: the rest is what somebody reads.
_MARKS = 0.2
_SCAFFOLD = 500
# More than anything is worth.
_TOLD = 2


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

    @property
    def marks(self) -> int:
        """How many bytes of the line are its source and its comments."""
        if self.level >= BARE:
            return 0
        return size_of(self.line) - size_of(unmarked(self.line))

    def _write(self) -> str:
        text = self.admitted.text
        if self.level == SHORTEST:
            return render_line(Line(first_words(text), None))
        if self.level == BARE:
            return render_line(Line(text, None))
        told = self.admitted.judgement.triggers if self.level == ROOMY else ()
        return render_line(Line(text, _said_on(self.admitted), beyond(text, told)))


@dataclass(frozen=True, slots=True)
class Standing:
    """
    What counts for a line beside what it says.

    *present* are the ids that have a line now, *recalled* tells on how many days questions
    found a statement, by its `recall_key`. What somebody has *put_elsewhere* stays there.
    What the owner has *told* just now goes before all that was said.
    """

    present: Collection[str]
    recalled: Mapping[str, int]
    today: date
    put_elsewhere: Collection[str] = ()
    language: Language = "en"
    told: Collection[str] = ()


def overflows(
    text: str, ours: Collection[str], admitted: Sequence[Admitted], language: Language
) -> bool:
    """Say whether *admitted* do not all fit into MEMORY.md *text* as they are worded."""
    places = [Place(each, 0, 0, BARE) for each in admitted]
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
        stays = place.admitted.pinned and place.admitted.id in standing.present
        if stays or room.holds([*kept, place], size + place.size):
            kept.append(place)
            size += place.size
    evicted = [place for place in ranked if place not in kept]
    kept = [place for place in places if place in kept]
    for place in kept:
        # What the others left may be enough for more than its first words.
        place.level = ROOMY
    _shorten_until_all_fit(room, kept)
    return kept, evicted


def _shorten_until_all_fit(room: _Room, places: Sequence[Place]) -> bool:
    """Write the least valuable lines shorter, one after the other; say whether all fit."""
    ranked = sorted(places, key=lambda place: _order(place, place.worth))
    size = sum(place.size for place in places)
    for level in (PLAIN, BARE, SHORTEST):
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
        marks = sum(place.marks for place in places)
        # Composing takes long; head and headings of a new page are all it may add.
        if marks > _MARKS * (self._bytes + size + _SCAFFOLD):
            return False
        text = compose(
            self._text,
            self._ours,
            wanted_lines(places),
            self._put_elsewhere,
            self._language,
        )
        return fits(text) and marks <= _MARKS * size_of(text)


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
    told = _TOLD if admitted.id in standing.told else 0
    return Place(admitted, value + told, worth)


def _rank(place: Place) -> tuple[bool, bool, float, date, str]:
    return _order(place, place.value)


def _order(place: Place, value: float) -> tuple[bool, bool, float, date, str]:
    """Order places by what they are worth, the least first."""
    admitted = place.admitted
    said = admitted.claim.days[-1]
    return admitted.pinned, admitted.explicit, value, said, admitted.id


def _said_on(admitted: Admitted) -> date:
    """Return the newest day on which it was said as it stands, else said at all."""
    claim = admitted.claim
    said = [m.day for m in claim.mentions if admitted.id in ids_of(Claim(m.text, (m,)))]
    return max(said, default=claim.days[-1])
