"""What a model worded so that it cannot be taken, it is asked to word once more."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from strata.model.answers import Reply
from strata.model.batching import batches
from strata.model.prompts import Prompt, quoted
from strata.notes.entries import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from strata.model.asking import Model

K = TypeVar("K")

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


def reword(
    model: Model, wrong: Mapping[K, WrongLine], refused: Callable[[K, str], object]
) -> dict[K, str]:
    """
    Return the lines of *wrong* that *model* words so that they can be taken, by key.

    *refused* says of a key and its new wording whether, or why, that cannot be taken.
    """
    room = model.window_chars - len(_prompt([]).text) - _SCHEMA_CHARS
    told: dict[K, str] = {}
    for batch in batches(
        wrong.items(), most=_MOST, room=room, chars=lambda pair: _chars(pair[1])
    ):
        prompt = _prompt([line for _, line in batch])
        found = model.ask(prompt, Rewordings, check=_once(len(batch)))
        for each in found.lines if found else ():
            key, line = batch[each.id - 1][0], one_line(each.line)
            if line and not refused(key, line):
                told[key] = line
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
