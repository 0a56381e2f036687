"""edit and delete: one line of memory is reworded or taken out, by its owner."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from strata.errors import Busy, NotAccepted, NotFound, StrataError
from strata.history.ledger import statement_id
from strata.history.names import DELETED, REWORDED, UNDONE
from strata.history.projection import History
from strata.jobs.deciding.told import own_capture
from strata.jobs.deciding.wording import fit_for_memory
from strata.jobs.following import follow
from strata.jobs.inspect import Inspection, inspect
from strata.jobs.review import review
from strata.jobs.undoing.runs import alone, recorded
from strata.messages import Notice, on_one_line
from strata.notes.daily import heading_above
from strata.notes.markdown import unbulleted
from strata.notes.marks import reworded, spoken
from strata.workspace.layout import LONG_TERM, day_of_name
from strata.workspace.shared_pages import is_copy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.jobs.trails import Place
    from strata.memory import Memory
    from strata.messages import Voice

VERSION = 1


@dataclass(frozen=True, slots=True)
class Changed:
    """
    An entry that was *reworded* or *deleted*, and where.

    *also* are other places that still say what it said.
    """

    event: str
    place: Place
    text: str
    paths: tuple[str, ...]
    also: tuple[str, ...] = ()


def edit(memory: Memory, what: str, text: str, *, seen: str = "") -> Changed:
    """
    Let the entry *what* say *text*, as its owner's own word from now on.

    *seen* is the line that the owner meant: raise `Busy` where another stands there by
    now, and `NotAccepted` where *text* is not fit for memory.
    """
    found = inspect(memory, what)
    wording = fit_for_memory(text, memory.now, memory.never_stored, memory.allowances)
    place = _own_place(memory, found, seen)
    if spoken(place.text) == wording:
        raise NotAccepted(Notice("review.same-wording"))
    if ours := _ours(memory, place):
        done = review(memory, "edit", [ours], wording, kind="edit")
        changed = _changed(REWORDED, found, place, wording, done.paths)
        # Lines are in the order of their days, and the new wording is of today.
        return replace(changed, place=replace(place, line=done.statements[0].line))
    return _apply(memory, REWORDED, found, place, reworded(place.text, wording))


def delete(memory: Memory, what: str, *, seen: str = "") -> Changed:
    """
    Take the entry *what* out of the file in which it stands; it will not be put back.

    Copies, the journal and other files keep it: that is no forgetting. *seen* is as for
    `edit`.
    """
    found = inspect(memory, what)
    place = _own_place(memory, found, seen)
    if ours := _ours(memory, place):
        done = review(memory, "decline", [ours], kind="delete")
        return _changed(DELETED, found, place, found.traced.text, done.paths)
    return _apply(memory, DELETED, found, place, None)


def outcome_lines(done: Changed, say: Voice) -> Iterator[str]:
    """Yield what was *done* in the sentences of ``inspect``, and where it stands still."""
    place = f"{done.place.path}:{done.place.line}"
    yield say(done.event, place=place, text=on_one_line(done.text or done.place.text))
    for path in done.also:
        yield say("also", path=path)


def _own_place(memory: Memory, found: Inspection, seen: str) -> Place:
    place = found.traced.place
    if place is None:
        raise NotFound(Notice("inspect.in-no-file", text=found.traced.text))
    if is_copy(place.path, memory.workspace.read(place.path)):
        at = f"{place.path}:{place.line}"
        raise NotAccepted(Notice("share.elsewhere", place=at))
    if not memory.workspace.locate(place.path).is_file():
        raise NotFound(Notice("get.no-file", path=place.path))
    if seen and place.text != seen:
        raise Busy(Notice("files.changing", path=place.path))
    return place


def _ours(memory: Memory, place: Place) -> str:
    """
    Return the id of the statement that tidy keeps in the line, "" where it keeps none.

    To review that is how such a line changes. By its number, a job for which the review
    has to wait could put another into its place.
    """
    if place.path != LONG_TERM:
        return ""
    page = memory.workspace.read(LONG_TERM)
    _with_line(page, place, None)
    known = History(memory.journal, worded=False).statements(page)
    return next((each.id for each in known if each.line == place.line), "")


def _apply(
    memory: Memory, event: str, found: Inspection, place: Place, line: str | None
) -> Changed:
    """Put *line* in the place of the one that stands there, None takes it out."""
    with alone(memory), recorded(memory, "edit" if line else "delete") as run:
        # What the journal tells counts, so nothing is told of a line that has moved.
        _with_line(memory.workspace.read(place.path), place, line)
        told = {
            "version": VERSION,
            "at": memory.now.isoformat(timespec="seconds"),
            "run": run.id,
        }
        record = {
            "event": event,
            **told,
            "id": statement_id(spoken(place.text)),
            "text": spoken(place.text),
            **({"after": [unbulleted(line)]} if line else {}),
            "path": place.path,
        }
        memory.journal.append([record, *_captures(memory, place, line)])
        try:
            memory.workspace.update(place.path, lambda t: _with_line(t, place, line))
        except StrataError:
            # A hand was faster: the run takes itself back.
            undone = {"event": UNDONE, **told, "id": "", "undoes": run.id}
            memory.journal.append([undone])
            raise
        follow(memory)
    return _changed(event, found, place, spoken(line or ""), (place.path,))


def _with_line(text: str, place: Place, line: str | None) -> str:
    lines = text.split("\n")
    if place.line > len(lines) or lines[place.line - 1].rstrip("\r") != place.text:
        raise Busy(Notice("files.changing", path=place.path))
    ending = "\r" if lines[place.line - 1].endswith("\r") else ""
    lines[place.line - 1 : place.line] = [] if line is None else [line + ending]
    return "\n".join(lines)


def _captures(memory: Memory, place: Place, line: str | None) -> list[dict[str, Any]]:
    """Return what makes a reworded entry of a daily note its owner's own word."""
    day = day_of_name(place.path.rpartition("/")[2])
    if line is None or day is None or place.path.startswith("memory/weekly/"):
        return []
    _, block = heading_above(memory.workspace.read(place.path), place.line)
    at = memory.now.isoformat(timespec="seconds")
    record = own_capture(unbulleted(line), spoken(line), day, place.path, at)
    local = memory.now.astimezone(memory.timezone).isoformat(timespec="seconds")
    record["entries"][0]["edited_at"] = local
    return [{**record, "label": block.label if block else ""}]


def _changed(
    event: str, found: Inspection, place: Place, text: str, paths: tuple[str, ...]
) -> Changed:
    here = f"{place.path}:{place.line}"
    also = (each.rpartition(":")[0] for each in found.places if each != here)
    return Changed(event, place, text, paths, tuple(dict.fromkeys(also)))
