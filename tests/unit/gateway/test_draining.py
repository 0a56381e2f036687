"""The spool is worked off once, by one process, and failures come again."""

from __future__ import annotations

import multiprocessing
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pluggy
import pytest

from strata import hookspecs
from strata.events import GatewayEvent
from strata.gateway.draining import drain, spool_of, take_in, wait_until_tried
from strata.hookspecs import hookimpl
from strata.memory import Memory
from strata.workspace.locks import exclusive
from strata.workspace.spool import ATTEMPTS

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event
    from pathlib import Path


class Listener:
    """A plugin that notes what it hears and fails as often as it is told to."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.failures = 0

    @hookimpl
    def session_end(self, event: GatewayEvent) -> None:
        self.heard.append(event.session_id)
        if self.failures:
            self.failures -= 1
            raise OSError("the disk is tired")

    @hookimpl
    def heartbeat(self) -> str:
        return "something needs a person"


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def memory(tmp_path: Path, listener: Listener) -> Memory:
    (tmp_path / "workspace").mkdir()
    opened = Memory.open(
        workspace=str(tmp_path / "workspace"),
        state_dir=str(tmp_path / "state"),
        now="2026-11-20T12:00:00+00:00",
        overrides=["timezone=UTC"],
    )
    manager = pluggy.PluginManager("strata")
    manager.add_hookspecs(hookspecs)
    manager.register(listener)
    opened.__dict__["plugins"] = manager
    return opened


def ended(memory: Memory, session: str) -> GatewayEvent:
    return GatewayEvent("session_end", memory.now, session, "new")


def test_every_event_is_handled_once(memory: Memory, listener: Listener) -> None:
    """
    Each event reaches the plugins, one that came five times only once.
    """
    take_in(memory, [ended(memory, session) for session in "abacada"])

    drain(memory)

    assert sorted(listener.heard) == ["a", "b", "c", "d"]
    assert spool_of(memory).pending() == []
    assert drain(memory) == []


def test_failure_is_tried_again(memory: Memory, listener: Listener) -> None:
    """
    An event whose handling fails is handled again a moment later.
    """
    listener.failures = 1
    take_in(memory, [ended(memory, "a")])
    naps: list[float] = []

    def sleep(seconds: float) -> None:
        naps.append(seconds)
        _pass(memory)

    outcomes = drain(memory, sleep=sleep)

    assert [outcome.error for outcome in outcomes] == ["OSError: the disk is tired", ""]
    assert listener.heard == ["a", "a"]
    assert naps


def test_hopeless_event_is_set_aside(memory: Memory, listener: Listener) -> None:
    """
    After five failures an event is kept apart, and what comes later goes on.
    """
    listener.failures = ATTEMPTS
    take_in(memory, [ended(memory, "a")])

    for _ in range(ATTEMPTS):
        _pass(memory)
        drain(memory, patience_seconds=0)
    take_in(memory, [ended(memory, "b")])
    drain(memory)

    (aside,) = spool_of(memory).set_aside()
    assert aside.content["session"] == "a"
    assert listener.heard == ["a"] * ATTEMPTS + ["b"]


def test_second_process_leaves_it_to_the_first(
    memory: Memory, listener: Listener
) -> None:
    """
    While another process drains, nothing is handled here, and nothing is lost.
    """
    take_in(memory, [ended(memory, "a")])
    lock = memory.workspace.layout.private / "locks" / "conversations.lock"
    fresh = multiprocessing.get_context("spawn")
    held, done = fresh.Event(), fresh.Event()
    other = fresh.Process(target=_hold, args=(lock, held, done))
    other.start()
    held.wait(30)

    assert drain(memory) == []

    done.set()
    other.join(30)
    assert listener.heard == []
    assert len(drain(memory)) == 1


def test_what_plugins_say_is_passed_on(memory: Memory) -> None:
    """
    A heartbeat's answer comes back to who asked.
    """
    take_in(memory, [GatewayEvent("heartbeat", memory.now)])

    (outcome,) = drain(memory)

    assert outcome.lines == ("something needs a person",)


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"name": "moonrise"}, "no event 'moonrise'"),
        ({"name": "cron", "job": "moonrise"}, "no job 'moonrise'"),
        ({"name": "heartbeat", "time": "at noon"}, "at noon"),
    ],
)
def test_what_could_never_be_handled_is_set_aside_at_once(
    memory: Memory, record: dict[str, str], reason: str
) -> None:
    """
    An event that this version cannot know, of a newer one say, is kept with the reason.
    """
    spool_of(memory).add(record)

    (outcome,) = drain(memory, patience_seconds=0)

    (aside,) = spool_of(memory).set_aside()
    assert reason in outcome.error
    assert reason in aside.errors[-1]
    assert spool_of(memory).pending() == []


def test_conversation_does_not_wait_for_chores(
    memory: Memory, listener: Listener
) -> None:
    """
    While another process is at a chore, which may take long, a conversation is settled.
    """
    take_in(memory, [GatewayEvent("heartbeat", memory.now), ended(memory, "a")])
    lock = memory.workspace.layout.private / "locks" / "chores.lock"
    with exclusive(lock, timeout_seconds=0, doing="testing"):
        outcomes = drain(memory)

    assert listener.heard == ["a"]
    assert [outcome.event.name for outcome in outcomes] == ["session_end"]
    assert [each.content["name"] for each in spool_of(memory).pending()] == [
        "heartbeat"
    ]


def test_waiting_ends_with_the_first_attempt(
    memory: Memory, listener: Listener
) -> None:
    """
    Who waits for an event goes on when it was handled, or has failed once.
    """
    for failures in (0, 1):
        listener.failures = failures
        taken = take_in(memory, [ended(memory, "a")])
        other = threading.Timer(0.2, drain, (memory,), {"patience_seconds": 0})
        begin = time.monotonic()
        other.start()

        wait_until_tried(memory, taken, seconds=30)

        assert 0.2 <= time.monotonic() - begin < 20
        other.join()
        assert len(listener.heard) == failures + 1


def test_waiting_has_an_end(memory: Memory) -> None:
    """
    Nobody waits for ever for an event that no process takes up.
    """
    taken = take_in(memory, [ended(memory, "a")])

    wait_until_tried(memory, taken, seconds=0.1)

    assert len(spool_of(memory).pending()) == 1


def _pass(memory: Memory) -> None:
    """
    Let the waiting time of every record be over.
    """
    spool = spool_of(memory)
    for record in spool.pending():
        spool._save(replace(record, not_before=0.0))


def _hold(lock: Path, held: Event, done: Event) -> None:
    with exclusive(lock, timeout_seconds=30, doing="testing"):
        held.set()
        done.wait(30)
