"""
How much of what was said do the rules catch, and with which tags?

Usage: ``python bench/capture.py [--verbose] [--notes] [SCENARIO.yaml ...]``

Plays the conversations of the planted replay scenarios, cut at the times of the syncs,
through `extract_facts` alone: no files, no index, a second or two. Without arguments the
scenarios beside the project and those under ``bench/scenarios`` are played.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import sys
import time
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.judges.entries import extract_facts
from strata.models import Fact, Message, Origin
from strata.notes.entries import worded
from strata.statements.grounding.proposals import unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

PROJECT = Path(__file__).resolve().parents[1]
PLANTED = PROJECT.parent / "shared" / "bench" / "planted"
SKIPPED = {"cron", "hb", "subagent", "group"}
MACHINERY = re.compile(r"HEARTBEAT_OK|NO_REPLY|/new")
MEMORY_BLOCK = re.compile(r"<relevant-memories>.*?</relevant-memories>", re.DOTALL)
MEMORY_TOOLS = ("memory_get", "memory_search")


@dataclass(frozen=True)
class Row:
    """One entry that the rules wrote: when, in which session, and what."""

    day: date
    session: str
    block: int
    fact: Fact
    normed: str


@dataclass
class Result:
    """What one scenario yields."""

    rows: list[Row] = field(default_factory=list)
    blocks: list[tuple[str, int, int]] = field(default_factory=list)
    messages: int = 0
    seconds: float = 0.0
    ungrounded: list[str] = field(default_factory=list)


# The harness is a script without types, found only where the shared material lies.
def plantlib() -> Any:
    sys.path.insert(0, str(PLANTED))
    return importlib.import_module("plantlib")


def messages_of(scenario: Any, session: Any) -> list[Message]:
    """Return what a transcript reader hands over: visible, redacted, numbered."""
    found: list[Message] = []
    recalled = False
    for line in session.lines:
        role, text, tool, failed = line.role, line.text, "", False
        if role == "tool":
            raw = json.loads(line.raw)["message"]
            tool, failed, text = raw["toolName"], raw["isError"], ""
            recalled = recalled or tool in MEMORY_TOOLS
        elif role == "assistant":
            parts = json.loads(line.raw)["message"]["content"]
            text = "\n".join(p["text"] for p in parts if p["type"] == "text")
            text = text.removeprefix("[[reply_to_current]] ")
        elif role == "user":
            recalled = False
        if role not in ("user", "assistant", "tool") or MACHINERY.fullmatch(text):
            continue
        text = redact(scenario, MEMORY_BLOCK.sub("", text).strip())
        if not text and role != "tool":
            continue
        number = sum(m.role != "tool" for m in found) + (role != "tool")
        origin = {"user": Origin.OWNER, "assistant": Origin.AGENT}.get(
            role, Origin.UNTRUSTED
        )
        found.append(
            Message(
                json.loads(line.raw)["id"],
                number,
                role,
                text,
                line.ts,
                origin,
                tool,
                failed,
                recalled=recalled and role == "assistant",
            )
        )
    return found


def redact(scenario: Any, text: str) -> str:
    for name, secret in scenario.secrets.items():
        text = text.replace(secret, f"⟦secret:{name}⟧")
    return text


def stretches(
    scenario: Any, planted: Any, session: Any
) -> Iterator[tuple[date, list[Message]]]:
    """Cut a session where syncs would find it, and at midnight."""
    messages = messages_of(scenario, session)
    syncs = [at for at, what, _why in planted.schedule(scenario) if what == "sync"]
    done = 0
    for at in [*syncs, None]:
        ready = [m for m in messages if at is None or m.time <= at]
        if sum(m.role == "user" for m in ready) < 2:
            continue
        fresh = ready[done:]
        done = len(ready)
        for day, part in groupby(fresh, key=lambda m: scenario.day_of(m.time)):
            yield day, list(part)


def play(scenario: Any, planted: Any) -> Result:
    result = Result()
    for session in scenario.sessions:
        if session.noise in SKIPPED or not session.lines:
            continue
        for index, (day, part) in enumerate(stretches(scenario, planted, session)):
            began = time.process_time()
            facts = extract_facts(part, timezone=scenario.tz)
            result.seconds += time.process_time() - began
            result.messages += sum(m.role != "tool" for m in part)
            owner = sum(m.role == "user" for m in part)
            result.blocks.append((session.sid, owner, len(facts)))
            for fact in facts:
                reason = unsupported(fact, scenario.tz)
                if reason:
                    result.ungrounded.append(f"{reason}: {fact.text}")
                normed = planted.norm("- " + worded(fact.entry))
                result.rows.append(Row(day, session.sid, index, fact, normed))
    return result


def hits(scenario: Any, state: dict[str, Any], result: Result) -> list[Row]:
    matcher = scenario.matcher(state["g"], state["but"])
    days = scenario.good_days(state["mark"])
    return [
        row
        for row in result.rows
        if row.day in days and len(row.normed) <= 500 and matcher.hit(row.normed)
    ]


def accepted_tags(planted: Any, state: dict[str, Any]) -> set[str]:
    tags = set(state["tags"] or planted.TAGS[state["kind"]])
    return tags | ({"preference", "decision"} if state["cls"] == "V" else set())


def duplicates(result: Result) -> list[tuple[Row, Row]]:
    """Entries of one block that say nearly the same."""
    found = []
    for _, group in groupby(result.rows, key=lambda row: (row.session, row.block)):
        rows = list(group)
        found += [
            (one, two)
            for position, one in enumerate(rows)
            for two in rows[:position]
            if SequenceMatcher(None, one.normed, two.normed, autojunk=False).ratio()
            >= 0.85
        ]
    return found


def report(path: Path, *, verbose: bool, notes: bool) -> None:
    planted = plantlib()
    scenario = planted.Scenario(path)
    result = play(scenario, planted)
    by_class: dict[str, list[int]] = {}
    tags_right, tags_seen, remarks = 0, 0, []
    for mark, state in scenario.states().items():
        rows = hits(scenario, state, result)
        if state["capture"]:
            count = by_class.setdefault(state["cls"], [0, 0])
            count[0] += bool(rows)
            count[1] += 1
            if not rows:
                remarks.append(f"missed {mark}: {state['note']}")
        if rows and state["capture"] and state["cls"] in "DVCFE":
            tags = accepted_tags(planted, state)
            right = any(row.fact.tag in tags for row in rows)
            tags_seen += 1
            tags_right += right
            if not right:
                said = [f"[{row.fact.tag}] {row.fact.text}" for row in rows]
                remarks.append(f"tag of {mark} not in {sorted(tags)}: {said}")
    remarks += traps(scenario, result)
    found = sum(a for a, _ in by_class.values())
    wanted = sum(b for _, b in by_class.values())
    sizes = [size for _, _, size in result.blocks]
    print(
        f"{scenario.id}: capture {found}/{wanted} = {found / wanted:.3f}  "
        + "  ".join(f"{k} {a}/{b}" for k, (a, b) in sorted(by_class.items()))
    )
    print(
        f"  tags right {tags_right}/{tags_seen}  entries {len(result.rows)} "
        f"({len(result.rows) / result.messages:.2f} a message)  "
        f"blocks with 3-10: {sum(3 <= s <= 10 for s in sizes)}/{len(sizes)} "
        f"(empty {sizes.count(0)})  duplicates {len(duplicates(result))}  "
        f"not grounded {len(result.ungrounded)}  {result.seconds * 1000:.0f} ms CPU"
    )
    remarks += [f"not grounded: {line}" for line in result.ungrounded]
    remarks += [
        f"duplicate: {a.fact.text} / {b.fact.text}" for a, b in duplicates(result)
    ]
    for line in remarks if verbose else ():
        print("   ", line)
    for row in result.rows if notes else ():
        print(
            f"   {row.session}.{row.block} {row.day} [{row.fact.tag}] {row.fact.text}"
        )


def traps(scenario: Any, result: Result) -> list[str]:
    """Entries with a durable tag that match what must never become durable."""
    found = []
    for mark, kind, matcher in scenario.taboo():
        if kind in ("stale", "uncorrected", "expired"):
            continue
        for row in result.rows:
            durable = row.fact.tag in ("preference", "decision") or kind == "injected"
            if durable and matcher.hit(row.normed):
                found.append(f"trap {mark} ({kind}): [{row.fact.tag}] {row.fact.text}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="*", type=Path)
    parser.add_argument("--verbose", action="store_true", help="name every miss")
    parser.add_argument("--notes", action="store_true", help="print every entry")
    arguments = parser.parse_args()
    scenarios = arguments.scenarios or [
        *sorted((PLANTED / "scenarios").glob("*.yaml")),
        *sorted((PROJECT / "bench" / "scenarios").glob("*.yaml")),
    ]
    for path in scenarios:
        report(path, verbose=arguments.verbose, notes=arguments.notes)


if __name__ == "__main__":
    main()
