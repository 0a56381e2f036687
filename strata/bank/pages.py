"""The pages of the bank, made of what holds and of what was: pure, and always the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from strata.bank.describing import basis_of, key_of_line, shown_lines, sorted_as
from strata.bank.names import key_of, slug_of
from strata.bank.standing import FADING_DAYS, Standing, ends_in, standing
from strata.bank.statements import Kind
from strata.history.descriptions import Descriptions
from strata.notes.bank import Page
from strata.notes.entries import one_line
from strata.notes.words import words_in
from strata.workspace.layout import BANK

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )
    from datetime import date

    from strata.bank.directory import Directory, Entity
    from strata.bank.reading import Reading
    from strata.bank.standing import Held
    from strata.bank.statements import Stated
    from strata.models import Language

WORLD, EXPERIENCE, OPINIONS = (
    f"{BANK}/{name}.md" for name in ("world", "experience", "opinions")
)
_FOLDERS = {"person": "people", "project": "projects"}
_OTHER = "things"
# The first that said so and the last ones are enough to see that it is so.
_SOURCES = 6
_RELATED = 8


@dataclass(frozen=True, slots=True)
class Bank:
    """
    Everything: each page by its path, and *known*: of which entity a page is, and what
    it holds.
    """

    pages: dict[str, Page] = field(default_factory=dict)
    known: dict[str, tuple[Entity, Standing]] = field(default_factory=dict)
    rest: tuple[Held, ...] = ()


def bank_of(  # noqa: PLR0913, PLR0917 - all that pages are made of
    stated: Sequence[Stated],
    directory: Directory,
    today: date,
    language: Language,
    reading: Reading,
    masked: Collection[str] = (),
    described: Descriptions | None = None,
) -> Bank:
    """
    Return the bank that *stated* make with the entities of *directory*, as of *today*.

    *masked* are texts that the owner does not want to be shown plainly, *described* is what
    models said of pages.
    """
    described = described or Descriptions()
    entities = tuple(sorted_as(directory.entities, described.sorts))
    paths = _paths(entities)
    told = {each.key: [stated[place] for place in each.told] for each in entities}
    beside = _beside(entities, paths)
    bank = Bank()
    ends = ends_in(stated, described.over, described.holds)
    stands = partial(standing, today=today, reading=reading, ends=ends)
    for each in entities:
        names = {t for form in (each.name, *each.forms) for t in reading.terms(form)}
        found = stands(told[each.key], besides=names)
        path = paths[each.key]
        bank.known[path] = each, found
        bank.pages[path] = _entity_page(
            each,
            told[each.key],
            found,
            today,
            beside[each.key],
            language,
            masked,
            described,
        )
    lists = _Lists(stated, directory, today, language, stands)
    bank.pages.update(lists.pages())
    return replace(bank, rest=lists.rest())


def _paths(entities: Iterable[Entity]) -> dict[str, str]:
    """Return where the page of each entity lies; two never share a place."""
    taken: dict[str, str] = {}
    for each in sorted(entities, key=lambda entity: entity.key):
        slug, number = slug_of(each.name), 1
        while (name := slug if number == 1 else f"{slug}-{number}") in taken:
            number += 1
        taken[name] = each.key
    folders = {each.key: _FOLDERS.get(each.sort, _OTHER) for each in entities}
    return {key: f"{BANK}/{folders[key]}/{name}.md" for name, key in taken.items()}


def _beside(
    entities: Sequence[Entity], paths: Mapping[str, str]
) -> dict[str, list[str]]:
    """Return for each entity the pages of those that are named with it most often."""
    at: dict[int, list[str]] = defaultdict(list)
    for each in entities:
        for place in each.told:
            at[place].append(each.key)
    counts: dict[str, Counter[str]] = {each.key: Counter() for each in entities}
    for keys in at.values():
        for key in keys:
            counts[key].update(other for other in keys if other != key)
    return {
        key: [
            _page_name(paths[other])
            for other, _ in sorted(found.items(), key=lambda row: (-row[1], row[0]))
        ][:_RELATED]
        for key, found in counts.items()
    }


def _page_name(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def _entity_page(  # noqa: PLR0913, PLR0917 - all that a page tells
    entity: Entity,
    told: Sequence[Stated],
    found: Standing,
    today: date,
    beside: Sequence[str],
    language: Language,
    masked: Collection[str],
    described: Descriptions,
) -> Page:
    holds = [*found.now, *found.opinions]
    sure = [each.confidence(today) for each in holds]
    sensitive = any(each.shown in masked for each in told)
    front: dict[str, object] = {
        "type": entity.sort,
        "name": entity.name,
        "aliases": entity.forms,
        "first_seen": min(each.day for each in told),
        "last_seen": max(each.day for each in told),
        "mentions": len(told),
        "confidence": round(sum(sure) / len(sure), 2) if sure else 0.5,
        "sensitivity": "masked" if sensitive else "normal",
    }
    if holds:
        front["last_confirmed"] = max(each.last.day for each in holds)
    parts = {
        "summary": list(_summary(entity, found, described)),
        "now": [_line(each) for each in found.now],
        "opinions": [_weighed(each, today, language) for each in found.opinions],
        "past": [_dated(each, language) for each in found.past],
        "related": [f"[[{name}]]" for name in beside],
    }
    return Page(entity.name, front, parts)


def _summary(entity: Entity, found: Standing, described: Descriptions) -> Iterator[str]:
    """Give what a model made of just these lines, each sentence with those it cites."""
    if not described:
        return
    shown = {key_of_line(each): each for each in shown_lines(entity, found)}
    for each in described.of(basis_of(entity, shown.values())):
        said = [shown[key].shown for key in each.cites if key in shown]
        yield f"{one_line(each.text)} {_cited(said)}"


class _Lists:
    """The pages of what no entity's page has, of what the agent did, of all opinions."""

    def __init__(
        self,
        stated: Sequence[Stated],
        directory: Directory,
        today: date,
        language: Language,
        stands: Callable[[Sequence[Stated]], Standing],
    ) -> None:
        placed = {place for each in directory.entities for place in each.told}
        rest = [each for place, each in enumerate(stated) if place not in placed]
        self._today, self._language = today, language
        self._rest = stands(rest)
        done = [each for each in stated if each.kind is Kind.EXPERIENCE]
        views = [each for each in stated if each.kind is Kind.OPINION]
        self._done = stands(done)
        self._views = stands(views)

    def rest(self) -> tuple[Held, ...]:
        """Return what tells of no entity."""
        return (*self._rest.now, *self._rest.opinions, *self._rest.past)

    def pages(self) -> Iterator[tuple[str, Page]]:
        """Give each of these pages that has anything, with its path."""
        words, language = words_in(self._language).bank, self._language
        world = [each for each in self._rest.now if each.kind is Kind.WORLD]
        was = [each for each in self._rest.past if each.kind is Kind.WORLD]
        if world or was:
            past = [_dated(each, language) for each in was]
            parts = {"now": [_line(each) for each in world], "past": past}
            yield WORLD, Page(words["world"], {}, parts)
        if self._done.now or self._done.past:
            parts = {
                "now": [_line(each) for each in self._done.now],
                "past": [_dated(each, language) for each in self._done.past],
            }
            yield EXPERIENCE, Page(words["experience"], {}, parts)
        views = self._views
        if views.opinions or views.past:
            past = [_dated(each, language) for each in views.past]
            told = [_weighed(each, self._today, language) for each in views.opinions]
            yield OPINIONS, Page(words["views"], {}, {"opinions": told, "past": past})


