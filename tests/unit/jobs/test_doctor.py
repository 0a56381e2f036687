"""The doctor names every trap with its remedy, and mends what is safe to mend."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import fake_openclaw
import pytest

from strata.errors import Busy
from strata.jobs.checks import memory as memory_checks
from strata.jobs.checks.findings import Finding, Level, problem
from strata.jobs.connection.connecting import complete, connect, plan
from strata.jobs.doctor import complaints, examine, mend
from strata.jobs.scheduled import look_after
from strata.memory import Memory
from strata.workspace import own_folder
from strata.workspace.openclaw_program import OpenClaw
from strata.workspace.own_folder import Installation, OwnFolder
from strata.workspace.spool import ATTEMPTS, Spool

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NOW = "2026-11-20T12:00:00+00:00"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """
    A memory that is connected to a stand-in for OpenClaw.
    """
    state, workspace = tmp_path / "state", tmp_path / "workspace"
    (state / "agents" / "main" / "sessions").mkdir(parents=True)
    workspace.mkdir()
    configured = {"agents": {"defaults": {"workspace": str(workspace)}}}
    (state / "openclaw.json").write_text(json.dumps(configured))
    opened = Memory.open(
        workspace=str(workspace),
        state_dir=str(state),
        now=NOW,
        overrides=["timezone=UTC"],
    )
    openclaw = OpenClaw(fake_openclaw.make(state), state)
    connect([opened], openclaw, plan([opened], openclaw), say=lambda _line: None)
    return opened


def found(memory: Memory, name: str) -> Finding:
    return next(each for each in examine(memory) if each.name == name)


def configure(memory: Memory, **values: Any) -> None:
    file = memory.state_folder / "openclaw.json"
    configuration = json.loads(file.read_text())
    fake_openclaw._merge(configuration, values)
    file.write_text(json.dumps(configuration))


def test_healthy_installation_has_no_problem(memory: Memory) -> None:
    """
    Right after install nothing is wrong.
    """
    assert complaints(examine(memory)) == []


def _dreaming(memory: Memory) -> None:
    entry = {"config": {"dreaming": {"enabled": True}}}
    configure(memory, plugins={"entries": {"memory-core": entry}})


def _plugin_off(memory: Memory) -> None:
    configure(memory, plugins={"entries": {"strata": {"enabled": False}}})


def _all_plugins_off(memory: Memory) -> None:
    configure(memory, plugins={"enabled": False})


def _plugin_denied(memory: Memory) -> None:
    configure(memory, plugins={"deny": ["strata"]})


def _jobs_gone(memory: Memory) -> None:
    fake_openclaw.remember(memory.state_folder, jobs=[])


def _job_fails(memory: Memory) -> None:
    jobs = fake_openclaw.recall(memory.state_folder)["jobs"]
    jobs[0] |= {"name": "memory-sync", "state": {"lastStatus": "error"}}
    fake_openclaw.remember(memory.state_folder, jobs=jobs)


def _job_missed(memory: Memory) -> None:
    jobs = fake_openclaw.recall(memory.state_folder)["jobs"]
    jobs[1] |= {"name": "memory-tidy", "state": {"nextRunAtMs": 1}}
    fake_openclaw.remember(memory.state_folder, jobs=jobs)


def _long_file(memory: Memory) -> None:
    memory.workspace.update("MEMORY.md", lambda _text: "x" * 20_001)


def _ratchet(memory: Memory) -> None:
    _record(memory, "untrusted")


def _set_aside(memory: Memory) -> None:
    spool = Spool(memory.workspace.layout.spool_folder, memory.workspace.write_private)
    record = spool.add({"name": "session_end"})
    for _ in range(ATTEMPTS):
        record = spool.failed(record, "the disk is tired")


def _spool_grows(memory: Memory) -> None:
    spool = Spool(memory.workspace.layout.spool_folder, memory.workspace.write_private)
    record = spool.add({"name": "session_end"})
    old = spool.folder / f"{10**18:020d}-00000000.json"
    (spool.folder / record.name).rename(old)


def _new_schema(memory: Memory) -> None:
    folder = memory.state_folder / "agents" / "main" / "agent"
    folder.mkdir(parents=True)
    with closing(sqlite3.connect(folder / "openclaw-agent.sqlite")) as database:
        database.execute("PRAGMA user_version = 999")
        database.execute("CREATE TABLE transcript_events (session_id TEXT)")
        database.commit()


def _no_place(memory: Memory) -> None:
    spool = memory.workspace.layout.spool_folder
    if spool.exists():
        spool.rename(spool.with_name("away"))
    spool.write_text("in the way")


def _stale_sync(memory: Memory) -> None:
    content = {"version": 1, "last_sync": "2026-11-10T00:00:00+00:00", "sessions": {}}
    file = memory.workspace.layout.sync_cache_file
    memory.workspace.write_private(file, json.dumps(content).encode())


def _job_twice(memory: Memory) -> None:
    jobs = fake_openclaw.recall(memory.state_folder)["jobs"]
    by_hand = {"id": "by-hand", "name": "memory-sync", "schedule": {}, "payload": {}}
    fake_openclaw.remember(memory.state_folder, jobs=[by_hand, *jobs])


def _no_record(memory: Memory) -> None:
    memory.workspace.write_private(
        memory.workspace.layout.spool_folder / "1-a.json", b"{not JSON"
    )


def _no_time(memory: Memory) -> None:
    file = memory.workspace.layout.settings_file
    memory.workspace.write_private(file, b"[schedule]\nsync = '0 25 * * *'\n")
    opened = Memory.open(
        workspace=str(memory.workspace.root), state_dir=str(memory.state_folder)
    )
    object.__setattr__(memory, "settings", opened.settings)


def _damaged_record(memory: Memory) -> None:
    file = memory.state_folder / "strata" / "install.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"program": 5}))


@pytest.mark.parametrize(
    ("trap", "name", "word"),
    [
        (_job_twice, "memory-sync twice", "2 jobs"),
        (_no_record, "broken events", "1-a.json"),
        (_no_time, "schedule", "'25' is no hour"),
        (_damaged_record, "OpenClaw", "install.json is damaged"),
        (_dreaming, "dreaming", "two writers"),
        (_plugin_off, "plugin", "does not load"),
        (_plugin_denied, "plugin", "plugins.deny"),
        (_all_plugins_off, "plugin", "plugins.enabled"),
        (_jobs_gone, "schedules", "0 of 2"),
        (_job_fails, "memory-sync", "failed last time"),
        (_job_missed, "memory-tidy", "did not run"),
        (_long_file, "MEMORY.md", "cuts the middle"),
        (_ratchet, "MEMORY.md", "leaves it out"),
        (_set_aside, "events", "the disk is tired"),
        (_spool_grows, "events", "over an hour"),
        (_new_schema, "transcripts", "999"),
        (_stale_sync, "sync", "last ran"),
        (_no_place, "disk", "cannot be kept"),
    ],
)
def test_trap_is_named(
    memory: Memory, trap: Callable[[Memory], None], name: str, word: str
) -> None:
    """
    Each trap is a problem, says what it is, and has a remedy.
    """
    trap(memory)

    finding = found(memory, name)
    assert finding.level is Level.PROBLEM
    assert word in finding.says
    assert finding.remedy


def test_remedy_of_a_double_job_names_the_one_that_is_not_ours(memory: Memory) -> None:
    """
    What a person scheduled by hand is removed by that person, and ours stays.
    """
    _job_twice(memory)

    assert found(memory, "memory-sync twice").remedy == "openclaw cron rm by-hand"


def test_file_that_is_no_record_is_removed_by_fix(memory: Memory) -> None:
    """
    It could never be handled, and the next sync brings what it told of.
    """
    _no_record(memory)
    found(memory, "broken events")

    mend(examine(memory))

    assert not [each for each in examine(memory) if each.name == "broken events"]
    assert not list(memory.workspace.layout.spool_folder.rglob("*.json"))


def test_remedy_of_dreaming_names_the_key_that_was_chosen(memory: Memory) -> None:
    """
    Who switched dreaming on is asked by name, so plain install would not be enough.
    """
    _dreaming(memory)

    remedy = found(memory, "dreaming").remedy

    key = "plugins.entries.memory-core.config.dreaming.enabled"
    assert remedy == f"strata install --change {key}"


@pytest.mark.parametrize(
    ("slot", "level"), [("none", Level.OK), ("other", Level.OK), (None, Level.PROBLEM)]
)
def test_only_memory_core_leaves_a_file_out(
    memory: Memory, slot: str | None, level: Level
) -> None:
    """
    Where memory-core has not the slot, its record of writers decides nothing.
    """
    _record(memory, "untrusted")
    configure(memory, plugins={"slots": {"memory": slot}})

    assert found(memory, "MEMORY.md").level is level
    noted = [each.level for each in examine(memory) if each.name == "memory slot"]
    assert noted == ([Level.NOTE] if slot == "other" else [])


def test_dreaming_of_a_plugin_without_the_slot_is_no_problem(memory: Memory) -> None:
    """
    Dreaming is memory-core's, which does not run where another plugin has the slot.
    """
    _dreaming(memory)
    configure(memory, plugins={"slots": {"memory": "other"}})

    assert found(memory, "dreaming").level is Level.OK


def test_where_no_openclaw_is_nothing_of_it_is_a_problem(tmp_path: Path) -> None:
    """
    What OpenClaw does by default concerns nobody who has none.
    """
    opened = Memory.open(
        workspace=str(tmp_path), state_dir=str(tmp_path), overrides=["timezone=UTC"]
    )

    findings = examine(opened)

    assert {"dreaming", "heartbeat"}.isdisjoint(each.name for each in findings)
    assert found(opened, "plugin").level is Level.NOTE


def test_agent_that_never_talked_is_told_as_such(memory: Memory) -> None:
    """
    A new agent has no conversations, and nothing is wrong with that.
    """
    shutil.rmtree(memory.state_folder / "agents" / "main")

    finding = found(memory, "transcripts")

    assert finding.level is Level.OK
    assert "main has never talked" in finding.says


def test_plugin_that_no_gateway_has_loaded_is_noted(memory: Memory) -> None:
    """
    Until a gateway has told of its start, nobody knows whether the plugin is loaded.
    """
    before = found(memory, "plugin")
    complete(memory)

    after = found(memory, "plugin")

    assert (before.level, after.level) == (Level.NOTE, Level.OK)
    assert "gateway restart" in before.remedy


def test_gateway_that_wakes_during_an_installation_leaves_it_alone(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    That it woke is kept; with the record, the jobs and AGENTS.md it waits.
    """
    monkeypatch.setattr(own_folder, "_WAITS_SECONDS", 0.1)
    own = OwnFolder(memory.state_folder)
    own.save(Installation(program="openclaw", schedules="pending"))
    before = (own.root / "install.json").read_bytes()

    with own.alone(), pytest.raises(Busy):
        complete(memory)

    assert own.is_woken
    assert (own.root / "install.json").read_bytes() == before


