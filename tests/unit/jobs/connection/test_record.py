"""What was installed is written down by one process at a time, whichever job it does."""

from __future__ import annotations

import json
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

import fake_openclaw
import pytest
from builders_memory import open_memory

from strata.errors import Busy
from strata.jobs.connection.connecting import complete, keep_scheduled, reschedule
from strata.jobs.connection.disconnecting import disconnect
from strata.jobs.connection.on_path import settle
from strata.workspace import own_folder
from strata.workspace.own_folder import Installation, OwnFolder

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from pathlib import Path

    from strata.memory import Memory

# The job of each night, `doctor --fix`, the link onto the PATH, a start of the gateway, and
# `uninstall`.
CHANGES: list[Callable[[Memory], object]] = [
    keep_scheduled,
    reschedule,
    lambda memory: settle(memory.state_folder, memory.workspace.root, agreed=False),
    complete,
    lambda memory: disconnect(memory.state_folder),
]


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    state = tmp_path / "state"
    state.mkdir()
    (state / "openclaw.json").write_text("{}")
    program = fake_openclaw.make(state)
    OwnFolder(state).save(Installation(program=str(program), schedules="pending"))
    return open_memory(tmp_path)


@pytest.mark.parametrize("change", CHANGES)
def test_nobody_changes_the_record_of_who_is_at_it(
    memory: Memory, change: Callable[[Memory], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Who comes second waits, and changes nothing where that takes too long.
    """
    monkeypatch.setattr(own_folder, "_WAITS_SECONDS", 0.1)
    own = OwnFolder(memory.state_folder)

    with own.alone() as installed:
        before = json.loads((own.root / "install.json").read_bytes())
        with pytest.raises(Busy):
            change(memory)

    assert installed.schedules == before["schedules"] == "pending"
    assert json.loads((own.root / "install.json").read_bytes()) == before


@pytest.mark.parametrize("change", CHANGES[:4])
def test_who_waits_for_an_uninstall_leaves_no_trace(
    memory: Memory, change: Callable[[Memory], object]
) -> None:
    """
    A job that began before Strata went, and goes on after it, makes its folder no more.
    """
    own = OwnFolder(memory.state_folder)

    with ExitStack() as uninstalling, ThreadPoolExecutor(1) as gateway:
        uninstalling.enter_context(own.alone())
        waits = gateway.submit(change, memory)
        with pytest.raises(TimeoutError):
            waits.result(timeout=0.5)
        own.remove()
        uninstalling.close()
        waits.result(timeout=30)

    assert not own.root.exists()


@pytest.mark.parametrize("change", CHANGES[:4])
def test_who_gets_the_lock_of_a_folder_half_gone_finds_nothing_installed(
    memory: Memory, change: Callable[[Memory], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    The lock's file may be taken away before the rest, and then somebody else holds one.
    """
    own = OwnFolder(memory.state_folder)
    waiting: list[Future[object]] = []

    rmtree = shutil.rmtree

    def removes(folder: Path, *, ignore_errors: bool) -> None:
        """Do as `shutil.rmtree` may: list, then remove, the lock first; then give up."""
        if threading.current_thread() is not threading.main_thread():
            rmtree(folder, ignore_errors=ignore_errors)
            return
        found = [*folder.iterdir()]
        (own.root / "install.lock").unlink()
        with suppress(TimeoutError):
            waiting[0].result(timeout=2)
        for path in found:
            path.unlink(missing_ok=True)
        with suppress(OSError):
            folder.rmdir()

    with ExitStack() as uninstalling, ThreadPoolExecutor(1) as gateway:
        uninstalling.enter_context(own.alone())
        waiting.append(gateway.submit(change, memory))
        with pytest.raises(TimeoutError):
            waiting[0].result(timeout=0.5)
        monkeypatch.setattr("strata.workspace.own_folder.shutil.rmtree", removes)
        own.remove()
        monkeypatch.undo()
        uninstalling.close()
        waiting[0].result(timeout=30)

    assert not own.root.exists()


def test_a_gateway_that_wakes_after_an_uninstall_leaves_no_trace(
    memory: Memory,
) -> None:
    """
    It had found Strata installed a moment before.
    """
    own = OwnFolder(memory.state_folder)
    own.remove()

    own.wake(memory.now)

    assert not own.root.exists()


@pytest.mark.parametrize("change", CHANGES[:4])
def test_where_nothing_is_installed_no_file_is_made(
    tmp_path: Path, change: Callable[[Memory], object]
) -> None:
    """
    There is no record to change, and none comes of it.
    """
    memory = open_memory(tmp_path)

    change(memory)

    assert not OwnFolder(memory.state_folder).root.exists()