def _line(held: Held, text: str = "") -> str:
    return f"{one_line(text or held.text)} {sources_of(held)}"


def sources_of(held: Held) -> str:
    """Return where the statements stand that say so: days and lines of notes."""
    return _cited(held.borne)


def _cited(said: Iterable[Stated]) -> str:
    named = list(dict.fromkeys(each.source for each in said))
    if len(named) > _SOURCES:
        named = [named[0], *named[-_SOURCES + 1 :]]
    return f"(src: {', '.join(named)})"


def _weighed(held: Held, today: date, language: Language) -> str:
    words = words_in(language).bank
    days = len({each.day for each in held.borne})
    count = words["day" if days == 1 else "days"].format(count=days)
    told = words["for"].format(
        days=count,
        against=len({each.talk for each in held.against}),
        last=held.last.day,
        confidence=f"{held.confidence(today):.2f}",
    )
    if (today - held.last.day).days > FADING_DAYS:
        told += "; " + words["faded"].format(last=held.last.day)
    return f"{one_line(held.text)} ({told}) {sources_of(held)}"


def _dated(held: Held, language: Language) -> str:
    words = words_in(language).bank
    first = held.first.day
    if held.until:
        told = words["until"].format(first=first, last=held.until, text=held.text)
    else:
        told = words["on"].format(day=first, text=held.text)
    return _line(held, told)


def names_in(bank: Bank) -> dict[str, str]:
    """Return the path of the page that each name has; what two have in common, has none."""
    found: dict[str, set[str]] = defaultdict(set)
    for path, (entity, _) in bank.known.items():
        for form in (entity.name, *entity.forms):
            found[key_of(form)].add(path)
    return {key: next(iter(paths)) for key, paths in found.items() if len(paths) == 1}
