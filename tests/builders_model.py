"""A language model without a network: it answers by a function of what it is shown."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from builders_life import FIRST, Life

from strata.hookspecs import hookimpl
from strata.judges.controls import known_answer
from strata.memory import Memory
from strata.model.provider import Completion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from strata.settings import Settings

# A question about candidates, days or lines, as prompts show it: one object a line.
_DATA = re.compile(r"<data-([0-9a-f]{16})>\n(.*?)\n</data-\1>", re.DOTALL)

Reply = str | Exception


@dataclass
class FakeModel:
    """
    A provider that answers each prompt with *reply* of it; also the plugin that offers it.
    """

    reply: Callable[[str], Reply]
    name: str = "scripted"
    model: str = "one"
    prompts: list[str] = field(default_factory=list)

    def complete(
        self, prompt: str, *, schema: Mapping[str, object], deadline_seconds: float
    ) -> Completion:
        assert schema
        assert deadline_seconds > 0
        self.prompts.append(prompt)
        said = self.reply(prompt)
        if isinstance(said, Exception):
            raise said
        return Completion(said, len(prompt) // 4, len(said) // 4, self.model)

    @hookimpl
    def model_provider(self, name: str, settings: Settings) -> FakeModel | None:
        assert settings
        return self if name == self.name else None


def shown_in(prompt: str) -> list[dict[str, Any]]:
    """
    What *prompt* shows as data, one object a line.
    """
    found, *_ = _DATA.finditer(prompt)
    return [json.loads(line) for line in found[2].splitlines()]


def candidates_in(prompt: str) -> list[dict[str, Any]]:
    """
    The candidates of *prompt*, without the talk around them and the page.
    """
    return [each for each in shown_in(prompt) if "said" in each]


def page_in(prompt: str) -> dict[str, int]:
    """
    The ids of the lines of the page that *prompt* shows.
    """
    return {row["line"]: row["id"] for row in shown_in(prompt) if "line" in row}


def verdicts(prompt: str, answer: Callable[[str], dict[str, Any]]) -> str:
    """
    The reply in which each candidate of *prompt* gets *answer* of its last wording.

    Questions with known answers are answered as they should be.
    """
    given = []
    for each in candidates_in(prompt):
        text = each["said"][-1]
        known = known_answer(text)
        own = answer(text) if known is None else yes(text) if known else no()
        given.append({"id": each["id"], **own})
    return json.dumps({"verdicts": given}, ensure_ascii=False)


def yes(text: str, **fields: Any) -> dict[str, Any]:
    """
    The verdict that *text* deserves a line.
    """
    return {
        "why": "",
        "mistake": f"go against it: {text}",
        "section": "User Preferences",
        "importance": 7,
        **fields,
    }


def no(why: str = "passing", **fields: Any) -> dict[str, Any]:
    """
    The verdict that a candidate deserves none.
    """
    return {"why": why, **fields}


def careful(lasting: Iterable[str] = (), **fields: Any) -> Callable[[str], str]:
    """
    A model that keeps what holds one of *lasting*, and judges nothing else.
    """
    words = tuple(lasting)

    def reply(prompt: str) -> str:
        return verdicts(
            prompt,
            lambda text: yes(text, **fields) if any(w in text for w in words) else no(),
        )

    return reply


@dataclass
class ModelLife(Life):
    """
    A life in which the nights have *model*, unless it is away; the days have none.
    """

    model: FakeModel | None = None
    settings: tuple[str, ...] = ()

    def talk(self, *said: str, sync_now: bool = True) -> None:
        model, self.model = self.model, None
        super().talk(*said, sync_now=sync_now)
        self.model = model

    def memory(self, *, hours: float = 0) -> Memory:
        if self.model is None:
            return super().memory(hours=hours)
        now = FIRST.fromtimestamp(
            FIRST.timestamp() + self.day * 86_400 + hours * 3_600, FIRST.tzinfo
        )
        memory = Memory.open(
            workspace=str(self.root / "workspace"),
            state_dir=str(self.root / "state"),
            now=now.isoformat(),
            overrides=[
                "timezone=UTC",
                f"model.provider={self.model.name}",
                *self.settings,
            ],
        )
        memory.plugins.register(self.model)
        return memory


def life_with(root: Path, reply: Callable[[str], Reply]) -> tuple[ModelLife, FakeModel]:
    """
    An empty life below *root* with a model that gives *reply*.
    """
    (root / "workspace" / "memory").mkdir(parents=True)
    (root / "state").mkdir()
    model = FakeModel(reply)
    return ModelLife(root, model=model), model
