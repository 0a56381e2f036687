"""A model words the lines of a week; code lets nothing be lost, changed or added."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

from strata.history.names import SUMMARISED
from strata.history.summaries import LEFT_OUT, VERSION, read_summaries
from strata.history.taken_back import gone_from
from strata.language.quotes import is_order_to_machines
from strata.language.sentences import language_of
from strata.model.answers import Reply
from strata.model.batching import batches
from strata.model.prompts import Prompt, quoted
from strata.model.rewording import WrongLine, reword
from strata.models import Tag
from strata.notes.entries import one_line, split_tag, tag_name
from strata.notes.headings import monday_of
from strata.statements.rewording import changed_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import date

    from strata.memory import Memory
    from strata.model.asking import Model

PROMPT = "summarise_week"
# A week is one question, unless it is a very full one.
MOST_AT_ONCE = 200
# What the answer's schema adds to a prompt.
_SCHEMA_CHARS = 1_500
# What a model may make of any entry; a choice is only what one is noted as.
_LIGHT = frozenset({Tag.FINDING, Tag.TASK})


class Line(Reply):
    """One line of a week, with the entries on which it rests."""

    entries: list[int]
    tag: Literal["decision", "finding", "preference", "task"]
    text: str


class Week(Reply):
    """The model's lines, and the entries that need none."""

    lines: list[Line]
    left_out: list[int] = []  # noqa: RUF012 - pydantic copies it


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry of a day as its note has it; *gone* is why it counts no more, or ""."""

    day: date
    line: str
    gone: str = ""

    @property
    def tag(self) -> Tag | None:
        return split_tag(self.line)[0]

    @property
    def text(self) -> str:
        return split_tag(self.line)[1]


def summarise(
    memory: Memory, model: Model, days: Sequence[tuple[date, Sequence[str]]]
) -> None:
    """
    Journal how *model* puts the entries of *days* that it has not seen yet.

    The journal comes before the week, so that a run that ends in between, and one without
    the model, write the same lines.
    """
    known, gone = read_summaries(memory.journal), gone_from(memory.journal)
    entries = [
        _Entry(day, line, gone(split_tag(line)[1]))
        for day, lines in days
        for line in lines
        if line not in known.shown(day) and not is_order_to_machines(line, quoted=True)
    ]
    room = model.window_chars - len(_prompt([]).text) - _SCHEMA_CHARS
    for _, week in groupby(entries, key=lambda each: monday_of(each.day)):
        for batch in batches(week, most=MOST_AT_ONCE, room=room, chars=_chars):
            prompt = _prompt(batch)
            found = model.ask(prompt, Week, check=_cites(len(batch)))
            if found is None:
                return
            memory.journal.append(
                {
                    "event": SUMMARISED,
                    "version": VERSION,
                    "at": memory.now.isoformat(timespec="seconds"),
                    "model": model.name,
                    "prompt": prompt.label,
                    **told,
                }
                for told in _by_day(batch, _accepted(model, batch, found))
            )


def _accepted(
    model: Model, batch: Sequence[_Entry], found: Week
) -> list[tuple[str, Sequence[_Entry]]]:
    """
    Return the lines of *found* that say what their entries do, with these.

    What they do not say is worded once more; what fails then stands as it was noted.
    """
    spared = [batch[number - 1] for number in found.left_out]
    cited = [[batch[number - 1] for number in line.entries] for line in found.lines]
    texts = {
        place: text
        for place, line in enumerate(found.lines)
        if cited[place] and not any(entry.gone for entry in cited[place])
        if (text := _text(line.text))
    }

    def refused(place: int, text: str) -> str | None:
        return changed_in(_text(text), [entry.text for entry in cited[place]])

    wrong = {
        place: WrongLine(text, reason, tuple(entry.text for entry in cited[place]))
        for place, text in texts.items()
        if (reason := refused(place, text))
    }
    again = reword(model, wrong, refused)
    fine = {place: text for place, text in texts.items() if place not in wrong}
    accepted: list[tuple[str, Sequence[_Entry]]] = [
        (_tagged(_text(text), cited[place], Tag(found.lines[place].tag)), cited[place])
        for place, text in sorted((fine | again).items())
    ]
    gone = [each for each in batch if each.gone and each not in spared]
    return [*accepted, *((LEFT_OUT, [each]) for each in (*spared, *gone))]


def _text(line: str) -> str:
    return one_line(split_tag(one_line(line))[1])


def _tagged(text: str, cited: Sequence[_Entry], wanted: Tag) -> str:
    own = [each.tag for each in cited if each.tag]
    fair = wanted in own or wanted in _LIGHT
    tag = wanted if fair else next(iter(own), Tag.TASK)
    return f"[{tag_name(tag, language_of(text))}] {text}"


def _by_day(
    batch: Sequence[_Entry], accepted: Sequence[tuple[str, Sequence[_Entry]]]
) -> Iterator[dict[str, Any]]:
    """Yield for each day which entries were shown, and each line with its sources."""
    for day, shown in groupby(batch, key=lambda each: each.day):
        yield {"day": day.isoformat(), "entries": [each.line for each in shown]}
    for line, cited in accepted:
        sources = [{"day": e.day.isoformat(), "entry": e.line} for e in cited]
        yield {"day": sources[0]["day"], "line": line, "sources": sources}


def _prompt(batch: Sequence[_Entry]) -> Prompt:
    shown = [_shown(number, entry) for number, entry in enumerate(batch, 1)]
    return Prompt.render(PROMPT, entries=quoted("\n".join(shown)))


def _shown(number: int, entry: _Entry) -> str:
    told = {"day": entry.day.isoformat(), "tag": entry.tag or "", "text": entry.text}
    told |= {"gone": entry.gone} if entry.gone else {}
    return json.dumps({"id": number, **told}, ensure_ascii=False)


def _chars(entry: _Entry) -> int:
    return len(_shown(MOST_AT_ONCE, entry)) + 1


def _cites(count: int) -> Callable[[Week], None]:
    def check(week: Week) -> None:
        cited = [n for line in week.lines for n in line.entries] + week.left_out
        if not set(cited) <= set(range(1, count + 1)):
            raise ValueError(f"entries: the ids go from 1 to {count}")
        if len(cited) != len(set(cited)):
            raise ValueError("entries: an id belongs to one line, or to left_out")

    return check
