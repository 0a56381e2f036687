"""`strata audit`: who did what to memory, whether that log is whole, what should not be."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from strata.cli.options import open_memory, tell
from strata.cli.speaking import voice
from strata.jobs.audit_log import local, log_of, paths_of, plainly, verdict_on
from strata.jobs.audit_scan import KINDS, fix
from strata.jobs.audit_scan import scan as run_scan
from strata.messages import Notice, Voice, on_one_line, worded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from strata.jobs.audit_scan import Scan

_ROWS = 20
_MOST_PLACES = 3


@click.group
def audit() -> None:
    """Show who read or wrote what, verify that log, and scan what memory holds."""


@audit.command
@click.option(
    "-n", "rows", metavar="K", type=click.IntRange(1), default=_ROWS, help="So many."
)
@click.option("--path", metavar="PATH", default="", help="Only what touched this file.")
@click.pass_context
def log(context: click.Context, rows: int, path: str) -> int:
    """Show the last records: when, who, by which command, and which files."""
    memory = open_memory(context)
    records = plainly(memory, log_of(memory).records())
    chosen = [r for r in records if not path or path in paths_of(r)][-rows:]
    say = voice("audit", memory)
    lines = [_record(each, say, memory.timezone) for each in chosen]
    tell(context, {"records": chosen}, lines or [say("empty")])
    return 0


@audit.command
@click.option("--head", metavar="HASH", default="", help="A hash that you have kept.")
@click.pass_context
def verify(context: click.Context, head: str) -> int:
    """Find a record that was changed, taken out or cut off; exit code 1 where one was."""
    memory = open_memory(context)
    found = log_of(memory).verify(head)
    lines = verdict_on(found, voice("audit", memory))
    tell(context, {**asdict(found), "whole": not found.problems}, lines)
    return 1 if found.problems else 0


@audit.command
@click.option("--fix", "mend", is_flag=True, help="Mend what is safe to mend.")
@click.pass_context
def scan(context: click.Context, *, mend: bool) -> int:
    """Look through all of memory, other tools' notes too, for what should not be there."""
    memory = open_memory(context)
    found = fix(memory) if mend else run_scan(memory)
    lines = _lines(found, voice("audit", memory), mend=mend)
    tell(context, _document(found), lines)
    left = [each for each in found.findings if not (mend and each.fixable)]
    return 1 if left else 0


# Any: a record of the log is JSON.
def _record(record: dict[str, Any], say: Voice, zone: tzinfo) -> str:
    done = "wrote" if "wrote" in record else "read"
    return say(
        "record",
        when=local(str(record.get("at", "")), zone),
        who=record.get("who"),
        command=record.get("what"),
        done=say(done),
        places=on_one_line(", ".join(map(str, record.get(done, ())))),
    )


def _lines(found: Scan, say: Voice, *, mend: bool) -> Iterator[str]:
    once, files = found.each_once(), Notice("count.files", count=found.files)
    for each, places in once:
        mended = mend and each.fixable
        yield say(
            "finding",
            place=each.place,
            also=_also(places[1:], say),
            kind=say(f"kind-{each.kind}"),
            what=on_one_line(worded(each.what, say.language)),
            remedy="" if mended else say("remedy", remedy=each.remedy),
        )
    if not found.findings:
        yield say("none", files=files)
        return
    counts = Counter(each.kind for each, _ in once)
    yield say("sum", counts=_counted(counts, say), files=files)
    if mend:
        yield say("fixed", counts=_counted(found.fixed, say) or "0")
    elif any(each.fixable for each in found.findings):
        yield say("fix")
        if counts["unwanted"]:
            yield say("forget")
    if found.run:
        yield say("undo", run=found.run)


def _also(places: list[str], say: Voice) -> str:
    """Name the first of the other *places*, and count the rest."""
    if not places:
        return ""
    rest = len(places) - _MOST_PLACES
    more = say("more", count=rest) if rest > 0 else ""
    return say("also", places=places[:_MOST_PLACES], more=more)


def _document(found: Scan) -> dict[str, object]:
    """Return what was found for a program: each once, never a word of what it says."""
    names = ("kind", "path", "line", "what", "fixable", "remedy")
    once = (
        {name: getattr(each, name) for name in names} | {"places": places}
        for each, places in found.each_once()
    )
    rest = {"files": found.files, "fixed": dict(found.fixed), "run": found.run}
    return {**rest, "findings": list(once)}


def _counted(counts: Counter[str], say: Voice) -> list[str]:
    return [
        say("count", number=counts[kind], kind=say(f"kind-{kind}"))
        for kind in KINDS
        if counts[kind]
    ]
