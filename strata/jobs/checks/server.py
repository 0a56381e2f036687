"""Is the Qdrant server that keeps the index reachable, new enough, and set up for it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from strata.errors import StoreUnreachable
from strata.jobs.checks.findings import Finding, note, ok, problem
from strata.messages import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.memory import Memory
    from strata.search.stores.looking import ServerSeen

NAME = "Qdrant server"
# A key that runs out is judged by the server's clock.
_MOST_SECONDS_APART = 60
_THIS_MACHINE = {"127.0.0.1", "::1"}
# Without these it answers, and not as well as it could.
_BEARABLE = frozenset({"graph"})


def check_server(memory: Memory) -> Iterator[Finding]:
    """Look at the server where there is one; it is waited for some seconds."""
    remote = memory.qdrant
    if remote is None:
        return
    from strata.search.stores.looking import look_at  # noqa: PLC0415 - 1 s, few have one

    shelf = memory.index.shelf
    collection = shelf.peek(lambda manifest: manifest.meta("collection"), "")
    made = shelf.peek(lambda manifest: manifest.meta("dimensions"), "")
    size = int(made or shelf.dimensions)
    try:
        # The clock of this machine, whatever time a memory was opened for.
        seen = look_at(remote, collection, size, now=lambda: datetime.now(UTC))
    except StoreUnreachable as error:
        yield problem(NAME, Notice("doctor.server-away", error=error))
        return
    yield _version(seen, remote.tenant)
    if _is_overheard(remote.url):
        yield note(NAME, Notice("doctor.server-plain"))
    for fault in seen.faults:
        says = Notice(f"doctor.server-{fault}")
        yield note(NAME, says) if fault in _BEARABLE else problem(NAME, says)
    ahead = seen.seconds_ahead
    if ahead is not None and abs(ahead) > _MOST_SECONDS_APART:
        yield note(NAME, Notice("doctor.server-clock", seconds=round(ahead)))


def _is_overheard(url: str) -> bool:
    """Say whether others on the network may read what goes to *url*."""
    place = urlsplit(url)
    host = place.hostname or ""
    # Containers side by side, on a network of their own, go by names without a dot.
    is_near = host in _THIS_MACHINE or not {".", ":"}.intersection(host)
    return place.scheme == "http" and not is_near


def _version(seen: ServerSeen, tenant: str) -> Finding:
    if seen.is_too_old:
        return problem(NAME, Notice("doctor.server-too-old", version=seen.version))
    if seen.counts_among_all:
        return note(NAME, Notice("doctor.server-old", version=seen.version))
    if seen.points is None:
        return ok(NAME, Notice("doctor.server-empty", version=seen.version))
    fine = {"version": seen.version, "points": seen.points, "tenant": tenant}
    return ok(NAME, Notice("doctor.server-fine", **fine))
