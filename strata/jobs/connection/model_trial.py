"""One tiny question to the language model, to see that it works."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.model.answers import Reply
from strata.model.prompts import Prompt

if TYPE_CHECKING:
    from strata.memory import Memory
    from strata.model.asking import Model


@dataclass(frozen=True, slots=True)
class Trial:
    """How it went; *notes* say why where it does not work."""

    name: str
    works: bool
    seconds: float
    calls: int
    tokens: int
    notes: tuple[str, ...]


class _Sum(Reply):
    sum: int


def try_model(memory: Memory, model: Model) -> Trial:
    """Ask for a sum, even where the model is left alone, and never from the cache."""
    model.reopen()
    prompt = Prompt.render("try_model", moment=memory.now.isoformat())
    begin = time.monotonic()
    answer = model.ask(prompt, _Sum, check=_right)
    seconds = round(time.monotonic() - begin, 3)
    return Trial(
        model.name, answer is not None, seconds, model.calls, model.tokens, model.notes
    )


def _right(answer: _Sum) -> None:
    if answer.sum != 19 + 23:
        raise ValueError("that is not the sum of 19 and 23")
