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
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from strata.history.outcomes import Admitted
    from strata.history.shortenings import Standing
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
    known = read_shortenings(memory.journal)
    ours = [
        each
        for each in admitted[:MOST_LINES]
        # What says nothing any more is not asked about again.
        if is_ours_to_word(each) and not known.lets_go(each)
    ]
    if sum(each.id not in known.asked for each in ours) < _FEWEST:
        return
    # What is about the same thing stands in the same section.
    ours.sort(key=lambda each: each.judgement.section)
    room = model.window_chars - len(_prompt([]).text) - _SCHEMA_CHARS
    for batch in batches(known.applied(ours), most=MOST_LINES, room=room, chars=_chars):
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
        told: dict[str, Any] = {"asked": _ids(batch)}
        if dead := _ids(batch[number - 1] for number in found.dead):
            told["dead"] = dead
        memory.journal.append([{**base, **told}, *records])


def _ids(units: Iterable[Standing]) -> list[str]:
    return [part.id for unit in units for part in unit.parts]


def _accepted(batch: Sequence[Standing], found: Answer) -> Iterator[dict[str, Any]]:
    for each in found.shorter:
        units = [batch[number - 1] for number in each.lines]
        parts = [part for unit in units for part in unit.parts]
        text = one_line(each.text)
        sections = {part.judgement.section for part in parts}
        if len(text) >= sum(len(unit.line.text) for unit in units):
            continue
        # Held to the lines as they were judged, or it would drift from night to night.
        if len(sections) == 1 and changed_in(text, [p.text for p in parts]) is None:
            mentions = [mention for part in parts for mention in part.claim.mentions]
            yield {
                "ids": _ids(units),
                "text": text,
                "sources": sources(mentions),
            }


def _shown(number: int, unit: Standing) -> str:
    line = unit.line
    told = {"id": number, "section": line.judgement.section, "text": line.text}
    return json.dumps(told, ensure_ascii=False)


def _chars(unit: Standing) -> int:
    return len(_shown(MOST_LINES, unit)) + 1


def _prompt(batch: Sequence[Standing]) -> Prompt:
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
