"""What is worth keeping from a conversation, found by rules alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import tzinfo

    from strata.distillation.extraction.candidates import Candidate
    from strata.models import Fact, Message


def extract_facts(
    messages: Iterable[Message], *, timezone: tzinfo, limit: int = 10, floor: int = 1
) -> list[Fact]:
    """
    Return what *messages* leave worth keeping, in the order it was said.

    They are the visible, redacted messages of one session on one local day, or of a later
    stretch of it; they are read as a stream. At most *limit* facts come back, three or
    more where three things happened, and at least *floor* wherever the owner said
    anything. *timezone* is where "tomorrow" begins. The same messages give the same facts.
    """
    found = find_candidates(messages, limit=limit, floor=floor)
    return [candidate.fact(timezone) for candidate in found]


def find_candidates(
    messages: Iterable[Message], *, limit: int = 10, floor: int = 0
) -> list[Candidate]:
    """Return what `extract_facts` is made of: also what speaks for keeping it."""
    # Their patterns take a tenth of a second to compile, and few commands read a sentence.
    from strata.distillation.extraction.candidates import (  # noqa: PLC0415 - cold start
        candidates_of,
    )
    from strata.distillation.extraction.exchanges import exchanges  # noqa: PLC0415 - cold start
    from strata.distillation.extraction.selection import Shelf  # noqa: PLC0415 - cold start

    shelf = Shelf(limit)
    for exchange in exchanges(messages):
        for candidate in candidates_of(exchange, above=shelf.bar):
            shelf.put(candidate)
    return shelf.best(floor)
