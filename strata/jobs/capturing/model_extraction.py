"""The language model finds facts: one question a conversation, or a day of small ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count, groupby
from typing import TYPE_CHECKING

from strata.jobs.capturing.proposing import Answer, Proposing, proposal
from strata.model.batching import batches
from strata.model.extraction import ProposedFacts, Row, extraction_prompt, rows_as_data
from strata.model.rewording import WrongLine, reword
from strata.models import Fact, Proposer
from strata.statements.grounding.proposals import Refused, ground

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import tzinfo

    from strata.history.evidence import Ranges
    from strata.jobs.capturing.extraction import Extraction, Found
    from strata.jobs.capturing.proposing import Ask
    from strata.language.material import Line
    from strata.model.asking import Model
    from strata.model.extraction import ProposedFact
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

    def __init__(self, model: Model, timezone: tzinfo) -> None:
        self._model = model
        self._timezone = timezone
        self._waiting: list[_Talk] = []

    def add(self, window: Sequence[Line]) -> None:
        """Take in a conversation, or a window of one, that has no answer yet."""
        rows = rows_of(window, self._timezone)
        self._waiting.append(_Talk(tuple(window), tuple(rows)))

    def ask(self, progress: Progress) -> None:
        """
        Ask about all of it; each answer is kept as that of its own question.

        What the words do not bear out is worded once more, all of it in one question.
        """
        questions = list(_together(self._waiting))
        self._waiting = []
        answered: list[tuple[_Talk, list[ProposedFact]]] = []
        for done, talks in enumerate(questions):
            progress(done, len(questions))
            answered += self._put(talks)
        self._mend(answered)
        progress(len(questions), len(questions))

    def _put(
        self, talks: Sequence[_Talk]
    ) -> Iterator[tuple[_Talk, list[ProposedFact]]]:
        numbered = list(_numbered(talks))
        prompt = extraction_prompt(*numbered)
        answer = self._model.ask(prompt, ProposedFacts)
        if answer is None:
            return
        for talk, rows in zip(talks, numbered, strict=True):
            own = {row.number: place for place, row in enumerate(rows, 1)}
            facts = [
                fact.model_copy(
                    update={"messages": tuple(own[n] for n in fact.messages)}
                )
                for fact in answer.facts
                if own.keys() >= set(fact.messages)
            ]
            if len(talks) > 1:
                self._keep(talk, facts)
            yield talk, facts

    def _mend(self, answered: Sequence[tuple[_Talk, list[ProposedFact]]]) -> None:
        """Have the facts that were refused worded again, and keep what can be taken."""
        wrong = [
            (place, number, _wrong(talk, fact, refused.reason))
            for place, (talk, facts) in enumerate(answered)
            for number, fact in enumerate(facts)
            if isinstance(refused := self._ground(talk, fact), Refused)
        ]
        again = reword(self._model, [line for _, _, line in wrong])
        for (place, number, _), text in zip(wrong, again, strict=True):
            talk, facts = answered[place]
            if not text:
                continue
            mended = facts[number].model_copy(update={"text": text})
            if isinstance(self._ground(talk, mended), Fact):
                facts[number] = mended
                self._keep(talk, facts)

    def _ground(self, talk: _Talk, fact: ProposedFact) -> Fact | Refused:
        lines = {line.id: line for line in talk.lines}
        return ground(proposal(fact), lines, timezone=self._timezone)

    def _keep(self, talk: _Talk, facts: Sequence[ProposedFact]) -> None:
        answer = ProposedFacts(facts=tuple(facts))
        self._model.keep(extraction_prompt(talk.rows), answer)


@dataclass(frozen=True, slots=True)
class _Talk:
    """What goes into one prompt of one conversation, as lines and as its rows."""

    lines: tuple[Line, ...]
    rows: tuple[Row, ...]

    @property
    def size(self) -> int:
        return len(rows_as_data(self.rows))


def _wrong(talk: _Talk, fact: ProposedFact, reason: str) -> WrongLine:
    lines = {line.id: line.text for line in talk.lines}
    said = tuple(lines[each] for each in fact.messages if each in lines)
    return WrongLine(fact.text, reason, said)


def _together(waiting: Iterable[_Talk]) -> Iterator[list[_Talk]]:
    """Give what goes into one question: a long conversation, or a day's small ones."""

    def of(talk: _Talk) -> tuple[str, bool]:
        return talk.rows[0].moment[:10], talk.size <= _SMALL_CHARS

    for (_, small), talks in groupby(sorted(waiting, key=of), key=of):
        yield from batches(
            talks,
            most=_MOST_TOGETHER if small else 1,
            room=_TOGETHER_CHARS,
            chars=lambda talk: talk.size,
        )


def _numbered(talks: Iterable[_Talk]) -> Iterator[list[Row]]:
    """Give the rows of each of *talks*, numbered through."""
    numbers = count(1)
    for talk in talks:
        yield [replace(row, number=next(numbers)) for row in talk.rows]


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
        prompt = extraction_prompt(rows_of(window, timezone))
        answer = model.recall(prompt, ProposedFacts)
        if answer is None:
            if gathering:
                gathering.add(window)
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
