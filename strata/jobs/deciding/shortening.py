"""A model finds shorter words for lines that do not all fit; code holds it to them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from strata.history.names import SHORTENED
from strata.history.shortenings import VERSION, is_ours_to_word, read_shortenings
from strata.history.verdicts import sources
from strata.model.answers import Reply
from strata.model.batching import batches
from strata.model.prompts import Prompt, quoted
from strata.notes.entries import one_line
from strata.notes.long_term import MOST_LINES
from strata.statements.rewording import changed_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from strata.history.outcomes import Admitted
    from strata.memory import Memory
    from strata.model.asking import Model

PROMPT = "tighten_lines"
# One line has nothing to meet, and saves little.
_FEWEST = 2
# What the answer's schema adds to a prompt.
_SCHEMA_CHARS = 1_000


class Shorter(Reply):
    """One shorter wording, for one line or for several."""

    lines: list[int]
    text: str


class Answer(Reply):
    """What the model could say in fewer words, and the lines that say nothing more."""

    shorter: list[Shorter]
    dead: list[int] = []  # noqa: RUF012 - pydantic copies it


def shorten(memory: Memory, model: Model, admitted: Sequence[Admitted]) -> None:
    """
    Journal the shorter words that *model* finds for *admitted*, the most valuable first.

    The whole page is shown as soon as there are new lines, so that twins meet; the model
    may find a line dead, too.
    """
    asked = read_shortenings(memory.journal).asked
    ours = [each for each in admitted[:MOST_LINES] if is_ours_to_word(each)]
    if sum(each.id not in asked for each in ours) < _FEWEST:
        return
    # What is about the same thing stands in the same section.
    ours.sort(key=lambda each: each.judgement.section)
    room = model.window_chars - len(_prompt([]).text) - _SCHEMA_CHARS
    for batch in batches(ours, most=MOST_LINES, room=room, chars=_chars):
        prompt = _prompt(batch)
        found = model.ask(prompt, Answer, check=_once(len(batch)))
        if found is None:
            return
        base = {
            "event": SHORTENED,
            "version": VERSION,
            "at": memory.now.isoformat(timespec="seconds"),
            "model": model.name,
            "prompt": prompt.label,
        }
        records = [{**base, **each} for each in _accepted(batch, found)]
        shown: dict[str, Any] = {"asked": [each.id for each in batch]}
        if dead := [batch[number - 1].id for number in found.dead]:
            shown["dead"] = dead
        memory.journal.append([{**base, **shown}, *records])


def _accepted(batch: Sequence[Admitted], found: Answer) -> Iterator[dict[str, Any]]:
    for each in found.shorter:
        parts = [batch[number - 1] for number in each.lines]
        text, texts = one_line(each.text), [part.text for part in parts]
        sections = {part.judgement.section for part in parts}
        if len(text) >= sum(map(len, texts)) or len(sections) != 1:
            continue
        if changed_in(text, texts) is None:
            mentions = [mention for part in parts for mention in part.claim.mentions]
            yield {
                "ids": [part.id for part in parts],
                "text": text,
                "sources": sources(mentions),
            }


def _shown(number: int, line: Admitted) -> str:
    told = {"id": number, "section": line.judgement.section, "text": line.text}
    return json.dumps(told, ensure_ascii=False)


def _chars(line: Admitted) -> int:
    return len(_shown(MOST_LINES, line)) + 1


def _prompt(batch: Sequence[Admitted]) -> Prompt:
    shown = [_shown(number, each) for number, each in enumerate(batch, 1)]
    return Prompt.render(PROMPT, lines=quoted("\n".join(shown)))


def _once(count: int) -> Callable[[Answer], None]:
    def check(answer: Answer) -> None:
        shorter = [number for each in answer.shorter for number in each.lines]
        cited = [*shorter, *answer.dead]
        if not all(each.lines for each in answer.shorter):
            raise ValueError("lines: name the lines that the wording is for")
        if not set(cited) <= set(range(1, count + 1)):
            raise ValueError(f"lines: the ids go from 1 to {count}")
        if len(cited) != len(set(cited)):
            raise ValueError("lines: an id stands in the answer once at most")

    return check
