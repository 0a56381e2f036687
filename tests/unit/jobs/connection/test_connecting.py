"""install connects once however often it runs; uninstall leaves no trace."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import fake_openclaw
import forking
import pytest

ROOT = Path(__file__).parents[4]
# A comment and JSON5: what OpenClaw rewrites, and what must come back.
CONFIGURATION = (
    '{\n  // mine\n  "agents": {"defaults": {"workspace": "WORKSPACE"}}\n}\n'
)

CONVERSATION = "plugins.entries.strata.hooks.allowConversationAccess"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    state, workspace = tmp_path / "state", tmp_path / "workspace"
    state.mkdir()
    workspace.mkdir()
    text = CONFIGURATION.replace("WORKSPACE", str(workspace)).replace("// mine", "")
    (state / "openclaw.json").write_text(text)
    (workspace / "AGENTS.md").write_bytes(b"# Agents\r\n\r\nBe kind.")
    fake_openclaw.make(state)
    return state


def strata(
    state: Path, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """
    Run the command line on *state* with the stand-in for OpenClaw.
    """
    ours = {
        "STRATA_OPENCLAW": str(state.parent / "bin" / "openclaw"),
        "STRATA_TIMEZONE": "Asia/Shanghai",
    }
    return forking.run(
        forking.STRATA,
        *("--state-dir", str(state), *arguments),
        environment=ours | environment,
    )


def files(state: Path) -> dict[str, bytes]:
    """
    What belongs to others: the configuration, and the agent's instructions.
    """
    return {
        "configuration": (state / "openclaw.json").read_bytes(),
        "AGENTS.md": (state.parent / "workspace" / "AGENTS.md").read_bytes(),
    }


def test_nothing_changes_without_consent(state: Path) -> None:
    """
    Without --yes, and nobody there to ask, install shows and leaves everything alone.
    """
    before = files(state)

    shown = strata(state, "install")
    dry = strata(state, "install", "--dry-run", "--json")

    assert shown.returncode == 1
    assert "repeat with --yes" in shown.stderr
    assert "dreaming" in shown.stdout
    assert "search" in shown.stdout
    assert {each["key"] for each in json.loads(dry.stdout)["changes"]} == {
        "plugins.load.paths",
        "plugins.entries.strata.enabled",
        "plugins.entries.memory-core.config.dreaming.enabled",
        CONVERSATION,
        "mcp.servers.strata",
    }
    assert files(state) == before
    assert not (state / "strata").exists()


def test_uninstall_restores_every_byte(state: Path) -> None:
    """
    After install, install and uninstall both files are what they were, and jobs are gone.
    """
    before = files(state)

    first = strata(state, "install", "--yes")
    jobs = fake_openclaw.recall(state)["jobs"]
    second = strata(state, "install", "--yes")
    added = fake_openclaw.recall(state)["added"]
    agents = files(state)["AGENTS.md"].decode()
    away = strata(state, "uninstall", "--yes")

    assert (first.returncode, second.returncode, away.returncode) == (0, 0, 0)
    assert [job["declarationKey"] for job in jobs] == [
        "strata/memory-sync",
        "strata/memory-tidy",
    ]
    assert {job["schedule"]["tz"] for job in jobs} == {"Asia/Shanghai"}
    assert added == 2
    assert agents.count("strata:begin") == 1
    assert files(state) == before
    assert fake_openclaw.recall(state)["jobs"] == []
    assert not (state / "strata").exists()


def test_server_is_registered_where_it_is_named(state: Path) -> None:
    """
    Agreeing to all registers no MCP server; naming it does, and uninstall takes it back.
    """
    before = files(state)

    strata(state, "install", "--yes")
    without = json.loads(files(state)["configuration"])
    named = strata(state, "install", "--yes", "--change", "mcp.servers.strata")
    configured = json.loads(files(state)["configuration"])
    strata(state, "uninstall", "--yes")

    assert "mcp" not in without
    assert named.returncode == 0, named.stderr
    assert configured["mcp"]["servers"]["strata"] == {
        "command": str(state / "strata" / "plugin" / "scripts" / "strata"),
        "args": ["--agent", "main", "mcp", "--by-conversation"],
    }
    assert files(state) == before


def test_zone_without_a_name_is_left_to_the_scheduler(state: Path) -> None:
    """
    A host that says TZ=CST-8 names no zone that OpenClaw would know.
    """
    done = strata(state, "install", "--yes", STRATA_TIMEZONE="", TZ="CST-8")

    assert done.returncode == 0, done.stderr
    assert {job["schedule"]["tz"] for job in fake_openclaw.recall(state)["jobs"]} == {
        None
    }


def test_plugin_folder_is_small_and_complete(state: Path) -> None:
    """
    OpenClaw gets what it loads and nothing else, and its launcher runs the bundle.
    """
    strata(state, "install", "--yes")
    plugin = state / "strata" / "plugin"

    said = (plugin / "scripts" / "strata").read_text()

    assert sorted(str(p.relative_to(plugin)) for p in plugin.rglob("*.*")) == [
        "SKILL.md",
        "hooks/carrier.js",
        "hooks/native.js",
        "hooks/openclaw.js",
        "hooks/process.js",
        "hooks/tab.js",
        "openclaw.plugin.json",
        "package.json",
    ]
    assert f"exec '{ROOT}/scripts/strata'" in said
    assert os.access(plugin / "scripts" / "strata", os.X_OK)


def move(state: Path, bundle: str) -> Path:
    """
    Let OpenClaw look for the bundle in *bundle*, where it is no more.
    """
    launcher = state / "strata" / "plugin" / "scripts" / "strata"
    launcher.write_text(
        launcher.read_text().replace(f"{ROOT}/scripts", f"{bundle}/scripts")
    )
    return launcher


def test_moved_bundle_is_told_and_mended(state: Path) -> None:
    """
    A command in the new place names the one that mends it, and that does.
    """
    strata(state, "install", "--yes")
    launcher = move(state, "/old place")
    lost = subprocess.run([launcher], capture_output=True, text=True, check=False)
    told = strata(state, "status")
    doctor = strata(state, "doctor", "--fix")

    after = strata(state, "status")

    assert lost.returncode == 127
    assert lost.stderr.count("\n") == 1
    assert "scripts/strata doctor --fix" in lost.stderr
    assert "looks for the bundle in /old place" in told.stderr
    assert f"{ROOT}/scripts/strata doctor --fix" in told.stderr
    assert "plugin: mended" in doctor.stderr
    assert "/old" not in after.stderr + launcher.read_text()


def test_install_mends_a_moved_bundle(state: Path) -> None:
    """
    To install again is enough as well.
    """
    strata(state, "install", "--yes")
    launcher = move(state, "/old")

    done = strata(state, "install", "--yes")

    assert done.returncode == 0
    assert "/old" not in launcher.read_text()


def test_without_gateway_the_jobs_wait(state: Path) -> None:
    """
    Jobs that cannot be registered yet are registered when the gateway starts.
    """
    fake_openclaw.remember(state, gateway="off")
    installed = strata(state, "install", "--yes")
    fake_openclaw.remember(state, gateway="on")

    started = strata(state, "event", "gateway_start")

    assert (installed.returncode, started.returncode) == (0, 0), started.stderr
    assert "when it starts" in installed.stderr
    assert len(fake_openclaw.recall(state)["jobs"]) == 2


def test_without_gateway_uninstall_says_what_remains(state: Path) -> None:
    """
    Jobs of a gateway that does not run stay, are named, and go with the next uninstall.
    """
    before = files(state)
    strata(state, "install", "--yes")
    fake_openclaw.remember(state, gateway="off")
    first = strata(state, "uninstall", "--yes")
    fake_openclaw.remember(state, gateway="on")

    second = strata(state, "uninstall", "--yes")

    assert (first.returncode, second.returncode) == (1, 0)
    assert "repeat `strata uninstall`" in first.stderr
    assert files(state) == before
    assert fake_openclaw.recall(state)["jobs"] == []


def test_older_scheduler_gets_agent_turns(state: Path) -> None:
    """
    Where commands cannot be scheduled, an isolated turn runs the same.
    """
    fake_openclaw.remember(state, old=True)

    strata(state, "install", "--yes")

    messages = [
        job["payload"]["message"] for job in fake_openclaw.recall(state)["jobs"]
    ]
    assert ["sync" in messages[0], "tidy" in messages[1]] == [True, True]
    assert all("NO_REPLY" in message for message in messages)


def test_block_that_was_taken_out_stays_out(state: Path) -> None:
    """
    A start of the gateway does not put back what a person has removed.
    """
    original = files(state)["AGENTS.md"]
    strata(state, "install", "--yes")
    agents = state.parent / "workspace" / "AGENTS.md"
    agents.write_bytes(original)

    strata(state, "event", "gateway_start")

    assert agents.read_bytes() == original


def test_uninstall_of_nothing_is_one_clear_line(state: Path) -> None:
    """
    Where nothing is installed, uninstall says so and changes nothing.
    """
    done = strata(state, "uninstall", "--yes")

    assert done.returncode == 1
    assert done.stderr.startswith("strata: Strata is not installed in ")


def test_leftover_of_a_killed_installation_is_not_restored(state: Path) -> None:
    """
    Bytes that an installation kept before it was killed do not come back as the user's.
    """
    before = files(state)
    (state / "strata").mkdir()
    (state / "strata" / "openclaw.json.before").write_text('{"stale": true}')

    strata(state, "install", "--yes")
    strata(state, "uninstall", "--yes")

    assert files(state) == before


def test_what_the_user_changes_between_survives_uninstall(state: Path) -> None:
    """
    A setting of the user's own from after the installation is there after uninstall.
    """
    strata(state, "install", "--yes")
    file = state / "openclaw.json"
    changed = json.loads(file.read_text()) | {"gateway": {"port": 1234}}
    file.write_text(json.dumps(changed))

    gone = strata(state, "uninstall", "--yes")

    left = json.loads(file.read_text())
    assert "yours stay" in gone.stdout
    assert left["gateway"] == {"port": 1234}
    assert "plugins" not in left


def configured(state: Path) -> dict[str, Any]:
    """
    What stands in OpenClaw's configuration.
    """
    found: dict[str, Any] = json.loads((state / "openclaw.json").read_text())
    return found


def configure(state: Path, configuration: dict[str, Any]) -> None:
    """
    Write the configuration as a user does who edits the file.
    """
    (state / "openclaw.json").write_text(json.dumps(configuration))


def test_plugins_of_the_user_survive_repeated_installation(state: Path) -> None:
    """
    A folder that the user adds between two installations is there after uninstall.
    """
    strata(state, "install", "--yes")
    changed = configured(state)
    changed["plugins"]["load"]["paths"].append("/srv/mine")
    configure(state, changed)

    again = strata(state, "install", "--dry-run", "--json")
    changed["plugins"]["load"]["paths"].reverse()
    del changed["plugins"]["entries"]["strata"]
    configure(state, changed)
    strata(state, "install", "--yes")
    strata(state, "uninstall", "--yes")

    changes = json.loads(again.stdout)["changes"]
    assert [each["key"] for each in changes] == [CONVERSATION, "mcp.servers.strata"]
    assert configured(state)["plugins"] == {"load": {"paths": ["/srv/mine"]}}


def test_setting_of_the_user_from_between_is_what_comes_back(state: Path) -> None:
    """
    What the user set after the first installation, and gave up for the second, returns.
    """
    strata(state, "install", "--yes")
    changed = configured(state)
    dreaming = changed["plugins"]["entries"]["memory-core"]["config"]["dreaming"]
    dreaming["enabled"] = True
    configure(state, changed)

    key = "plugins.entries.memory-core.config.dreaming.enabled"
    strata(state, "install", "--yes", "--change", key)
    strata(state, "uninstall", "--yes")

    core = {"config": {"dreaming": {"enabled": True}}}
    assert configured(state)["plugins"] == {"entries": {"memory-core": core}}


def test_edit_after_a_failed_installation_survives(state: Path) -> None:
    """
    Where OpenClaw refused, and the user then mended something, that stays in the end.
    """
    fake_openclaw.remember(state, broken=True)
    failed = strata(state, "install", "--yes")
    fake_openclaw.remember(state, broken=False)
    configure(state, configured(state) | {"gateway": {"port": 1234}})

    strata(state, "install", "--yes")
    strata(state, "uninstall", "--yes")

    assert failed.returncode == 1
    assert configured(state)["gateway"] == {"port": 1234}
    assert "plugins" not in configured(state)


def test_bytes_come_back_after_a_half_uninstallation(state: Path) -> None:
    """
    Installed again while jobs of the first time remained, all is undone as ever.
    """
    before = files(state)
    strata(state, "install", "--yes")
    fake_openclaw.remember(state, gateway="off")
    strata(state, "uninstall", "--yes")
    fake_openclaw.remember(state, gateway="on")

    strata(state, "install", "--yes")
    gone = strata(state, "uninstall", "--yes")

    assert "byte for byte" in gone.stdout
    assert files(state) == before


def test_jobs_that_never_were_are_no_remainder(state: Path) -> None:
    """
    Installed and taken out without a gateway, nothing remains and nothing is to be done.
    """
    before = files(state)
    fake_openclaw.remember(state, gateway="off")
    strata(state, "install", "--yes")

    gone = strata(state, "uninstall", "--yes")

    assert (gone.returncode, gone.stderr) == (0, "")
    assert files(state) == before
    assert not (state / "strata").exists()


def test_first_setup_connects_where_it_may(state: Path) -> None:
    """
    scripts/install goes on to connect with --yes, and otherwise says how.
    """
    (state / "agents" / "main" / "sessions").mkdir(parents=True)

    without = strata(state, "setup", "--no-model")
    connected = (state / "strata" / "install.json").exists()
    agreed = strata(state, "setup", "--no-model", "--yes")

    assert (without.returncode, agreed.returncode) == (0, 0), agreed.stderr
    assert "scripts/strata install" in without.stderr
    assert not connected
    assert (state / "strata" / "install.json").exists()
