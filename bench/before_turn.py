"""
How often what is recalled before a turn is needed, and how much of what is needed is there.

    python bench/before_turn.py [DIR] [--misses] [--cut N …]

*DIR* holds invented people, one JSON file each (the form is told in `training/README.md`);
by default `bench/before_turn/`, of whom nothing was learned. What each told their agent is
written into daily notes and indexed; then every message is a conversation of its own, and
goes the way that it goes in the gateway's process. Prints the shares by language, how many
tokens were shown, and how long it took; with --misses also what was wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from strata.jobs import before_turn as job  # noqa: E402 - after the path
from strata.memory import Memory  # noqa: E402 - the same
from strata.search.answering.bearing import CUT, together  # noqa: E402 - the same
from strata.tokens import token_count  # noqa: E402 - the same

PEOPLE = Path(__file__).with_suffix("")
NOW = "2026-11-20T12:00:00+00:00"


@dataclass
class Tally:
    """What was shown to how many messages, and how much of it was needed."""

    messages: int = 0
    shown: int = 0
    right: int = 0
    lines: int = 0
    needed_lines: int = 0
    wanted: int = 0
    found: int = 0
    tokens: list[int] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)

    def add(self, needs: set[str], may: set[str], seen: set[str], text: str) -> None:
        self.messages += 1
        self.shown += bool(seen)
        self.right += bool(seen & needs)
        self.lines += len(seen - may)
        self.needed_lines += len(seen & needs)
        self.wanted += len(needs)
        self.found += len(seen & needs)
        if seen:
            self.tokens.append(token_count(text))

    def told(self) -> str:
        return (
            f"{self.messages} messages, shown to {self.shown}: needed in "
            f"{self.right / max(self.shown, 1):.2f} of them, lines "
            f"{self.needed_lines / max(self.lines, 1):.2f}; of what is needed "
            f"{self.found / max(self.wanted, 1):.2f} is there; "
            f"{statistics.mean(self.tokens or [0]):.0f} tokens"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("people", type=Path, nargs="?", default=PEOPLE)
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--cut", type=float, nargs="*", default=[CUT])
    options = parser.parse_args()
    files = sorted(options.people.glob("*.json"))
    with tempfile.TemporaryDirectory() as folder:
        opened = [(told, _remembered(told, Path(folder))) for told in map(_read, files)]
        for cut in options.cut:
            job.__dict__["together"] = partial(together, cut=cut)
            _play(opened, cut, misses=options.misses)


def _play(
    opened: list[tuple[dict[str, Any], Memory]], cut: float, *, misses: bool
) -> None:
    tallies: dict[str, Tally] = defaultdict(Tally)
    for told, memory in opened:
        texts = {each["text"]: each["id"] for each in told["memory"]}
        for at, message in enumerate(told["messages"]):
            began = time.perf_counter()
            talk = job.Conversation()
            shown = job.before_turn(memory, message["say"], f"c{at}", talk)
            took = 1000 * (time.perf_counter() - began)
            seen = {texts[line] for line, _ in talk.unused}
            needs, may = set(message["needs"]), set(message.get("maybe", []))
            for language in (told["language"], "all"):
                tallies[language].add(needs, may, seen, shown)
                tallies[language].milliseconds.append(took)
            if misses and seen != needs:
                back = {number: text for text, number in texts.items()}
                print(f"  {message['say'][:100]!r}")
                print(f"    lacks {[back[e][:70] for e in needs - seen]}")
                print(f"    wrong {[back[e][:70] for e in seen - needs - may]}")
    for language, tally in tallies.items():
        print(f"cut {cut} {language}: {tally.told()}")
    every: list[float] = sorted(tallies["all"].milliseconds)
    last = every[int(0.95 * len(every))]
    print(f"median {statistics.median(every):.1f} ms, p95 {last:.1f} ms")


def _read(path: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return told | {"name": path.stem}


def _remembered(told: dict[str, Any], folder: Path) -> Memory:
    """Write what *told* holds into daily notes, index them, and have the lines read."""
    workspace = folder / told["name"]
    days: dict[str, list[str]] = defaultdict(list)
    for each in told["memory"]:
        days[each["day"]].append(f"- {each['text']}\n")
    for number, (day, lines) in enumerate(sorted(days.items())):
        head = f"# {day}\n\n## 10:12 session:{number:08x} | {2 * len(lines)} messages\n"
        note = workspace / "memory" / f"{day}.md"
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(head + "".join(lines), encoding="utf-8")
    memory = Memory.open(
        workspace=str(workspace),
        state_dir=str(folder / "state"),
        now=NOW,
        overrides=["timezone=UTC"],
    )
    memory.index.keep_open(watch=True)
    memory.index.update(embed=True)
    job.Ahead().read(memory, 10_000)
    return memory


if __name__ == "__main__":
    main()
