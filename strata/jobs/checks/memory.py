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
from strata.jobs.sync import IMPORT
from strata.jobs.undoing.runs import cut_off
from strata.jobs.update import better_model, held_in, update
from strata.messages import Notice
from strata.notes.retain import MOST, retained_in
from strata.workspace.seen import Seen
from strata.workspace.spool import Spool

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.memory import Memory

STALE_AFTER = timedelta(hours=26)
WAITING_SECONDS = 3600.0
LEAST_FREE_BYTES = 200_000_000
# What an agent wrote longer ago is not put right any more.
_THESE_DAYS = timedelta(days=30)


def check_memory(memory: Memory) -> Iterator[Finding]:
    """Look at everything that is Strata's own."""
    yield _disk(memory)
    yield _transcripts(memory)
    yield _last_sync(memory)
    yield from _import(memory)
    yield from _events(memory)
    yield _index(memory)
    yield _model(memory)
    yield from _retained(memory)
    yield from check_prompt(memory)


def _disk(memory: Memory) -> Finding:
    free = shutil.disk_usage(memory.workspace.root).free
    if free < LEAST_FREE_BYTES:
        return problem("disk", Notice("doctor.disk-full", megabytes=free // 1_000_000))
    # Room is not all: a folder may be read-only, or something may be in its way.
    trial = memory.workspace.layout.spool_folder / "trial"
    try:
        memory.workspace.write_private(trial, b"")
        trial.unlink(missing_ok=True)
    except WorkspaceUnavailable as error:
        return problem("disk", Notice("doctor.no-writing", error=error))
    return ok("disk", Notice("doctor.free", gigabytes=free // 1_000_000_000))


def _transcripts(memory: Memory) -> Finding:
    try:
        sessions = memory.transcripts({}).sessions()
    except NeverTalked as error:
        return ok("transcripts", error.told)
    except OpenClawNotFound as error:
        return note("transcripts", error.told)
    except StrataError as error:
        return problem("transcripts", error.told, Notice("doctor.update"))
    return ok("transcripts", Notice("doctor.readable", count=len(sessions)))


def _last_sync(memory: Memory) -> Finding:
    last = Seen(memory.workspace, under="").last_sync
    if not last:
        return note("sync", Notice("doctor.never-synced"), "strata sync")
    if memory.now - datetime.fromisoformat(last) > STALE_AFTER:
        return problem("sync", Notice("doctor.stale", last=last))
    return ok("sync", Notice("doctor.synced", last=last))


def _import(memory: Memory) -> Iterator[Finding]:
    """Tell of an import that was killed: nobody would notice the talks that are missing."""
    if run := cut_off(memory, IMPORT):
        yield problem("import", Notice("doctor.import-cut-off", run=run.id))


def _events(memory: Memory) -> Iterator[Finding]:
    spool = Spool(memory.workspace.layout.spool_folder, memory.workspace.write_private)
    yield _handled(spool)
    if broken := spool.unreadable():
        yield problem(
            "broken events",
            Notice(
                "doctor.broken-events",
                count=len(broken),
                folder=spool.folder,
                example=broken[0],
            ),
            fix=lambda: spool.forget(broken),
        )


def _handled(spool: Spool) -> Finding:
    aside, waiting = spool.set_aside(), spool.pending()
    if aside:
        latest = aside[-1]
        why = latest.errors[-1] if latest.errors else Notice("doctor.no-reason")
        return problem(
            "events",
            Notice(
                "doctor.events-failed",
                count=len(aside),
                name=latest.content.get("name"),
                why=why,
            ),
            fix=spool.retry,
        )
    # A record's name begins with the nanoseconds at which it came.
    oldest = int(waiting[0].name.split("-")[0]) / 1e9 if waiting else spool.now()
    if spool.now() - oldest > WAITING_SECONDS:
        why = waiting[0].errors[-1] if waiting[0].errors else Notice("doctor.not-taken")
        return problem(
            "events",
            Notice("doctor.events-wait", count=len(waiting), why=why),
            "strata doctor --fix",
            spool.retry,
        )
    failing = [each for each in waiting if each.errors]
    if failing:
        says = Notice(
            "doctor.events-failing", count=len(failing), errors=failing[-1].errors[-1]
        )
        return note("events", says)
    return ok("events", Notice("status.events-waiting", count=len(waiting)))


def _index(memory: Memory) -> Finding:
    try:
        found = memory.index.status()
    except IndexUnavailable as error:
        return problem(
            "index",
            error.told,
            "strata update --rebuild",
            lambda: update(memory, rebuild=True),
        )
    if found.stale or found.pending:
        return note(
            "index",
            Notice("doctor.index-behind", stale=found.stale, pending=found.pending),
            "strata update",
            lambda: update(memory),
        )
    return ok("index", held_in(found))


def _model(memory: Memory) -> Finding:
    if memory.model_folder is None:
        says = Notice("doctor.no-embedding")
        return note("model", says, "strata embed")
    wanted, model = memory.settings.embedding_model, memory.index.model
    used = model.name if model else wanted
    if memory.model_folder.name != wanted:
        says = Notice("doctor.model-missed", name=wanted, used=used)
        return note("model", says, f"strata embed --model {wanted}")
    if memory.index.coming:
        says = Notice("doctor.model-coming", name=wanted, used=used)
        return note("model", says, "strata embed")
    if other := better_model(memory):
        size = other.parts_megabytes
        says = Notice(
            "doctor.model-foreign", used=used, name=other.name, megabytes=size
        )
        return note("model", says, f"strata embed --model {other.name}")
    return ok("model", wanted)


def _retained(memory: Memory) -> Iterator[Finding]:
    """Tell of lines below "Retain" that cannot be read, in the notes of these days."""
    first = memory.now.date() - _THESE_DAYS
    notes = memory.workspace.layout.daily_notes()
    paths = (path for day, path in notes if day >= first)
    unread = [
        (f"{path}:{item.number}", read)
        for path, text in memory.workspace.texts(paths)
        for item, read in retained_in(text)
        if isinstance(read, str)
    ]
    if unread:
        place, why = unread[0]
        told = Notice(f"doctor.retain-{why}", most=MOST)
        says = Notice(
            "doctor.unread-retained", count=len(unread), place=place, why=told
        )
        yield note("retain", says)
