"""What a hand took out of a note stays out, until the owner says it again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from builders_memory import open_memory

from strata.history.evidence import entry_id
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
    session = _session(said_at)

    assert bool(Changed(memory).settled(session, [fact])) is stays


def test_terms_are_not_those_of_a_hands_words(tmp_path: Path) -> None:
    """
    A model gave them for the entry as it was.
    """
    memory = open_memory(tmp_path)
    said_at = datetime(2026, 11, 20, 3, tzinfo=UTC)
    evidence = Evidence("m1", DEPLOY, said_at, Origin.OWNER)
    fact = Fact(DEPLOY, None, "en", (evidence,), terms=("release day",))
    session = _session(said_at)
    told = {"event": "reworded", "at": "2026-11-20T12:00:00+00:00", "text": DEPLOY}
    after = {
        "entry_id": entry_id(session.id, "m1", DEPLOY),
        "after": ["Never on Friday."],
    }
    memory.journal.append([told | after])

    [settled] = Changed(memory).settled(session, [fact])

    assert (settled.text, settled.terms) == ("Never on Friday.", ())


def _session(said_at: datetime) -> Session:
    return Session(
        id="5e55",
        key="agent:main:main",
        kind=SessionKind.DIRECT,
        agent="main",
        listed=True,
        started_at=said_at,
        updated_at=said_at,
        fingerprint="",
    )
