"""What the owner agreed to: "yes, do that" means the agent's words before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.models import Evidence
from strata.statements.answers import answer_of, only_answers
from strata.statements.exchanges import Exchange

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from strata.language.material import Line
    from strata.statements.answers import Meaning

_LONGEST = 600


def agreed_to(line: Line, lines: Mapping[int, Line]) -> Iterator[Evidence]:
    """Give the words that the owner's *line* takes up, if it does, and their topic."""
    before, earlier = lines.get(line.id - 1), lines.get(line.id - 2)
    if before is None or before.by_owner or not line.sentences:
        return
    spoken = earlier.message if earlier and earlier.by_owner else None
    exchange = Exchange(1, line.message, before.message, earlier=spoken)
    answer = answer_of(exchange, line.text)
    if answer is None or not (answer.chosen or only_answers(line.text)):
        return
    yield _evidence(answer.meaning)
    if answer.about:
        yield _evidence(answer.about)


def _evidence(meaning: Meaning) -> Evidence:
    said = meaning.message
    return Evidence(said.id, meaning.quote[:_LONGEST], said.time, said.origin)
