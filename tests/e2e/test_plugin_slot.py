"""The tools of the memory slot: what Strata answers, and what is left where it is away."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from builders_plugin import NODE, ROOT, answering, run

from strata.workspace.forms import END, FILE

if TYPE_CHECKING:
    from pathlib import Path

# Makes the tools as the gateway does, for a conversation, and calls them one by one.
TOOLS = """
import plugin from PLUGIN;
const tools = {};
let capability;
plugin.register({
  rootDir: process.argv[1] + "/../slot",
  logger: { warn: () => {} },
  on: () => {},
  registerMemoryCapability: (given) => { capability = given; },
  registerTool: (make, { names }) => { tools[names[0]] = make; },
});
const said = [];
for (const { tool, params, context } of JSON.parse(process.argv[2])) {
  if (params.times) params.query = params.query.repeat(params.times);
  const begin = performance.now();
  const { content, details } = await tools[tool](context).execute("call", params);
  const ms = performance.now() - begin;
  said.push({ told: JSON.parse(content[0].text), details, ms });
}
const prompt = (...names) => capability.promptBuilder({ availableTools: new Set(names) });
const shown = tools.memory_search({});
const prompts = { prompt: prompt("memory_search"), none: prompt("exec") };
console.log(JSON.stringify({ said, ...prompts, shown }));
process.exit(0);
"""
NOTE = "memory/2026-11-02.md"
KNOWN = """\
# 2026-11-02

