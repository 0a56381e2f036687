"""What a model is asked about pages of the bank, and the form of its answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from strata.bank.describing import by_name, words_in
from strata.model.answers import Reply
from strata.model.prompts import Prompt, quoted
from strata.notes.entries import topics_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.bank.directory import Entity
    from strata.bank.standing import Held

PROMPT = "describe_pages"
# What the answer's schema adds to a prompt.
SCHEMA_CHARS = 2_500


class Line(Reply):
    """Words of the model, and the ids of the lines that say so."""

    text: str
    lines: list[int]


class Over(Reply):
    """A line that is over, and the later one *by* which it is, both by their ids."""

    line: int
    by: int


class PageAnswer(Reply):
    """What the model says of one page."""

    page: int
    type: Literal["", "person", "project", "organisation", "place", "thing"] = ""
    label: Line | None = None
    summary: list[Line] = []  # noqa: RUF012 - pydantic copies it
    over: list[Over] = []  # noqa: RUF012 - the same
    holds: list[int] = []  # noqa: RUF012 - the same


class Same(Reply):
    """Two names that mean one, and the ids of the lines that say so."""

    names: list[str]
    lines: list[int]


class Answers(Reply):
    """The model's answers, one a page, and which names it takes for one."""

    pages: list[PageAnswer]
    same: list[Same] = []  # noqa: RUF012 - pydantic copies it


@dataclass(frozen=True, slots=True)
class Asked:
    """A page that the model is asked about: whose it is, and the lines it is shown."""

    entity: Entity
    basis: str
    shown: Sequence[Held]


@dataclass(frozen=True, slots=True)
class Question:
    """A few pages in one question, and one line each of *others*, as far as there are."""

    pages: Sequence[Asked]
    others: Sequence[Asked] = ()

    @property
    def prompt(self) -> Prompt:
        """What the model is asked."""
        numbers = iter(range(1, len(self.rows) + 1))
        told: list[dict[str, Any]] = []
        for place, each in enumerate(self.pages, 1):
            told.append(_heading(place, each.entity))
            told += [_row(next(numbers), held) for held in each.shown]
        for each in self.others:
            told += [{"other": each.entity.name}, _row(next(numbers), each.shown[0])]
        return _prompt(told)

    @property
    def rows(self) -> list[Held]:
        """The lines that it shows, as they are numbered from 1."""
        own = [held for each in self.pages for held in each.shown]
        return own + [each.shown[0] for each in self.others]

    def numbered(self, ids: Sequence[int]) -> list[Held]:
        """Return the lines *ids*, of whatever page; none where one is not there."""
        rows = self.rows
        if not all(0 < number <= len(rows) for number in ids):
            return []
        return [rows[number - 1] for number in dict.fromkeys(ids)]

    def check(self, answers: Answers) -> None:
        """Raise a `ValueError` where a page is unknown, or named twice."""
        named = [each.page for each in answers.pages]
        count = len(self.pages)
        if len(set(named)) < len(named) or not set(named) <= {*range(1, count + 1)}:
            raise ValueError(f"pages: the numbers go from 1 to {count}, each once")

    def of_page(self, page: int, ids: Sequence[int]) -> list[Held]:
        """Return the lines *ids* of *page*; none where one is of another."""
        first = 1 + sum(len(each.shown) for each in self.pages[: page - 1])
        own = range(first, first + len(self.pages[page - 1].shown))
        return self.numbered(ids) if all(number in own for number in ids) else []

    def cited(self, page: int, ids: Sequence[int]) -> list[Held]:
        """Return the same, and none where one does not name whose page it is."""
        found = self.of_page(page, ids)
        named = by_name(self.pages[page - 1].entity, found)
        return found if len(named) == len(found) else []


def prompt_label() -> str:
    """Return which version of the question is asked."""
    return _prompt([]).label


def room_in(window_chars: int) -> int:
    """Return how many characters of pages a prompt of *window_chars* has room for."""
    return window_chars - len(_prompt([]).text) - SCHEMA_CHARS


def size_of(page: Asked) -> int:
    """Return how many characters *page* takes in a prompt, about."""
    return len(Question([page]).prompt.text) - len(_prompt([]).text)


def _heading(place: int, entity: Entity) -> dict[str, Any]:
    told = {"page": place, "name": entity.name, "also": list(entity.forms)}
    return told | ({"type": list(entity.unsure)} if entity.unsure else {})


def _row(number: int, held: Held) -> dict[str, Any]:
    told = {"id": number, "day": held.last.day.isoformat(), "says": words_in(held)}
    about = topics_in(held.text)
    told |= {"about": " / ".join(about)} if about else {}
    return told | ({"until": held.until.isoformat()} if held.until else {})


def _prompt(rows: Sequence[dict[str, Any]]) -> Prompt:
    shown = (json.dumps(each, ensure_ascii=False) for each in rows)
    return Prompt.render(PROMPT, pages=quoted("\n".join(shown)))
