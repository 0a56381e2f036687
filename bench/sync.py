"""
What a sync costs: with nothing new among many old conversations, after one of them, and
after one message in a long one.

Usage: ``python bench/sync.py [--conversations 5000] [--messages 20000] [--runs 10]``

Every figure is of a whole process, from its start to its end: CPU is user plus system
time, memory the peak of resident memory, each the median of the runs. Nothing is read
from the real OpenClaw; conversations, workspace and index are made in a folder that is
removed afterwards.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

PROJECT = Path(__file__).resolve().parents[1]
# By the launcher, as installed: it keeps numpy from starting a thread for each core.
STRATA = [str(PROJECT / "scripts" / "strata"), "--set", "timezone=UTC"]
# As installed: modules are compiled once, not at every start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
FIRST = datetime(2024, 1, 1, 9, 0, tzinfo=UTC)
LONG = "10c95e55-1111-4222-8333-444444444444"
SAID = (
    ("Which cache did we use for service {n}?", "Redis, as agreed in spring."),
    (
        "We decided to move service {n} to Valkey 8, Redis changed its licence.",
        "Moved.",
    ),
    ("From now on always run migrations of service {n} by hand.", "By hand it is."),
    (
        "I found out why service {n} restarts: the probe times out at 3 s.",
        "Set to 10 s.",
    ),
)


@dataclass(frozen=True)
class Cost:
    """One process: CPU and wall time in seconds, peak memory in MB."""

    cpu: float
    wall: float
    memory: float


def conversation(number: int, folder: Path) -> str:
    """Write one conversation of eight messages and return its id."""
    session_id = str(UUID(int=(number * 0x9E3779B97F4A7C15F39CC0605CEDC834) % 2**128))
    moment = FIRST + timedelta(hours=4 * number)
    lines = [
        {"type": "session", "version": 3, "id": session_id, "timestamp": iso(moment)}
    ]
    parent = None
    for turn, pair in enumerate(SAID):
        for role, text in zip(("user", "assistant"), pair, strict=True):
            moment += timedelta(seconds=40)
            own = f"{turn}{role[0]}{number:06d}"
            content = [{"type": "text", "text": text.format(n=number)}]
            message = {"role": role, "content": content}
            lines.append(
                {
                    "type": "message",
                    "id": own,
                    "parentId": parent,
                    "timestamp": iso(moment),
                    "message": message,
                }
            )
            parent = own
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    (folder / f"{session_id}.jsonl").write_text(text, encoding="utf-8")
    return session_id


def long_conversation(messages: int, folder: Path) -> None:
    """Write a conversation that nobody ever ended; the owner says every tenth message."""
    path = folder / f"{LONG}.jsonl"
    head = {"type": "session", "version": 3, "id": LONG, "timestamp": iso(FIRST)}
    path.write_text(f"{json.dumps(head)}\n", encoding="utf-8")
    with path.open("a", encoding="utf-8") as file:
        for number in range(messages):
            file.write(long_message(number))


def long_message(number: int) -> str:
    """Return the line of message *number*; there is a pause after every two hundred."""
    moment = FIRST + timedelta(seconds=20 * number, hours=number // 200)
    role = "assistant" if number % 10 else "user"
    text = SAID[number // 10 % len(SAID)][role == "assistant"].format(n=number // 10)
    line = {
        "type": "message",
        "id": f"m{number}",
        "parentId": f"m{number - 1}" if number else None,
        "timestamp": iso(moment),
        "message": {"role": role, "content": [{"type": "text", "text": text}]},
    }
    return f"{json.dumps(line)}\n"


def rule(number: int) -> str:
    """Return the line of message *number*, which is worth a note and has a number."""
    line = json.loads(long_message(number))
    text = f"From now on always run migrations of service {number} by hand."
    line["message"] = {"role": "user", "content": [{"type": "text", "text": text}]}
    return f"{json.dumps(line)}\n"


def iso(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def measured(arguments: list[str]) -> Cost:
    """Run one process and return what the operating system says that it cost."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        arguments, cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    if status:
        raise SystemExit(f"{' '.join(arguments)} failed: {process.stderr}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def show(name: str, costs: list[Cost]) -> None:
    cpu, wall, memory = (
        statistics.median(getattr(cost, figure) for cost in costs)
        for figure in ("cpu", "wall", "memory")
    )
    print(f"{name:46s} {cpu:7.2f} s CPU {wall:7.2f} s wall {memory:6.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conversations", type=int, default=5000)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--folder", type=Path, default=None)
    parser.add_argument("--messages", type=int, default=20_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        root = Path(name)
        sessions = root / "state" / "agents" / "main" / "sessions"
        sessions.mkdir(parents=True)
        workspace = root / "workspace"
        workspace.mkdir()
        for number in range(options.conversations):
            conversation(number, sessions)
        (sessions / "sessions.json").write_text("{}", encoding="utf-8")
        where = ["--workspace", str(workspace), "--state-dir", str(root / "state")]
        sync = [*STRATA, *where, "sync"]

        print(f"{options.conversations} conversations, medians of {options.runs} runs")
        show("first sync, all of them, with index", [measured(sync)])
        idle = [measured(sync) for _ in range(options.runs)]
        show("sync with nothing new", idle)
        after_one = []
        for run in range(options.runs):
            conversation(options.conversations + run, sessions)
            after_one.append(measured(sync))
        show("sync after one finished conversation", after_one)

    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        root = Path(name)
        sessions = root / "state" / "agents" / "main" / "sessions"
        sessions.mkdir(parents=True)
        (root / "workspace").mkdir()
        entry = {"sessionId": LONG, "chatType": "direct"}
        index = json.dumps({"agent:main:main": entry})
        (sessions / "sessions.json").write_text(index, encoding="utf-8")
        where = ["--workspace", str(root / "workspace")]
        sync = [*STRATA, *where, "--state-dir", str(root / "state"), "sync"]
        for messages in (20, options.messages):
            long_conversation(messages, sessions)
            show(f"first sync of {messages} messages", [measured(sync)])
            grown = []
            for run in range(options.runs):
                with (sessions / f"{LONG}.jsonl").open("a", encoding="utf-8") as file:
                    file.write(long_message(messages + run))
                grown.append(measured(sync))
            show(f"sync after one message more than {messages}", grown)
            settled = []
            for run in range(options.runs):
                with (sessions / f"{LONG}.jsonl").open("a", encoding="utf-8") as file:
                    file.write(rule(messages + options.runs + run))
                settled.append(measured(sync))
            show(f"sync that notes one message more than {messages}", settled)


if __name__ == "__main__":
    main()
