"""What a model is to be asked about conversations, gathered into few questions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from strata.jobs.capturing.model_extraction import divided, room, rows_of
from strata.jobs.capturing.proposing import is_worth_asking, proposal
from strata.language.material import Windows
from strata.model.batching import batches
from strata.model.extraction import (
    ProposedFacts,
    extraction_prompt,
    facts_about,
    rows_as_data,
)
from strata.model.rewording import WrongLine, reword
from strata.statements.grounding.proposals import Refused, ground

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import tzinfo

    from strata.jobs.capturing.extraction import Extraction
    from strata.language.material import Line
    from strata.model.asking import Model
    from strata.model.extraction import ProposedFact, Row
    from strata.models import Fact, Session
    from strata.notes.stretches import Stretch
    from strata.progress import Progress

# A conversation of so few characters is asked about together with others of its day.
_SMALL_CHARS = 6_000
_MOST_TOGETHER = 8
_TOGETHER_CHARS = 16_000


class Gathering:
    """Gathers what a model is to be asked; small conversations of a day go together."""

    def __init__(self, model: Model, timezone: tzinfo) -> None:
        self._model = model
        self._timezone = timezone
        self._waiting: list[_Talk] = []

    def add(
        self, extraction: Extraction, session: Session, stretches: Sequence[Stretch]
    ) -> None:
        """Take in what `by_model` will want to know, and the model has not answered."""
        _, left = divided(extraction, session, stretches)
        spans = [(each.first, each.last) for each in left]
        windows = Windows(room(self._model))
        for _, messages in extraction.read(session, spans):
            for message in messages:
                self._wait(windows.add(message))
            # What is asked about a stretch depends on nothing but the stretch.
            self._wait(windows.rest())

    def ask(self, progress: Progress) -> None:
        """
        Ask about all of it; each answer is kept as that of its own question.

        What the words do not bear out is worded once more, all of it in one question.
        """
        most_chars = min(_TOGETHER_CHARS, room(self._model))
        questions = list(_together(self._waiting, most_chars))
        self._waiting = []
        answered: list[tuple[_Talk, list[ProposedFact]]] = []
        for done, talks in enumerate(questions):
            progress(done, len(questions))
            answered += self._put(talks)
        self._mend(answered)
        progress(len(questions), len(questions))

    def _wait(self, window: Sequence[Line]) -> None:
        if not window or not is_worth_asking(window):
            return
        rows = rows_of(window, self._timezone)
        if self._model.recall(extraction_prompt(rows), ProposedFacts) is None:
            self._waiting.append(_Talk(tuple(window), tuple(rows)))

    def _put(
        self, talks: Sequence[_Talk]
    ) -> Iterator[tuple[_Talk, list[ProposedFact]]]:
        prompt = extraction_prompt(*(talk.rows for talk in talks))
        answer = self._model.ask(prompt, ProposedFacts)
        if answer is None:
            return
        first = 1
        for talk in talks:
            facts = facts_about(answer.facts, first, len(talk.rows))
            first += len(talk.rows)
            if len(talks) > 1:
                self._keep(talk, facts)
            yield talk, facts

    def _mend(self, answered: Sequence[tuple[_Talk, list[ProposedFact]]]) -> None:
        """Have the facts that were refused worded again, and keep what can be taken."""
        wrong = {
            (place, number): _wrong(talk, fact, refused.reason)
            for place, (talk, facts) in enumerate(answered)
            for number, fact in enumerate(facts)
            if isinstance(refused := self._ground(talk, fact), Refused)
        }

        def worded(key: tuple[int, int], text: str) -> ProposedFact:
            return answered[key[0]][1][key[1]].model_copy(update={"text": text})

        def refuses(key: tuple[int, int], text: str) -> bool:
            found = self._ground(answered[key[0]][0], worded(key, text))
            return isinstance(found, Refused)

        for key, text in reword(self._model, wrong, refuses).items():
            talk, facts = answered[key[0]]
            facts[key[1]] = worded(key, text)
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


def _together(waiting: Iterable[_Talk], most_chars: int) -> Iterator[list[_Talk]]:
    """Give what goes into one question: a long conversation, or a day's small ones."""

    def of(talk: _Talk) -> tuple[str, bool]:
        return talk.rows[0].moment[:10], talk.size <= _SMALL_CHARS

    for (_, small), talks in groupby(sorted(waiting, key=of), key=of):
        yield from batches(
            talks,
            most=_MOST_TOGETHER if small else 1,
            room=most_chars,
            chars=lambda talk: talk.size,
        )
