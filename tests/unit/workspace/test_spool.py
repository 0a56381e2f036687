"""Events are kept until they are handled, tried again, and set aside after five times."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from strata.workspace.files import Workspace
from strata.workspace.spool import ATTEMPTS, BACKOFF_SECONDS, Spool, Spooled

if TYPE_CHECKING:
    from pathlib import Path

EVENT = {"name": "session_end", "session": "61871d67"}


class Clock:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def spool(tmp_path: Path, clock: Clock) -> Spool:
    workspace = Workspace(tmp_path)
    return Spool(workspace.layout.spool_folder, workspace.write_private, now=clock)


def due(spool: Spool) -> list[Spooled]:
    return [each for each in spool.pending() if each.not_before <= spool.now()]


def test_records_come_back_in_their_order(spool: Spool) -> None:
    """
    What was added first is handled first, whoever reads the folder.
    """
    for number in range(20):
        spool.add({"name": "session_end", "session": str(number)})

    again = Spool(spool.folder, spool.write)

    assert [each.content["session"] for each in again.pending()] == [
        str(number) for number in range(20)
    ]


def test_handled_record_is_gone(spool: Spool) -> None:
    """
    Done is done, also when it is said twice.
    """
    record = spool.add(EVENT)

    spool.done(record)
    spool.done(record)

    assert spool.pending() == []


def test_failed_record_waits_longer_each_time(spool: Spool, clock: Clock) -> None:
    """
    A failure is tried again, each time after a longer while.
    """
    record = spool.add(EVENT)
    for wait in BACKOFF_SECONDS:
        record = spool.failed(record, "no luck")
        assert due(spool) == []
        clock.seconds += wait - 0.01
        assert due(spool) == []
        clock.seconds += 0.01
        assert [each.attempts for each in due(spool)] == [record.attempts]


def test_fifth_failure_sets_aside(spool: Spool) -> None:
    """
    What failed five times is kept apart with its errors, and nothing tries it again.
    """
    record = spool.add(EVENT)
    for number in range(ATTEMPTS):
        record = spool.failed(record, f"failure {number}")

    (aside,) = spool.set_aside()
    assert spool.pending() == []
    assert aside.content == EVENT
    assert aside.errors == tuple(f"failure {number}" for number in range(ATTEMPTS))


def test_retry_starts_afresh(spool: Spool) -> None:
    """
    What was set aside can be given another five attempts.
    """
    record = spool.add(EVENT)
    for _ in range(ATTEMPTS):
        record = spool.failed(record, "no luck")

    assert spool.retry() == 1

    (again,) = due(spool)
    assert again.attempts == 0
    assert spool.set_aside() == []


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"version": 99}', b"\xff\xfe"])
def test_unreadable_record_is_put_apart(spool: Spool, content: bytes) -> None:
    """
    A file that is no event does not hold up the others, and is not deleted.
    """
    spool.folder.mkdir(parents=True)
    (spool.folder / "0.json").write_bytes(content)
    spool.add(EVENT)

    assert [each.content for each in spool.pending()] == [EVENT]
    assert (spool.folder / "failed" / "0.json").read_bytes() == content


def test_clock_that_was_set_back_keeps_nothing_waiting(
    spool: Spool, clock: Clock
) -> None:
    """
    A record that failed while the clock was a month ahead is tried again at once.
    """
    clock.seconds += 30 * 86400
    spool.failed(spool.add(EVENT), "busy")
    clock.seconds -= 30 * 86400

    assert [record.content for record in due(spool)] == [EVENT]


def test_hopeless_record_is_set_aside_at_once(spool: Spool) -> None:
    """
    What could never succeed does not wait for four more attempts, and is kept.
    """
    record = spool.add(EVENT)

    spool.refuse(record, "there is no such job")

    (aside,) = spool.set_aside()
    assert spool.pending() == []
    assert (aside.content, aside.errors) == (EVENT, ("there is no such job",))


def test_file_that_is_no_record_is_named(spool: Spool) -> None:
    """
    A file that cannot be read is out of the way, named, and removed when asked to.
    """
    spool.add(EVENT)
    (spool.folder / "1-a.json").write_bytes(b"\xff")

    assert len(spool.pending()) == 1
    assert spool.unreadable() == ["1-a.json"]
    spool.forget(spool.unreadable())
    assert spool.unreadable() == []
    assert len(spool.pending()) == 1
