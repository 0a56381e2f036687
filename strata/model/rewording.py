"""What a model worded so that it cannot be taken, it is asked to word once more."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.model.answers import Reply
from strata.model.batching import batches
from strata.model.prompts import Prompt, quoted
from strata.notes.entries import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from strata.model.asking import Model

PROMPT = "reword_lines"
_MOST = 40
# What the answer's schema adds to a prompt.
_SCHEMA_CHARS = 1_000


class Reworded(Reply):
    """One line in other words."""

    id: int
    line: str = ""


class Rewordings(Reply):
    """The lines that could not be taken, worded again."""

    lines: list[Reworded]


@dataclass(frozen=True, slots=True)
class WrongLine:
    """A line that was refused: why, and the words that were said."""

    line: str
    reason: str
    said: tuple[str, ...]


def reword(model: Model, wrong: Sequence[WrongLine]) -> list[str]:
    """Return for each of *wrong* what *model* says instead, "" where it has nothing."""
    room = model.window_chars - len(_prompt([]).text) - _SCHEMA_CHARS
    told: list[str] = []
    for batch in batches(wrong, most=_MOST, room=room, chars=_chars):
        found = model.ask(_prompt(batch), Rewordings, check=_once(len(batch)))
        again = {each.id: one_line(each.line) for each in found.lines} if found else {}
        told += (again.get(number, "") for number in range(1, len(batch) + 1))
    return told


def _prompt(batch: Sequence[WrongLine]) -> Prompt:
    rows = [_shown(number, each) for number, each in enumerate(batch, 1)]
    return Prompt.render(PROMPT, lines=quoted("\n".join(rows)))


def _shown(number: int, wrong: WrongLine) -> str:
    said = list(dict.fromkeys(wrong.said))
    told = {"id": number, "line": wrong.line, "reason": wrong.reason, "said": said}
    return json.dumps(told, ensure_ascii=False)


def _chars(wrong: WrongLine) -> int:
    return len(_shown(_MOST, wrong)) + 1


def _once(count: int) -> Callable[[Rewordings], None]:
    def check(answer: Rewordings) -> None:
        found = [each.id for each in answer.lines]
        if len(found) != len(set(found)) or not set(found) <= {*range(1, count + 1)}:
            raise ValueError(f"lines: each id from 1 to {count} once at most")

    return check
