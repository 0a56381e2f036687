"""The language model finds facts: one question a conversation, or a day of small ones."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from strata.jobs.capturing.proposing import Answer, Proposing
from strata.model.batching import batches
from strata.model.extraction import ProposedFacts, Row, extraction_prompt, rows_as_data
from strata.models import Proposer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import tzinfo

    from strata.history.evidence import Ranges
    from strata.jobs.capturing.extraction import Extraction, Found
    from strata.jobs.capturing.proposing import Ask
    from strata.language.material import Line
    from strata.model.asking import Model
    from strata.models import Session
    from strata.notes.coverage import Stretch
    from strata.progress import Progress

# The form of the answer stands in the prompt too.
_SCHEMA_CHARS = 1_500
_LEAST_CHARS = 4_000
# A conversation of so few characters is asked about together with others of its day.
_SMALL_CHARS = 6_000
_MOST_TOGETHER = 8
_TOGETHER_CHARS = 16_000


def by_model(  # noqa: PLR0913 - the question and where it comes from
    extraction: Extraction,
    model: Model,
    session: Session,
    stretches: Sequence[Stretch],
    asked: Mapping[tuple[int, int], Ranges],
    *,
    gathering: Gathering | None = None,
) -> list[Found]:
    """
    Return the facts of *stretches*, in their order, as the model has answered before.

    A question that has no answer yet is left to *gathering*, and to rules until then.
    What plugins find, the model is not asked for. *asked* tells for stretches that were
    captured before what the model had read then: the same question is asked again, whose
    answer is kept, so that a block that somebody deleted comes back as it was.
    """
    found = list(extraction.by_plugins(session, stretches))
    done = {each.stretch for each in found}
    left = [stretch for stretch in stretches if stretch not in done]
    for material, group in _groups(left, asked):
        proposing = Proposing(
            extraction,
            _asking(model, extraction.memory.timezone, gathering),
            most_chars=room(model),
        )
        found += proposing.found(session, group, material)
    return sorted(found, key=lambda each: each.stretch.first)


class Gathering:
    """Gathers what a model is to be asked; small conversations of a day go together."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._waiting: list[tuple[Row, ...]] = []

    def add(self, rows: Iterable[Row]) -> None:
        """Take in a conversation, or a window of one, that has no answer yet."""
        self._waiting.append(tuple(rows))

    def ask(self, progress: Progress) -> None:
        """Ask about all of it; each answer is kept as that of its own question."""
        questions = list(_together(self._waiting))
        self._waiting = []
        for done, talks in enumerate(questions):
            progress(done, len(questions))
            self._put(talks)
        progress(len(questions), len(questions))

    def _put(self, talks: Sequence[tuple[Row, ...]]) -> None:
        numbered, firsts = _numbered(talks)
        answer = self._model.ask(extraction_prompt(*numbered), ProposedFacts)
        if answer is None or len(talks) == 1:
            return
        for rows, first in zip(talks, firsts, strict=True):
            own = range(first, first + len(rows))
            facts = tuple(
                fact.model_copy(
                    update={"messages": tuple(n - first + 1 for n in fact.messages)}
                )
                for fact in answer.facts
                if all(number in own for number in fact.messages)
            )
            self._model.keep(extraction_prompt(rows), ProposedFacts(facts=facts))


def _together(waiting: Iterable[tuple[Row, ...]]) -> Iterator[list[tuple[Row, ...]]]:
    """Give what goes into one question: a long conversation, or the small ones of a day."""

    def of(rows: tuple[Row, ...]) -> tuple[str, bool]:
        return rows[0].moment[:10], len(rows_as_data(rows)) <= _SMALL_CHARS

    ordered = sorted(waiting, key=of)
    for (_, small), talks in groupby(ordered, key=of):
        yield from batches(
            talks,
            most=_MOST_TOGETHER if small else 1,
            room=_TOGETHER_CHARS,
            chars=lambda rows: len(rows_as_data(rows)),
        )


def _numbered(
    talks: Sequence[tuple[Row, ...]],
) -> tuple[list[list[Row]], list[int]]:
    """Return the rows of *talks*, numbered through, and the first number of each talk."""
    numbered: list[list[Row]] = []
    firsts = [1]
    for rows in talks:
        own = enumerate(rows, firsts[-1])
        numbered.append([replace(row, number=number) for number, row in own])
        firsts.append(firsts[-1] + len(rows))
    return numbered, firsts[:-1]


def room(model: Model) -> int:
    """Return how many characters of a conversation fit into one question."""
    rest = model.window_chars - len(extraction_prompt(()).text) - _SCHEMA_CHARS
    return max(rest, _LEAST_CHARS)


def rows_of(lines: Iterable[Line], timezone: tzinfo) -> list[Row]:
    """Return *lines* as a prompt shows them."""
    return [
        Row(
            line.id,
            "owner" if line.by_owner else "agent",
            line.message.time.astimezone(timezone).strftime("%Y-%m-%d %H:%M"),
            line.text,
        )
        for line in lines
    ]


def _asking(model: Model, timezone: tzinfo, gathering: Gathering | None) -> Ask:
    def ask(window: Sequence[Line]) -> Answer | None:
        rows = rows_of(window, timezone)
        prompt = extraction_prompt(rows)
        answer = model.recall(prompt, ProposedFacts)
        if answer is None:
            if gathering:
                gathering.add(rows)
            return None
        return Answer(answer.facts, Proposer(model.name, prompt.label))

    return ask


def _groups(
    stretches: Sequence[Stretch], asked: Mapping[tuple[int, int], Ranges]
) -> list[tuple[Ranges, list[Stretch]]]:
    """Group *stretches* by the question that they were, or are to be, part of."""
    fresh: list[Stretch] = []
    groups: dict[Ranges, list[Stretch]] = {}
    for stretch in stretches:
        material = asked.get((stretch.first, stretch.last))
        if material:
            groups.setdefault(material, []).append(stretch)
        else:
            fresh.append(stretch)
    if fresh:
        together = tuple((stretch.first, stretch.last) for stretch in fresh)
        groups.setdefault(together, []).extend(fresh)
    return list(groups.items())
