"""What was said in one message: neighbouring entries explain each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.distillation.verification.gist import gist_of
from strata.distillation.verification.turn_words import unframed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from strata.models import Mention

    # One message of one conversation: its label, day and time.
    Place = tuple[str, date, str]


def place_of(mention: Mention) -> Place:
    """Return the message of which *mention* tells."""
    return mention.label, mention.day, mention.time


def messages_of(mentions: Sequence[Mention]) -> Mapping[Place, str]:
    """Return the words of each message."""
    found: dict[Place, list[str]] = {}
    for mention in mentions:
        found.setdefault(place_of(mention), []).append(unframed(mention.text))
    return {place: "\n".join(words) for place, words in found.items()}


def rules_of(mentions: Sequence[Mention]) -> Mapping[Place, Sequence[str]]:
    """Return what in each message holds for long by itself."""
    found: dict[Place, list[str]] = {}
    for mention in mentions:
        gist = gist_of(mention.text, mention.tag)
        if gist.kind is not None:
            found.setdefault(place_of(mention), []).append(gist.text)
    return found
