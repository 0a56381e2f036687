"""query: find what was said, decided or done, and show where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.search.finding import Question, find
from strata.search.ranking import Ranking
from strata.search.store import Scope

if TYPE_CHECKING:
    from datetime import datetime

    from strata.memory import Memory
    from strata.models import Answer, Tier


def query(  # noqa: PLR0913 - one parameter an option
    memory: Memory,
    text: str,
    *,
    limit: int,
    since: datetime | None = None,
    until: datetime | None = None,
    tier: Tier | None = None,
) -> Answer:
    """
    Answer *text* with at most *limit* hits from *tier*, of the days *since* to *until*.

    Raise `IndexUnavailable` where a newer Strata made the index.
    """
    scope = Scope(
        tier=tier,
        since=since.astimezone(memory.timezone).date() if since else None,
        until=until.astimezone(memory.timezone).date() if until else None,
    )
    ranking = Ranking(memory.now.date(), memory.settings.search_half_life_days)
    question = Question(text, limit, scope)
    return find(memory.index, memory.workspace.root, question, ranking)
