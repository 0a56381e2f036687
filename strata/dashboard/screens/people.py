"""People and projects: the pages of the bank, and the owner's decisions about names."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from strata.bank.names import key_of
from strata.dashboard.places import address_of, note_named
from strata.dashboard.visits import Done, Page, Screen, require_seal, seal
from strata.errors import NotFound, UsageError
from strata.history.entities import MERGE, RENAME, SPLIT
from strata.jobs.banking.asking import meant
from strata.jobs.banking.knowing import known_entities
from strata.jobs.banking.listing import (
    LISTS,
    called_like,
    doubts,
    listed_entities,
)
from strata.notes.bank_marks import is_page, names_on
from strata.notes.bank_reading import parse_page
from strata.templates import Exact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.dashboard.visits import Reply, Visit
    from strata.jobs.banking.knowing import KnownEntity
    from strata.jobs.banking.listing import Listed
    from strata.memory import Memory
    from strata.notes.bank_reading import PageLine, ReadPage

_HERE, _PAGE = "/people", "/people/page"
_FOLDERS = ("people", "projects", "things")
# Of each group, of the names in doubt, of each part of a page, of pages that changed.
_MOST, _MOST_DOUBTS, _MOST_LINES, _MOST_TOLD = 100, 20, 40, 5
# A longer list to choose from is one to type into.
_MOST_CHOICES = 150
# More lines than any page has.
_DIGITS = 8
# Of what the owner wrote, as many letters as `person.html.j2` shows.
_MOST_LETTERS = 8_000


def show(visit: Visit) -> Reply:
    """Show who and what has a page, and which names may mean several."""
    say, memory, words = visit.say("dashboard-people"), visit.memory, visit.text("name")
    rows = listed_entities(memory)
    found = called_like(rows, words) if words else rows
    groups = {
        folder: [row for row in found if row.folder == folder] for folder in _FOLDERS
    }
    unsure = doubts(memory)
    values = {
        "people": say,
        "sorts": visit.say("bank"),
        "words": words,
        "entities": len(rows),
        "found": len(found),
        "groups": {
            folder: {"rows": [_row(each) for each in them[:_MOST]], "count": len(them)}
            for folder, them in groups.items()
            if them
        },
        "most": _MOST,
        "doubts": [
            {"name": name, "among": among, "seal": seal(name, *among)}
            for name, among in [*unsure.items()][:_MOST_DOUBTS]
        ],
        "more_doubts": max(len(unsure) - _MOST_DOUBTS, 0),
        "lists": _lists(visit),
        "nightly": memory.settings.bank,
    }
    return Page("people", "people", say("title"), values)


def _row(each: Listed) -> dict[str, object]:
    name, *others = each.entity.names
    return {
        "name": name,
        "others": others[:_MOST_DOUBTS],
        "sort": each.entity.sort,
        "lines": each.lines,
        "last": each.last,
        "to": _address(each.entity.path),
    }


def _lists(visit: Visit) -> dict[str, str]:
    """Return the name of each page of nobody in particular that there is, and where."""
    return {
        path.rpartition("/")[2].removesuffix(".md"): _address(path)
        for path in LISTS
        if is_page(visit.memory.workspace.read(path))
    }


def show_page(visit: Visit) -> Reply:
    """Show one page: what holds, what was, opinions, and what the owner wrote there."""
    memory = visit.memory
    path, text = _page(visit)
    memory.saw(path)
    page, start = parse_page(text), visit.number("from", digits=_DIGITS)
    known = known_entities(memory)
    entity = next((each for each in known if each.path == path), None)
    longest = max((len(lines) for _, lines in page.parts.values()), default=0)
    end = start + _MOST_LINES
    values = {
        "people": visit.say("dashboard-people"),
        "sorts": visit.say("bank"),
        "key": _key(path),
        "file": address_of(path),
        "page": page,
        "names": names_on(text)[1:],
        "parts_shown": {
            name: {
                "heading": heading,
                "lines": [_line(memory, each) for each in lines[start:end]],
            }
            for name, (heading, lines) in page.parts.items()
            if lines[start:end]
        },
        "before": _address(path, max(start - _MOST_LINES, 0)) if start else "",
        "after": _address(path, end) if longest > end else "",
        "related": _related(page, known),
        "yours": page.yours,
        "cut": len(page.yours) > _MOST_LETTERS,
        "entity": entity,
        "others": _others(known, entity) if entity else [],
        "most_choices": _MOST_CHOICES,
        "seal": seal(path, text),
    }
    return Page("person", "people", page.title, values)


def _page(visit: Visit) -> tuple[str, str]:
    """Return the path and the text of the page that is meant, one of those there are."""
    key, memory = visit.need("page"), visit.memory
    paths = (*LISTS, *(each.path for each in known_entities(memory)))
    path = next((each for each in paths if _key(each) == key), "")
    text = memory.workspace.read(path) if path else ""
    if not is_page(text):
        raise NotFound.of("dashboard-people.no-page")
    return path, text


def _line(memory: Memory, line: PageLine) -> dict[str, object]:
    return {
        "text": line.text,
        "weight": line.weight,
        "sources": [(each, _told_in(memory, each)) for each in line.sources],
    }


def _told_in(memory: Memory, source: str) -> str:
    """Return the address of the line of a note that *source* names."""
    name, _, number = source.partition("#L")
    return address_of(note_named(memory, name), int(number or 0))


def _related(page: ReadPage, known: Sequence[KnownEntity]) -> list[tuple[str, str]]:
    """Return the name and the address of those who are named on *page* most often."""
    by_file = {each.path.rpartition("/")[2]: each for each in known}
    found = (by_file.get(f"{name}.md") for name in page.related)
    return [(each.names[0], _address(each.path)) for each in found if each]


def _others(known: Sequence[KnownEntity], entity: KnownEntity) -> list[str]:
    """Return by what names the others are known, those of its kind first."""
    folder = entity.path.rpartition("/")[0]
    others = [each for each in known if each is not entity]
    others.sort(key=lambda each: key_of(each.names[0]))
    others.sort(key=lambda each: not each.path.startswith(f"{folder}/"))
    return [each.names[0] for each in others]


def decide(visit: Visit) -> Reply:
    """Make two names one, keep them apart, or rename, as `strata entity` does."""
    from strata.jobs.entity import decide as run_decide  # noqa: PLC0415 - reads names
    from strata.jobs.reflect import told_pages  # noqa: PLC0415 - the same

    memory, action = visit.memory, visit.need("action")
    name, other = visit.need("name"), visit.need("other")
    if action not in {MERGE, SPLIT, RENAME}:
        raise UsageError.of("dashboard.no-form")
    if visit.text("page"):
        path, text = _page(visit)
        require_seal(visit, path, path, text)
    else:
        require_seal(visit, name, name, *doubts(memory).get(name, ()))
    report = run_decide(memory, action, name, other)
    visit.changed(report.paths)
    say, bank = visit.say("dashboard-people"), visit.say("bank")
    pages = [*told_pages(report, bank, _MOST_TOLD)] or [say("no-page-changed")]
    told = [bank(f"done-{action}", first=name, second=other), *pages, say("to-undo")]
    to = _place_of(memory, other if action == RENAME else name)
    return Done(to if visit.text("page") else _HERE, tuple(told))


def _place_of(memory: Memory, name: str) -> str:
    """Return the address of the page that *name* has now."""
    found = meant(known_entities(memory), name)
    return _address(found[0].path) if found else _HERE


def reflect(visit: Visit) -> Reply:
    """Bring the pages up to date, as `strata reflect` does."""
    from strata.jobs.reflect import reflect as run_reflect  # noqa: PLC0415 - see above

    report = run_reflect(visit.memory)
    visit.changed(report.paths)
    counts = {name: len(getattr(report, name)) for name in ("new", "changed", "gone")}
    say = visit.say("dashboard-people")
    return Done(_HERE, (say("reflected", count=report.pages, **counts),))


def _address(path: str, start: int = 0) -> str:
    """Return where the page at *path* of the workspace is shown, from a line on."""
    return Exact(f"{_PAGE}?page={_key(path)}" + (f"&from={start}" if start else ""))


def _key(path: str) -> str:
    """Return what stands for *path* in an address: a name there would be kept."""
    return Exact(sha256(path.encode()).hexdigest()[:12])


SCREENS = (
    Screen(_HERE, show),
    Screen(_PAGE, show_page),
    Screen("/people/decide", act=decide),
    Screen("/people/reflect", act=reflect),
)
