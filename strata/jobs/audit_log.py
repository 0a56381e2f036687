"""The log of who read and wrote what, as the owner of memory reads it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from strata.jobs.forgetting.documents import memory_files
from strata.messages import on_one_line
from strata.workspace.audit import MASKED, AuditLog

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import tzinfo

    from strata.memory import Memory
    from strata.messages import Voice
    from strata.workspace.audit import Verified

KEYS = ("read", "wrote")

Record = dict[str, Any]  # Any: a record of the log is JSON


def log_of(memory: Memory) -> AuditLog:
    """Return the log of *memory*."""
    return AuditLog(memory.workspace.layout.audit_folder)


def plainly(memory: Memory, records: Iterable[Record]) -> list[Record]:
    """Return *records* with the names of files that are there in place of their hashes."""
    found = list(records)
    masked = any(MASKED in place for record in found for place in places_of(record))
    names = _names(memory) if masked else {}
    return [_named(record, names) for record in found]


def places_of(record: Record) -> list[str]:
    """Return what *record* says was read or written: files, and lines of files."""
    return [str(place) for key in KEYS for place in record.get(key) or ()]


def paths_of(record: Record) -> list[str]:
    """Return the files that *record* names."""
    return [place.partition("#")[0] for place in places_of(record)]


def verdict_on(found: Verified, say: Voice) -> list[str]:
    """Say what a look through the log found, in the table ``audit`` of *say*."""
    problems = [say("broken", problem=each) for each in found.problems]
    whole = say("whole", **asdict(found)) if found.records else say("empty")
    return problems or [whole]


def local(moment: str, zone: tzinfo) -> str:
    """Return *moment* as the owner's clock showed it; a forged one stands as it is."""
    with suppress(ValueError):
        moment = datetime.fromisoformat(moment).astimezone(zone).isoformat()
    return on_one_line(moment[:19].replace("T", " "))


def _names(memory: Memory) -> dict[str, str]:
    """Return the files that are there by the names under which the log knows them."""
    root, log = memory.workspace.root, log_of(memory)
    paths = (file.relative_to(root).as_posix() for file in memory_files(memory))
    return {log.name_of(path): path for path in paths}


def _named(record: Record, names: dict[str, str]) -> Record:
    def plain(place: str) -> str:
        name, mark, lines = place.partition("#")
        return f"{names.get(name, name)}{mark}{lines}"

    lists = {key: [plain(p) for p in record[key]] for key in KEYS if key in record}
    return {**record, **lists}
