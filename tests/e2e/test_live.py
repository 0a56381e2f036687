"""Strata inside a real OpenClaw of both eras: installed, woken, looked after, taken out."""

from __future__ import annotations

import json
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from live_openclaw import ROOT, Live
from openclaw_packages import VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

IDLE = "agent:main:telegram:direct:100"
LONG_TERM = "# Long-Term Memory\n\n- The user's boat is called Marigold.\n"
WITHIN_SECONDS = 5.0
MINUTE_SECONDS = 60.0
HELD_MS = 50.0
# Enough of it that there is something to summarise.
LONG = "The harbour report of this year fills many pages. " * 300
# Who addresses them over the gateway is in no chat, and nobody whom OpenClaw names.
STRANGERS = [
    "agent:main:telegram:group:-100123",
    "agent:main:discord:channel:55",
    "agent:main:newchat:space:9",
]
# As long as the plugin lets a summary wait for the note.
WAITS_SECONDS = 10.0

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


@pytest.fixture(scope="module", params=VERSIONS)
def live(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Live]:
    """
    A running OpenClaw with one old conversation, into which Strata is installed twice.
    """
    session = {"reset": {"mode": "idle", "idleMinutes": 1}}
    openclaw = Live(tmp_path_factory.mktemp("live"), request.param, session=session)
    openclaw.environment["STRATA_CAPTURE_QUIET_MINUTES"] = "1"
    try:
        openclaw.start()
        openclaw.say("hello", session=direct(1))
        (openclaw.workspace / "MEMORY.md").write_text(LONG_TERM)
        openclaw.before = openclaw.others()
        _install_twice(openclaw)
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
    ours = _jobs(live)

    assert sorted(str(job["name"]) for job in ours) == ["memory-sync", "memory-tidy"]
    assert {job["payload"]["kind"] for job in ours} == {"command"}


def test_flush_has_our_rules_where_it_takes_any(live: Live) -> None:
    """
    Before a summary the agent is told to append to today's note; 2026.9 forbids to say so.
    """
    configured = json.loads(live.configuration_file.read_text())

    compaction = configured["agents"]["defaults"].get("compaction", {})
    flush = compaction.get("memoryFlush", {})
    if live.version.startswith("2026.9"):
        assert flush == {}
    else:
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
    assert "周报以后都用中文写" in live.notes()
    for question in ("which database for the greenhouse", "周报以后用什么文写"):
        # The index follows the note, and until it has a question may find too little.
        live.wait(partial(_finds, live, question), f"an answer to {question!r}")


@pytest.mark.parametrize("session", STRANGERS)
def test_group_addressed_from_outside_is_answered_nothing_private(
    live: Live, session: str
) -> None:
    """
    The same command that the agent runs in private finds the owner's words there only.
    """
    launcher = live.state / "strata" / "plugin" / "scripts" / "strata"
    command = f"{launcher} query 'which database for the greenhouse'"

    own = live.use("exec", "agent:main:main", command=command)
    theirs = live.use("exec", session, command=command)

    assert "PostgreSQL 16" in own
    assert "PostgreSQL" not in theirs
    assert "memory/" not in theirs


def test_model_is_told_of_skill_rules_and_long_term_memory(live: Live) -> None:
    """
    In a private conversation the prompt names the skill and holds rules and MEMORY.md.
    """
    live.say("What is my boat called?")

    prompts = [request.system_prompt for request in live.model.requests]
    prompt = [text for text in prompts if "SKILL.md" in text][-1]
    assert "<name>strata</name>" in prompt
    assert "strata:begin" in prompt
    assert "Marigold" in prompt