def test_prompt_that_is_too_long_in_all_is_noted(memory: Memory) -> None:
    """
    OpenClaw shows no more of all files together than its limit, which may be set.
    """
    (memory.workspace.root / "SOUL.md").write_text("x" * 9_000)
    configure(memory, agents={"defaults": {"bootstrapTotalMaxChars": 8_000}})

    assert "SOUL.md" in found(memory, "prompt").remedy


@pytest.mark.parametrize("trap", [_jobs_gone, _spool_grows, _set_aside])
def test_what_is_safe_is_mended(memory: Memory, trap: Callable[[Memory], None]) -> None:
    """
    Missing jobs are registered again, and events that failed get another chance.
    """
    trap(memory)

    mend(examine(memory))

    left = {each.name for each in examine(memory) if each.level is Level.PROBLEM}
    assert "schedules" not in left
    spool = Spool(memory.workspace.layout.spool_folder, memory.workspace.write_private)
    assert spool.set_aside() == []
    assert [each.attempts for each in spool.pending()] == [0] * (trap is not _jobs_gone)


def test_outside_writer_after_the_agent_is_noted(memory: Memory) -> None:
    """
    Before the ratchet closes, the doctor warns that the next edit would close it.
    """
    _record(memory, "agent", file_hash="0" * 64)

    assert found(memory, "MEMORY.md").level is Level.NOTE


