"""The memory slot: Strata's where its owner said so, and given back whole."""

from __future__ import annotations

import json
import os
import signal
from typing import TYPE_CHECKING, Any

import fake_openclaw
import forking
import pytest

from strata.errors import UsageError
from strata.jobs.connection.connecting import connect, plan
from strata.jobs.connection.slot import PLUGIN
from strata.jobs.doctor import examine
from strata.memory import Memory
from strata.workspace.openclaw_program import OpenClaw
from strata.workspace.own_folder import OwnFolder

if TYPE_CHECKING:
    from pathlib import Path

NOW = "2026-11-20T12:00:00+00:00"
SLOT = ("plugins", "slots", "memory")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    state, workspace = tmp_path / "state", tmp_path / "workspace"
    (state / "agents" / "main" / "sessions").mkdir(parents=True)
    workspace.mkdir()
    configured = {"agents": {"defaults": {"workspace": str(workspace)}}}
    (state / "openclaw.json").write_text(json.dumps(configured))
    fake_openclaw.make(state)
    return state


def install(state: Path, *, slot: bool | None = None, **configured: Any) -> Memory:
    """
    Do as `strata install --yes` does, after the owner *configured* something.
    """
    configure(state, **configured)
    memory = Memory.open(state_dir=str(state), now=NOW, overrides=["timezone=UTC"])
    openclaw = OpenClaw(state.parent / "bin" / "openclaw", state)
    made = plan([memory], openclaw, slot=slot)
    connect([memory], openclaw, made, say=lambda _line: None)
    return memory


def configure(state: Path, **values: Any) -> None:
    if values:
        configuration = configured(state)
        fake_openclaw._merge(configuration, values)
        (state / "openclaw.json").write_text(json.dumps(configuration))


