"""The facts of a conversation as the language model has answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.jobs.capturing.proposing import Proposing
from strata.model.extraction import ProposedFacts, Row, extraction_prompt
from strata.models import Proposer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import tzinfo

    from strata.history.evidence import Ranges
    from strata.jobs.capturing.extraction import Extraction, Found
    from strata.language.material import Line
    from strata.model.asking import Model
    from strata.model.extraction import ProposedFact
    from strata.models import Session
    from strata.notes.coverage import Stretch

# The form of the answer stands in the prompt too.
_SCHEMA_CHARS = 1_500
_LEAST_CHARS = 4_000


def by_model(
    extraction: Extraction,
    model: Model,
    session: Session,
    stretches: Sequence[Stretch],
    asked: Mapping[tuple[int, int], Ranges],
) -> list[Found]:
    """
    Return the facts of *stretches*, in their order, as the model has answered before.

    What it has not answered is left to rules; `Gathering` asks it.
    What plugins find, the model is not asked for. *asked* tells for stretches that were
    captured before what the model had read then: the same question is asked again, whose
    answer is kept, so that a block that somebody deleted comes back as it was.
    """
    found, left = divided(extraction, session, stretches, asked)
    proposer = Proposer(model.name, extraction_prompt(()).label)

    def answered(window: Sequence[Line]) -> Sequence[ProposedFact] | None:
        prompt = extraction_prompt(rows_of(window, extraction.memory.timezone))
        answer = model.recall(prompt, ProposedFacts)
        return None if answer is None else answer.facts

    most_chars = room(model)
    for material, group in left:
        proposing = Proposing(extraction, answered, proposer, most_chars=most_chars)
        found += proposing.found(session, group, material)
    return sorted(found, key=lambda each: each.stretch.first)


def divided(
    extraction: Extraction,
    session: Session,
    stretches: Sequence[Stretch],
    asked: Mapping[tuple[int, int], Ranges],
) -> tuple[list[Found], list[tuple[Ranges, list[Stretch]]]]:
    """
    Return what plugins find in *stretches*, and the rest by the question it is part of.

    *asked* is as in `by_model`.
    """
    found = list(extraction.by_plugins(session, stretches))
    done = {each.stretch for each in found}
    return found, _groups([each for each in stretches if each not in done], asked)


def room(model: Model) -> int:
    """Return how many characters of a conversation fit into one question."""
    rest = model.window_chars - len(extraction_prompt(()).text) - _SCHEMA_CHARS
    return max(rest, _LEAST_CHARS)


def rows_of(lines: Iterable[Line], timezone: tzinfo) -> list[Row]:
    """Return *lines* as a prompt shows them."""
    return [
        Row(
            "owner" if line.by_owner else "agent",
            line.message.time.astimezone(timezone).strftime("%Y-%m-%d %H:%M"),
            line.text,
        )
        for line in lines
    ]


def _groups(
    stretches: Sequence[Stretch], asked: Mapping[tuple[int, int], Ranges]
) -> list[tuple[Ranges, list[Stretch]]]:
    """Group *stretches* by the question that they were, or are to be, part of."""
    fresh = tuple(
        span for each in stretches if not asked.get(span := (each.first, each.last))
    )
    groups: dict[Ranges, list[Stretch]] = {}
    for stretch in stretches:
        material = asked.get((stretch.first, stretch.last)) or fresh
        groups.setdefault(material, []).append(stretch)
    return list(groups.items())
