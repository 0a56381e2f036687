"""Strata inside a real OpenClaw 2026.9.6: installed, woken, looked after, taken out."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest
from live_mock_model import system_prompt
from live_openclaw import ROOT, Live

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION = "2026.9.6"
IDLE = "agent:main:telegram:direct:100"
LONG_TERM = "# Long-Term Memory\n\n- The user's boat is called Marigold.\n"
WITHIN_SECONDS = 5.0
HELD_MS = 50.0

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (ROOT / ".venv").exists(), reason="run scripts/install, the plugin needs it"
    ),
]


def direct(number: int) -> str:
    """
    The key of a private conversation of its own.
    """
    return f"agent:main:telegram:direct:{number}"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """
    A running OpenClaw with one old conversation, into which Strata is installed twice.
    """
    session = {"reset": {"mode": "idle", "idleMinutes": 1}}
    openclaw = Live(tmp_path_factory.mktemp("live"), VERSION, session=session)
    try:
        openclaw.start()
        openclaw.say("hello", session=direct(1))
        (openclaw.workspace / "MEMORY.md").write_text(LONG_TERM)
        openclaw.before = openclaw.others()
        for _ in range(2):
            installed = openclaw.strata("install", "--yes")
            assert installed.returncode == 0, installed.stderr
        # The gateway's start, as the plugin sees it, catches up with what there is.
        cache = openclaw.workspace / ".strata" / "cache" / "sync.json"
        openclaw.wait(cache.exists, "the plugin is loaded")
        openclaw.say(
            "We will meet the tax adviser Mr Okafor on 2026-12-03.",
            "Always send him PDF files, never scans.",
            session=IDLE,
        )
        openclaw.idle_since = time.monotonic()
        yield openclaw
    finally:
        openclaw.close()


def test_jobs_are_registered_once(live: Live) -> None:
    """
    After two installations each job is there once, as a command that needs no model.
    """
    jobs = live.call("cron.list", includeDisabled=True)["jobs"]

    ours = [job for job in jobs if "strata" in str(job.get("declarationKey"))]
    assert sorted(job["name"] for job in ours) == ["memory-sync", "memory-tidy"]
    assert {job["payload"]["kind"] for job in ours} == {"command"}


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
    assert "周报以后都用中文写" in live.notes()
    for question in ("which database for the greenhouse", "周报以后用什么文写"):
        answer = json.loads(live.strata("query", question, "--json").stdout)
        assert answer["results"][0]["path"].startswith("memory/")


def test_model_is_told_of_skill_rules_and_long_term_memory(live: Live) -> None:
    """
    In a private conversation the prompt names the skill and holds rules and MEMORY.md.
    """
    live.say("What is my boat called?")

    prompts = [system_prompt(body) for _, body in live.model.requests]
    prompt = [text for text in prompts if "SKILL.md" in text][-1]
    assert "<name>strata</name>" in prompt
    assert "strata:begin" in prompt
    assert "Marigold" in prompt


def test_soft_reset_is_captured(live: Live) -> None:
    """
    A soft reset ends no conversation, and its words are in the notes all the same.
    """
    live.say(
        "The courier comes on 2026-12-07.",
        "Ring twice, the bell is broken.",
        session=direct(2),
    )

    live.say("/reset soft", session=direct(2))

    live.wait_for_note("courier")


def test_deleted_conversation_is_captured(live: Live) -> None:
    """
    What was said is in the notes after the conversation itself is gone.
    """
    live.say(
        "I am allergic to penicillin.",
        "My doctor is Dr. Lindqvist in Malmö.",
        session=direct(3),
    )

    live.call("sessions.delete", key=direct(3))

    live.wait_for_note("penicillin")


def test_notes_are_written_before_a_summary(live: Live) -> None:
    """
    A small window forces a summary; what was said stands in the note before it is made.

    OpenClaw waits three seconds for that, so a slower machine only gets it afterwards.
    """
    live.wait(lambda: not _pending(live), "what the start of the gateway brought", 60)
    live.say(
        "The staging server listens on port 5433.",
        "Deploy only on Tuesdays. [[usage:26000]]",
        "And now? [[usage:26000]]",
        "What else? [[say:Nothing.]]",
        session=direct(4),
    )

    noted = [
        notes
        for notes, body in live.model.requests
        if "<conversation>" in json.dumps(body.get("messages"))
    ]
    assert noted, "no summary was made"
    live.wait_for_note("5433")
    live.wait_for_note("Deploy only on Tuesdays")
    if "5433" not in noted[0]:
        pytest.skip("NOT SEEN: this machine took longer than OpenClaw waits")


def test_forced_job_captures(live: Live) -> None:
    """
    The scheduled sync, run by the gateway itself, captures what no event has brought.
    """
    live.say(
        "The rehearsal is in hall B.", "Bring the cello strings.", session=direct(5)
    )
    jobs = live.call("cron.list", includeDisabled=True)["jobs"]
    (sync,) = [job["id"] for job in jobs if job["name"] == "memory-sync"]

    live.call("cron.run", id=sync, mode="force")

    live.wait_for_note("hall B", seconds=60)


def test_heartbeat_captures(live: Live) -> None:
    """
    A heartbeat catches up, and says nothing to the model while all is well.
    """
    live.say(
        "The ladder belongs to Ines.",
        "She wants it back on 2026-12-09.",
        session=direct(6),
    )

    live.call("wake", text="look around", mode="now")

    live.wait_for_note("Ines", seconds=60)
    assert not any(
        "Strata, the memory" in json.dumps(b) for _, b in live.model.requests
    )


def test_many_ends_at_once_do_not_hold_the_gateway(live: Live) -> None:
    """
    Ten conversations end together: the gateway answers, and its thread stays free.
    """
    keys = [direct(1000 + number) for number in range(10)]
    live.call_all("sessions.create", [{"key": key, "agentId": "main"} for key in keys])
    before = len(_written(live))

    live.call_all("sessions.delete", [{"key": key} for key in keys])

    begin = time.monotonic()
    live.call("health")
    assert time.monotonic() - begin < WITHIN_SECONDS
    live.wait(lambda: not _pending(live), "the spool is empty", 120)
    assert sum(each["events"] for each in _written(live)[before:]) >= len(keys)
    assert max(each["held"] for each in _written(live)) < HELD_MS


def test_missing_python_and_full_disk_harm_nobody(live: Live) -> None:
    """
    Without its launcher, and without a place to write, Strata costs the user nothing.
    """
    launcher = live.state / "strata" / "plugin" / "scripts" / "strata"
    spool = live.workspace / ".strata" / "spool"
    kept = launcher.read_bytes()
    launcher.unlink()
    live.say("/new", session=direct(7))
    launcher.write_bytes(kept)
    launcher.chmod(0o755)
    spool.rename(spool.with_name("spool-away"))
    spool.write_text("in the way")
    live.say("/new", session=direct(7))
    live.say("Are you there?", session=direct(7))
    found = live.strata("doctor", "--json")
    spool.unlink()
    spool.with_name("spool-away").rename(spool)

    assert found.returncode == 1
    assert "could not handle an event" in live.log.read_text(errors="replace")


def test_idle_conversation_is_captured(live: Live) -> None:
    """
    OpenClaw ends an idle conversation when its next message comes; so it is captured.
    """
    rest = 65 - (time.monotonic() - live.idle_since)
    time.sleep(max(0.0, rest))

    live.say("Good morning.", session=IDLE)

    live.wait_for_note("Okafor")


def test_stop_of_the_gateway_loses_nothing(live: Live) -> None:
    """
    What was said last is in the notes although the gateway went down.
    """
    live.say(
        "The spare key is with Tomasz.", "He lives at number 14.", session=direct(8)
    )

    live.stop()

    live.wait_for_note("Tomasz")


def test_uninstall_leaves_no_trace(live: Live) -> None:
    """
    Configuration and AGENTS.md are byte for byte what they were; the notes stay.
    """
    notes = live.notes()
    live.start()

    gone = live.strata("uninstall", "--yes")

    assert gone.returncode == 0, gone.stderr
    assert live.others() == live.before
    jobs = live.call("cron.list", includeDisabled=True)["jobs"]
    assert not [job for job in jobs if "strata" in str(job.get("declarationKey"))]
    assert not (live.state / "strata").exists()
    assert notes in live.notes()
    live.stop()
    assert live.others() == live.before


def _written(live: Live) -> list[dict[str, float]]:
    """
    How long each line to Strata held the gateway's thread, and how many events it had.
    """
    lines = live.probe.read_text().splitlines() if live.probe.exists() else []
    records = [json.loads(line) for line in lines]
    return [record for record in records if record["what"] == "write"]


def _pending(live: Live) -> list[str]:
    spool = live.workspace / ".strata" / "spool"
    return [path.name for path in spool.glob("*.json")]
