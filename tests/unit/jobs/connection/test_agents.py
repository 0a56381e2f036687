"""Every agent has a memory of its own, and no answer comes from another's."""

from __future__ import annotations

import json
from pathlib import Path

import fake_openclaw
import forking
import pytest
from builders import small_talk

from strata.cli import run

ROOT = Path(__file__).parents[4]


@pytest.fixture(params=["list", "entries"])
def state(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """
    Two agents with a conversation each, configured as 2026.7 or as 2026.9 does.
    """
    state = tmp_path / "state"
    own = {name: {"workspace": str(tmp_path / name)} for name in ("main", "work")}
    listed = [{"id": name} | entry for name, entry in own.items()]
    agents = {"list": listed} if request.param == "list" else {"entries": own}
    for name in own:
        (tmp_path / name).mkdir()
        conversation = small_talk(state)
        conversation.save()
        folder = state / "agents"
        if name == "main":
            (folder / "main").rename(folder / "kept")
        else:
            (folder / "main").rename(folder / "work")
            (folder / "kept").rename(folder / "main")
    (state / "openclaw.json").write_text(json.dumps({"agents": agents}))
    return state


def strata(state: Path, *arguments: str, folder: Path = ROOT) -> str:
    """
    Run the command line as an agent does, standing in *folder*.
    """
    finished = forking.run(
        forking.STRATA,
        *("--state-dir", str(state), *arguments),
        directory=folder,
        environment={"STRATA_TIMEZONE": "UTC"},
    )
    finished.check_returncode()
    return finished.stdout


@pytest.mark.parametrize("event", [["gateway_start"], ["cron", "--job", "memory-sync"]])
def test_events_of_all_reach_every_agent(state: Path, event: list[str]) -> None:
    """
    What is of no single conversation is done for each agent, in its own workspace.
    """
    strata(state, "event", *event)

    for agent in ("main", "work"):
        assert (state.parent / agent / "memory" / "2026-11-20.md").exists()


def test_agent_is_answered_from_its_own_workspace(state: Path) -> None:
    """
    Called in a workspace, Strata serves that agent; a named agent goes before.
    """
    here = state.parent / "work"

    own = json.loads(strata(state, "status", "--json", folder=here))
    named = json.loads(
        strata(state, "status", "--json", "--agent", "main", folder=here)
    )
    elsewhere = json.loads(strata(state, "status", "--json", folder=state))

    assert own["workspace"] == str(state.parent / "work")
    assert named["workspace"] == str(state.parent / "main")
    assert elsewhere["workspace"] == str(state.parent / "main")


def test_batch_serves_the_agents_that_it_names(state: Path) -> None:
    """
    Events of several agents in one batch each reach their own.
    """
    batch = [
        {"name": "session_end", "agent": agent, "session": "61871d67"}
        for agent in ("work", "main")
    ]

    strata(state, "event", "--batch", json.dumps(batch))

    for agent in ("main", "work"):
        assert (state.parent / agent / "memory" / "2026-11-20.md").exists()


@pytest.mark.parametrize("named", [["--agent", "nobody"], ["--scope", "agent:nobody"]])
def test_unknown_agent_is_refused(
    state: Path, named: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """
    An agent that OpenClaw does not have is a mistake, wherever the workspace is.
    """
    places = ["--state-dir", str(state), "--workspace", str(state.parent / "main")]

    assert run([*places, *named, "status"]) == 1

    told = "strata: OpenClaw has no agent nobody; there are main, work\n"
    assert capsys.readouterr().err == told


def test_install_speaks_to_the_first_agents_owner(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Another agent's language is not that of who installs.
    """
    monkeypatch.setenv("STRATA_OPENCLAW", str(fake_openclaw.make(state)))
    (state.parent / "main" / ".strata").mkdir()
    settings = state.parent / "main" / ".strata" / "config.toml"
    settings.write_text('language = "zh"\n')

    assert run(["--state-dir", str(state), "install", "--dry-run"]) == 0

    assert "因为" in capsys.readouterr().out
