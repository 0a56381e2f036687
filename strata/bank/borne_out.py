"""Whether what is told of somebody is what the lines of a page say that it cites."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from strata.bank.describing import names_of, words_in
from strata.bank.finding import Finder
from strata.bank.names import key_of
from strata.bank.wording import NAME, named_as, unsaid_part
from strata.language.material import Line
from strata.language.quotes import carries_orders
from strata.models import Message, Origin
from strata.notes.entries import without_speaker
from strata.statements.grounding.agreement import disagreement
from strata.statements.grounding.proposals import Proposal, Refused, ground

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import tzinfo

    from strata.bank.directory import Entity
    from strata.bank.standing import Held

_LONGEST, _LONGEST_LABEL, _MOST_CITED = 300, 80, 6
# Who speaks on a page is not named there.
_PERSON = "person"
_OWNER = "the owner, the user, 用户, 主人"


class Witness:
    """What the lines *cited* of the page of *entity* bear out; days are of *timezone*."""

    def __init__(self, entity: Entity, cited: Sequence[Held], timezone: tzinfo) -> None:
        self._entity, self._cited, self._timezone = entity, cited, timezone
        self._names = names_of(entity)
        self._own_name = Finder([key_of(entity.name)])

    def refusal(self, text: str, *, label: bool) -> str:
        """
        Return why *text* must not be told, or "".

        A sentence says of whom it is; a *label* is of the one whose page it is on. Each
        part says what a clause of one line says, as it begins.
        """
        told = f"{self._entity.name}: {text}" if label else self._called(text)
        return (
            self._unfit(text, label=label)
            or self._unsaid(told)
            or self._put_together(text, label=label)
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
        return disagreement(told, told, [*self._said, _OWNER], strictly=True) or ""

    @cached_property
    def _said(self) -> list[str]:
        """What the lines say, of whom by one name; "my sister Ana" is a sister too."""
        texts = [words_in(each) for each in self._cited]
        return [*map(self._called, texts), *texts]

    def _lines(self) -> Iterator[Line]:
        for number, held in enumerate(self._cited, 1):
            day, time, *_ = held.shown.moment
            said_at = datetime.fromisoformat(f"{day}T{time}")
            moment = said_at.replace(tzinfo=self._timezone)
            words = self._called(words_in(held))
            message = Message(str(number), number, "user", words, moment, Origin.OWNER)
            yield Line(number, message)

    def _put_together(self, text: str, *, label: bool) -> str:
        """Return what of *text* is more than parts of what the lines say, or ""."""
        said = [words_in(each) for each in self._cited]
        # "My sister Ana" is Ana, and a sister all the same.
        lines = [
            named_as(each, found)
            for found in (self._names.found, self._own_name.found)
            for each in said
        ]
        alone = [not any(self._others(each)) for each in self._cited] * 2
        # A label may be what somebody is called as well.
        told = named_as(text, self._own_name.found if label else self._names.found)
        part = unsaid_part(told, lines, alone, label=label)
        return f"no line says {part.replace(NAME, self._entity.name)!r}" if part else ""

    def _others(self, held: Held) -> Iterator[str]:
        """Give the people whom a line names beside the one whose page it is."""
        for each in held.shown.names:
            if each.sort == _PERSON and not any(self._names.found(each.text)):
                yield each.text

    def _called(self, text: str) -> str:
        """Return *text* with one name wherever any name of the same one stands."""
        return named_as(text, self._names.found).replace(NAME, self._entity.name)
