"""What the owner agreed to: "yes, do that" means the agent's question before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.vocabulary import content_words
from strata.models import Evidence
from strata.statements.answers import meaning_of
from strata.statements.exchanges import Exchange, Reply
from strata.statements.offers import alternatives, offer_in, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from strata.language.material import Line

_YES = cue("assent.yes", 0)
_FEW = 3
_LONGEST = 600


def agreed_to(line: Line, lines: Mapping[int, Line]) -> Iterator[Evidence]:
    """Give the words of the agent that the owner's *line* takes up, if it does."""
    before, after = lines.get(line.id - 1), lines.get(line.id + 1)
    if before is None or before.by_owner:
        return
    replies = () if after is None or after.by_owner else (Reply(after.message, False),)  # noqa: FBT003 - no tool
    exchange = Exchange(1, line.message, before.message, replies)
    if meaning := meaning_of(exchange):
        message = meaning.message
        yield Evidence(
            message.id, meaning.quote[:_LONGEST], message.time, message.origin
        )
    offer = offer_in(before.message) if meaning or _is_yes(line) else ()
    if offer and len(alternatives(words_of(offer))) == 1:
        message = before.message
        quote = message.text[offer[0].start : offer[-1].end]
        yield Evidence(message.id, quote[:_LONGEST], message.time, message.origin)


def _is_yes(line: Line) -> bool:
    said = line.text.lower()
    return _YES.match(said) is not None and content_words(said) < _FEW
