"""
What a turn waits for Strata: the plugin in Node.js, its process, and an index of any size.

    python bench/turn.py DIR [--turns 200]

*DIR* is a workspace that `bench/search.py --keep DIR` has made. The plugin is loaded as
the gateway does it. Then so many messages go through its hook before the turn, each with
other words, and as many questions through the agent's own `memory_search`. Prints wall
times as Node sees them (the first of each apart, which opens the index and the model), and
what the process holds in memory at the end. In that hurry no line is read ahead, so it
tells as well what a message costs once all that it brings up has been read, in CPU time.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from search import HANZI, WORDS  # noqa: E402 - after the path

from strata.jobs import before_turn as job  # noqa: E402 - the same
from strata.memory import Memory  # noqa: E402 - the same

PLAY = """
import fs from "node:fs";
import plugin from PLUGIN;
const handlers = {};
const hooks = { allowConversationAccess: true };
let supplement;
plugin.register({
  rootDir: ROOT,
  config: { plugins: { entries: { strata: { hooks } } } },
  on: (name, handler) => { handlers[name] = handler; },
  registerMemoryCorpusSupplement: (given) => { supplement = given; },
});
const server = globalThis[Symbol.for(`strata-server:${ROOT}`)];
server.start();
const sessionKey = "agent:main:main";
const requester = { senderIsOwner: true };
const context = { agentId: "main", sessionKey, trigger: "user", requester };
const took = async (act) => {
  const began = performance.now();
  await act();
  return performance.now() - began;
};
const told = JSON.parse(fs.readFileSync(process.argv[1], "utf8"));
// The process opens the memory first, whoever asks.
const asker = { session: sessionKey };
await server.ask({ name: "search", query: "hello", asker, agent: "main" }, 60000);
const turns = [];
let shown = 0;
for (const [number, text] of told.entries())
  turns.push(await took(async () => {
    const turn = { ...context, sessionId: `c${number}` };
    const said = await handlers.before_prompt_build({ prompt: text }, turn);
    shown += said ? 1 : 0;
  }));
const searches = [];
for (const query of told)
  searches.push(await took(async () => {
    const call = { toolName: "memory_search", params: { query } };
    const { params } = await handlers.before_tool_call(call, context);
    await supplement.search({ ...params, agentId: "main", agentSessionKey: sessionKey });
  }));
console.log(JSON.stringify({ turns, searches, shown }));
await new Promise((resolve) => setTimeout(resolve, 500));
process.exit(0);
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--turns", type=int, default=200)
    options = parser.parse_args()
    node = shutil.which("node")
    if node is None:
        sys.exit("there is no Node.js on this machine")
    with tempfile.TemporaryDirectory() as name:
        state = Path(name)
        defaults = {"workspace": str(options.workspace.resolve())}
        configured = {"agents": {"defaults": defaults}}
        (state / "openclaw.json").write_text(json.dumps(configured))
        messages = state / "messages.json"
        messages.write_text(json.dumps([_message(at) for at in range(options.turns)]))
        plugin = json.dumps((ROOT / "hooks" / "openclaw.js").as_uri())
        script = PLAY.replace("PLUGIN", plugin).replace("ROOT", json.dumps(str(ROOT)))
        with subprocess.Popen(
            [node, "--input-type=module", "-e", script, str(messages)],
            env=os.environ | {"OPENCLAW_STATE_DIR": name},
            stdout=subprocess.PIPE,
            text=True,
        ) as running:
            assert running.stdout  # noqa: S101 - as asked for
            said = json.loads(running.stdout.readline())
            held = _held(running.pid)
            running.wait()
    for what in ("turns", "searches"):
        times = sorted(said[what][1:])
        late = times[int(0.95 * len(times))]
        print(
            f"{what}: median {median(times):.1f} ms, p95 {late:.1f} ms, longest "
            f"{times[-1]:.1f} ms; the first {said[what][0]:.1f} ms"
        )
    print(f"shown to {said['shown']} of {options.turns}; the process holds {held} MB")
    costs = sorted(_costs_when_read(options.workspace, options.turns))
    late = costs[int(0.95 * len(costs))]
    print(f"all read: median {median(costs):.1f} ms, p95 {late:.1f} ms of CPU")


def _costs_when_read(workspace: Path, turns: int) -> list[float]:
    """Return the milliseconds of CPU that each of so many turns takes by itself."""
    costs = []
    with tempfile.TemporaryDirectory() as name:
        memory = Memory.open(workspace=str(workspace), state_dir=name, overrides=[])
        memory.index.keep_open(watch=True)
        encoder = memory.index.remembering()
        for number in range(turns):
            # Its own words are as new each time as those of any message.
            message = f"{_message(number)} {number}"
            job.before_turn(memory, f"{message}0", f"a{number}", job.Conversation())
            while wished := encoder.wished(16):
                encoder.encode(wished)
            began = time.process_time()
            job.before_turn(memory, message, f"b{number}", job.Conversation())
            costs.append(1000 * (time.process_time() - began))
    return costs


def _message(number: int) -> str:
    """Return words of the invented notes, as somebody may type them: some Chinese."""
    words = WORDS.split()
    many = 4 + number % 20
    if number % 4 == 0:
        start = 7 * number % (len(HANZI) - 12)
        return f"{HANZI[start : start + 12]}？"
    return " ".join(words[(number * 5 + at * 3) % len(words)] for at in range(many))


def _held(parent: int) -> int:
    """
    Return the megabytes that the process which *parent* has started holds for itself.

    What it maps of the index's files is the system's to take back.
    """
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            status = _status(folder)
            if status.get("PPid") == str(parent) and "python" in status.get("Name", ""):
                return int(status["RssAnon"].split()[0]) // 1024
    return 0


def _status(folder: Path) -> dict[str, str]:
    try:
        lines = (folder / "status").read_text().splitlines()
    except OSError:
        return {}
    pairs = (line.partition(":") for line in lines)
    return {name: value.strip() for name, _, value in pairs}


if __name__ == "__main__":
    main()
