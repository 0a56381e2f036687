"""Strata in the memory slot of a real OpenClaw of both eras, by its owner's choice."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from fake_telegram import FakeTelegram
from live_mock_model import since_answer
from live_openclaw import ROOT, Live
from openclaw_packages import VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

MAIN = "agent:main:main"
OWNER, STRANGER, CHAT = 777, 9000, -100123
GROUP = f"agent:main:telegram:group:{CHAT}"
NOTE = "memory/2026-11-02.md"
KNOWN = """\
# 2026-11-02

- We chose PostgreSQL 16 as the database for the greenhouse.
- The user is allergic to peanuts, and carries a pen for it.
- 我们的划船俱乐部每周四在船屋见面。
"""
LONG_TERM = "# MEMORY\n\n- The user's boat is called Kingfisher.\n"
PARAMETERS = {"memory_search": ["query"], "memory_get": ["path"]}
OURS = "memory_search is answered by Strata"
# The plugin waits so long before it starts a process again that it lost.
STARTS_AGAIN_SECONDS = 31.0

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (ROOT / ".venv").exists(), reason="run scripts/install, the plugin needs it"
    ),
]


class Slot(Live):
    """
    A running OpenClaw whose memory slot is Strata's, with Telegram, and a note.
    """

    def __init__(self, *given: Any, telegram: FakeTelegram) -> None:
        self.telegram = telegram
        channels = {"telegram": telegram.configuration(OWNER, STRANGER)}
        super().__init__(*given, channels=channels)
        self.redirected: bytes = b""

    def loads(self) -> None:
        """
        See to it that a change of plugins holds: 2026.7.1 wants a new start for that.
        """
        if self.version == "2026.7.1":
            self.stop()
            self.start()
            self.settle()

    def told(
        self, tool: str, *, sender: int, chat: int | None = None, **given: Any
    ) -> str:
        """
        Let the agent call *tool* because *sender* asks in Telegram.
        """
        before = len(self.model.requests)
        text = f"[[tool:{tool} {json.dumps(given)}]]"
        self.telegram.say(text, sender=sender, chat=chat)
        said: list[str] = []

        def has_come() -> bool:
            said.extend(
                json.dumps(message.get("content"))
                for request in self.model.requests[before:]
                for message in since_answer(request.body.get("messages") or [])
                if message.get("role") == "tool"
            )
            return bool(said)

        self.wait(has_come, f"{tool} is called", 60)
        return said[-1]


@pytest.fixture(scope="module", params=VERSIONS)
def live(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Slot]:
    telegram = FakeTelegram()
    folder = tmp_path_factory.mktemp("slot")
    openclaw = Slot(folder, request.param, telegram=telegram)
    try:
        openclaw.start()
        openclaw.say("hello")
        (openclaw.workspace / "memory").mkdir(exist_ok=True)
        (openclaw.workspace / NOTE).write_text(KNOWN)
        (openclaw.workspace / "MEMORY.md").write_text(LONG_TERM)
        openclaw.before = openclaw.others()
        done = openclaw.strata("install", "--yes", "--no-link")
        assert done.returncode == 0, done.stderr
        openclaw.loads()
        openclaw.redirected = openclaw.configuration_file.read_bytes()
        done = openclaw.strata("install", "--yes", "--no-link", "--slot")
        assert done.returncode == 0, done.stderr
        openclaw.loads()
        openclaw.wait(lambda: openclaw.server() > 0, "the server runs", 60)
        openclaw.wait(lambda: _section(openclaw).count(OURS) == 1, "it is loaded")
        yield openclaw
    finally:
        openclaw.close()
        telegram.close()


def test_tools_are_listed_and_answer(live: Slot) -> None:
    """
    The model sees both tools without a search for tools, and finds by two wordings.
    """
    said = live.use(
        "memory_search", MAIN, query="温室用什么 | database for the greenhouse"
    )
    read = live.use("memory_get", MAIN, path=f"{NOTE}#L4-L4")

    tools = [each["function"]["name"] for each in live.model.requests[-1].body["tools"]]
    assert {"memory_search", "memory_get"} <= set(tools)
    assert "PostgreSQL 16" in said
    assert f"{NOTE}#L" in said
    assert "⟦strata" not in said
    assert "allergic to peanuts" in read
    assert "PostgreSQL" not in read


def test_prompt_has_one_section_and_long_term_memory(live: Slot) -> None:
    """
    One section on memory tells of one tool, and MEMORY.md is there for its owner.

    2026.7.1 shows that file to groups too, whosever the slot is.
    """
    section = _section(live)
    mine = live.model.requests[-1].system_prompt
    live.say("Good morning.", session=GROUP)
    groups = live.model.requests[-1].system_prompt

    assert section.count(OURS) == 1
    assert "run memory_search" in section
    assert "Kingfisher" in mine
    assert ("Kingfisher" in groups) == (live.version == "2026.7.1")


@pytest.mark.parametrize("tool", PARAMETERS)
def test_nobody_else_gets_anything_private(live: Slot, tool: str) -> None:
    """
    Neither a group, nor a stranger in a group, nor one whose private chat OpenClaw takes
    into the owner's main conversation.
    """
    asked = {"path": NOTE, "query": "greenhouse database"}
    given: dict[str, Any] = {key: asked[key] for key in PARAMETERS[tool]}

    said = [
        live.use(tool, GROUP, **given),
        live.told(tool, sender=STRANGER, chat=CHAT, **given),
        live.told(tool, sender=STRANGER, **given),
    ]

    assert not [each for each in said if "PostgreSQL" in each]
    assert "PostgreSQL" in live.told(tool, sender=OWNER, **given)


def test_doctor_says_whose_the_slot_is(live: Slot) -> None:
    """
    It is ours and loaded, which the plugin said itself.
    """
    said = live.strata("doctor").stdout

    assert "Strata has it" in said
    assert "memory_search is answered by Strata" in said


def test_killed_server_leaves_the_owner_the_words(live: Slot) -> None:
    """
    Lines of the notes with the words of the question, in both languages, with a note;
    for others nothing; `doctor` says why. Then we answer again.
    """
    said, chinese = _asked_while_away(live)
    read = live.use("memory_get", MAIN, path=f"{NOTE}#L4-L4")
    theirs = live.use("memory_search", GROUP, query="greenhouse database, again")
    strangers = live.told("memory_search", sender=STRANGER, query="greenhouse, again")
    doctor = live.strata("doctor").stdout

    assert "found in the notes by their words alone" in said
    assert "PostgreSQL 16" in said
    assert f"{NOTE}#L3-L3" in said
    assert f"{NOTE}#L5-L5" in chinese
    assert "allergic to peanuts" in read
    assert "PostgreSQL" not in theirs + strangers
    assert "does not answer" in theirs
    assert "by their words alone" in doctor
    time.sleep(STARTS_AGAIN_SECONDS)
    again = live.use("memory_search", MAIN, query="greenhouse database")
    assert "PostgreSQL 16" in again
    assert "does not answer" not in again


def test_missing_python_leaves_the_turn_alone(live: Slot) -> None:
    """
    Where nothing can be started the tool says so, and the turn goes on.
    """
    with live.without_launcher():
        live.kill_server()
        said = live.use("memory_search", MAIN, query="boat house of the club")
        time.sleep(STARTS_AGAIN_SECONDS)
        said += live.use("memory_search", MAIN, query="greenhouse database, again")

    assert said.count("does not answer") == 2
    assert "PostgreSQL 16" in said


def test_slot_is_given_back_byte_for_byte(live: Slot) -> None:
    """
    Afterwards the redirect answers; taken again, all of it goes with uninstall.
    """
    time.sleep(STARTS_AGAIN_SECONDS)
    done = live.strata("install", "--yes", "--no-link", "--no-slot")
    assert done.returncode == 0, done.stderr
    assert live.configuration_file.read_bytes() == live.redirected
    live.loads()
    live.wait(
        lambda: "read more around a hit" not in _section(live), "it is not loaded"
    )
    said = _through_catalogue(live, "greenhouse database")
    assert OURS in _section(live)
    assert "PostgreSQL 16" in said
    assert '\\"strata\\"' in said or "corpus" in said

    again = live.strata("install", "--yes", "--no-link", "--slot")
    away = live.strata("uninstall", "--yes")

    assert (again.returncode, away.returncode) == (0, 0)
    assert live.others() == live.before
    live.loads()
    live.wait(lambda: OURS not in _section(live), "OpenClaw's own section")
    assert "Strata" not in _through_catalogue(live, "greenhouse database")
    assert not live.server()


def test_taken_at_once_it_ends_dreaming(live: Slot) -> None:
    """
    No job of OpenClaw's own is left that would ask a model each night.
    """
    done = live.strata("install", "--yes", "--no-link", "--slot")
    assert done.returncode == 0, done.stderr
    live.loads()

    jobs = live.call("cron.list", includeDisabled=True)["jobs"]
    assert "memory-tidy" in [each["name"] for each in jobs]
    assert not [each for each in jobs if "dreaming" in each["name"].lower()]


def _section(live: Live) -> str:
    """
    Return the part of a new prompt that tells of memory, "" where there is none.
    """
    live.say("Good morning.")
    prompt = live.model.requests[-1].system_prompt
    start = prompt.find("## Memory Recall")
    return prompt[start : prompt.find("\\n## ", start + 3)] if start >= 0 else ""


def _through_catalogue(live: Live, query: str) -> str:
    """
    Search with the native tool, which 2026.9 hides in a catalogue.
    """
    if live.version.startswith("2026.9"):
        return live.use("tool_call", MAIN, id="memory_search", args={"query": query})
    return live.use("memory_search", MAIN, query=query)


def _asked_while_away(live: Live) -> tuple[str, str]:
    """
    What the owner is told in two languages, while the process is not started again.

    A question starts one that ran for half a minute again at once.
    """
    for _ in range(3):
        assert "PostgreSQL 16" in live.use(
            "memory_search", MAIN, query="greenhouse database"
        )
        live.kill_server()
        said = live.use("memory_search", MAIN, query="databases of the greenhouse")
        chinese = live.use("memory_search", MAIN, query="划船在哪里见面")
        if "does not answer" in said and "does not answer" in chinese:
            break
        live.wait(lambda: live.server() > 0, "it is there again")
    return said, chinese
