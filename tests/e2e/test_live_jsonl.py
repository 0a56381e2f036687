"""The same bundle inside a real OpenClaw 2026.7.1, which keeps conversations as JSONL."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from live_openclaw import ROOT, Live

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION = "2026.7.1"
DIRECT = "agent:main:telegram:direct:1"
NEW = "agent:main:telegram:direct:3"
OTHER = "agent:main:telegram:direct:2"
WITHIN_SECONDS = 5.0

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (ROOT / ".venv").exists(), reason="run scripts/install, the plugin needs it"
    ),
]


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """
    An OpenClaw into which Strata was installed, and which was then restarted.
    """
    # With less, this version makes a summary after every turn.
    window = {"contextWindow": 200_000}
    openclaw = Live(tmp_path_factory.mktemp("live"), VERSION, model=window)
    try:
        openclaw.start()
        openclaw.say("hello", session=DIRECT)
        openclaw.before = openclaw.others()
        installed = openclaw.strata("install", "--yes")
        assert installed.returncode == 0, installed.stderr
        assert "restart" in installed.stderr
        openclaw.stop()
        openclaw.start()
        yield openclaw
    finally:
        openclaw.close()


def test_jobs_are_registered(live: Live) -> None:
    """
    Both jobs are there, as commands that need no model.
    """
    jobs = live.call("cron.list", includeDisabled=True)["jobs"]

    ours = [job for job in jobs if "strata" in str(job.get("declarationKey"))]
    assert sorted(job["name"] for job in ours) == ["memory-sync", "memory-tidy"]
    assert {job["payload"]["kind"] for job in ours} == {"command"}


def test_flush_has_our_rules(live: Live) -> None:
    """
    The flush before a summary is told to append to today's note and nothing else.
    """
    configured = json.loads(live.configuration_file.read_text())

    flush = configured["agents"]["defaults"]["compaction"]["memoryFlush"]
    assert "memory/YYYY-MM-DD.md" in flush["prompt"]
    assert "append only" in flush["systemPrompt"].lower()


def test_new_conversation_brings_the_old_one_into_the_notes(live: Live) -> None:
    """
    Seconds after /new the conversation is in the daily note, and a question finds it.
    """
    live.say(
        "We decided to use PostgreSQL 16 for the greenhouse because of its transactions.",
        "请记住：周报以后都用中文写，不要用英文。",
    )

    live.say("/new")
    took = live.wait_for_note("PostgreSQL 16")

    assert took < WITHIN_SECONDS
    answer = json.loads(live.strata("query", "周报以后用什么文写", "--json").stdout)
    assert answer["results"][0]["path"].startswith("memory/")


def test_deleted_conversation_is_captured(live: Live) -> None:
    """
    What was said is in the notes after the conversation itself is gone.
    """
    live.say(
        "I am allergic to penicillin.", "My doctor is Dr. Lindqvist.", session=OTHER
    )

    live.call("sessions.delete", key=OTHER)

    live.wait_for_note("penicillin")


def test_stop_of_the_gateway_loses_nothing(live: Live) -> None:
    """
    What was said last is in the notes although the gateway went down; this version does
    not report the end of a conversation that began before it came up, the next start does.
    """
    live.say("The spare key is with Tomasz.", "He lives at number 14.", session=NEW)
    live.say("The attic needs paint.", "Buy the grey one.", session=DIRECT)

    live.stop()
    live.wait_for_note("Tomasz")
    live.start()

    live.wait_for_note("grey one", seconds=60)


def test_uninstall_leaves_no_trace(live: Live) -> None:
    """
    Configuration and AGENTS.md are byte for byte what they were; the notes stay.
    """
    gone = live.strata("uninstall", "--yes")

    assert gone.returncode == 0, gone.stderr
    assert live.others() == live.before
    assert not (live.state / "strata").exists()
    assert "Tomasz" in live.notes()
