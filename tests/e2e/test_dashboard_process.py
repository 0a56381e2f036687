"""The dashboard as a process: how it starts, ends, and is cut off, and who may start it."""

from __future__ import annotations

import shutil
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from builders_dashboard import browser
from builders_encryption import KEY, own_memory
from builders_hostile import Client, send
from builders_memory import NIGHT, captured, open_memory, page, statements_of
from builders_window import lived, options, window

from strata.cli import run
from strata.cli.showing import Showing
from strata.dashboard.desk import Desk
from strata.dashboard.serving import serve
from strata.jobs.deciding.verdict_list import statements
from strata.jobs.doctor import complaints, examine
from strata.jobs.review import review
from strata.jobs.tidy import tidy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PNPM = "always use pnpm"
MORNING = "2026-11-21T09:00:00+00:00"
# Dies before its n-th file below a folder comes or goes, once it is told to count.
DYING = """
import signal, sys
sys.path.insert(0, "tests")
import fork_server
fork_server.EVENTS = "os.rename", "os.remove"
step, folder = int(sys.argv.pop(1)), sys.argv.pop(1)
signal.signal(signal.SIGUSR1, lambda *_: fork_server.die_at(step, folder))
from strata.__main__ import main
main()
"""
pytestmark = pytest.mark.slow


def served(root: Path, meanwhile: Callable[[int], None]) -> float:
    """
    Serve until nobody has looked for half a second, *meanwhile*; say how long that was.
    """
    captured(root)
    desk = Desk(lambda: open_memory(root), Showing.by)
    asking = []

    def ready(address: str) -> None:
        number = int(address.partition("/?")[0].rpartition(":")[2])
        asking.append(threading.Thread(target=meanwhile, args=[number]))
        asking[0].start()

    begun = time.monotonic()
    serve(desk, port=0, ready=ready, idle_seconds=0.5)
    lasted = time.monotonic() - begun
    asking[0].join()
    return lasted


def test_it_ends_once_nobody_looks(tmp_path: Path) -> None:
    """
    The server ends by itself after the idle time, and its port is closed.
    """
    found: list[int] = []

    lasted = served(tmp_path, found.append)

    assert 0.5 <= lasted < 5
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", found[0]))


def test_strangers_keep_it_from_no_end(tmp_path: Path) -> None:
    """
    Who is refused, or only holds a connection, is nobody who looks.
    """
    asked: list[int] = []

    def pester(port: int) -> None:
        with (
            socket.create_connection(("127.0.0.1", port)),
            suppress(OSError, ValueError),
        ):
            while len(asked) < 100:
                refused = b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port
                asked.append(send(port, refused).status)
                time.sleep(0.1)

    lasted = served(tmp_path, pester)

    assert 0.5 <= lasted < 5
    assert set(asked) == {403}


def test_ctrl_c_ends_it_as_it_ends_every_command(tmp_path: Path) -> None:
    """
    It ends at once, with connections open, and with the code of what was interrupted.
    """
    captured(tmp_path)
    with window(tmp_path) as opened:
        held = socket.create_connection(("127.0.0.1", opened.port))
        Client(opened).let_in()

        code, told = opened.stop()
        held.close()

    assert code == 130
    assert "Traceback" not in told


def test_browser_that_stays_in_the_terminal_is_answered(tmp_path: Path) -> None:
    """
    A browser that returns only once it is closed gets its page, and is not waited for.
    """
    captured(tmp_path)
    got = tmp_path / "got"
    script = tmp_path / "slow-browser"
    asks = (
        "import sys, urllib.request as u; b = u.build_opener(u.HTTPCookieProcessor())"
    )
    asks += "; print(b.open(sys.argv[1]).status)"
    script.write_text(f"#!/bin/sh\n{sys.executable} -c '{asks}' \"$1\" > {got}\n")
    script.chmod(0o700)
    with window(tmp_path, environment={"BROWSER": f"{script} %s"}):
        until = time.monotonic() + 30
        while not (got.exists() and got.read_text()) and time.monotonic() < until:
            time.sleep(0.1)

    assert got.read_text() == "200\n"


