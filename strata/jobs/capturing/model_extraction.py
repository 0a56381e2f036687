"""The facts of a conversation as the language model has answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.jobs.capturing.proposing import Proposing
from strata.model.extraction import ProposedFacts, Row, extraction_prompt
from strata.models import Proposer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import tzinfo

    from strata.jobs.capturing.extraction import Extraction, Found
    from strata.language.material import Line
    from strata.model.asking import Model
    from strata.model.extraction import ProposedFact
    from strata.models import Session
    from strata.notes.stretches import Stretch

# The form of the answer stands in the prompt too.
_SCHEMA_CHARS = 1_500
_LEAST_CHARS = 4_000


def by_model(
    extraction: Extraction,
    model: Model,
    session: Session,
    stretches: Sequence[Stretch],
) -> list[Found]:
    """
    Return the facts of *stretches*, in their order, as the model has answered before.

    What it has not answered is left to rules; `Gathering` asks it. What plugins find, the
    model is not asked for.
    """
    found, left = divided(extraction, session, stretches)
    proposer = Proposer(model.name, extraction_prompt(()).label)

    def answered(window: Sequence[Line]) -> Sequence[ProposedFact] | None:
        prompt = extraction_prompt(rows_of(window, extraction.memory.timezone))
        answer = model.recall(prompt, ProposedFacts)
        return None if answer is None else answer.facts

    proposing = Proposing(extraction, answered, proposer, most_chars=room(model))
    found += proposing.found(session, left)
    return sorted(found, key=lambda each: each.stretch.first)


def divided(
    extraction: Extraction, session: Session, stretches: Sequence[Stretch]
) -> tuple[list[Found], list[Stretch]]:
    """Return what plugins find in *stretches*, and those that they leave to others."""
    found = list(extraction.by_plugins(session, stretches))
    done = {each.stretch for each in found}
    return found, [each for each in stretches if each not in done]


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