- We chose PostgreSQL 16 as the database for the greenhouse.
- The user is allergic to peanuts.
- 我们的划船俱乐部每周四在船屋见面。
"""
ROWS = (
    '{"results": [{"corpus": "memory", "kind": "memory", "path": "memory/a.md",'
    ' "startLine": 1, "endLine": 2, "score": 0.5, "snippet": "x",'
    ' "citation": "memory/a.md#L1-L2"}], "notice": ""}'
)
LINES = '{"path": "memory/a.md", "text": "x", "from": 1, "lines": 1, "nextFrom": 2}'
OWN = {"sessionKey": "agent:main:main", "senderIsOwner": True}
STRANGER = {**OWN, "senderIsOwner": False, "requesterSenderId": "888"}
GROUP = {**OWN, "sessionKey": "agent:main:telegram:group:-1"}
# 2026.7.1 may not say who speaks.
UNSAID = {"sessionKey": "agent:main:main"}
AWAY = "does not answer"

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no Node.js here")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    (root / "memory").mkdir(parents=True)
    (root / NOTE).write_text(KNOWN)
    (root / "MEMORY.md").write_text("# MEMORY\n\n- The boat is called Kingfisher.\n")
    (tmp_path / "secret.md").write_text("the greenhouse has a back door\n")
    (root / "memory" / "link.md").symlink_to(tmp_path / "secret.md")
    (root / "memory" / ".dreams").mkdir()
    (root / "memory" / ".dreams" / "x.md").write_text("a dream of the greenhouse\n")
    return root


def printing(answer: str) -> str:
    return f"printf '%s 0 %s\\n' \"$number\" '{answer}'"


def use(
    tmp_path: Path, answers: str, *asked: tuple[str, dict[str, Any], dict[str, Any]]
) -> dict[str, Any]:
    """
    Call the tools where Strata's process does *answers* for each line.
    """
    calls = [
        {
            "tool": f"memory_{tool}",
            "params": params,
            "context": {"workspaceDir": str(tmp_path / "workspace"), **context},
        }
        for tool, params, context in asked
    ]
    root = answering(tmp_path / "plugin", answers)
    found: dict[str, Any] = run(TOOLS, "slot.js", root, calls)
    return found


def test_answers_are_those_of_the_native_contract(tmp_path: Path) -> None:
    """
    Rows and lines as OpenClaw's own tools give them; what we say of them beside it.
    """
    found = use(
        tmp_path,
        f"case $told in *greenhouse*) {printing(ROWS)} ;; *) {printing(LINES)} ;; esac",
        ("search", {"query": "greenhouse"}, OWN),
        ("get", {"path": "memory/a.md"}, OWN),
    )

    searched, read = (each["told"] for each in found["said"])
    (row,) = searched["results"]
    assert row == {
        "path": "memory/a.md",
        "startLine": 1,
        "endLine": 2,
        "score": 0.5,
        "snippet": "x",
        "citation": "memory/a.md#L1-L2",
        "source": "memory",
    }
    assert {"provider", "mode", "citations"} <= searched.keys()
    assert read == {"status": "ok"} | json.loads(LINES)
    assert [each["details"] for each in found["said"]] == [{}, {}]
    assert found["shown"]["catalogMode"] == "direct-only"


def test_prompt_tells_of_it_where_the_tool_is_there(tmp_path: Path) -> None:
    """
    An agent that may not use the tool is not told to.
    """
    found = use(tmp_path, printing(ROWS))

    assert found["prompt"][0] == "## Memory Recall"
    assert any("several wordings" in each for each in found["prompt"])
    assert found["none"] == []


@pytest.mark.parametrize(
    ("context", "asker"),
    [
        (OWN, {"session": "agent:main:main"}),
        (STRANGER, {"session": "agent:main:main", "sender": "888"}),
        ({**STRANGER, "requesterSenderId": None}, {}),
        (UNSAID, {"session": "agent:main:main"}),
        ({}, {}),
    ],
)
def test_who_asks_is_told(
    tmp_path: Path, context: dict[str, Any], asker: dict[str, str]
) -> None:
    """
    The owner, somebody else by their name, and nobody where they have none.
    """
    told = tmp_path / "told"
    keep = f"printf '%s' \"$told\" >'{told}'; {printing(ROWS)}"

    use(tmp_path, keep, ("search", {"query": "x", "maxResults": 3}, context))

    asked = json.loads(told.read_text())
    assert asked["asker"] == asker
    assert (asked["query"], asked["limit"], asked["slot"]) == ("x", 3, True)


@pytest.mark.parametrize(
    "answers",
    [
        printing('{"failed": "DiskFull: /srv/private"}'),
        "exit 1",
        "echo; echo nonsense; exit 3",
        "kill -9 $$",
    ],
)
@pytest.mark.usefixtures("workspace")
def test_owner_gets_the_words_where_strata_is_away(
    tmp_path: Path, answers: str
) -> None:
    """
    Lines of their notes with a note that says so, and nobody else anything.
    """
    found = use(
        tmp_path,
        answers,
        ("search", {"query": "which databases has the greenhouse?"}, OWN),
        ("search", {"query": "划船在哪里见面"}, UNSAID),
        ("get", {"path": f"{NOTE}#L4-L4"}, OWN),
        ("search", {"query": "greenhouse"}, STRANGER),
        ("get", {"path": NOTE}, STRANGER),
        ("search", {"query": "greenhouse"}, GROUP),
        ("get", {"path": NOTE}, {}),
    )

    english, chinese, read, *others = (each["told"] for each in found["said"])
    assert english["results"][0]["citation"] == f"{NOTE}#L3-L3"
    assert "by their words alone" in english["notice"]
    assert chinese["results"][0]["citation"] == f"{NOTE}#L5-L5"
    assert read["text"] == "- The user is allergic to peanuts."
    for each in others:
        assert AWAY in each["notice"]
        assert not each.get("results")
        assert not each.get("text")
    assert "/srv/private" not in json.dumps(found)
    assert "back door" not in json.dumps(found)
    assert "dream" not in json.dumps(found)


@pytest.mark.usefixtures("workspace")
def test_hung_process_is_waited_for_no_longer_than_a_turn_bears(tmp_path: Path) -> None:
    """
    After eight seconds the words answer.
    """
    found = use(tmp_path, "sleep 60", ("search", {"query": "greenhouse"}, OWN))

    (said,) = found["said"]
    assert "PostgreSQL" in said["told"]["results"][0]["snippet"]
    assert 7_500 < said["ms"] < 20_000


@pytest.mark.parametrize(
    "path",
    [
        "../secret.md",
        "memory/../../secret.md",
        "memory/link.md",
        "memory/.dreams/x.md",
        "/etc/passwd",
        "memory",
        "",
        "openclaw.json",
        "memory/nothing.md",
    ],
)
@pytest.mark.usefixtures("workspace")
def test_words_read_notes_alone(tmp_path: Path, path: str) -> None:
    """
    Nothing beside them, and nothing that a link leads to.
    """
    found = use(tmp_path, "exit 1", ("get", {"path": path}, OWN))

    told = found["said"][0]["told"]
    assert (told["status"], told["path"], told["text"]) == ("not_found", path, "")
    assert AWAY in told["notice"]


@pytest.mark.parametrize(
    "settings",
    [
        '[trust]\nmasked = ["Kingfisher"]\n',
        "[trust]\nmasked = [\n  # a boat\n  'Kingfisher',\n]\n",
        'trust = {masked = ["Kingfisher"]}\n',
        'trust."masked" = [ "Kingfisher" ]\n',
    ],
)
def test_words_show_nothing_where_something_is_masked(
    tmp_path: Path, workspace: Path, settings: str
) -> None:
    """
    Only Python can mask it, so the tool says that memory is away, and no more.
    """
    (workspace / ".strata").mkdir()
    (workspace / ".strata" / "config.toml").write_text(settings)

    found = use(
        tmp_path,
        "exit 1",
        ("search", {"query": "what is the boat called"}, OWN),
        ("get", {"path": "MEMORY.md"}, OWN),
    )

    assert "Kingfisher" not in json.dumps(found)
    for said in found["said"]:
        assert AWAY in said["told"]["notice"]


def test_encrypted_note_is_none(tmp_path: Path, workspace: Path) -> None:
    """
    Its letters mean nothing to anybody.
    """
    (workspace / NOTE).write_bytes(FILE + b"\ngreenhouse greenhouse\n" + END + b"\n")

    found = use(
        tmp_path,
        "exit 1",
        ("search", {"query": "greenhouse"}, OWN),
        ("get", {"path": NOTE}, OWN),
    )

    assert found["said"][0]["told"]["results"] == []
    assert found["said"][1]["told"]["status"] == "not_found"


def test_words_need_no_notes(tmp_path: Path) -> None:
    """
    A workspace without notes, and a question without words.
    """
    found = use(
        tmp_path,
        "exit 1",
        ("search", {"query": "greenhouse"}, OWN),
        ("search", {"query": "?! ( [ *"}, OWN),
        ("search", {}, OWN),
    )

    for said in found["said"]:
        assert said["told"]["results"] == []
        assert AWAY in said["told"]["notice"]


def test_message_of_200_kb_and_many_notes_hold_nobody_up(
    tmp_path: Path, workspace: Path
) -> None:
    """
    The newest notes are looked through, and of the question its beginning.
    """
    for number in range(300):
        day = (
            workspace / "memory" / f"2025-{number // 28 + 1:02}-{number % 28 + 1:02}.md"
        )
        day.write_text("- somebody said something about the weather there\n" * 200)
    begin = time.monotonic()

    found = use(
        tmp_path, "exit 1", ("search", {"query": "greenhouse ", "times": 20_000}, OWN)
    )

    assert found["said"][0]["told"]["results"][0]["citation"] == f"{NOTE}#L3-L3"
    assert time.monotonic() - begin < 30


def test_what_the_bundle_writes_is_whole() -> None:
    """
    Every file that the slot's own import is among those that are written for it.
    """
    from strata.workspace.own_folder import SLOT_FILES  # noqa: PLC0415

    sources = [name for name in SLOT_FILES.values() if name.endswith(".js")]
    imported = {
        f"hooks/{word[2:]}"
        for name in sources
        for word in (ROOT / name).read_text().split('"')
        if word.startswith("./")
    }
    assert imported <= set(SLOT_FILES)
