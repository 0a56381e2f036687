"""
What an import costs: years of ChatGPT in one zip, without a language model and vectors.

Usage: ``python bench/importing.py [--conversations 5000] [--turns 6] [--again]
[--kills 25] [--folder DIR]``

The export is made here, in the shape that ChatGPT publishes: some 30 KB of JSON a
conversation of six turns, of which a third is words. One process imports all of it; CPU
is user plus system time, memory the peak of resident memory. With ``--again`` the same
export is imported a second time, and a later one in which every tenth conversation has
gone on.
With ``--kills`` another workspace gets it from processes that are killed at random moments,
and both have to end in the same bytes, until an undo takes them back.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT = Path(__file__).resolve().parents[1]
FIRST = datetime(2023, 1, 2, 7, 0, tzinfo=UTC)
TURNS = 6
# The command as it is, on a machine without an embedding model.
PROGRAM = (
    "from strata.memory import Memory; Memory.model_folder = None\n"
    "import sys; from strata.cli import main; main(sys.argv[1:])"
)
ASKED = (
    "Can you explain how {thing} handles {part} when there are {n} of them?",
    "We decided to use {thing} for the {part} of service {n}, it is simpler to run.",
    "Write me a short mail to Dana about the {part}, due on the {day}.",
    "From now on always name the {part} of {thing} after the customer.",
    "Why does {thing} time out after {n} seconds while the {part} loads?",
    "I found out why the {part} was slow: {thing} opened {n} connections.",
    "Thanks, and what would you change about the {part}?",
    "My sister Ines wants to learn {thing}; where should she begin?",
    "帮我看一下 {thing} 的 {part}，一共有 {n} 个。",
    "我们决定 {part} 用 {thing}，下周 {day} 号上线。",
)
THINGS = ("PostgreSQL", "Redis", "Vite", "Kafka", "Terraform", "Ansible", "Django")
PARTS = ("cache", "queue", "index", "backup", "schema", "report", "budget", "draft")
SENTENCE = (
    "the result of this is that each request waits for a connection and the pool grows "
    "until memory is full so you would set a limit first and then measure again with the "
    "same load before anything else changes because otherwise nobody knows which of the "
    "two helped and a later change may hide it"
)
WORDS = SENTENCE.split()


def conversation(number: int, turns: int = TURNS) -> dict[str, Any]:
    """Return conversation *number*; the same in every run, and longer with more *turns*."""
    chance = random.Random(number)  # noqa: S311 - nothing secret
    name = str(UUID(int=chance.getrandbits(128)))
    moment = FIRST + timedelta(hours=6 * number, minutes=chance.randrange(300))
    begun = moment
    nodes: dict[str, Any] = {"root": _node("root", None, None)}
    parent = "root"
    for turn in range(turns):
        for role in ("user", "assistant"):
            moment += timedelta(seconds=40)
            text = _asked(chance) if role == "user" else _answer(chance)
            own = str(UUID(int=chance.getrandbits(128)))
            nodes[own] = _node(own, parent, _message(own, role, text, moment, turn))
            nodes[parent]["children"].append(own)
            parent = own
    return {
        "title": f"Talk {number} about {chance.choice(THINGS)}",
        "create_time": begun.timestamp(),
        "update_time": moment.timestamp(),
        "mapping": nodes,
        "moderation_results": [],
        "current_node": parent,
        "conversation_id": name,
        "id": name,
        "is_archived": False,
        "default_model_slug": "auto",
    }


def _asked(chance: random.Random) -> str:
    return chance.choice(ASKED).format(
        thing=chance.choice(THINGS),
        part=chance.choice(PARTS),
        n=chance.randrange(2, 900),
        day=chance.randrange(1, 29),
    )


def _answer(chance: random.Random) -> str:
    paragraphs = []
    for _ in range(chance.randrange(2, 8)):
        words = chance.choices(WORDS, k=60)
        paragraphs.append(f"{' '.join(words).capitalize()}.")
    return "\n\n".join(paragraphs)


def _node(own: str, parent: str | None, message: object) -> dict[str, Any]:
    return {"id": own, "message": message, "parent": parent, "children": []}


def _message(
    own: str, role: str, text: str, moment: datetime, turn: int
) -> dict[str, Any]:
    return {
        "id": own,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": moment.timestamp(),
        "update_time": None,
        "content": {"content_type": "text", "parts": [text]},
        "status": "finished_successfully",
        "end_turn": role == "assistant",
        "weight": 1.0,
        "metadata": {
            "selected_github_repos": [],
            "selected_all_github_repos": False,
            "serialization_metadata": {"custom_symbol_offsets": []},
            "request_id": f"{own}-request",
            "message_source": None,
            "turn_exchange_id": f"{own}-turn-{turn}",
            "citations": [],
            "content_references": [
                {
                    "matched_text": " ",
                    "start_idx": n,
                    "end_idx": n,
                    "safe_urls": [],
                    "refs": [],
                    "alt": "",
                    "prompt_text": None,
                    "type": "sources_footnote",
                }
                for n in range(4)
            ],
            "gizmo_id": None,
            "message_type": "next",
            "model_slug": "gpt-5",
            "default_model_slug": "auto",
            "parent_id": own,
            "finish_details": {"type": "stop", "stop_tokens": [200002]},
            "is_complete": True,
            "model_switcher_deny": [],
        },
        "recipient": "all",
        "channel": None,
    }


def write_export(
    path: Path, conversations: int, *, turns: int = TURNS, grown: bool = False
) -> int:
    """Write the zip *path*, and return how many bytes of JSON are in it."""
    written = 0
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        for part, numbers in enumerate(_parts(conversations)):
            name = f"conversations-{part:03d}.json"
            with packed.open(name, "w", force_zip64=True) as file:
                for place, number in enumerate(numbers):
                    more = 2 if grown and number % 10 == 0 else 0
                    made = conversation(number, turns + more)
                    told = json.dumps(made, ensure_ascii=False)
                    line = f"{',' if place else '['}{told}".encode()
                    written += file.write(line)
                file.write(b"]")
    return written


def _parts(conversations: int) -> Iterator[range]:
    for first in range(0, conversations, 1000):
        yield range(first, min(first + 1000, conversations))


def measured(arguments: list[str]) -> tuple[float, float, float, str]:
    """Run one import; return CPU and wall in seconds, MB of memory, and what it said."""
    begin = time.perf_counter()
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", PROGRAM, *arguments]
    with subprocess.Popen(
        command, cwd=PROJECT, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        said = process.stdout.read() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - begin
    if status:
        raise SystemExit(f"{' '.join(arguments)} failed")
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, said


def killed(arguments: list[str], kills: int, seconds: float) -> int:
    """Kill an import *kills* times within *seconds* each, then let it end; count them."""
    chance, done = random.Random(7), 0  # noqa: S311 - nothing secret
    for _ in range(kills):
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            cwd=PROJECT,
            stdout=subprocess.DEVNULL,
        )
        try:
            process.wait(chance.uniform(0.5, seconds))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            done += 1
    measured(arguments)
    return done


def digests(workspace: Path) -> dict[str, str]:
    """Return the SHA-256 of each note, page and kept talk."""
    found = [*workspace.rglob("memory/**/*.md"), *workspace.rglob("imported/*/*.jsonl")]
    return {
        str(path.relative_to(workspace)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in found
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conversations", type=int, default=5000)
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--folder", type=Path, default=None)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        root = Path(name)
        for folder in ("workspace", "state"):
            (root / folder).mkdir()
        shared = ["--workspace", str(root / "workspace")]
        shared += ["--state-dir", str(root / "state"), "--set", "timezone=UTC"]
        export = root / "export.zip"
        runs = ["first import"]
        size = write_export(export, options.conversations, turns=options.turns)
        print(f"{options.conversations} conversations, {size / 1e6:.0f} MB of JSON")
        if options.again:
            runs += ["the same again", "every tenth has gone on"]
        for run in runs:
            if run == runs[-1] and len(runs) > 1:
                write_export(
                    export, options.conversations, turns=options.turns, grown=True
                )
            cpu, wall, memory, said = measured([*shared, "import", str(export)])
            figures = f"{cpu:7.1f} s CPU {wall:7.1f} s wall {memory:6.0f} MB"
            print(f"{run:26s} {figures}\n{said}", flush=True)
        if options.kills:
            workspaces = [root / "workspace", root / "killed"]
            if options.again:
                write_export(export, options.conversations, turns=options.turns)
                workspaces[0] = root / "whole"
                workspaces[0].mkdir()
                whole = ["--workspace", str(workspaces[0]), *shared[2:]]
                measured([*whole, "import", str(export)])
            workspaces[1].mkdir()
            other = ["--workspace", str(workspaces[1]), *shared[2:]]
            kills = killed(
                [*other, "import", str(export)], options.kills, options.seconds
            )
            same = digests(workspaces[0]) == digests(workspaces[1])
            print(f"killed {kills} times: {'the same' if same else 'OTHER'} bytes")
            measured([*other, "undo"])
            print(f"left after undo: {len(digests(workspaces[1]))} files")


if __name__ == "__main__":
    main()
