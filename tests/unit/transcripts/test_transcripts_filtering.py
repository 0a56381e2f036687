"""Which entries are messages, and how they are numbered."""

from __future__ import annotations

import json

import pytest
from builders_transcripts import Script, call

from strata.models import Message, Origin
from strata.transcripts.commands import spoken_words
from strata.transcripts.entries import ToolCall, parse_entry
from strata.transcripts.filtering import Conversation
from strata.transcripts.recall import recalls, tool_name
from strata.transcripts.shortening import LIMIT_CHARS, shorten

INJECTED = {"provider": "openclaw", "model": "gateway-injected"}
HEARTBEAT = {"provenance": {"kind": "internal_system", "sourceTool": "heartbeat"}}
MACHINE_PROMPTS = [
    "A new session was started via /new or /reset. Execute your Session Startup sequence",
    "Continue the OpenClaw runtime event.",
    "Pre-compaction memory flush. Store durable memories only in memory/2026-11-20.md",
    "Pre-compaction memory flush turn. The session is near auto-compaction",
    "[Subagent Context] You are running as a subagent (depth 1/5).",
    "[cron:7f2a disk usage] Report disk usage",
    "[OpenClaw heartbeat poll]",
    "[OpenClaw exec completion]\nDisable automatic completion turns",
    "[OpenClaw session reset]",
    "Read HEARTBEAT.md if it exists (workspace context). Follow it strictly.",
    "System: [2026-11-20 10:57:53 UTC] Exec finished",
    "System: [2026-04-05 20:56:13 GMT+3] Exec completed\n\nRead HEARTBEAT.md if it exists",
    "[Fri 2026-11-20 10:24 UTC] [Subagent Context] You are running as a subagent",
]


def visible(script: Script) -> list[Message]:
    entries = [parse_entry(json.loads(line)) for line in script.lines]
    return list(Conversation().messages(entries))


def spoken(script: Script) -> list[tuple[int, str, str]]:
    messages = visible(script)
    return [(each.number, each.role, each.text) for each in messages]


def test_messages_are_numbered_from_one() -> None:
    """
    User and assistant messages count; a tool has the number of the message before it.
    """
    script = Script().header().user("a").agent("b", call("exec")).result().agent("c")

    assert spoken(script) == [
        (1, "user", "a"),
        (2, "assistant", "b"),
        (2, "tool", ""),
        (3, "assistant", "c"),
    ]


def test_tool_output_and_thinking_are_never_shown() -> None:
    """
    Of a tool only its name and outcome are told.
    """
    script = Script().user("run it").agent("", call("exec")).result(isError=True)

    tool = visible(script)[-1]

    assert (tool.role, tool.tool, tool.failed, tool.text) == ("tool", "exec", True, "")
    assert tool.origin is Origin.UNTRUSTED


def test_tool_without_result_is_told_once_the_user_goes_on() -> None:
    """
    A call that nothing answered is shown too, when it is over.
    """
    script = Script().user("run").agent("", call("exec"), call("read", "c2"))
    script.result(call_id="c1")

    assert [each.tool for each in visible(script) if each.tool] == ["exec"]
    script.user("well?")
    assert [each.tool for each in visible(script) if each.tool] == ["exec", "read"]


def test_tool_behind_a_wrapper_has_its_own_name() -> None:
    """
    OpenClaw 2026.9 calls plugin tools through tool_call.
    """
    wrapped = call("tool_call", id="openclaw:core:sessions_spawn", args={"task": "x"})
    script = Script().user("go").agent("", wrapped).result("tool_call")

    assert visible(script)[-1].tool == "sessions_spawn"


def test_other_entries_are_no_messages() -> None:
    """
    Summaries, resets, custom entries and custom roles are never shown.
    """
    script = Script().user("a")
    script.entry("compaction", summary="## Decisions\nUse teal.")
    script.entry("reset", reason="new").entry("custom", customType="x", data={})
    script.entry("model_change", modelId="m").entry("branch_summary", summary="x")
    script.said({"role": "custom", "content": "x"}).said(
        {"role": "system", "content": "x"}
    )

    assert spoken(script) == [(1, "user", "a")]


@pytest.mark.parametrize("prompt", MACHINE_PROMPTS)
def test_machine_prompt_and_its_reply_are_not_shown(prompt: str) -> None:
    """
    What OpenClaw writes in the person's name, and what the agent answers, is no talk.
    """
    script = Script().user("a").agent("b").user(prompt).agent("hidden", call("exec"))
    script.result().agent("hidden too").user("c").agent("d")

    assert [text for _, _, text in spoken(script)] == ["a", "b", "c", "d"]


