"""The digest is scheduled for the owner's own chat and no other, once there is one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import fake_openclaw
import forking
import pytest

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path


@pytest.fixture
def state(tmp_path: Path) -> Path:
    state, workspace = tmp_path / "state", tmp_path / "workspace"
    state.mkdir()
    (workspace / ".strata").mkdir(parents=True)
    fake_openclaw.make(state)
    configuration = {"agents": {"defaults": {"workspace": str(workspace)}}}
    (state / "openclaw.json").write_text(json.dumps(configuration))
    return state


def strata(
    state: Path, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """
    Run the command line on *state* with the stand-in for OpenClaw.
    """
    return forking.run(
        forking.STRATA,
        *("--state-dir", str(state), *arguments),
        environment={
            "STRATA_OPENCLAW": str(state.parent / "bin" / "openclaw"),
            "STRATA_TIMEZONE": "UTC",
        }
        | environment,
    )


def make_news(state: Path) -> None:
    """
    Let an agent ask for a line that its owner did not say, so that it waits.
    """
    text = "Always use pnpm, never npm, in acme-dashboard."
    strata(state, "remember", text, OPENCLAW_SHELL="exec")
    assert "1? Always use pnpm" in strata(state, "digest").stdout


def pair(state: Path, *owners: str) -> None:
    """
    Let OpenClaw know that these are accounts of the owner on Telegram.
    """
    file = state / "openclaw.json"
    paired = {
        "commands": {"ownerAllowFrom": owners},
        "channels": {"telegram": {"enabled": True}},
    }
    file.write_text(json.dumps(json.loads(file.read_text()) | paired))


def digests(state: Path) -> list[dict[str, Any]]:
    """
    The jobs of the scheduler that send something.
    """
    jobs = fake_openclaw.recall(state)["jobs"]
    return [job for job in jobs if job["delivery"]["mode"] == "announce"]


def test_install_says_where_it_goes(state: Path) -> None:
    """
    One job sends what it prints, to the owner alone; nothing registers it twice.
    """
    pair(state, "telegram:777")

    first = strata(state, "install", "--yes")
    strata(state, "install", "--yes")

    (job,) = digests(state)
    assert "goes to your own chat, telegram:777" in first.stdout
    assert job["declarationKey"] == "strata/memory-digest"
    assert (job["delivery"]["channel"], job["delivery"]["to"]) == ("telegram", "777")
    assert job["payload"]["argv"][1:] == [
        *("digest", "--for", "telegram:777", "--quiet-token", "NO_REPLY")
    ]
    assert fake_openclaw.recall(state)["added"] == 3


@pytest.mark.parametrize("event", [["gateway_start"], ["cron", "--job", "memory-tidy"]])
def test_chat_that_comes_later_gets_it(state: Path, event: list[str]) -> None:
    """
    Without a chat there is no digest, and install says so; a night or a start brings it.
    """
    installed = strata(state, "install", "--yes")
    without = digests(state)
    pair(state, "telegram:777")

    strata(state, "event", *event)

    assert "no morning digest yet" in installed.stderr
    assert without == []
    assert [job["delivery"]["to"] for job in digests(state)] == ["777"]


def test_chat_that_is_no_longer_the_owners_gets_nothing(state: Path) -> None:
    """
    What is scheduled stays quiet from that moment on, and then goes to the other one.
    """
    pair(state, "telegram:777")
    strata(state, "install", "--yes")
    make_news(state)
    (job,) = digests(state)
    pair(state, "telegram:888")

    said = strata(state, *job["payload"]["argv"][1:])
    strata(state, "event", "gateway_start")
    (other,) = digests(state)

    assert (said.stdout, said.stderr) == ("NO_REPLY\n", "")
    assert other["delivery"]["to"] == "888"
    assert "pnpm" in strata(state, *other["payload"]["argv"][1:]).stdout


def test_one_setting_ends_it(state: Path) -> None:
    """
    It is quiet at once, and no job any more after the next start.
    """
    pair(state, "telegram:777")
    strata(state, "install", "--yes")
    make_news(state)
    (job,) = digests(state)
    (state.parent / "workspace/.strata/config.toml").write_text("digest = false\n")

    said = strata(state, *job["payload"]["argv"][1:])
    strata(state, "event", "gateway_start")

    assert said.stdout == "NO_REPLY\n"
    assert digests(state) == []
    assert len(fake_openclaw.recall(state)["jobs"]) == 2


@pytest.mark.parametrize(("quiet", "number"), [("main", 0), ("work", 1)])
def test_first_agent_says_whether_there_is_one(
    state: Path, quiet: str, number: int
) -> None:
    """
    One digest is for all agents, and no start of the gateway lets them argue about it.
    """
    entries = {}
    for agent in ("main", "work"):
        folder = state.parent / agent
        (folder / ".strata").mkdir(parents=True)
        entries[agent] = {"workspace": str(folder)}
    (state / "openclaw.json").write_text(json.dumps({"agents": {"entries": entries}}))
    (state.parent / quiet / ".strata/config.toml").write_text("digest = false\n")
    strata(state, "install", "--yes")
    pair(state, "telegram:777")

    for _ in range(2):
        strata(state, "event", "gateway_start")
        assert len(digests(state)) == number
    assert fake_openclaw.recall(state)["added"] == 2 + number


def test_scheduler_that_needs_a_model_has_none(state: Path) -> None:
    """
    Where no command can be scheduled, the digest would cost a turn of a model.
    """
    fake_openclaw.remember(state, old=True)
    pair(state, "telegram:777")

    done = strata(state, "install", "--yes")

    assert done.returncode == 0, done.stderr
    assert len(fake_openclaw.recall(state)["jobs"]) == 2
    assert digests(state) == []
    assert "2 of 3 jobs" not in strata(state, "doctor").stdout


def test_doctor_says_where_it_goes_and_what_is_missing(state: Path) -> None:
    """
    Without a chat it names the key; with one it misses the job, and mends that.
    """
    strata(state, "install", "--yes")
    without = finding(state, "digest")
    pair(state, "telegram:777")
    missing = finding(state, "schedules")
    strata(state, "doctor", "--fix")

    assert "commands.ownerAllowFrom" in without["remedy"]
    assert missing["says"] == "2 of 3 jobs are registered"
    assert "telegram:777" in finding(state, "digest")["says"]
    assert finding(state, "memory-digest")["level"] == "ok"


def test_doctor_tells_of_a_digest_that_did_not_arrive(state: Path) -> None:
    """
    What the channel refused is a problem, though the job itself went well.
    """
    pair(state, "telegram:777")
    strata(state, "install", "--yes")
    jobs = fake_openclaw.recall(state)["jobs"]
    jobs[-1]["state"] = {"lastStatus": "ok", "lastDeliveryError": "chat not found"}
    fake_openclaw.remember(state, jobs=jobs)

    found = finding(state, "memory-digest")

    assert found["level"] == "problem"
    assert "chat not found" in found["says"]


def test_digest_that_was_led_elsewhere_is_led_back(state: Path) -> None:
    """
    Where somebody lets the job speak in a group, doctor says so, and mends it.
    """
    pair(state, "telegram:777")
    strata(state, "install", "--yes")
    jobs = fake_openclaw.recall(state)["jobs"]
    jobs[-1]["delivery"]["to"] = "-100123"
    fake_openclaw.remember(state, jobs=jobs)

    listed = json.loads(strata(state, "doctor", "--json").stdout)["main"]
    strata(state, "doctor", "--fix")

    (astray,) = [each for each in listed if "-100123" in each["says"]]
    assert astray["level"] == "problem"
    assert [job["delivery"]["to"] for job in digests(state)] == ["777"]


def test_refused_digest_leaves_no_job_behind(state: Path) -> None:
    """
    What was registered before OpenClaw refused the channel is taken out as well.
    """
    pair(state, "telegram:777")
    fake_openclaw.remember(state, refuses="--announce")
    strata(state, "install", "--yes")
    registered = len(fake_openclaw.recall(state)["jobs"])

    strata(state, "uninstall", "--yes")

    assert registered == 2
    assert fake_openclaw.recall(state)["jobs"] == []


def test_digest_that_goes_nowhere_is_a_finding(state: Path) -> None:
    """
    A job whose delivery somebody took out is told of, and mended, as well.
    """
    pair(state, "telegram:777")
    strata(state, "install", "--yes")
    jobs = fake_openclaw.recall(state)["jobs"]
    jobs[-1]["delivery"] = None
    fake_openclaw.remember(state, jobs=jobs)

    listed = json.loads(strata(state, "doctor", "--json").stdout)["main"]
    levels = {each["level"] for each in listed if each["name"] == "digest"}
    assert levels == {"ok", "problem"}


def finding(state: Path, name: str) -> dict[str, str]:
    """
    What doctor says of *name*.
    """
    found = json.loads(strata(state, "doctor", "--json").stdout)["main"]
    (row,) = [each for each in found if each["name"] == name]
    return dict(row)
