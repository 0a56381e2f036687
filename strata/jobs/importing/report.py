"""What an import brought, what it left out and why, and what it asks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.messages import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from strata.messages import Voice

# So many reasons, and so many problems, are named; the rest is counted.
_NAMED = 4
_PROBLEMS = 2


@dataclass(slots=True)
class ImportReport:
    """
    What became of one export.

    *fresh* are talks that were not there, *grown* those that went on since, *same* those
    that have nothing new; *messages* counts what is new in them, on *days* of the local
    calendar. *left_out* has the names of what was not taken, by the reason; of what
    gives orders, how it begins. *derived* is how many lines another tool had made went into
    *pages*. *few* talks have fewer than *least* messages of the owner's, so that nothing of
    them is noted. Files of the formats *others* lie there as well. *run* is what `undo`
    takes back.
    """

    format: str
    run: str = ""
    fresh: int = 0
    grown: int = 0
    same: int = 0
    messages: int = 0
    days: set[date] = field(default_factory=set)
    entries: int = 0
    notes: list[str] = field(default_factory=list)
    derived: int = 0
    pages: list[str] = field(default_factory=list)
    left_out: dict[str, list[str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    few: int = 0
    least: int = 0

    @property
    def paths(self) -> list[str]:
        """The memory files that were written to."""
        return sorted({*self.notes, *self.pages})

    def leave_out(self, name: str, why: str) -> None:
        """Count *name* among what was not taken."""
        self.left_out.setdefault(why, []).append(name)

    def document(self) -> dict[str, object]:
        """Return it for a program."""
        return {
            "format": self.format,
            "run": self.run or None,
            "talks": {"new": self.fresh, "grown": self.grown, "same": self.same},
            "messages": self.messages,
            "days": sorted(day.isoformat() for day in self.days),
            "too_short": self.few,
            "entries": self.entries,
            "notes": self.notes,
            "derived": self.derived,
            "pages": self.pages,
            "left_out": self.left_out,
            "asked": self.asked,
            "others": self.others,
            "problems": self.problems,
        }


def told_lines(report: ImportReport, say: Voice, *, dry_run: bool) -> list[str]:
    """Say it in a dozen lines at most."""
    return [*_told(report, say, dry_run=dry_run)]


def _told(report: ImportReport, say: Voice, *, dry_run: bool) -> Iterator[str]:
    days = sorted(report.days)
    yield say(
        "would-bring" if dry_run else "brought",
        format=report.format,
        talks=Notice("count.talks", count=report.fresh),
        messages=Notice("count.messages", count=report.messages),
    )
    if days:
        count = Notice("count.days", count=len(days))
        yield say("of-days", days=count, first=days[0], last=days[-1])
    if report.grown or report.same:
        yield say("known", grown=report.grown, same=report.same)
    if report.entries:
        entries = Notice("count.entries", count=report.entries)
        notes = Notice("count.notes", count=len(report.notes))
        yield say("noted", entries=entries, notes=notes)
    if report.derived:
        place = report.pages[0].rpartition("/")[0]
        yield say("derived", count=report.derived, place=place)
    if report.left_out:
        yield say("left-out", reasons=_reasons(report))
    if orders := report.left_out.get("orders"):
        begun = [Notice("import.begun", words=each) for each in orders[:_NAMED]]
        yield say("orders", begun=begun)
    yield from _to_do(report, say)
    yield from report.problems[:_PROBLEMS]
    if report.run:
        yield say("take-back", run=report.run)


def _to_do(report: ImportReport, say: Voice) -> Iterator[str]:
    if report.few:
        yield say("few", count=report.few, least=report.least)
    if report.others:
        yield say("others", formats=report.others, form=report.others[0])
    if report.asked:
        yield say("asks", count=len(report.asked))


def _reasons(report: ImportReport) -> list[Notice]:
    counted = Counter({why: len(names) for why, names in report.left_out.items()})
    told = [
        Notice(
            "import.reason",
            count=count,
            why=Notice(f"import-reasons.{why}", count=count),
        )
        for why, count in counted.most_common(_NAMED)
    ]
    rest = sum(counted.values()) - sum(n for _, n in counted.most_common(_NAMED))
    return [*told, Notice("import.rest", number=rest)] if rest else told
