"""The report of a night, for a person at breakfast."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from strata.history.names import ADOPTED
from strata.jobs.deciding.reasons import reason_in
from strata.jobs.deciding.told import note_path
from strata.jobs.language import written_language
from strata.messages import text
from strata.notes.long_term import bare_lines, size_of
from strata.notes.weekly import days_in, weekly_path
from strata.sensitivity import rules_of
from strata.templates import render
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from strata.jobs.tidy import TidyReport
    from strata.memory import Memory
    from strata.models import Language
    from strata.settings import Settings

MOST_LINES = 15
_LONGEST = 110
_WEEKDAYS = "一二三四五六日"


@dataclass(slots=True)
class Item:
    """
    One thing to tell: what it says, why, what took its place, where it still is.

    *id* is that of its statement.
    """

    text: str
    why: str = ""
    by: str = ""
    where: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Things of one kind; *total* counts those that there is no room for, too."""

    name: str
    total: int
    items: Sequence[Item]


def tidy_report(memory: Memory, report: TidyReport, *, dry_run: bool = False) -> str:
    """Return what a person wants to know of *report*, in at most `MOST_LINES` lines."""
    language = written_language(memory)
    groups = grouped(memory, report.distilled.records, language)
    if not (groups or report.paths or report.secrets):
        return text(language, "tidy.no-changes")
    page = memory.workspace.read(LONG_TERM)
    model = memory.model_if_open
    asked = model if model and model.calls else None
    return render(
        f"messages/tidy.{language}.md.j2",
        date=date_in(language, memory.now.date()),
        groups=_shortened(groups, frame=3 if asked else 2),
        days=len(report.compressed),
        weeks=len({path for _, path in report.compressed}),
        lines=len(bare_lines(page)),
        kilobytes=size_of(page) / 1024,
        dry_run=dry_run,
        undoable=bool(report.paths) and not dry_run,
        model=asked,
        secrets=report.secrets,
        judged=report.judged,
        left_to_rules=report.left_to_rules,
    ).rstrip("\n")


def grouped(
    memory: Memory, records: Mapping[str, Sequence[dict[str, Any]]], language: Language
) -> dict[str, list[Item]]:
    """Return what *records*, by their event, come to: learned, changed, gone, waiting."""
    texts, shown = _texts(memory, records), shown_by(memory.settings)

    def told(text: str) -> str:
        return brief(shown(text))

    # Only what stood in MEMORY.md can change there, or leave it.
    left = [
        record
        for event in ("superseded", "merged", "expired", "evicted")
        for record in records.get(event, ())
        if record.get("left")
    ]
    changed = [record for record in left if record.get("by") in texts]
    gone = [record for record in left if record not in changed]
    heirs = {record["by"] for record in changed}
    learned = [each for each in records.get("promoted", ()) if each["id"] not in heirs]
    groups = {
        "learned": [Item(told(each["text"]), id=each["id"]) for each in learned],
        "changed": [_changed(each, texts, told) for each in changed],
        "gone": [_gone(memory, each, language, told) for each in gone],
        "waiting": [
            _waiting(each, language, told) for each in records.get("waiting", ())
        ],
    }
    return {name: items for name, items in groups.items() if items}


def shares(sizes: Sequence[int], room: int) -> list[int]:
    """Divide *room* lines among groups of *sizes*; what one cannot use others get."""
    given = [0] * len(sizes)
    while room > 0 and given != [*sizes]:
        for position, size in enumerate(sizes):
            if room > 0 and given[position] < size:
                given[position] += 1
                room -= 1
    return given


def _shortened(groups: Mapping[str, Sequence[Item]], frame: int) -> list[Group]:
    """Give each group a fair share of the lines, of which *frame* are taken."""
    room = MOST_LINES - frame - len(groups)
    fair = shares([len(items) for items in groups.values()], room)
    return [
        Group(name, len(items), items[:share])
        for (name, items), share in zip(groups.items(), fair, strict=True)
    ]


def _texts(
    memory: Memory, records: Mapping[str, Iterable[Mapping[str, Any]]]
) -> dict[str, str]:
    """Return what stands in MEMORY.md for an heir, or would after a dry run, by its id."""
    page = set(bare_lines(memory.workspace.read(LONG_TERM)))
    written = memory.journal.records("promoted", "merged", ADOPTED)
    told = [each for each in written if each.get("line") in page]
    told += [
        dict(e) for event in ("promoted", "merged") for e in records.get(event, ())
    ]
    return {str(each["id"]): str(each["text"]) for each in told if each.get("text")}


def _changed(
    record: Mapping[str, Any], texts: Mapping[str, str], told: Callable[[str], str]
) -> Item:
    by = told(texts[record["by"]])
    return Item(told(record["text"]), by=by, id=record["id"])


def _gone(
    memory: Memory,
    record: Mapping[str, Any],
    language: Language,
    told: Callable[[str], str],
) -> Item:
    return Item(
        told(record["text"]),
        why=reason_in(language, record, short=True),
        where=_where(memory, record),
        id=record["id"],
    )


def _waiting(
    record: Mapping[str, Any], language: Language, told: Callable[[str], str]
) -> Item:
    # That it waits for a word is what the heading says.
    asked = record.get("dimension") == "ask"
    why = "" if asked else reason_in(language, record, short=True)
    return Item(told(record["text"]), why=why, id=record["id"])


def _where(memory: Memory, record: Mapping[str, Any]) -> str:
    """Return the file in which a statement still stands: its week, else its day."""
    days = [str(each.get("day")) for each in record.get("sources") or ()]
    if not days:
        return ""
    day = date.fromisoformat(max(days))
    week = weekly_path(day)
    return (
        week if day in days_in(memory.workspace.read(week)) else note_path(memory, day)
    )


def brief(text: str) -> str:
    """Return *text* on one line, and not too long a one."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"


def shown_by(settings: Settings) -> Callable[[str], str]:
    """
    Return what gives a text as *settings* let it be shown.

    A text is cut afterwards: of half a value no rule knows what it is.
    """
    never = rules_of(settings.trust_never_store, setting="trust.never_store")
    masked = rules_of(settings.trust_masked, setting="trust.masked")
    return lambda text: masked.masked(never.removed(text))


def date_in(language: str, day: date) -> str:
    """Return *day* as a person says it."""
    if language == "zh":
        return f"{day.month}月{day.day}日 周{_WEEKDAYS[day.weekday()]}"
    return f"{day:%A} {day.day} {day:%B}"
