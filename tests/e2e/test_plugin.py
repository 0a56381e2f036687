"""The plugin carries ids from OpenClaw to Python, and what the owner asks in a chat."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builders import small_talk
from builders_plugin import answering, run

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
NODE = shutil.which("node")
# A handler that waited for its hundred children would hold the thread much longer, also on
# a busy machine; how long it is held is a figure, and bench/ measures it.
HELD_MS = 5_000
DAY = "memory/2026-11-20.md"

# Loads the plugin as the gateway does, with an API that only records, and fires an event.
HARNESS = """
import plugin from PLUGIN;
const handlers = {};
plugin.register({
  rootDir: ROOT,
  on: (name, handler) => { handlers[name] = handler; },
  registerCommand: ({ name, handler }) => { handlers[name] = handler; },
});
const [name, event, context] = JSON.parse(process.argv[1]);
const said = await handlers[name](event, context);
console.log(JSON.stringify({ names: Object.keys(handlers), said: said ?? null }));
"""

# Fires a burst, then reports how long Node's only thread was held at a stretch.
BURST = """
import { monitorEventLoopDelay } from "node:perf_hooks";
import plugin from PLUGIN;
const handlers = {};
const warnings = [];
plugin.register({
  rootDir: ROOT,
  logger: { warn: (line) => warnings.push(line) },
  on: (name, handler) => { handlers[name] = handler; },
});
const [count, workspace] = JSON.parse(process.argv[1]);
const delay = monitorEventLoopDelay({ resolution: 1 });
await new Promise((resolve) => setTimeout(resolve, 50));
delay.enable();
const all = [];
for (let number = 0; number < count; number++) {
  const event = { sessionId: `5e551011-${number}`, reason: "new" };
  all.push(handlers.session_end(event, { agentId: "main", workspaceDir: workspace }));
}
const settled = await Promise.allSettled(all);
await new Promise((resolve) => setTimeout(resolve, 400));
delay.disable();
console.log(JSON.stringify({
  rejected: settled.filter((each) => each.status === "rejected").length,
  held: delay.max / 1e6,
  warnings,
}));
"""

# Turns of conversations end, and a minute passes in a tenth of a second.
TURNS = """
import plugin from PLUGIN;
const real = setTimeout;
const waits = [];
globalThis.setTimeout = (then, ms, ...rest) => {
  if (ms >= 60_000) waits.push(ms / 60_000);
  return real(then, ms >= 60_000 ? ms / 600 : ms, ...rest);
};
let handle;
const events = { registerAgentEventSubscription: (given) => { handle = given.handle; } };
plugin.register({ rootDir: ROOT, on: () => {}, agent: { events } });
const { quiet } = globalThis[Symbol.for(`strata:${ROOT}`)];
let answers = 0;
const set = quiet.minutes.set.bind(quiet.minutes);
quiet.minutes.set = (...told) => { answers += 1; set(...told); };
for (const turns of JSON.parse(process.argv[1])) {
  const before = answers;
  for (const turn of turns) handle(turn);
  for (let ms = 0; ms < 60_000 && answers === before; ms += 50)
    await new Promise((resolve) => real(resolve, 50));
}
console.log(JSON.stringify({ waits }));
"""

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="there is no Node.js on this machine"),
    pytest.mark.skipif(
        not (ROOT / ".venv").exists(), reason="run scripts/install, the plugin needs it"
    ),
]


def fire(
    name: str, event: dict[str, Any], context: dict[str, Any], state: Path
) -> dict[str, Any]:
    """
    Fire one event in a Node.js process and return what it says.
    """
    return run_node(HARNESS, [name, event, context], state)


def run_node(script: str, given: object, state: Path) -> dict[str, Any]:
    """
    Run *script* with the plugin in a Node.js process and return what it says.
    """
    plugin = json.dumps((ROOT / "hooks" / "openclaw.js").as_uri())
    script = script.replace("PLUGIN", plugin).replace("ROOT", json.dumps(str(ROOT)))
    finished = subprocess.run(
        [str(NODE), "--input-type=module", "-e", script, json.dumps(given)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OPENCLAW_STATE_DIR": str(state), "TZ": "UTC"},
        timeout=90,
    )
    said: dict[str, Any] = json.loads(finished.stdout)
    return said


def burst(root: Path, workspace: Path, count: int) -> dict[str, Any]:
    """
    Fire *count* events at once at the plugin of the bundle in *root*.
    """
    plugin = json.dumps((ROOT / "hooks" / "openclaw.js").as_uri())
    script = BURST.replace("PLUGIN", plugin).replace("ROOT", json.dumps(str(root)))
    finished = subprocess.run(
        [
            str(NODE),
            "--input-type=module",
            "-e",
            script,
            json.dumps([count, str(workspace)]),
        ],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OPENCLAW_STATE_DIR": str(workspace / "none"), "TZ": "UTC"},
        timeout=60,
    )
    said: dict[str, Any] = json.loads(finished.stdout)
    return said


def wait_for(path: Path) -> str:
    """
    Return the text of *path* once it is there, within a minute.
    """
    deadline = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < deadline, f"{path.name} did not appear"
        time.sleep(0.1)
    return path.read_text(encoding="utf-8")


def test_quiet_conversation_is_settled(tmp_path: Path) -> None:
    """
    Each turn winds up the clock of its conversation, which runs as long as Python tells.
    """
    state, workspace = tmp_path / "state", tmp_path / "workspace"
    conversation = small_talk(state)
    conversation.save()
    (workspace / ".strata").mkdir(parents=True)
    (workspace / ".strata" / "config.toml").write_text("[capture]\nquiet_minutes = 7\n")
    configured = {"agents": {"defaults": {"workspace": str(workspace)}}}
    (state / "openclaw.json").write_text(json.dumps(configured))
    ended: dict[str, object] = {"agentId": "main", "data": {"phase": "end"}}
    ended |= {"sessionId": conversation.id, "sessionKey": conversation.key}
    others = [
        ended | {"data": {"phase": "start"}},
        ended | {"sessionId": "5e551011", "sessionKey": "agent:main:cron:1:run:2"},
    ]

    said = run_node(TURNS, [[*others, ended, ended], [ended]], state)

    assert said == {"waits": [5, 5, 7]}
    assert "pnpm" in wait_for(workspace / DAY)


@pytest.mark.parametrize("name", ["session_end", "before_reset", "before_compaction"])
def test_event_settles_the_conversation(tmp_path: Path, name: str) -> None:
    """
    Each event that ends or shortens a conversation brings it into the note of its day.
    """
    conversation = small_talk(tmp_path / "state")
    conversation.save()
    workspace = tmp_path / "workspace"
    workspace.mkdir()

    said = fire(
        name,
        {"sessionId": conversation.id, "reason": "new"},
        {"agentId": "main", "workspaceDir": str(workspace)},
        tmp_path / "state",
    )

    assert said["names"] == [
        "before_tool_call",
        "session_end",
        "before_reset",
        "before_compaction",
        "gateway_start",
        "gateway_stop",
        "resolve_exec_env",
        "heartbeat_prompt_contribution",
        "strata",
    ]
    assert "session:61871d67 | 6 messages" in wait_for(workspace / DAY)


def test_question_of_the_owner_is_answered(tmp_path: Path) -> None:
    """
    Several lines come back whole, from Python, to whom OpenClaw says is asking.
    """
    context = {
        "args": "help",
        "agentId": "main",
        "sessionKey": "agent:main:main",
        "channel": "webchat",
        "gatewayClientScopes": ["operator.admin"],
    }
    state, workspace = tmp_path / "state", tmp_path / "workspace"
    state.mkdir()
    workspace.mkdir()
    own = {"agents": {"defaults": {"workspace": str(workspace)}}}
    (state / "openclaw.json").write_text(json.dumps(own))

    answered = fire("strata", context, {}, state)
    refused = fire("strata", context | {"gatewayClientScopes": []}, {}, state)
    (state / "openclaw.json").write_text("{")
    broken = fire("strata", context, {}, state)

    assert answered["said"]["text"].startswith("/strata review lists what waits")
    assert "only answered to the owner" in refused["said"]["text"]
    assert "openclaw.json is no valid JSON5" in broken["said"]["text"]


def test_heartbeat_speaks_only_of_what_a_person_must_do(tmp_path: Path) -> None:
    """
    OpenClaw gets a line for its prompt where something is wrong, and nothing else.
    """
    state, workspace = tmp_path / "state", tmp_path / "workspace"
    small_talk(state).save()
    workspace.mkdir()
    context = {"agentId": "main", "workspaceDir": str(workspace)}
    own: dict[str, Any] = {"plugins": {"slots": {"memory": "none"}}}
    (state / "openclaw.json").write_text(json.dumps(own))

    well = fire("heartbeat_prompt_contribution", {}, context, state)
    (state / "openclaw.json").write_text("{}")
    ill = fire("heartbeat_prompt_contribution", {}, context, state)

    assert well["said"] is None
    assert "dreaming" in ill["said"]["appendContext"]
    assert (workspace / DAY).exists()


def test_what_the_agent_calls_says_for_which_conversation(tmp_path: Path) -> None:
    """
    A command by its environment, a tool of ours by an argument that no model can set.
    """
    context = {"sessionKey": "agent:main:main"}
    event = {
        "toolName": "strata__memory_search",
        "params": {"query": "office", "asker": {"session": "agent:main:main"}},
    }
    group = {"sessionKey": "agent:main:telegram:group:-1"}
    other = {"toolName": "sessions_search", "params": {"query": "office"}}

    run = fire("resolve_exec_env", {"toolName": "exec"}, context, tmp_path)["said"]
    call = fire("before_tool_call", event, group, tmp_path)["said"]

    assert run == {"OPENCLAW_STRATA_SESSION": "agent:main:main"}
    assert call["params"] == {
        "query": "office",
        "asker": {"session": group["sessionKey"]},
    }
    assert fire("before_tool_call", other, group, tmp_path)["said"] is None


@pytest.mark.parametrize(
    ("requester", "asker"),
    [
        ({"senderIsOwner": True, "senderId": "777"}, {"session": "agent:main:main"}),
        (
            {"senderIsOwner": False, "senderId": "888"},
            {"session": "agent:main:main", "sender": "888"},
        ),
        ({"senderId": "888"}, {"session": "agent:main:main", "sender": "888"}),
        ({"senderIsOwner": False}, {}),
    ],
)
def test_who_calls_a_tool_is_said_where_it_is_not_the_owner(
    tmp_path: Path, requester: dict[str, object], asker: dict[str, str]
) -> None:
    """
    Many may share the main conversation.
    """
    context = {"sessionKey": "agent:main:main", "requester": requester}
    event = {"toolName": "strata__memory_search", "params": {"query": "office"}}

    call = fire("before_tool_call", event, context, tmp_path)["said"]

    assert call["params"] == {"query": "office", "asker": asker}


def test_event_without_a_transcript_is_no_failure(tmp_path: Path) -> None:
    """
    The end of a conversation that was never written down leaves no trace.
    """
    (tmp_path / "state" / "agents" / "main" / "sessions").mkdir(parents=True)
    workspace = tmp_path / "workspace"
    workspace.mkdir()

    finished = subprocess.run(
        [
            str(ROOT / "scripts" / "strata"),
            *("event", "session_end", "--session", "ffffffff-0000"),
            *("--workspace", str(workspace), "--state-dir", str(tmp_path / "state")),
        ],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (finished.returncode, finished.stderr) == (0, "")
    assert not (workspace / "memory").exists()


def test_hundred_events_at_once_need_one_process(tmp_path: Path) -> None:
    """
    A burst is spooled whole, by one process, and Node's thread is free all the while.
    """
    starts = tmp_path / "starts"
    launcher = tmp_path / "bundle" / "scripts" / "strata"
    launcher.parent.mkdir(parents=True)
    launcher.write_text(
        f'#!/bin/sh\necho one >>"{starts}"\nexec "{ROOT}/scripts/strata" "$@"\n'
    )
    launcher.chmod(0o755)
    _copy(tmp_path / "bundle", "scripts/listen", "hooks/carrier.js")
    workspace = tmp_path / "workspace"
    (workspace / "none" / "agents" / "main" / "sessions").mkdir(parents=True)

    said = burst(tmp_path / "bundle", workspace, 100)

    assert (said["rejected"], said["warnings"]) == (0, [])
    assert said["held"] < HELD_MS
    assert starts.read_text() == "one\n"
    _wait_until(lambda: _pending(workspace) == [])


def test_missing_python_reaches_nobody(tmp_path: Path) -> None:
    """
    Without an environment, and without any launcher, OpenClaw only gets a warning.
    """
    bundle = tmp_path / "bundle"
    bundle.mkdir()

    gone = burst(bundle, tmp_path, 100)
    _copy(bundle, "hooks/carrier.js")
    without_listener = burst(bundle, tmp_path, 100)
    _copy(bundle, "scripts/listen", "scripts/strata")
    without_python = burst(bundle, tmp_path, 100)

    for said, why in (
        (gone, "MODULE_NOT_FOUND"),
        (without_listener, "ENOENT"),
        (without_python, "exit code 1"),
    ):
        assert said["rejected"] == 0
        assert said["held"] < HELD_MS
        assert any(why in line for line in said["warnings"])


def test_full_disk_reaches_nobody(tmp_path: Path) -> None:
    """
    Where the spool cannot be written the gateway gets a warning and nothing else.
    """
    workspace = tmp_path / "workspace"
    (workspace / ".strata").mkdir(parents=True)
    # A file where the spool's folder belongs: no right to write would not stop root.
    (workspace / ".strata" / "spool").write_text("in the way")

    said = burst(ROOT, workspace, 1)

    assert said["rejected"] == 0
    assert said["held"] < HELD_MS


def _copy(bundle: Path, *names: str) -> None:
    """
    Give *bundle* these files of ours.
    """
    for name in names:
        (bundle / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, bundle / name)


def _pending(workspace: Path) -> list[str]:
    return [path.name for path in (workspace / ".strata" / "spool").glob("*.json")]


def _wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


# Asks the tools as the gateway does, with a process that plays Strata's.
TOOLS = """
import plugin from PLUGIN;
const handlers = {};
let corpus;
const warnings = [];
let slots = {};
plugin.register({
  rootDir: process.argv[1],
  config: {},
  runtime: { config: { current: () => ({ plugins: { slots } }) } },
  logger: { warn: (line) => warnings.push(line) },
  on: (name, handler) => { handlers[name] = handler; },
  registerMemoryCorpusSupplement: (given) => { corpus = given; },
});
const asked = JSON.parse(process.argv[2]);
slots = JSON.parse(process.argv[3]);
const said = [];
for (const { tool, params, context } of asked) {
  const call = await handlers.before_tool_call({ toolName: tool, params }, context);
  const given = call?.params;
  const found = !given ? null
    : tool === "memory_get" ? await corpus.get({ lookup: given.path })
    : await corpus.search({ query: given.query });
  const again = given && (await corpus.search({ query: given.query }));
  said.push({ given: given ?? null, found, again: again ?? null });
}
const unasked = await corpus.search({ query: "private" });
console.log(JSON.stringify({ said, unasked, warnings }));
process.exit(0);
"""
OWN = {"sessionKey": "agent:main:main", "requester": {"senderIsOwner": True}}
STRANGER = {
    "sessionKey": "agent:main:main",
    "requester": {"senderIsOwner": False, "senderId": "888"},
}
# What it answers: rows, lines, that OpenClaw is to answer, a refusal, nothing at all.
ROWS = '{"results": [{"path": "memory/a.md", "score": 0.5}], "notice": ""}'
GONE = '{"failed": "DiskFull: /srv/private"}'


def use_tools(
    tmp_path: Path,
    answers: str,
    *asked: tuple[str, dict[str, Any], dict[str, Any]],
    slot: str | None = None,
) -> dict[str, Any]:
    """
    Let the tools be called where Strata's process prints *answers* for each line.

    OpenClaw's memory *slot* was taken after the plugin was registered.
    """
    bundle = answering(tmp_path / "bundle", answers)
    calls = [{"tool": t, "params": p, "context": c} for t, p, c in asked]
    found: dict[str, Any] = run(
        TOOLS, "openclaw.js", bundle, calls, {"memory": slot} if slot else {}
    )
    return found


def test_answer_is_handed_over_once_to_the_call_that_asked(tmp_path: Path) -> None:
    """
    Equal calls, one after the other, each get theirs, and nobody gets one without asking.
    """
    asked = ("memory_search", {"query": "office "}, OWN)

    told = use_tools(
        tmp_path, f"printf '%s 0 %s\\n' \"$number\" '{ROWS}'", asked, asked
    )

    for said in told["said"]:
        assert said["given"]["corpus"] == "wiki"
        assert said["given"]["query"].startswith("office ")
        assert [row["path"] for row in said["found"]] == ["memory/a.md"]
        assert [row["kind"] for row in said["again"]] == ["notice"]
    assert told["unasked"] == []


@pytest.mark.parametrize("corpus", ["wiki", "sessions"])
def test_other_corpora_are_left_alone(tmp_path: Path, corpus: str) -> None:
    """
    Who asks for a wiki or for transcripts does not ask for memory.
    """
    asked = ("memory_search", {"query": "office", "corpus": corpus}, STRANGER)

    told = use_tools(tmp_path, f"printf '%s 0 %s\\n' \"$number\" '{ROWS}'", asked)

    assert told["said"][0]["given"] is None
    assert told["unasked"] == []


@pytest.mark.parametrize(
    "answers",
    [
        f"printf '%s 0 %s\\n' \"$number\" '{GONE}'",
        "exit 1",
        "echo; echo nonsense; exit 3",
    ],
)
def test_without_strata_nobody_but_the_owner_gets_openclaws_own(
    tmp_path: Path, answers: str
) -> None:
    """
    It fails, it dies, it prints what it likes: the owner's call goes on with a notice.
    """
    told = use_tools(
        tmp_path,
        answers,
        ("memory_search", {"query": "office"}, OWN),
        ("memory_get", {"path": "MEMORY.md"}, OWN),
        ("memory_search", {"query": "office"}, STRANGER),
        ("memory_get", {"path": "MEMORY.md"}, STRANGER),
        (
            "memory_search",
            {"query": "x"},
            {**OWN, "sessionKey": "agent:main:x:group:1"},
        ),
    )

    own, own_lines, theirs, their_lines, group = told["said"]
    assert own["given"] == {"query": "office", "corpus": "all"}
    assert "OpenClaw's own" in own["found"][0]["snippet"]
    assert own_lines["given"] is None
    for said in (theirs, group):
        assert said["given"]["corpus"] == "wiki"
        assert [row["kind"] for row in said["found"]] == ["notice"]
    assert their_lines["given"]["corpus"] == "wiki"
    assert "does not answer" in their_lines["found"]["content"]
    assert their_lines["found"]["path"] == "MEMORY.md"
    assert "/srv/private" not in json.dumps(told["said"])


def test_hung_process_is_waited_for_no_longer_than_a_turn_bears(
    tmp_path: Path,
) -> None:
    """
    After eight seconds the owner's call goes on to OpenClaw's own search, with a notice.
    """
    begin = time.monotonic()

    told = use_tools(tmp_path, "sleep 60", ("memory_search", {"query": "office"}, OWN))

    (own,) = told["said"]
    assert own["given"] == {"query": "office", "corpus": "all"}
    assert "OpenClaw's own" in own["found"][0]["snippet"]
    assert 7.5 < time.monotonic() - begin < 30


@pytest.mark.parametrize("configured", ["strata-memory", "memory-lancedb", "none"])
def test_whoever_has_the_slot_answers(tmp_path: Path, configured: str) -> None:
    """
    Nothing is sent to Strata, whichever was there when the plugin was registered.
    """
    asked = ("memory_search", {"query": "office"}, OWN)

    told = use_tools(
        tmp_path,
        f"printf '%s 0 %s\\n' \"$number\" '{ROWS}'",
        asked,
        slot=configured,
    )

    assert told["said"][0]["given"] is None
