"""What a hand took out of a note stays out, until the owner says it again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from builders_memory import open_memory

from strata.jobs.capturing.changed import Changed
from strata.models import Evidence, Fact, Origin, Session, SessionKind

if TYPE_CHECKING:
    from pathlib import Path

DEPLOY = "Deployments go out on Tuesdays, never on Fridays."


@pytest.mark.parametrize(("hour", "stays"), [(3, False), (5, True)])
@pytest.mark.parametrize(
    "at", ["2026-11-20T12:00:00+08:00", "2026-11-19T23:00:00-05:00"]
)
def test_what_is_said_again_counts_anew(
    tmp_path: Path, at: str, hour: int, *, stays: bool
) -> None:
    """
    Before or after is told by the moment, whatever the owner's time zone.
    """
    memory = open_memory(tmp_path)
    deleted = {"event": "deleted", "at": at, "entry_id": "0a1b2c3d4e5f", "text": DEPLOY}
    memory.journal.append([deleted])
    said_at = datetime(2026, 11, 20, hour, tzinfo=UTC)
    evidence = Evidence("m1", DEPLOY, said_at, Origin.OWNER)
    fact = Fact(DEPLOY, None, "en", (evidence,))
    session = Session(
        id="5e55",
        key="agent:main:main",
        kind=SessionKind.DIRECT,
        agent="main",
        listed=True,
        started_at=said_at,
        updated_at=said_at,
        fingerprint="",
    )

    assert bool(Changed(memory).settled(session, [fact])) is stays