@pytest.mark.parametrize("kind", ["internal_system", "inter_session"])
def test_machine_turn_by_provenance(kind: str) -> None:
    """
    Provenance tells a machine's prompt whatever it says.
    """
    script = Script().user("a").agent("b")
    script.user("please check", provenance={"kind": kind}).agent("hidden").user("c")

    assert [text for _, _, text in spoken(script)] == ["a", "b", "c"]


def test_greeting_after_new_is_not_shown() -> None:
    """
    The first words after /new answer nobody.
    """
    script = Script().user("/new").agent("✅ New session started.", **INJECTED)
    script.user(MACHINE_PROMPTS[0]).agent("Hello, what would you like to do?")

    assert spoken(script.user("/new").agent("Hi again")) == []


@pytest.mark.parametrize(
    "reply",
    [
        "NO_REPLY",
        "no_reply",
        "HEARTBEAT_OK",
        "ANNOUNCE_SKIP",
        "**NO_REPLY**",
        "`HEARTBEAT_OK`.",
        "All good. HEARTBEAT_OK",
        "Nothing to say.\n\nNO_REPLY",
        "没有新消息。NO_REPLY",
        "x" * 5000 + "\nNO_REPLY",
        "",
        "   ",
        "[assistant turn failed before producing content]",
    ],
)
def test_silent_reply_is_not_shown(reply: str) -> None:
    """
    Replies that nobody gets to see do not count.
    """
    assert spoken(Script().user("a").agent(reply)) == [(1, "user", "a")]


@pytest.mark.parametrize(
    "reply",
    [
        "The agent should answer NO_REPLY",
        "NO_REPLY is the quiet token of OpenClaw",
        "x" * 192 + "NO_REPLY",
    ],
)
def test_reply_about_silence_is_shown(reply: str) -> None:
    """
    A sentence that names the token is a reply like any other.
    """
    assert [(1, "assistant", reply)] == spoken(Script().agent(reply))


@pytest.mark.parametrize("model", ["gateway-injected", "delivery-mirror"])
def test_injected_reply_is_not_shown(model: str) -> None:
    """
    Replies of the gateway itself are not the agent's.
    """
    script = Script().user("a").agent("Status: ok", provider="openclaw", model=model)

    assert spoken(script.agent("b"))[:1] == [(1, "user", "a")]
    assert spoken(script)[-1][2] == "b"


def test_failed_turn_without_text_is_not_shown() -> None:
    """
    An error leaves an assistant message without content.
    """
    script = Script().user("a").agent(stopReason="error", errorMessage="500")

    assert spoken(script) == [(1, "user", "a")]


def test_image_without_words_is_not_counted_but_answered() -> None:
    """
    A picture has no words; what the agent says about it has.
    """
    script = Script().user([{"type": "image", "data": "x"}]).agent("A cat.")
    script.user("[media attached: /tmp/x.png (image/png)]").agent("Another cat.")

    assert [text for _, _, text in spoken(script)] == ["A cat.", "Another cat."]


def test_whose_words_they_are() -> None:
    """
    The owner's, somebody else's, the agent's, or the system's.
    """
    script = (
        Script()
        .user("mine")
        .user("mine too", __openclaw={"senderIsOwner": True})
        .user("a stranger's", __openclaw={"senderIsOwner": False})
        .user("from a channel", provenance={"kind": "external_user"})
        .user("from elsewhere", provenance={"kind": "something_new"})
        .agent("the agent's")
    )

    assert [each.origin for each in visible(script)] == [
        Origin.OWNER,
        Origin.OWNER,
        Origin.UNTRUSTED,
        Origin.OWNER,
        Origin.SYSTEM,
        Origin.AGENT,
    ]


def test_in_a_shared_chat_only_the_proven_owner_is_one() -> None:
    """
    In a group chat anybody may write, so a prompt is a stranger's unless marked.
    """
    script = Script().user("who?").user("me", __openclaw={"senderIsOwner": True})
    entries = [parse_entry(json.loads(line)) for line in script.lines]

    messages = Conversation(shared=True).messages(entries)

    assert [each.origin for each in messages] == [Origin.UNTRUSTED, Origin.OWNER]


