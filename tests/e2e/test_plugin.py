"""The plugin carries ids from OpenClaw to Python, and nothing else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from builders import small_talk

ROOT = Path(__file__).parents[2]
NODE = shutil.which("node")
DAY = "memory/2026-11-20.md"

# Loads the plugin as the gateway does, with an API that only records, and fires an event.
HARNESS = """
import plugin from PLUGIN;
const handlers = {};
plugin.register({ rootDir: ROOT, on: (name, handler) => { handlers[name] = handler; } });
const [name, event, context] = JSON.parse(process.argv[1]);
const begin = performance.now();
handlers[name](event, context);
console.log(JSON.stringify({ names: Object.keys(handlers), ms: performance.now() - begin }))
"""

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="there is no Node.js on this machine"),
    pytest.mark.skipif(
        not (ROOT / ".venv").exists(), reason="run scripts/install, the plugin needs it"
    ),
]


def fire(
    name: str, event: dict[str, str], context: dict[str, str], state: Path
) -> dict[str, list[str]]:
    """
    Fire one event in a Node.js process and return what it says.
    """
    plugin = json.dumps((ROOT / "hooks" / "openclaw.js").as_uri())
    finished = subprocess.run(
        [
            str(NODE),
            "--input-type=module",
            "-e",
            HARNESS.replace("PLUGIN", plugin).replace("ROOT", json.dumps(str(ROOT))),
            json.dumps([name, event, context]),
        ],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OPENCLAW_STATE_DIR": str(state), "TZ": "UTC"},
        timeout=60,
    )
    said: dict[str, list[str]] = json.loads(finished.stdout)
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

    assert said["names"] == ["session_end", "before_reset", "before_compaction"]
    assert "session:61871d67 | 6 messages" in wait_for(workspace / DAY)


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
