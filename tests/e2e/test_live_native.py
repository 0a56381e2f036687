"""The agent's own memory tools, answered by Strata inside a real OpenClaw of both eras."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from live_openclaw import ROOT, Live
from openclaw_packages import VERSIONS

from strata.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

MAIN = "agent:main:main"
GROUP = "agent:main:telegram:group:-100123"
NOTE = "memory/2026-11-02.md"
KNOWN = """\
# 2026-11-02

- We chose PostgreSQL 16 as the database for the greenhouse.
- The user is allergic to peanuts, and carries a pen for it.
- The rowing club meets on Thursdays in the boat house.
"""
CONSENT = "plugins.entries.strata.hooks.allowConversationAccess"
# The plugin waits so long before it starts a process again that it lost.
STARTS_AGAIN_SECONDS = 31.0
ASKED_AGAIN = 12

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (ROOT / ".venv").exists(), reason="run scripts/install, the plugin needs it"
    ),
]


@pytest.fixture(scope="module", params=VERSIONS)
def live(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Live]:
    """
    A running OpenClaw with Strata, to which the owner has consented in all, and a note.
    """
    openclaw = Live(tmp_path_factory.mktemp("native"), request.param)
    try:
        openclaw.start()
        openclaw.say("hello")
        (openclaw.workspace / "memory").mkdir(exist_ok=True)
        (openclaw.workspace / NOTE).write_text(KNOWN)
        done = openclaw.strata("install", "--yes", "--change", CONSENT)
        assert done.returncode == 0, done.stderr
        openclaw.stop()
        openclaw.start()
        openclaw.wait(lambda: openclaw.server() > 0, "the server runs", 60)
        yield openclaw
    finally:
        openclaw.close()


def use(live: Live, tool: str, session: str = MAIN, **given: Any) -> str:
    """
    Let the agent call *tool*, through the catalogue where that hides it.
    """
    if live.version.startswith("2026.9"):
        return live.use("tool_call", session, id=tool, args=given)
    return live.use(tool, session, **given)


def test_search_is_answered_by_strata(live: Live) -> None:
    """
    The native tool finds by two wordings at once, in both languages, with its citation.
    """
    said = use(live, "memory_search", query="温室用什么 | database for the greenhouse")

    assert "PostgreSQL 16" in said
    assert f"{NOTE}#L" in said
    assert "does not answer" not in said


def test_lines_are_read_by_strata(live: Live) -> None:
    """
    A citation is a path, which OpenClaw's own tool does not know.
    """
    said = use(live, "memory_get", path=f"{NOTE}#L4-L4")

    assert "allergic to peanuts" in said
    assert "PostgreSQL" not in said


@pytest.mark.parametrize("tool", ["memory_search", "memory_get"])
def test_group_gets_nothing_private(live: Live, tool: str) -> None:
    """
    What OpenClaw's own tools would show there, Strata does not.
    """
    given = {"path": NOTE} if tool == "memory_get" else {"query": "greenhouse database"}

    said = use(live, tool, GROUP, **given)

    assert "PostgreSQL" not in said
    assert f"{NOTE}#" not in said


def test_prompt_tells_one_story(live: Live) -> None:
    """
    OpenClaw's section, ours below it, the rules in AGENTS.md and the skill name one tool.
    """
    live.say("Good morning.")
    prompt = _system(live)

    section = prompt[prompt.index("## Memory Recall") :]
    assert "memory_search is answered by Strata" in section[:2500]
    assert "search with `memory_search`" in prompt


def test_what_bears_on_the_message_comes_before_it(live: Live) -> None:
    """
    The allergy is shown to the model, fenced, and stands in no transcript.
    """
    asks = "Please book a table for Saturday and order peanuts in satay sauce for me."

    # A busy machine may take longer than a turn waits; what came too late comes again.
    for _ in range(ASKED_AGAIN):
        live.say(asks)
        shown = _last_user(live)
        if "strata-memory" in shown:
            break

    assert "allergic to peanuts" in shown
    assert "rowing club" not in shown
    assert f"{NOTE}#L" in shown
    said = _everything_said(live)
    assert "satay sauce" in said
    assert "strata-memory" not in said


def test_small_talk_is_left_alone(live: Live) -> None:
    """
    Where nothing bears on it, a message stays as it is.
    """
    live.say("Thanks, and good night.")

    assert "strata-memory" not in _last_user(live)


def test_group_is_shown_nothing_private_before_its_turn(live: Live) -> None:
    """
    The same words of a stranger bring nothing.
    """
    live.say("Please order peanuts in satay sauce for me.", session=GROUP)

    assert "allergic" not in _last_user(live)


def test_killed_server_leaves_the_turn_to_openclaw(live: Live) -> None:
    """
    Its own tool answers the owner, a group gets nothing, `doctor` says why; then we again.
    """
    own = _asked_while_away(live)
    theirs = use(live, "memory_search", GROUP, query="greenhouse database, once more")
    doctor = live.strata("doctor").stdout

    # 2026.7.1 has no index of its own without an embedding model, and says that.
    assert "does not answer" in own or "memory index" in own
    assert "PostgreSQL" not in theirs
    assert "memory_search" in doctor
    time.sleep(STARTS_AGAIN_SECONDS)
    assert "PostgreSQL 16" in use(live, "memory_search", query="greenhouse database")


def test_uninstall_gives_the_tools_back(live: Live) -> None:
    """
    Afterwards OpenClaw's own search answers, and no process of ours is left.
    """
    server = live.server()
    assert live.strata("uninstall", "--yes").returncode == 0
    live.stop()
    live.start()

    said = use(live, "memory_search", query="greenhouse database")

    assert "Strata" not in said
    assert not _runs(server)
    assert CONSENT.rpartition(".")[2] not in live.configuration_file.read_text()


def _asked_while_away(live: Live) -> str:
    """
    What the owner's search says while ours is away.

    A process that ran for half a minute is started again by the question itself, and one
    that was started just now is not.
    """
    for _ in range(3):
        # One that has answered has said that it runs: so `doctor` knows it was killed.
        assert "PostgreSQL 16" in use(
            live, "memory_search", query="greenhouse database"
        )
        live.kill_server()
        own = use(live, "memory_search", query="greenhouse database, once more")
        if "does not answer" in own or "memory index" in own:
            break
        live.wait(lambda: live.server() > 0, "it is there again")
    return own


def _runs(number: int) -> bool:
    return Path(f"/proc/{number}/cmdline").exists()


def _last_user(live: Live) -> str:
    """
    Return what the model was shown as the user's side of the last request.
    """
    messages = live.model.requests[-1].body["messages"]
    said = []
    for message in reversed(messages):
        if message["role"] == "assistant":
            break
        if message["role"] == "user":
            said.append(json.dumps(message["content"], ensure_ascii=False))
    return "\n".join(said)


def _system(live: Live) -> str:
    messages = live.model.requests[-1].body["messages"]
    first = messages[0]["content"]
    return first if isinstance(first, str) else "\n".join(p["text"] for p in first)


def _everything_said(live: Live) -> str:
    """
    Return all that stands in OpenClaw's transcripts, as capture reads them.
    """
    memory = Memory.open(state_dir=str(live.state))
    transcripts = memory.transcripts()
    return "\n".join(
        message.text
        for session in transcripts.sessions()
        for message in transcripts.read(session)
    )