def test_reply_after_recall_is_marked_until_the_user_speaks() -> None:
    """
    What the agent says after looking into memory is memory, not news.
    """
    script = (
        Script().user("what do I like?").agent("Let me see.", call("memory_search"))
    )
    script.result("memory_search").agent("You like tea.").user("right").agent("Good.")

    recalled = [each.recalled for each in visible(script) if each.role == "assistant"]

    assert recalled == [False, True, False]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("memory_search", {"query": "x"}),
        ("memory_get", {"path": "MEMORY.md"}),
        ("mcp__strata__query", {"text": "x"}),
        ("tool_call", {"id": "openclaw:memory:memory_search", "args": {}}),
        ("exec", {"command": "cd ~/skills/strata && scripts/strata query 'tea' -n 5"}),
        ("exec", {"command": "python3 scripts/query.py tea"}),
        ("exec", {"command": "strata --workspace /w get memory/2026-11-20.md:3"}),
        ("exec", {"command": "openclaw memory search tea"}),
        ("exec", {"command": "cat MEMORY.md"}),
        ("bash", {"command": "grep -rn tea memory/"}),
        (
            "exec",
            {"command": "tail -n 20 /home/u/.openclaw/workspace/memory/2026-11-20.md"},
        ),
        ("read", {"path": "MEMORY.md"}),
        (
            "read",
            {"file_path": "/home/u/.openclaw/workspace/memory/weekly/2026-11-16.md"},
        ),
    ],
)
def test_call_that_recalls(name: str, arguments: dict[str, object]) -> None:
    """
    Every way to look into memory is known.
    """
    assert recalls(ToolCall("c1", name, arguments))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("exec", {"command": "ls -la"}),
        ("exec", {"command": "free -h # memory"}),
        ("exec", {"command": "echo 'tea' >> memory/2026-11-20.md"}),
        ("exec", {"command": "git log --grep query"}),
        ("read", {"path": "src/memory.md.py"}),
        ("write", {"path": "memory/2026-11-20.md", "content": "x"}),
        ("web_search", {"query": "MEMORY.md"}),
        ("tool_call", {"id": "sessions_spawn", "args": {"task": "x"}}),
        ("tool_call", None),
        ("exec", None),
        ("", {}),
    ],
)
def test_call_that_does_not_recall(name: str, arguments: object) -> None:
    """
    Other work, and writing to memory, is no recall.
    """
    assert not recalls(ToolCall("c1", name, arguments))


def test_wrapper_of_any_shape_has_a_name() -> None:
    """
    A wrapper with unusable arguments keeps its own name.
    """
    assert tool_name(ToolCall("c1", "tool_call", [1])) == "tool_call"
    assert tool_name(ToolCall("c1", "tool_call", {"id": 3})) == "tool_call"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("/new", ""),
        ("/NEW", ""),
        ("/new@juno_bot", ""),
        ("/new hello there", "hello there"),
        ("/reset\nhello", "hello"),
        ("/reset soft", ""),
        ("/reset soft start with the report", "start with the report"),
        ("/new software is eating", "software is eating"),
        ("/new openrouter/auto", ""),
        ("/status", ""),
        ("/compact keep all the decisions about the API", ""),
        ("/think high", ""),
        ("/think: high", ""),
        (
            "/think high remember that I moved to Lisbon",
            "remember that I moved to Lisbon",
        ),
        ("/memlab status", ""),
        ("/unknown", ""),
        ("/data is full again", "/data is full again"),
        ("/etc/hosts must not change", "/etc/hosts must not change"),
        ("/srv/data", "/srv/data"),
        ("/ is full", "/ is full"),
        ("not /new", "not /new"),
        ("", ""),
    ],
)
def test_words_of_a_slash_command(text: str, words: str) -> None:
    """
    Commands are for the gateway; words behind /new and /reset are for the agent.
    """
    assert words == spoken_words(text)


def test_long_message_keeps_head_and_tail() -> None:
    """
    A message over 64 Ki characters is cut between words, and says so.
    """
    text = " ".join(f"word{number}" for number in range(20_000))

    short = shorten(text)

    assert len(short) <= LIMIT_CHARS
    assert short.startswith("word0 word1 ")
    assert short.endswith(" word19999")
    assert "characters left out" in short
    assert set(short.split()) - set(text.split()) <= {
        "[…",
        "characters",
        "left",
        "out",
        "…]",
        str(len(text) - len(short.split("\n\n[…")[0]) - len(short.split("…]\n\n")[1])),
    }
    assert shorten("x" * LIMIT_CHARS) == "x" * LIMIT_CHARS
    assert len(shorten("x" * 200_000)) <= LIMIT_CHARS
