"""Encrypted memories, killed processes, and two at once: nothing is shared by accident."""

from __future__ import annotations

import json
import multiprocessing
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders_encryption import KEY, holding, own_memory, use_key
from builders_shared import (
    COPY,
    NOON,
    OFFICE,
    PAGE,
    copy_in,
    line_of,
    open_agent,
    two_agents,
)
from killing import run_killed_at

from strata.cli import run
from strata.errors import NotAccepted
from strata.history.sharing import shares
from strata.jobs.encryption import switch_on
from strata.jobs.exporting.export import export
from strata.jobs.exporting.restoring import restore
from strata.jobs.query import Wish, query
from strata.jobs.remember import remember
from strata.jobs.sharing.share import share, unshare
from strata.jobs.tidy import tidy
from strata.jobs.update import refresh
from strata.workspace.settings_file import change_setting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.memory import Memory

TESTS = Path(__file__).parents[3]
UNSHARING = """
from builders_shared import open_agent
from strata.jobs.sharing.share import unshare
from pathlib import Path
unshare(open_agent(Path(sys.argv[1])), sys.argv[2])
"""


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """
    The memory of main, which no machine's memory holds anything of afterwards.
    """
    with own_memory(tmp_path / "workspace"), own_memory(tmp_path / "workspace-b"):
        yield two_agents(tmp_path)


