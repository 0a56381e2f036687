"""Whether a claim has run out: its day has passed, or what it rests on has ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from strata.statements.endings import depends_on, ended
from strata.statements.expiry import valid_until

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from strata.models import Claim, Mention

# What holds for a shorter time belongs into the notes of its days.
SHORTEST_DAYS = 30


@dataclass(frozen=True, slots=True)
class Ending:
    """What the owner declared ended or dropped, and when."""

    name: str
    mention: Mention


def endings_in(mentions: Iterable[Mention]) -> list[Ending]:
    """Return everything that *mentions* declare ended."""
    return [
        Ending(name, mention)
        for mention in mentions
        for name in sorted(ended(mention.text))
    ]


def lapsed(
    claim: Claim,
    text: str,
    today: date,
    endings: Sequence[Ending],
    *,
    lasting: bool = False,
) -> tuple[str, str] | None:
    """
    Return why *claim*, worded *text*, no longer holds on *today*, or None while it does.

    The reason comes with what the journal calls it: ``expired``, or ``rejected`` for what
    never was meant to last. A date in what was found *lasting* is no end of it, unless it
    says so.
    """
    newest = claim.mentions[-1]
    until = valid_until(text, newest.day, bounded=lasting)
    if until is not None:
        if not lasting and until - newest.day < timedelta(days=SHORTEST_DAYS):
            return "rejected", f"it holds only until {until.isoformat()}"
        if until < today:
            return "expired", f"it held until {until.isoformat()}"
    for ending in endings:
        later = _after(ending.mention, newest) and ending.mention not in claim.mentions
        if later and depends_on(text, ending.name):
            when = ending.mention.day.isoformat()
            return "expired", f"{ending.name} was declared ended on {when}"
    return None


def _after(one: Mention, other: Mention) -> bool:
    return (one.day, one.time) >= (other.day, other.time)
