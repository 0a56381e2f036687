"""Which of the lines that an owner shared still hold in the memory that was told them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from strata.history.ledger import statement_id
from strata.history.projection import History
from strata.history.sharing import shares
from strata.history.taken_back import gone_from
from strata.jobs.query import superseded
from strata.models import Frame
from strata.notes.entries import parse_entry, worded
from strata.notes.markdown import unbulleted
from strata.notes.marks import folded
from strata.notes.sayings import may_say, sayings, words_of
from strata.notes.weekly import weekly_path
from strata.workspace.layout import LONG_TERM, vault_root

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.history.sharing import Share
    from strata.history.statements import Statement
    from strata.memory import Memory

_PAST = {"superseded", "expired", "declined", "redacted"}


def standing(memory: Memory) -> list[Share]:
    """Return what is shared of *memory* and holds there: said, and not taken back since."""
    shared = shares(memory.journal)
    return holding(memory, shared) if shared else []


def holding(memory: Memory, shared: Iterable[Share]) -> list[Share]:
    """
    Return those of *shared* that *memory* still says, and has not taken back.

    Of one that is encrypted it is those that the owner let be read in clear text.
    """
    if vault_root(memory.workspace.layout.private):
        shared = [each for each in shared if each.in_clear]
    history = History(memory.journal, worded=False)
    known = {e.id: e for e in history.statements(memory.workspace.read(LONG_TERM))}
    gone, values = gone_from(memory.journal), superseded(memory)
    values = values.as_of(memory.now.date())
    return [
        each
        for each in shared
        if not _is_past(judged := known.get(statement_id(each.text)))
        and not gone(each.text)
        and values.successor(each.text) is None
        and ((judged and judged.line) or _still_says(memory, each))
        and memory.masked(each.text) == each.text
    ]


def _is_past(judged: Statement | None) -> bool:
    return judged is not None and judged.kind in _PAST


def said_in(line: str) -> str:
    """Return what a *line* of memory says, without a word about who said it."""
    return worded(replace(parse_entry(unbulleted(line)), frame=Frame.NONE))


def _still_says(memory: Memory, share: Share) -> bool:
    """Say whether a file in which it may stand says so, word for word."""
    wanted, words = folded(share.text), words_of(share.text)
    return any(
        folded(said_in(said.raw)) == wanted
        for path, text in memory.workspace.texts(_places(memory, share))
        if may_say(text, words)
        for said in sayings(path, text)
        if not said.frame
    )


def _places(memory: Memory, share: Share) -> Iterator[str]:
    yield LONG_TERM
    with suppress(ValueError):
        day, layout = date.fromisoformat(share.day), memory.workspace.layout
        yield from (layout.daily(day), layout.archived(day), weekly_path(day))