def test_soft_reset_is_captured(live: Live) -> None:
    """
    A soft reset ends no conversation, and its words are in the notes all the same.
    """
    if live.version.startswith("2026.7"):
        pytest.skip("this OpenClaw refuses a soft reset: the session changed, it says")
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
    A full window forces a summary; what was said stands in the note before it is made.

    In the midst of a run OpenClaw tells of the summary, but waits for nobody.
    """
    before = len(live.model.requests)
    live.say(
        "The staging server listens on port 5433.",
        "Deploy only on Tuesdays. [[usage:195000]]",
        "And now? [[usage:195000]]",
        "What else? [[say:Nothing.]]",
        session=direct(4),
    )

    asked = [each for each in live.model.requests[before:] if each.for_summary]
    assert asked, "no summary was made"
    assert "5433" in asked[0].at_answer
    live.wait_for_note("Deploy only on Tuesdays")


def test_summary_that_was_asked_for_waits_for_the_note(live: Live) -> None:
    """
    Where OpenClaw waits, the note is there before the summary is made.

    2026.9.6 makes the summary of a short conversation itself and asks no model: then the
    note stands when the summary does. The plugin lets OpenClaw wait ten seconds; only a
    machine that needs longer is forgiven.
    """
    before = len(live.model.requests)
    talk = [f"{LONG} [[long:{number}]]" for number in range(3)]
    live.say(
        "The depot opens at 06:45.",
        "Never deliver there on Mondays.",
        *talk,
        session=direct(9),
    )

    begin = _compact(live, direct(9))

    made_at, notes = time.time(), live.notes()
    asked = [each for each in live.model.requests[before:] if each.at >= begin]
    if asked:
        made_at, notes = asked[0].at, asked[0].notes
    live.wait_for_note("06:45")
    waited = made_at - begin
    if "06:45" not in notes:
        assert waited >= WAITS_SECONDS
        pytest.skip(f"NOT SEEN: no note after {waited:.1f} s, the machine is too busy")


def test_forced_job_captures(live: Live) -> None:
    """
    The scheduled sync, run by the gateway itself, captures what no event has brought.
    """
    live.say(
        "The rehearsal is in hall B.", "Bring the cello strings.", session=direct(5)
    )
    (sync,) = [job["id"] for job in _jobs(live) if job["name"] == "memory-sync"]

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
        "Strata, the memory" in json.dumps(each.body) for each in live.model.requests
    )


def test_many_ends_at_once_do_not_hold_the_gateway(live: Live) -> None:
    """
    Ten conversations end together: the gateway answers, and its thread stays free.
    """
    keys = [direct(1000 + number) for number in range(10)]
    live.call_all("sessions.create", [{"key": key, "agentId": "main"} for key in keys])
    before = len(live.steps())

    live.call_all("sessions.delete", [{"key": key} for key in keys])

    begin = time.monotonic()
    live.call("health")
    assert time.monotonic() - begin < WITHIN_SECONDS
    # The gateway tells of a deletion when it comes to it: an empty spool alone may
    # be one to which the events have not come yet.
    live.wait(
        lambda: sum(len(each["names"]) for each in live.steps()[before:]) >= len(keys),
        "an event for each end",
        120,
    )
    live.wait(lambda: not _pending(live), "the spool is empty", 120)
    assert max(each["held"] for each in live.steps()) < HELD_MS


def test_quiet_conversation_is_captured(live: Live) -> None:
    """
    Who says nothing for a minute, as it is set here, has said what stands in the note.
    """
    live.say("We keep the tent in the cellar.", session=direct(9))
    live.say(
        "Remember: we always pack two lamps for the camping trips, never one.",
        session=direct(9),
    )

    assert (
        live.wait_for_note("two lamps", seconds=120) > MINUTE_SECONDS - WITHIN_SECONDS
    )


def test_missing_python_and_full_disk_harm_nobody(live: Live) -> None:
    """
    Without its launcher, and without a place to write, Strata costs the user nothing.
    """
    with live.without_launcher():
        live.say("/new", session=direct(7))
    with live.without_room():
        live.say("/new", session=direct(7))
        live.say("Are you there?", session=direct(7))
        found = live.strata("doctor", "--json")

    assert found.returncode == 1
    assert "could not handle an event" in live.log.read_text(errors="replace")
    assert max(each["held"] for each in live.steps()) < HELD_MS


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

    2026.7.1 does not report the end of a conversation that began before it came up; the
    next start brings that one.
    """
    live.say(
        "The spare key is with Tomasz.", "He lives at number 14.", session=direct(8)
    )
    live.say(
        "The attic needs paint.",
        "Remember: the grey one hangs behind the door.",
        session=direct(1),
    )

    live.stop()
    live.wait_for_note("Tomasz")
    live.start()

    live.wait_for_note("grey one", seconds=60)


def test_server_answers_a_group_nothing_private(live: Live) -> None:
    """
    OpenClaw tells a server nothing of who asks; the plugin does, with each call.
    """
    changed = live.strata("install", "--yes", "--change", "mcp.servers.strata")
    assert changed.returncode == 0, changed.stderr
    live.stop()
    live.start()
    tool = "strata__memory_search"
    given: dict[str, Any] = {"query": "which database for the greenhouse"}
    if live.version.startswith("2026.9"):
        tool, given = "tool_call", {"id": tool, "args": given}

    own = live.use(tool, "agent:main:main", **given)

    assert "PostgreSQL 16" in own
    for session in STRANGERS:
        theirs = live.use(tool, session, **given)
        assert "PostgreSQL" not in theirs
        assert "memory/" not in theirs


def test_uninstall_leaves_no_trace(live: Live) -> None:
    """
    Configuration and AGENTS.md are byte for byte what they were; the notes stay.
    """
    notes = live.notes()

    gone = live.strata("uninstall", "--yes")

    assert gone.returncode == 0, gone.stderr
    assert live.others() == live.before
    assert _jobs(live) == []
    assert not (live.state / "strata").exists()
    assert notes in live.notes()
    live.stop()
    assert live.others() == live.before


def _install_twice(live: Live) -> None:
    for _ in range(2):
        installed = live.strata("install", "--yes")
        assert installed.returncode == 0, installed.stderr
    if "restart" in installed.stderr:
        live.stop()
        live.start()
    # The gateway's start, as the plugin sees it, catches up with what there is.
    cache = live.workspace / ".strata" / "cache" / "sync.json"
    live.wait(cache.exists, "the plugin is loaded", 60)


def _finds(live: Live, question: str) -> bool:
    answer = json.loads(live.strata("query", question, "--json").stdout)
    return any(each["path"].startswith("memory/") for each in answer["results"])


def _compact(live: Live, key: str) -> float:
    """
    Ask for a summary once the conversation has come to rest; return when that was.
    """
    said = ""
    for _ in range(20):
        begin = time.time()
        try:
            answer = live.call("sessions.compact", key=key)
        except RuntimeError as error:
            said = str(error)
        else:
            if answer.get("compacted"):
                return begin
            said = json.dumps(answer)
        time.sleep(1)
    pytest.fail(f"{key} was not summarised: {said}")


def _jobs(live: Live) -> list[dict[str, Any]]:
    jobs = live.call("cron.list", includeDisabled=True)["jobs"]
    return [job for job in jobs if "strata" in str(job.get("declarationKey"))]


def _pending(live: Live) -> list[str]:
    spool = live.workspace / ".strata" / "spool"
    return [path.name for path in spool.glob("*.json")]
