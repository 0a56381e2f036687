"""What models have said of pages of the bank, as the journal keeps it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from strata.history.evidence import records_in
from strata.history.names import DESCRIBED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from strata.history.records import Records

VERSION = 1
LABEL, SUMMARY = "label", "summary"


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a model said of a page, and the lines there that bear it out, by their keys."""

    text: str
    cites: tuple[str, ...]


@dataclass(slots=True)
class Descriptions:
    """
    Every answer that was journaled, by the hash of the lines that it rests on.

    *sorts* is what somebody or something is, by key, where a model was asked that. *over*
    has for a statement the earlier ones that are over with it, *holds* those that hold all
    the same, all by their keys.
    """

    sorts: dict[str, str] = field(default_factory=dict)
    over: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    holds: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    _lines: dict[str, tuple[Sentence, ...]] = field(default_factory=dict)
    _asked: set[tuple[str, str]] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self._asked)

    def of(self, basis: str) -> tuple[Sentence, ...]:
        """Return what the newest answer says of the lines whose hash is *basis*."""
        return self._lines.get(basis, ())

    def is_given(self, basis: str, prompt: str) -> bool:
        """Say whether *prompt* was answered of the lines whose hash is *basis*."""
        return (basis, prompt) in self._asked

    def add(self, record: Mapping[str, Any]) -> None:
        """Take in a record of the journal; one that is broken says nothing."""
        # They rest on two lines, whatever else the page has by now; the last word counts.
        kinds = ("over", self.over, self.holds), ("holds", self.holds, self.over)
        for kind, to, off in kinds:
            for each in records_in(record.get(kind)):
                for by in _listed(each.get("by")):
                    to[by].update(_listed(each.get("line")))
                    off[by].difference_update(_listed(each.get("line")))
        basis, name = record.get("basis"), record.get("name")
        if not isinstance(basis, str) or not isinstance(name, str):
            return
        self._asked.add((basis, str(record.get("prompt"))))
        self._lines[basis] = tuple(map(_sentence, records_in(record.get("lines"))))
        if isinstance(sort := record.get("sort"), str):
            self.sorts[name] = sort


def read_descriptions(journal: Records) -> Descriptions:
    """Return what models said of pages, as *journal* tells it."""
    descriptions = Descriptions()
    for record in journal.records(DESCRIBED):
        descriptions.add(record)
    return descriptions


def _sentence(told: Mapping[str, Any]) -> Sentence:
    return Sentence(str(told.get("text", "")), tuple(_listed(told.get("cites"))))


def _listed(value: object) -> list[str]:
    return list(map(str, value)) if isinstance(value, list) else []
