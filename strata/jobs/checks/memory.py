"""Is the memory itself well: conversations read, events handled, files found."""

from __future__ import annotations

import shutil
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from strata.errors import (
    IndexUnavailable,
    NeverTalked,
    OpenClawNotFound,
    StrataError,
    WorkspaceUnavailable,
)
from strata.jobs.checks.findings import Finding, note, ok, problem
from strata.jobs.checks.prompt import check_prompt
from strata.jobs.update import update
from strata.workspace.seen import Seen
from strata.workspace.spool import Spool

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.memory import Memory

STALE_AFTER = timedelta(hours=26)
WAITING_SECONDS = 3600.0
LEAST_FREE_BYTES = 200_000_000


def check_memory(memory: Memory) -> Iterator[Finding]:
    """Look at everything that is Strata's own."""
    yield _disk(memory)
    yield _transcripts(memory)
    yield _last_sync(memory)
    yield from _events(memory)
    yield _index(memory)
    yield _model(memory)
    yield from check_prompt(memory)


def _disk(memory: Memory) -> Finding:
    free = shutil.disk_usage(memory.workspace.root).free
    if free < LEAST_FREE_BYTES:
        return problem(
            "disk",
            f"only {free // 1_000_000} MB are free, and notes need room",
            "free some space; what was said meanwhile is captured by the next sync",
        )
    # Room is not all: a folder may be read-only, or something may be in its way.
    trial = memory.workspace.layout.spool_folder / "trial"
    try:
        memory.workspace.write_private(trial, b"")
        trial.unlink(missing_ok=True)
    except WorkspaceUnavailable as error:
        return problem("disk", f"events cannot be kept: {error}", "make it writable")
    return ok("disk", f"{free // 1_000_000_000} GB free")


def _transcripts(memory: Memory) -> Finding:
    try:
        sessions = memory.transcripts({}).sessions()
    except NeverTalked as error:
        return ok("transcripts", str(error))
    except OpenClawNotFound as error:
        return note("transcripts", str(error))
    except StrataError as error:
        return problem("transcripts", str(error), "update Strata; nothing is lost")
    return ok("transcripts", f"{len(sessions)} conversations can be read")


def _last_sync(memory: Memory) -> Finding:
    last = Seen(memory.workspace, under="").last_sync
    if not last:
        return note("sync", "has never run", "strata sync")
    if memory.now - datetime.fromisoformat(last) > STALE_AFTER:
        return problem(
            "sync",
            f"last ran at {last}, so neither events nor scheduled jobs arrive",
            "strata sync, and see whether OpenClaw runs and strata install is done",
        )
    return ok("sync", f"last ran at {last}")


def _events(memory: Memory) -> Iterator[Finding]:
    spool = Spool(memory.workspace.layout.spool_folder, memory.workspace.write_private)
    yield _handled(spool)
    if broken := spool.unreadable():
        yield problem(
            "broken events",
            f"{len(broken)} files in {spool.folder}/failed are no records, like "
            f"{broken[0]}; the next sync catches up with what they told of",
            "strata sync, then strata doctor --fix, which removes them",
            lambda: spool.forget(broken),
        )


def _handled(spool: Spool) -> Finding:
    aside, waiting = spool.set_aside(), spool.pending()
    if aside:
        latest = aside[-1]
        return problem(
            "events",
            f"{len(aside)} were given up, the latest {latest.content.get('name')}: "
            f"{latest.errors[-1] if latest.errors else 'for no known reason'}",
            "mend the cause, then strata doctor --fix",
            spool.retry,
        )
    # A record's name begins with the nanoseconds at which it came.
    oldest = int(waiting[0].name.split("-")[0]) / 1e9 if waiting else spool.now()
    if spool.now() - oldest > WAITING_SECONDS:
        why = waiting[0].errors[-1] if waiting[0].errors else "nothing takes them up"
        return problem(
            "events",
            f"{len(waiting)} wait to be handled, the oldest for over an hour: {why}",
            "strata doctor --fix",
            spool.retry,
        )
    failing = [each for each in waiting if each.errors]
    if failing:
        says = (
            f"{len(failing)} failed and will be tried again: {failing[-1].errors[-1]}"
        )
        return note("events", says, "mend the cause, then strata doctor --fix")
    return ok("events", f"{len(waiting)} waiting")


def _index(memory: Memory) -> Finding:
    try:
        found = memory.index.status()
    except IndexUnavailable as error:
        return problem(
            "index",
            str(error),
            "strata update --rebuild",
            lambda: update(memory, rebuild=True),
        )
    if found.stale or found.pending:
        return note(
            "index",
            f"{found.stale} files have changed, {found.pending} chunks are not embedded; "
            "a question takes them in",
            "strata update",
            lambda: update(memory),
        )
    return ok("index", f"{found.chunks} chunks of {found.files} files")


def _model(memory: Memory) -> Finding:
    if memory.model_folder is None:
        says = "there is none, so search works on keywords alone"
        return note("model", says, "strata embed")
    return ok("model", memory.settings.embedding_model)
