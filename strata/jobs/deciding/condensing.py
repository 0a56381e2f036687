"""A week without a model: the lines that the judge chooses from what its days say."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from strata.history.summaries import LEFT_OUT, read_summaries
from strata.history.taken_back import gone_from
from strata.jobs.mentions import gather
from strata.judges.weeks import choose, room_for
from strata.notes.headings import monday_of
from strata.notes.weekly import days_in, lines_of, weekly_path

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable
    from datetime import date

    from strata.history.summaries import Summaries
    from strata.memory import Memory
    from strata.models import Mention


def condensed(
    memory: Memory, weeks: Container[date], is_told: Callable[[date, str], bool]
) -> Summaries:
    """
    Return how the entries of *weeks*, by their Mondays, are put, "" where one has no line.

    Where a model has seen an entry, its word is the word. What *is_told* of a day is in its
    week already, or was left out of it: that stays so, and what comes late says what they
    do not.
    """
    summaries, gone = read_summaries(memory.journal), gone_from(memory.journal)
    said: dict[date, list[Mention]] = defaultdict(list)
    for mention in gather(memory):
        # What has no label is not ours, and what an agent retained was said before.
        shown = mention.entry in summaries.shown(mention.day)
        ours = mention.label and not mention.retained
        if ours and monday_of(mention.day) in weeks and not shown:
            said[monday_of(mention.day)].append(mention)
    for monday, mentions in said.items():
        late = {id(each) for each in mentions if not is_told(each.day, each.entry)}
        week = memory.workspace.read(weekly_path(monday))
        standing = sum(len(lines_of(week, day)) for day in days_in(week))
        room = room_for(len(mentions), late=len(late), standing=standing)
        for mention in mentions:
            if id(mention) in late:
                summaries.add(_record(mention.day, LEFT_OUT, [mention]))
        lines = choose([each for each in mentions if not gone(each.text)])
        fresh = [line for line in lines if late.issuperset(map(id, line.mentions))]
        for line in fresh[:room]:
            best = line.mention
            summaries.add(_record(best.day, best.entry, line.mentions))
    return summaries


def _record(day: date, line: str, mentions: Iterable[Mention]) -> dict[str, Any]:
    sources = [{"day": each.day.isoformat(), "entry": each.entry} for each in mentions]
    return {"day": day.isoformat(), "line": line, "sources": sources}
