"""A real OpenClaw's own model proposes what is kept and what lasts, on both ways to it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from builders_extraction import proposed, rows_in
from builders_model import careful
from live_openclaw import ROOT, Live

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION = "2026.9.6"
# A busy machine starts OpenClaw slowly, and that says nothing about the code.
SETTINGS = ("model.provider=openclaw", "model.timeout_seconds=200", "timezone=UTC")
MODEL = [word for setting in SETTINGS for word in ("--set", setting)]
# What the model makes of the words is shorter than what rules would make of them, and
# still shows that somebody chose: nothing less lasts after one conversation.
SAID = {
    "Valkey 8": (
        "So we decided: Valkey 8 is the only cache from now on, because the licence of "
        "Redis changed."
    ),
    "周三": "以后发布一律放在周三上午，不要放在周五。",
}
NOTED = {
    "Valkey 8": (
        "Valkey 8 is the only cache from now on, because the licence of Redis changed."
    ),
    "周三": "以后发布一律放在周三上午，不要放在周五。",
}
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (ROOT / ".venv").exists(), reason="run scripts/install"),
]


def answer(prompt: str) -> str | None:
    """
    What the mock model says to Strata; to a conversation it says what it always does.
    """
    if "long-term memory: one page" in prompt:
        return careful(NOTED.values(), section="Key Decisions")(prompt)
    rows = rows_in(prompt)
    if not rows:
        return None
    facts = [(NOTED[words], "decision", words) for words in SAID]
    return json.dumps({"facts": proposed(rows, *facts)}, ensure_ascii=False)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """
    A running OpenClaw that knows nothing of Strata, and in which one thing was said.
    """
    openclaw = Live(tmp_path_factory.mktemp("live-model"), VERSION)
    openclaw.model.answer = answer
    try:
        openclaw.start()
        say(openclaw, 0, "Valkey 8")
        yield openclaw
    finally:
        openclaw.close()


@pytest.fixture(scope="module")
def stopped(live: Live) -> Live:
    """
    The same after its gateway has gone, with another conversation.
    """
    say(live, 1, "周三")
    live.stop()
    return live


def say(live: Live, number: int, words: str) -> None:
    """
    Say what holds *words* in a private conversation of its own, beside a secret.
    """
    session = f"agent:main:telegram:direct:{number}"
    live.say(f"My token is {SECRET}, keep it.", SAID[words], session=session)


def run(live: Live, *arguments: str, hours: int = 2) -> dict[str, Any]:
    """
    What `strata` prints with *arguments*, as JSON, so many *hours* later.

    A model is asked about what was said once the talk has rested for an hour.
    """
    now = datetime.now(UTC) + timedelta(hours=hours)
    done = live.strata(*arguments, "--json", "--now", now.isoformat(), *MODEL)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def promoted(live: Live) -> str:
    """
    What the night after lets into MEMORY.md.
    """
    return json.dumps(run(live, "tidy", hours=24)["promoted"], ensure_ascii=False)


def test_running_gateway_is_asked(live: Live) -> None:
    """
    For what to keep, in one call, and for what lasts; what is known is not asked again.
    """
    first = run(live, "sync")
    again = run(live, "sync")

    assert {"name": "openclaw/mock/mock-1", "calls": 1, "notes": []} == {
        key: value for key, value in first["model"].items() if key != "tokens"
    }
    assert first["model"]["tokens"] > 500
    assert 0 == again["model"]["calls"]
    assert f"[decision] {NOTED['Valkey 8']}" in live.notes()
    assert NOTED["Valkey 8"] in promoted(live)


def test_asking_leaves_no_conversation_behind(live: Live) -> None:
    """
    What Strata asks is no conversation of the owner's, and no secret was in it.
    """
    sessions = live.call("sessions.list")["sessions"]

    assert ["agent:main:telegram:direct:0"] == [each["key"] for each in sessions]
    prompts = [
        json.dumps(request.body["messages"])
        for request in live.model.requests
        if "JSON Schema" in json.dumps(request.body["messages"])
    ]
    assert 1 <= len(prompts)
    assert [] == [prompt for prompt in prompts if SECRET in prompt]
    assert "Valkey 8" in prompts[0]


def test_openclaw_is_started_where_no_gateway_runs(stopped: Live) -> None:
    """
    The answers are the same, in either language.
    """
    report = run(stopped, "sync")

    assert (1, []) == (report["model"]["calls"], report["model"]["notes"])
    assert f"[决策] {NOTED['周三']}" in stopped.notes()
    assert NOTED["周三"] in promoted(stopped)


def test_without_a_usable_model_rules_do_the_work(stopped: Live) -> None:
    """
    At once, with the reason, and with nothing lost.
    """
    for note in (stopped.workspace / "memory").glob("????-??-??.md"):
        note.unlink()
    due = json.loads(stopped.strata("sync", "--dry-run", "--json").stdout)["captured"]

    report = run(
        stopped,
        *("sync", "--session", due[0]["session"], "--set", "model.name=no/one"),
    )

    assert 1 == report["model"]["calls"]
    assert "failed in OpenClaw" in report["model"]["notes"][0]
    assert 1 <= report["captured"][0]["entries"]