def configured(state: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((state / "openclaw.json").read_text())
    return found


def told(memory: Memory, name: str = "memory slot") -> list[str]:
    return [str(each.says) for each in examine(memory) if each.name == name]


def test_slot_is_taken_by_name_alone(state: Path) -> None:
    """
    Agreeing to all leaves it; the option takes it, with all that it needs.
    """
    install(state)
    without = configured(state)
    install(state, slot=True)
    plugins = configured(state)["plugins"]

    assert "slots" not in without["plugins"]
    assert not without["plugins"]["entries"].get(PLUGIN)
    assert plugins["slots"] == {"memory": PLUGIN}
    assert plugins["load"]["paths"] == [
        str(state / "strata" / "plugin"),
        str(state / "strata" / "slot"),
    ]
    entry = {"enabled": True, "config": {"dreaming": {"enabled": False}}}
    assert plugins["entries"][PLUGIN] == entry
    manifest = json.loads((state / "strata/slot/openclaw.plugin.json").read_text())
    assert (manifest["id"], manifest["kind"]) == (PLUGIN, "memory")


def test_later_install_leaves_it_ours(state: Path) -> None:
    """
    What was chosen once stays, and its files are kept as the bundle's.
    """
    install(state, slot=True)
    file = state / "strata" / "slot" / "hooks" / "slot.js"
    file.write_text("of an older version")

    install(state)

    assert configured(state)["plugins"]["slots"] == {"memory": PLUGIN}
    assert "memory_search" in file.read_text()


@pytest.mark.parametrize("before", [None, "none", "memory-core"])
def test_slot_is_given_back_byte_for_byte(state: Path, before: str | None) -> None:
    """
    The configuration is what it was before; a second time changes nothing.
    """
    slots = {"slots": {"memory": before}} if before else {}
    install(state, plugins={"allow": ["telegram"], **slots})
    file = state / "openclaw.json"
    kept = file.read_bytes()

    install(state, slot=True)
    assert file.read_bytes() != kept
    install(state, slot=False)
    once = file.read_bytes()
    install(state, slot=False)

    assert file.read_bytes() == once == kept
    assert not (state / "strata" / "slot").exists()


@pytest.mark.parametrize("first", [True, False])
def test_uninstall_gives_it_back_too(state: Path, *, first: bool) -> None:
    """
    Whether it was taken at once or later, every byte is as it was.
    """
    file = state / "openclaw.json"
    before = file.read_bytes()
    if not first:
        install(state)
    install(state, slot=True)

    away = _strata(state, "uninstall", "--yes")

    assert away.returncode == 0
    assert file.read_bytes() == before
    assert not (state / "strata").exists()


def test_what_the_owner_changed_meanwhile_stays(state: Path) -> None:
    """
    Given back is what was taken, and nothing else; then uninstall leaves theirs too.
    """
    install(state, slot=True)
    install(state, slot=False, plugins={"load": {"paths": _paths(state, "/theirs")}})
    between = configured(state)["plugins"]
    _strata(state, "uninstall", "--yes")

    assert between["load"]["paths"] == [str(state / "strata" / "plugin"), "/theirs"]
    assert "slots" not in between
    assert PLUGIN not in between["entries"]
    after = configured(state)
    assert after["plugins"] == {"load": {"paths": ["/theirs"]}}


def _paths(state: Path, *more: str) -> list[str]:
    return [*configured(state)["plugins"]["load"]["paths"], *more]


def test_slot_of_another_plugin_stays_theirs(state: Path) -> None:
    """
    It is refused in one line, and nothing is written.
    """
    with pytest.raises(UsageError) as refused:
        install(state, slot=True, plugins={"slots": {"memory": "memory-lancedb"}})

    assert "memory-lancedb" in str(refused.value)
    assert not (state / "strata").exists()


def test_owner_who_chose_another_meanwhile_keeps_that(state: Path) -> None:
    """
    Giving back takes nothing from who has it now; `doctor` says what is left.
    """
    memory = install(state, slot=True)
    configure(state, plugins={"slots": {"memory": "memory-lancedb"}})
    left = told(memory)

    install(state, slot=False)

    assert [each for each in left if "memory-lancedb has it now" in each]
    assert configured(state)["plugins"]["slots"] == {"memory": "memory-lancedb"}
    assert PLUGIN not in configured(state)["plugins"]["entries"]
    assert not [each for each in told(memory) if "Strata had it" in each]


def _entry_off(state: Path) -> None:
    configure(state, plugins={"entries": {PLUGIN: {"enabled": False}}})


def _path_gone(state: Path) -> None:
    paths = [each for each in _paths(state) if not each.endswith("slot")]
    configure(state, plugins={"load": {"paths": paths}})


def _denied(state: Path) -> None:
    configure(state, plugins={"deny": [PLUGIN]})


def _not_allowed(state: Path) -> None:
    configure(state, plugins={"allow": ["strata"]})


def _folder_gone(state: Path) -> None:
    OwnFolder(state).remove_slot()


@pytest.mark.parametrize(
    "breaks", [_entry_off, _path_gone, _denied, _not_allowed, _folder_gone]
)
def test_doctor_says_that_it_is_set_and_not_loaded(state: Path, breaks: Any) -> None:
    """
    Ours and loaded, ours and not seen yet, ours and never to be loaded are told apart.
    """
    memory = install(state, slot=True)
    assert "has not loaded it yet" in told(memory)[0]
    (OwnFolder(state).slot / "woken").write_text("")
    assert told(memory) == ["Strata has it"]

    breaks(state)

    assert "the agent has no memory_search" in told(memory)[0]


def test_dreaming_beside_the_slot_is_a_problem(state: Path) -> None:
    """
    memory-core goes on dreaming beside whoever has the slot, unless that says no.
    """
    memory = install(state, slot=True)
    before = told(memory, "dreaming")
    entry = {"config": {"dreaming": {"enabled": True}}}
    configure(state, plugins={"entries": {PLUGIN: entry}})

    assert before == ["off"] or "one writer" in before[0]
    assert "writes" in told(memory, "dreaming")[0]


@pytest.mark.parametrize(("slot", "left"), [(True, []), (None, ["dreams"])])
def test_job_of_dreaming_goes_with_the_slot(
    state: Path, *, slot: bool | None, left: list[str]
) -> None:
    """
    memory-core takes its job out itself while it is loaded, and cannot once it is not.
    """
    said = "Promote … [managed-by=memory-core.short-term-promotion] …"
    others = {
        "id": "theirs",
        "declarationKey": None,
        "description": "a job of the owner",
    }
    job = {"id": "dreams", "declarationKey": "memory-core:x", "description": said}
    fake_openclaw.remember(state, jobs=[job, others])

    install(state, slot=slot)

    known = {each["id"] for each in fake_openclaw.recall(state)["jobs"]}
    assert known & {"dreams", "theirs"} == {*left, "theirs"}


@pytest.mark.parametrize("taking", [True, False])
def test_killed_in_the_midst_it_can_be_done_again(state: Path, *, taking: bool) -> None:
    """
    After kill -9 at any of our writes the same command leads to the same.
    """
    install(state)
    file = state / "openclaw.json"
    before = file.read_bytes()
    install(state, slot=True)
    wanted = configured(state)["plugins"]
    install(state, slot=False)
    if not taking:
        install(state, slot=True)
    option = "--slot" if taking else "--no-slot"

    for writes in range(12):
        if _killed_at(state, option, writes):
            break
        done = _strata(state, "install", "--yes", "--no-link", option)
        assert done.returncode == 0, done.stderr
        if taking:
            assert configured(state)["plugins"] == wanted
            _strata(state, "install", "--yes", "--no-link", "--no-slot")
        else:
            assert _plain(file.read_bytes()) == _plain(before)
            _strata(state, "install", "--yes", "--no-link", "--slot")
    assert writes > 1


def _plain(configuration: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(configuration)
    found.pop("meta", None)
    return found


def _killed_at(state: Path, option: str, writes: int) -> bool:
    """
    Kill the command at its write of that number; say whether it ended before.
    """
    child = os.fork()
    if child == 0:
        from strata.workspace import own_folder  # noqa: PLC0415 - in the child alone

        put, left = own_folder._put, [writes]

        def dying(*given: Any, **named: Any) -> None:
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= 1
            put(*given, **named)

        own_folder._put = dying
        try:
            install(state, slot=option == "--slot")
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFEXITED(status)


def _strata(state: Path, *arguments: str) -> Any:
    ours = {
        "STRATA_OPENCLAW": str(state.parent / "bin" / "openclaw"),
        "STRATA_TIMEZONE": "UTC",
    }
    return forking.run(
        forking.STRATA, "--state-dir", str(state), *arguments, environment=ours
    )
