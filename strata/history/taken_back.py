"""What memory does not hold any more: the owner declined it, or nobody meant it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.history.decisions import decisions
from strata.history.ledger import statement_id
from strata.history.opinions import read_opinions

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.history.records import Records

# What a model found no statement at all is nowhere told as one.
_GONE = frozenset({"joke", "taken back"})


def gone_from(journal: Records) -> Callable[[str], str]:
    """Return what tells why a statement does not count any more, "" where it does."""
    declined = decisions(journal).declined
    opinions = read_opinions(journal)

    def gone(text: str) -> str:
        if statement_id(text) in declined or text in declined.values():
            return "declined"
        why = opinions.why_not(text)
        return why if why in _GONE else ""

    return gone