def test_agent_opens_no_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    What an agent starts is refused in one line: whoever has the address may decide.
    """
    captured(tmp_path)
    monkeypatch.setenv("OPENCLAW_SHELL", "exec")

    code = run([*options(tmp_path), "dashboard", "--no-open"])

    printed = capsys.readouterr()
    assert (code, printed.out) == (1, "")
    assert "for the owner" in printed.err
    assert printed.err.count("\n") == 1


def test_port_that_is_taken_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Where another program has the port, nothing starts, and the line says what to do.
    """
    captured(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as other:
        number = str(other.getsockname()[1])

        code = run([*options(tmp_path), "dashboard", "--no-open", "--port", number])

    printed = capsys.readouterr()
    assert (code, printed.out) == (2, "")
    assert f"port {number} cannot be had" in printed.err
    assert printed.err.count("\n") == 1


def test_without_its_key_memory_shows_nothing(tmp_path: Path) -> None:
    """
    Encrypted under its eyes it goes on; once the key is taken away every page says so.
    """
    lived(tmp_path, "en")
    key = tmp_path / "key"
    key.write_text(KEY)
    setting = ("--set", f"encryption.key_file={key}")
    with (
        own_memory(tmp_path / "workspace"),
        window(tmp_path, arguments=setting) as opened,
    ):
        client = Client(opened)
        client.let_in()
        form = client.form(PNPM)
        assert run([*options(tmp_path), *setting, "encryption", "on"]) == 0
        with_key = client.ask("GET", "/")
        key.unlink()
        without = [client.ask("GET", "/"), client.ask("GET", "/memory")]
        without.append(client.post(form))

    assert PNPM in with_key.body
    assert [answer.status for answer in without] == [503, 503, 503]
    for answer in (without[0], without[2]):
        assert "Memory is closed" in answer.body
        assert "key" in answer.body
        assert "nav" not in answer.body
    assert not any("pnpm" in answer.body for answer in without)


def test_kill_in_the_middle_of_a_form_leaves_nothing_between(tmp_path: Path) -> None:
    """
    Killed at any change, memory is as before or as after, and opens again in order.
    """
    pristine, after = tmp_path / "pristine", tmp_path / "after"
    captured(pristine)
    tidy(open_memory(pristine, NIGHT))
    shutil.copytree(pristine, after)
    meant = next(
        each for each in statements(open_memory(after, MORNING)) if PNPM in each.text
    )
    review(open_memory(after, MORNING), "decline", [meant.id])
    pages = [page(open_memory(root)) for root in (pristine, after)]
    usual = complaints(examine(open_memory(pristine, MORNING), ask_gateway=False))
    reached: list[tuple[bool, bool]] = []

    while not reached or reached[-1][0]:
        step = len(reached) + 1
        root = tmp_path / str(step)
        shutil.copytree(pristine, root)
        was_killed = decline_and_die(root, step)

        # As a browser that comes back finds it, once a new process was started.
        again = browser(lambda root=root: open_memory(root, MORNING))  # type: ignore[misc]
        memory = open_memory(root, MORNING)
        declined = not any(PNPM in each for each in statements_of(memory))
        reached.append((was_killed, declined))
        assert again.status == 200
        assert page(memory) == pages[declined]
        assert complaints(examine(memory, ask_gateway=False)) == usual

    assert {(True, False), (True, True)} < set(reached)


def decline_and_die(root: Path, step: int) -> bool:
    """
    Decline a line in a dashboard that dies at the *step*-th change of that.
    """
    folder = str(root / "workspace")
    program = ("-c", DYING, str(step), folder)
    with window(root, program=program) as opened:
        client = Client(opened)
        client.let_in()
        form = client.form(PNPM, 'value="decline"')
        opened.process.send_signal(signal.SIGUSR1)
        try:
            client.post(form)
        except OSError:
            return True
        return False