def test_full_disk_is_named(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A disk without room for notes is a problem.
    """
    monkeypatch.setattr(memory_checks, "LEAST_FREE_BYTES", 10**18)

    assert found(memory, "disk").level is Level.PROBLEM


def test_gateway_that_does_not_run_is_no_problem(memory: Memory) -> None:
    """
    Without a gateway the jobs cannot be seen, which is worth a word and no more.
    """
    fake_openclaw.remember(memory.state_folder, gateway="off")

    assert found(memory, "schedules").level is Level.NOTE


@pytest.mark.parametrize(
    ("values", "name", "word"),
    [
        ({"tools": {"deny": ["exec"]}}, "tools", "tools.deny"),
        (
            {"agents": {"entries": {"main": {"tools": {"deny": ["group:runtime"]}}}}},
            "tools",
            "agents.entries.main.tools.deny",
        ),
        ({"agents": {"defaults": {"skills": ["other"]}}}, "skill", "does not name"),
        ({"tools": {"allow": ["read"]}}, "tools", "tools.allow"),
        ({"tools": {"profile": "messaging"}}, "tools", "messaging"),
        ({"tools": {"exec": {"security": "deny"}}}, "exec", "refused"),
        (
            {"agents": {"defaults": {"sandbox": {"mode": "all"}}}},
            "sandbox",
            "no strata",
        ),
        (
            {
                "agents": {"entries": {"main": {"sandbox": {"mode": "non-main"}}}},
                "tools": {"sandbox": {"tools": {"deny": ["exec"]}}},
            },
            "sandbox tools",
            "tools.sandbox.tools",
        ),
        ({"channels": {}}, "heartbeat", "no channel"),
    ],
)
def test_what_keeps_the_agent_from_asking_is_noted(
    memory: Memory, values: dict[str, Any], name: str, word: str
) -> None:
    """
    A denied tool and a list of other skills are the user's word, and are told.
    """
    configure(memory, **values)

    finding = found(memory, name)

    assert finding.level is Level.NOTE
    assert word in finding.says
    assert finding.remedy


def test_long_profile_is_noted(memory: Memory) -> None:
    """
    OpenClaw shows the agent no more of USER.md than its first part.
    """
    (memory.workspace.root / "USER.md").write_text("x" * 4_001)

    assert "4001" in found(memory, "USER.md").says


def test_profile_that_is_left_out_is_noted(memory: Memory) -> None:
    """
    The ratchet of MEMORY.md holds for USER.md too.
    """
    _record(memory, "untrusted", path="USER.md")

    assert "leaves it out" in found(memory, "USER.md").says


def test_event_that_failed_is_told_while_it_waits(memory: Memory) -> None:
    """
    Before it is given up, and before it is old, doctor says why it fails.
    """
    spool = Spool(memory.workspace.layout.spool_folder, memory.workspace.write_private)
    spool.failed(spool.add({"name": "session_end"}), "the disk is tired")

    finding = found(memory, "events")

    assert finding.level is Level.NOTE
    assert "the disk is tired" in finding.says


def test_broken_cache_is_no_bug(memory: Memory) -> None:
    """
    A moment that is none counts as never.
    """
    file = memory.workspace.layout.sync_cache_file
    memory.workspace.write_private(file, b'{"version": 1, "last_sync": "garbage"}')

    assert found(memory, "sync").says == "has never run"


def test_open_groups_are_noted(memory: Memory) -> None:
    """
    Where groups may talk to the agent, they may ask its private memory.
    """
    configure(memory, channels={"telegram": {"groups": {"*": {}}}})

    assert "telegram" in found(memory, "groups").says


def test_heartbeat_speaks_once_a_day(memory: Memory) -> None:
    """
    A heartbeat is silent while all is well, and says the same thing once a day.
    """
    silent = look_after(memory)
    _dreaming(memory)

    first, second = look_after(memory), look_after(memory)

    assert (silent, second) == (None, None)
    assert first is not None
    assert "dreaming" in first


def test_heartbeat_looks_again_only_after_it_mended(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Where nothing was to be mended, one look is enough.
    """
    looks: list[int] = []

    def counted(_memory: Memory, **_asked: bool) -> list[Finding]:
        looks.append(len(looks))
        return [] if len(looks) != 2 else [fixable]

    fixable = problem("index", "torn", "strata update", lambda: None)
    monkeypatch.setattr("strata.jobs.doctor.examine", counted)

    assert look_after(memory) is None
    assert len(looks) == 1
    assert look_after(memory) is None
    assert len(looks) == 3


def _record(
    memory: Memory, origin: str, file_hash: str = "1" * 64, *, path: str = "MEMORY.md"
) -> None:
    """
    Note, as OpenClaw does, who wrote the file at *path*.
    """
    (memory.workspace.root / path).write_text("# Long-Term Memory\n")
    workspace = hashlib.sha256(str(memory.workspace.root).encode()).hexdigest()
    key = f"{workspace}:{hashlib.sha256(path.encode()).hexdigest()}"
    value = json.dumps({"version": 1, "originClass": origin, "fileHash": file_hash})
    folder = memory.state_folder / "state"
    folder.mkdir()
    with closing(sqlite3.connect(folder / "openclaw.sqlite")) as database:
        database.execute(
            "CREATE TABLE plugin_state_entries "
            "(plugin_id TEXT, namespace TEXT, entry_key TEXT, value_json TEXT)"
        )
        database.execute(
            "INSERT INTO plugin_state_entries VALUES "
            "('core:memory-artifact-provenance', 'workspace-files', ?, ?)",
            (key, value),
        )
        database.commit()


def test_secrets_in_the_prompt_are_named_without_their_values(memory: Memory) -> None:
    """
    A secret in a file that every prompt shows is named by file, line and kind.
    """
    key = "AKIAZ7QX3PLM5RTVB2WD"
    memory.workspace.update("SOUL.md", lambda _: f"# Soul\n\nThe key is {key}.\n")
    memory.workspace.update("TOOLS.md", lambda _: f"The key is {key}.\n")
    profile = "Call me Ada, on +49 170 1234567 or at ada@example.org.\n"
    memory.workspace.update("USER.md", lambda _: profile)

    named = [each for each in examine(memory) if "secret" in each.says]

    # What only older versions put into each prompt is worth knowing, and no more.
    assert {each.name: each.level for each in named} == {
        "SOUL.md:3": Level.PROBLEM,
        "TOOLS.md:1": Level.NOTE,
    }
    for each in named:
        assert "secret:aws-access-key" in each.says
        assert key not in each.says + each.remedy
