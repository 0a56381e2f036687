"""What a night with a language model costs in tokens, and how much of that are data."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

PROJECT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(PROJECT), str(PROJECT / "tests")]

from builders import Conversation  # noqa: E402 - beside the tests
from builders_life import FIRST  # noqa: E402
from builders_model import (  # noqa: E402
    FakeModel,
    ModelLife,
    no,
    shown_in,
    verdicts,
    yes,
)
from judges import careful  # noqa: E402 - beside this file

from strata.jobs.sync import sync  # noqa: E402 - after the path is set
from strata.tokens import token_count  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_DATA = re.compile(r"<data-([0-9a-f]{16})>\n(.*?)\n</data-\1>", re.DOTALL)
# A talk of fewer messages is hardly one.
_SHORTEST = 4
TALKS = PROJECT / "training" / "statements"


@dataclass
class Counting:
    """
    A model that answers as *labels* have it, and what was said in both directions.

    *labels* are those of the training data, by the sentences of the talks.
    """

    labels: dict[str, str]
    said: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, prompt: str) -> str:
        """Answer *prompt*."""
        if '"facts"' in prompt:
            reply = self._facts(prompt)
        elif "long-term memory: one page" in prompt:
            reply = verdicts(prompt, self._verdict)
        else:
            reply = str(careful(prompt))
        self.said.append((prompt, reply))
        return reply

    def _facts(self, prompt: str) -> str:
        facts = [
            {"text": text, "kind": "preference", "messages": [row["id"]]}
            for row in shown_in(prompt)
            for text, label in self.labels.items()
            if row.get("who") == "owner" and text in row["says"] and label[0] != "-"
        ]
        return json.dumps({"facts": facts}, ensure_ascii=False)

    def _verdict(self, text: str) -> dict[str, Any]:
        lasts = self.labels.get(text, "-").endswith("+")
        return yes(text[:30], line=text) if lasts else no()


def tokens_of_a_night(root: Path, *, count: int, standing: int) -> str:
    """Return what a night with *count* new statements costs, after one with *standing*."""
    (root / "workspace" / "memory").mkdir(parents=True)
    (root / "state").mkdir()
    talks = _talks()
    counting = Counting({})
    life = ModelLife(root, model=FakeModel(counting))
    life.settings = ("model.max_tokens_per_day=2000000", "embedding.model=none")
    _day(life, talks, counting.labels, standing)
    life.night()
    lines = len(life.lines)
    counting.said.clear()
    new = _day(life, talks, counting.labels, count)
    by_day = _told("the day before", counting.said)
    counting.said.clear()
    report = life.night()
    night = _told(f"a night of {new} statements and {lines} lines", counting.said)
    left = report.left_to_rules
    return f"{night}\n{report.judged} judged, {left} left to the local judge\n{by_day}"


def _day(
    life: ModelLife, talks: Iterator[Any], labels: dict[str, str], count: int
) -> int:
    """Let the owner talk until *count* statements were noted; return how many are."""
    noted, number = 0, 0
    while noted < count:
        at = FIRST + timedelta(days=life.day, minutes=10 * number)
        name = f"{life.day:04x}{number:04x}-0000-4000-8000-000000000000"
        talk = Conversation(life.root / "state", name, f"agent:main:{name[:8]}", at)
        for who, said in next(talks):
            if who == "agent":
                talk.agent(said)
            else:
                talk.user(" ".join(text for _, text in said))
                labels |= {text: label for label, text in said}
        talk.save()
        number += 1
        if number % 3 == 0:
            sync(life.memory(hours=number))
            noted = _noted(life)
    return noted


def _noted(life: ModelLife) -> int:
    """Return how many statements the note of the day holds."""
    day = (FIRST + timedelta(days=life.day)).date()
    return life.memory().workspace.read(f"memory/{day}.md").count("\n- ")


def _talks() -> Iterator[Any]:
    """Yield talks of several messages, in both languages by turns."""
    found = [
        [json.loads(line)["talk"] for line in (TALKS / name).open(encoding="utf-8")]
        for name in ("en/talk_01.jsonl", "zh/talk_01.jsonl")
    ]
    for pair in zip(*found, strict=False):
        yield from (talk for talk in pair if len(talk) >= _SHORTEST)


def _told(what: str, said: Iterable[tuple[str, str]]) -> str:
    pairs = list(said)
    asked = sum(token_count(prompt) for prompt, _ in pairs)
    answered = sum(token_count(reply) for _, reply in pairs)
    shown = (match[2] for prompt, _ in pairs for match in _DATA.finditer(prompt))
    data = sum(map(token_count, shown))
    total, fixed = asked + answered, asked - data
    parts = f"{fixed} fixed text, {data} shown, {answered} answered"
    share = f"{1 - fixed / max(total, 1):.0%} data"
    return f"{what}: {len(pairs)} questions, {total} tokens ({parts}): {share}"
