"""Whether what is told of somebody is what the lines of a page say that it cites."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from strata.bank.appositions import OWNS
from strata.bank.finding import Finder
from strata.bank.names import key_of
from strata.language.clauses import WEIGHTS
from strata.language.cues import cue
from strata.language.lexicon import root
from strata.language.material import Line
from strata.language.quotes import carries_orders
from strata.language.statement import read
from strata.models import Message, Origin
from strata.notes.entries import without_speaker
from strata.statements.grounding.agreement import disagreement, new_words
from strata.statements.grounding.proposals import Proposal, Refused, ground

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import tzinfo

    from strata.bank.directory import Entity
    from strata.bank.standing import Held
    from strata.language.statement import Statement

_LONGEST, _LONGEST_LABEL, _MOST_CITED = 300, 80, 6
# Where a clause may go on with what another line says.
_JOINT = cue("telling.joint")
# Who speaks on a page is not named there.
_OWNER = "the owner, the user, 用户, 主人"
_PERSON = "person"


class Witness:
    """What the lines *cited* of the page of *entity* bear out; days are of *timezone*."""

    def __init__(self, entity: Entity, cited: Sequence[Held], timezone: tzinfo) -> None:
        self._entity, self._cited, self._timezone = entity, cited, timezone
        self._names = Finder(key_of(each) for each in (entity.name, *entity.forms))
        self._own = read(f"{entity.name} {_OWNER}")

    def refusal(self, text: str, *, label: bool) -> str:
        """
        Return why *text* must not be told, or "".

        A sentence says of whom it is; a *label* is of the one whose page it is on. Each
        part says what one line says, in its order, and whoever is named there is named.
        """
        return self._unfit(text, label=label) or self._unsaid(
            f"{self._entity.name}: {text}" if label else self._called(text)
        )

    def _unfit(self, text: str, *, label: bool) -> str:
        if not self._cited or len(self._cited) > _MOST_CITED:
            return "it cites no line of the page, or too many"
        if len(text) > (_LONGEST_LABEL if label else _LONGEST):
            return "it is too long"
        if carries_orders(text):
            return "it carries markup, or speaks to assistants"
        named = label or any(self._names.found(text))
        return "" if named else "it does not say of whom it is"

    def _unsaid(self, text: str) -> str:
        told = " ".join(without_speaker(text).split())
        lines = dict(enumerate(self._lines(), 1))
        proposal = Proposal(told, tag=None, request=False, cited=tuple(lines))
        found = ground(proposal, lines, timezone=self._timezone)
        if isinstance(found, Refused):
            return found.reason
        if found.text != told:
            # Of several lines nobody could tell from the day of which one it counts.
            return "it leaves open which day it means"
        # A page tells nothing that nobody said, be it a single word.
        added = disagreement(told, told, [*self._said, _OWNER], strictly=True)
        return added or self._of_another(told) or self._put_together(told)

    @cached_property
    def _said(self) -> list[str]:
        """What the lines say, of whom by one name; "my sister Ana" is a sister too."""
        texts = [each.text for each in self._cited]
        return [*map(self._called, texts), *texts]

    def _lines(self) -> Iterator[Line]:
        for number, held in enumerate(self._cited, 1):
            day, time, *_ = held.shown.moment
            said_at = datetime.fromisoformat(f"{day}T{time}")
            moment = said_at.replace(tzinfo=self._timezone)
            words = self._called(held.text)
            message = Message(str(number), number, "user", words, moment, Origin.OWNER)
            yield Line(number, message)

    def _of_another(self, told: str) -> str:
        """Return what tells that *told* may be of somebody whom the lines name as well."""
        if self._owns(each.text for each in self._cited) and not self._owns([told]):
            return "it is said of what belongs to that one"
        words = told.casefold()
        silent = (each for each in self._others() if each.casefold() not in words)
        other = next(silent, "")
        return f"it may be said of {other!r}" if other else ""

    def _put_together(self, told: str) -> str:
        """Return the part of *told* that no single line says, or ""."""
        for part in _JOINT.split(told):
            if not any(self._is_said(read(part), read(line)) for line in self._said):
                return f"no line says {part.strip()!r}"
        return ""

    def _is_said(self, part: Statement, line: Statement) -> bool:
        """Say whether *line* has the words of *part*, names aside, in their order."""
        if any(each.key not in self._own.keys for each in new_words(part, line)):
            return False
        keys, roots = zip(*((e.key, root(e.said)) for e in line.pieces), strict=True)
        place = 0
        for piece in part.pieces:
            if piece.key in self._own.keys or piece.kind not in WEIGHTS:
                continue
            # What says little says who does it: Calder wants, and I pay.
            is_weak = piece.kind == "weak"
            row, key = (roots, root(piece.said)) if is_weak else (keys, piece.key)
            if key in row[place:]:
                place = row.index(key, place) + 1
            elif is_weak or key in row:
                return False
        return True

    def _others(self) -> Iterator[str]:
        """Give the people whom the lines name beside the one whose page it is."""
        for held in self._cited:
            for each in held.shown.names:
                if each.sort == _PERSON and not any(self._names.found(each.text)):
                    yield each.text

    def _owns(self, texts: Iterable[str]) -> bool:
        """Say whether, wherever *texts* name the one, it is something of that one's."""
        return all(
            OWNS.match(text, end)
            for text in texts
            for _, _, end in self._names.found(text)
        )

    def _called(self, text: str) -> str:
        """Return *text* with one name wherever any name of the same one stands."""
        before = len(text)
        for _, start, end in reversed(list(self._names.found(text))):
            # Of "my sister Ana" both mean Ana.
            goes_on = not text[end:before].strip() and before < len(text)
            name = "" if goes_on else self._entity.name
            text = f"{text[:start]}{name}{text[before if goes_on else end :]}"
            before = start
        return text
