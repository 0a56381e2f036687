"""What the bank holds, as data: so that a question need not read all pages."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import orjson

from strata.errors import DecryptionFailed
from strata.workspace import stored

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from strata.bank.directory import Directory
    from strata.bank.pages import Bank
    from strata.bank.standing import Held
    from strata.memory import Memory

# Raise it when the same bank is written otherwise.
_FORM = 2


@dataclass(frozen=True, slots=True)
class Known:
    """
    One thing that the bank holds: its *text* and *kind*, since when and until when.

    *sources* are the places that say so, as ``path:line``, *entities* the paths of the
    pages on which it stands. *earlier* are the words before richer ones, each with the ISO
    date of those.
    """

    text: str
    kind: str
    since: str
    last: str
    until: str
    confidence: float
    sources: tuple[str, ...]
    entities: tuple[str, ...]
    earlier: tuple[tuple[str, str], ...] = ()

    def as_of(self, day: date) -> Known:
        """Return the same in the words in which it had been said by the end of *day*."""
        then = day.isoformat()
        return next(
            (replace(self, text=text) for until, text in self.earlier if until > then),
            self,
        )


@dataclass(frozen=True, slots=True)
class KnownEntity:
    """
    A page, which may be deleted with all of this: it is made of the notes again.

    It lies at *path*; *names* mean whom it is about, its own first.
    """

    path: str
    sort: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heard:
    """A *name* that was said and has no page: too rare so far, or any of *among*."""

    name: str
    among: tuple[str, ...] = ()


def put_known(memory: Memory, bank: Bank, directory: Directory) -> None:
    """Write down what *bank* holds, and which names of *directory* have no page."""
    today = memory.now.astimezone(memory.timezone).date()
    rows: dict[tuple[str, str], Known] = {}
    for path, (_, found) in sorted(bank.known.items()):
        for held in (*found.now, *found.opinions, *found.past):
            row = _known(held, held.confidence(today), (path,))
            key = row.sources[0], row.text
            if key in rows:
                row = _known(held, row.confidence, (*rows[key].entities, path))
            rows[key] = row
    for held in bank.rest:
        row = _known(held, held.confidence(today), ())
        rows.setdefault((row.sources[0], row.text), row)
    entities = [
        [path, entity.sort, [entity.name, *entity.forms]]
        for path, (entity, _) in sorted(bank.known.items())
    ]
    layout, lines = memory.workspace.layout, rows.values()
    # Apart, because most questions name nobody: a tenth of the bytes tells so.
    _put(memory, layout.bank_file, [_row(line) for line in lines])
    _put(memory, layout.bank_names_file, entities)
    doubts = [[each.name, list(each.among)] for each in directory.doubts]
    rare = [[name, []] for name in directory.rare]
    # Of one name that may be two these are not names yet, but may be decided about.
    sides = [[side, []] for two in directory.twofold for side in (two.one, two.other)]
    _put(memory, layout.heard_names_file, [*doubts, *rare, *sides])


def known_entities(memory: Memory) -> tuple[KnownEntity, ...]:
    """Return whose pages the bank has; nobody's where it was never made."""
    rows = _read(memory.workspace.layout.bank_names_file)
    return tuple(KnownEntity(path, sort, tuple(names)) for path, sort, names in rows)


def known_lines(memory: Memory) -> tuple[Known, ...]:
    """Return what the bank holds, line by line."""
    return tuple(map(_read_row, _read(memory.workspace.layout.bank_file)))


def counted_lines(memory: Memory) -> dict[str, tuple[int, str]]:
    """Return how many lines the bank has for each page, and the day of the last one."""
    found: dict[str, tuple[int, str]] = {}
    # As they are written: to make every row a line takes three times as long.
    for _, _, _, last, *_, paths in _read(memory.workspace.layout.bank_file):
        for path in paths:
            count, latest = found.get(path, (0, ""))
            found[path] = count + 1, max(latest, last)
    return found


def heard_names(memory: Memory) -> tuple[Heard, ...]:
    """Return the names that were said and have no page, those in doubt first."""
    rows = _read(memory.workspace.layout.heard_names_file)
    return tuple(Heard(name, tuple(among)) for name, among in rows)


def _put(memory: Memory, file: Path, rows: list[list[Any]]) -> None:  # Any: JSON
    data = orjson.dumps({"form": _FORM, "rows": rows})
    with suppress(FileNotFoundError, DecryptionFailed):
        if stored.read(file) == data:
            return
    memory.workspace.write_private(file, data)


def _read(file: Path) -> list[list[Any]]:  # Any: JSON
    with suppress(FileNotFoundError, DecryptionFailed, ValueError, TypeError, KeyError):
        told = orjson.loads(stored.read(file))
        if told["form"] == _FORM:
            return list(told["rows"])
    return []


def _known(held: Held, confidence: float, entities: tuple[str, ...]) -> Known:
    return Known(
        text=held.text,
        kind=held.kind.value,
        since=held.first.day.isoformat(),
        last=held.last.day.isoformat(),
        until=held.until.isoformat() if held.until else "",
        confidence=confidence,
        sources=tuple(dict.fromkeys(f"{s.path}:{s.number}" for s in held.borne)),
        entities=entities,
        earlier=tuple((day.isoformat(), text) for day, text in held.earlier),
    )


def _row(line: Known) -> list[Any]:  # Any: JSON
    """Return all that *line* holds, in the order of its fields."""
    told = (line.text, line.kind, line.since, line.last, line.until, line.confidence)
    return [*told, line.earlier, line.sources, line.entities]


def _read_row(row: list[Any]) -> Known:  # Any: JSON
    text, kind, since, last, until, confidence, earlier, sources, entities = row
    told = (text, kind, since, last, until, confidence)
    before = tuple((day, words) for day, words in earlier)
    return Known(*told, tuple(sources), tuple(entities), before)