def test_encrypted_memory_shares_nothing_by_itself(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    What lies encrypted is shared in clear text only where the owner says so.
    """
    use_key(monkeypatch, KEY)
    place = line_of(memory, "Quokkaville")
    switch_on(memory)

    with pytest.raises(NotAccepted, match="--in-clear"):
        share(memory, place)
    assert [] == holding(tmp_path / "state" / "strata", "Quokkaville")

    share(memory, place, in_clear=True)
    assert OFFICE in copy_in(tmp_path)


def test_encrypting_takes_back_what_was_shared(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    What was shared while memory lay in clear text is not, once it is encrypted.
    """
    share(memory, line_of(memory, "Quokkaville"))
    use_key(monkeypatch, KEY)

    switch_on(memory)

    assert not copy_in(tmp_path)
    assert [] == holding(tmp_path / "state" / "strata", "Quokkaville")


def test_locked_reader_loses_what_is_taken_back(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A copy in an encrypted memory whose key is away goes, whoever takes the line back.

    What else lies there may be anybody's own, and stays.
    """
    own = tmp_path / "workspace-b" / "memory" / "shared" / "doors.md"
    own.parent.mkdir(parents=True)
    own.write_text("# Doors\n\n- The key to Quokkaville hangs behind the door.\n")
    settings = tmp_path / "workspace-b" / ".strata" / "config.toml"
    settings.write_text(settings.read_text() + '\n[encryption]\nnotes = ["memory/*"]\n')
    use_key(monkeypatch, KEY)
    switch_on(open_agent(tmp_path, "b"))
    share(memory, line_of(memory, "Quokkaville"))
    assert [] == holding(tmp_path / "workspace-b", "Quokkaville")
    other = open_agent(tmp_path, "b")
    assert query(other, "where does the new office go", Wish()).hits
    copy = tmp_path / "workspace-b" / "memory" / "shared" / "main.md"
    assert copy.exists()

    use_key(monkeypatch)
    unshare(memory, line_of(memory, "Quokkaville"))

    assert not copy.exists()
    assert own.exists()


@pytest.mark.parametrize("step", range(4, 44, 5))
def test_killed_taking_back_is_made_good(
    memory: Memory, tmp_path: Path, step: int
) -> None:
    """
    Killed anywhere, the line is shared or it is not, and the next run leaves no trace.
    """
    share(memory, line_of(memory, "Quokkaville"))
    share(memory, line_of(memory, "pnpm"))
    whole = copy_in(tmp_path)
    program = f"sys.path.insert(0, {str(TESTS)!r})\n{UNSHARING}"

    assert run_killed_at(step, tmp_path, program, str(tmp_path), OFFICE)

    page = (tmp_path / "state" / PAGE).read_text()
    for text in (page, copy_in(tmp_path)):
        assert text in {whole, without(whole)}
    refresh(open_agent(tmp_path), [], say=lambda _line: None)
    kept = [each.text for each in shares(open_agent(tmp_path).journal)]
    expected = whole if OFFICE in kept else without(whole)
    assert expected == copy_in(tmp_path) == (tmp_path / "state" / PAGE).read_text()
    folder = tmp_path / "workspace-b" / "memory" / "shared"
    assert {".gitignore", "main.md"} == {each.name for each in folder.iterdir()}


def without(page: str) -> str:
    """
    The page without the line about the office.
    """
    return "".join(e for e in page.splitlines(keepends=True) if OFFICE not in e)


def share_in_process(root: Path, agent: str, place: str) -> None:
    """
    Share, read and take back, again and again; share in the end.
    """
    for number in range(6):
        memory = open_agent(root, agent)
        share(memory, place)
        query(memory, "office", Wish())
        if number < 5:
            unshare(memory, place)


def test_two_agents_share_at_once(memory: Memory, tmp_path: Path) -> None:
    """
    Two processes that share, take back and read all the while lose nothing of each other.
    """
    change_setting(memory.workspace, "shared.read", value=True)
    remember(open_agent(tmp_path, "b"), "Lunch in the new office is always at noon.")
    lunch = line_of(open_agent(tmp_path, "b"), "Lunch")
    told = [("main", line_of(memory, "Quokkaville")), ("b", lunch)]
    spawn = multiprocessing.get_context("spawn")

    workers = [
        spawn.Process(target=share_in_process, args=(tmp_path, *each)) for each in told
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert [0, 0] == [worker.exitcode for worker in workers]
    refresh(open_agent(tmp_path), [], say=lambda _line: None)
    assert OFFICE in copy_in(tmp_path)
    mine = (tmp_path / "workspace" / "memory" / "shared" / "b.md").read_text()
    assert "always at noon" in mine


def test_after_uninstalling_the_night_brings_it_back(
    memory: Memory, tmp_path: Path
) -> None:
    """
    The pages are made of the journal: where they are gone nobody reads, until the night.
    """
    share(memory, line_of(memory, "Quokkaville"))
    shutil.rmtree(tmp_path / "state" / "strata")

    query(open_agent(tmp_path, "b"), "office", Wish())
    assert not copy_in(tmp_path)

    tidy(open_agent(tmp_path, now="2026-11-21T03:00:00+00:00"))
    assert OFFICE in copy_in(tmp_path)


def options(root: Path, agent: str = "main") -> list[str]:
    """
    What names the memory of *agent*.
    """
    state = ["--state-dir", str(root / "state"), "--agent", agent]
    return [*state, "--now", NOON, "--set", "timezone=UTC"]


def test_agents_and_groups_share_nothing(
    memory: Memory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """
    Only the owner in a terminal says what is shared: no agent, and nobody in a chat.
    """
    place = line_of(memory, "Quokkaville")
    monkeypatch.chdir(tmp_path / "workspace")
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("OPENCLAW_SHELL", "exec")

    for key in ("agent:main:main", "agent:main:telegram:group:-100123"):
        monkeypatch.setenv("OPENCLAW_STRATA_SESSION", key)
        for command in (["share", place], ["unshare", OFFICE]):
            assert run([*options(tmp_path), *command]) != 0

    assert not (tmp_path / "state" / PAGE).exists()
    assert "owner" in capsys.readouterr().err


def test_no_agent_undoes_what_its_owner_said(
    memory: Memory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """
    What the owner took back an agent does not bring back by undo, nor the undo of that.
    """
    share(memory, line_of(memory, "Quokkaville"))
    unshare(memory, OFFICE)
    monkeypatch.chdir(tmp_path / "workspace")
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("OPENCLAW_STRATA_SESSION", "agent:main:main")

    monkeypatch.setenv("OPENCLAW_SHELL", "exec")
    assert run([*options(tmp_path), "undo"]) != 0
    assert "owner's own word" in capsys.readouterr().err
    assert not copy_in(tmp_path)

    monkeypatch.setenv("OPENCLAW_SHELL", "tui-local")
    assert run([*options(tmp_path), "undo", "--json"]) == 0
    assert OFFICE in copy_in(tmp_path)


def test_command_line(
    memory: Memory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    The commands share, list and take back, for people and for programs.
    """
    given = options(tmp_path)
    assert run([*given, "share", line_of(memory, "Quokkaville")]) == 0
    assert run([*given, "share", line_of(memory, "Quokkaville")]) == 0
    assert run([*given, "share"]) != 0
    said = capsys.readouterr()
    assert "read by: b" in said.out
    assert "shares that already" in said.out
    assert "which line" in said.err

    assert run([*options(tmp_path, "b"), "share", "--list", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert f"{OFFICE} (shared from agent main" in told["others"][0]["text"]
    assert run([*given, "share", "--list"]) == 0
    (line, *_) = capsys.readouterr().out.splitlines()

    assert run([*given, "unshare", line.split()[0]]) == 0
    assert not copy_in(tmp_path)


def test_trace_tells_whose_trail_it_is_and_opens_no_old_copy(
    memory: Memory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    A shared line is traced where it was said; who may not read it any more traces none.
    """
    share(memory, line_of(memory, "Quokkaville"))
    given = options(tmp_path, "b")

    assert run([*given, "inspect", f"{COPY}:5"]) == 0
    told = capsys.readouterr().out
    assert "agent that shares the line" in told
    assert "in no file" not in told

    change_setting(open_agent(tmp_path, "b").workspace, "shared.read", value=False)
    for command in ("trace", "inspect"):
        assert run([*given, command, f"{COPY}:5"]) != 0
        assert "Quokkaville" not in "".join(capsys.readouterr())


def test_archive_shares_nothing_where_it_is_imported(
    memory: Memory, tmp_path: Path
) -> None:
    """
    What was shared there is shared here only once its owner says so here.

    A copy of what another agent shares makes no memory one that holds something.
    """
    share(memory, line_of(memory, "Quokkaville"))
    export(memory, tmp_path / "main.zip", "archive")
    other = two_agents(tmp_path / "other")
    share(other, line_of(other, "pnpm"))
    assert copy_in(tmp_path / "other")

    restore(open_agent(tmp_path / "other", "b"), tmp_path / "main.zip")
    tidy(open_agent(tmp_path / "other", "b", now="2026-11-21T03:00:00+00:00"))

    restored = open_agent(tmp_path / "other", "b")
    assert OFFICE in restored.workspace.read("memory/2026-11-20.md")
    assert [] == shares(restored.journal)
    assert not (tmp_path / "other" / "state" / "strata" / "shared" / "b.md").exists()
