"""`strata audit`: who did what to memory, whether that log is whole, what should not be."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from strata.cli.options import open_memory, tell
from strata.cli.speaking import voice
from strata.jobs.audit_scan import KINDS, fix
from strata.jobs.audit_scan import scan as run_scan
from strata.jobs.forgetting.documents import memory_files
from strata.messages import Notice, Voice, on_one_line, worded
from strata.workspace.audit import AuditLog

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from strata.jobs.audit_scan import Scan
    from strata.memory import Memory

_ROWS = 20
_KEYS = ("read", "wrote")
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
    audited = AuditLog(memory.workspace.layout.audit_folder)
    names = _names(memory, audited)
    records = [_named(record, names) for record in audited.records()]
    chosen = [r for r in records if not path or path in _paths(r)][-rows:]
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
    found = AuditLog(memory.workspace.layout.audit_folder).verify(head)
    told, say = asdict(found), voice("audit", memory)
    lines = [say("broken", problem=problem) for problem in found.problems]
    whole = say("whole", **told) if found.records else say("empty")
    tell(context, {**told, "whole": not found.problems}, lines or [whole])
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
        when=_local(str(record.get("at", "")), zone),
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


def _local(moment: str, zone: tzinfo) -> str:
    """Return *moment* as the owner's clock showed it; a forged one stands as it is."""
    with suppress(ValueError):
        moment = datetime.fromisoformat(moment).astimezone(zone).isoformat()
    return on_one_line(moment[:19].replace("T", " "))


def _names(memory: Memory, audited: AuditLog) -> dict[str, str]:
    """Return the files that are there by the names under which the log knows them."""
    root = memory.workspace.root
    paths = (file.relative_to(root).as_posix() for file in memory_files(memory))
    return {audited.name_of(path): path for path in paths}


def _named(record: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    def plain(place: str) -> str:
        name, mark, lines = place.partition("#")
        return f"{names.get(name, name)}{mark}{lines}"

    lists = {key: [plain(p) for p in record[key]] for key in _KEYS if key in record}
    return {**record, **lists}


def _paths(record: dict[str, Any]) -> list[str]:
    places = [place for key in _KEYS for place in record.get(key, ())]
    return [str(place).partition("#")[0] for place in places]
