"""The journal as it stands at one moment: read once, and seen from every side."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from strata.history.decisions import decisions
from strata.history.ledger import read_ledger
from strata.history.names import (
    OF_NAMES,
    OF_RUNS,
    OF_SHARING,
    OF_STATEMENTS,
    SET_APART,
    WORDED,
)
from strata.history.opinions import read_opinions
from strata.history.shortenings import read_shortenings
from strata.history.statements import read_statements
from strata.history.summaries import read_summaries

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from strata.history.decisions import Decisions
    from strata.history.ledger import Ledger
    from strata.history.opinions import Opinions
    from strata.history.shortenings import Shortenings
    from strata.history.statements import Statement
    from strata.history.summaries import Summaries
    from strata.workspace.journal import Journal

# What became of statements, of runs and of names, without the words of models.
OF_FATES = (*OF_STATEMENTS, *OF_RUNS, *SET_APART, *OF_NAMES, *OF_SHARING)
TOLD = (*OF_FATES, *WORDED)


class History:
    """
    What *journal* tells of statements and runs by now; what comes later is not in it.

    Captures are by far the most, and few ask for them: those stay in the journal. So does
    what models said where it is not to be *worded*, and what is not *about* the ids of
    statements that are asked for.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        worded: bool = True,
        about: AbstractSet[str] | None = None,
    ) -> None:
        self._events = frozenset(TOLD if worded else OF_FATES)
        self._told = (
            list(journal.records(*self._events))
            if about is None
            else [
                *journal.naming(about, *self._events.difference(OF_RUNS)),
                *journal.records(*OF_RUNS),
            ]
        )

    def records(self, *events: str) -> Iterator[dict[str, Any]]:
        """Yield what is known of *events*, all of which it took in, from the oldest on."""
        if missing := set(events).difference(self._events):
            raise KeyError(*missing)
        return (each for each in self._told if each["event"] in events)

    @cached_property
    def decisions(self) -> Decisions:
        """What the owner decided."""
        return decisions(self)

    @cached_property
    def ledger(self) -> Ledger:
        """Whose the lines of MEMORY.md are, and the last verdict on each."""
        return read_ledger(self)

    @cached_property
    def opinions(self) -> Opinions:
        """What models have said of candidates."""
        return read_opinions(self)

    @cached_property
    def shortenings(self) -> Shortenings:
        """The shorter wordings that models have found."""
        return read_shortenings(self)

    @cached_property
    def summaries(self) -> Summaries:
        """How models have put the entries of a day for its week."""
        return read_summaries(self)

    def statements(self, page: str) -> list[Statement]:
        """Return what became of every statement, the latest first; *page* is MEMORY.md."""
        return read_statements(self, page)
