"""A history tells what the journal told at that moment, in one reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from strata.history.decisions import decisions
from strata.history.ledger import read_ledger
from strata.history.names import CAPTURED, OF_RUNS, WORDED
from strata.history.opinions import read_opinions
from strata.history.projection import TOLD, History
from strata.history.shortenings import read_shortenings
from strata.history.statements import read_statements
from strata.history.summaries import read_summaries
from strata.workspace.journal import Journal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from strata.workspace.journal import Suits


class Counted(Journal):
    """A journal that counts how often it is read."""

    readings = 0

    def records(
        self, *events: str, suits: Suits | None = None
    ) -> Iterator[dict[str, Any]]:
        self.readings += 1
        return super().records(*events, suits=suits)


@pytest.fixture
def journal(tmp_path: Path) -> Counted:
    """
    One record of each event, of a statement and of a run of its own.
    """
    journal = Counted(tmp_path / "private" / "journal.jsonl")
    journal.append(
        {
            "event": event,
            "id": f"{number:012x}",
            "at": f"2026-11-20T12:00:{number:02}+00:00",
            "run": f"run {number}",
            "text": f"The {event} one.",
            "line": f"- The {event} one.",
            "day": "2026-11-20",
            "model": "model",
            "wordings": [f"{number:012x}"],
            "ids": [f"{number:012x}"],
            "sources": [{"day": "2026-11-20", "entry": f"The {event} one."}],
        }
        for number, event in enumerate((*TOLD, CAPTURED))
    )
    return journal


def test_each_view_is_what_the_journal_itself_would_tell(
    journal: Counted, tmp_path: Path
) -> None:
    """
    Whoever asks the history is told the same as whoever asks the journal.
    """
    history, page = History(journal), "- The promoted one.\n"
    empty = Journal(tmp_path / "none.jsonl")

    assert history.decisions == decisions(journal) != decisions(empty)
    assert history.ledger == read_ledger(journal)
    assert history.opinions == read_opinions(journal)
    assert history.shortenings == read_shortenings(journal)
    assert history.summaries == read_summaries(journal)
    assert history.statements(page) == read_statements(journal, page)
    assert len(history.statements(page)) > len(WORDED)


def test_journal_is_read_once(journal: Counted) -> None:
    """
    All views together cost one reading, and what comes later is not in them.
    """
    history = History(journal)
    journal.append([{"event": "declined", "id": "f" * 12, "text": "Later."}])

    assert "f" * 12 not in history.decisions.declined
    assert history.ledger
    assert history.opinions
    assert history.statements("")
    assert journal.readings == 1


def test_history_does_not_pass_for_the_whole_journal(journal: Counted) -> None:
    """
    Who asks it for captures has asked in the wrong place.
    """
    with pytest.raises(KeyError):
        History(journal).records(CAPTURED)


def test_what_is_asked_about_is_told_with_all_runs(journal: Counted) -> None:
    """
    Of other statements nothing is known then, and each run still is.
    """
    name = f"{TOLD.index('promoted'):012x}"

    history = History(journal, worded=False, about={name})

    (found,) = history.statements("")
    assert (found.id, found.kind) == (name, "promoted")
    assert [*history.records(*OF_RUNS)] == [*journal.records(*OF_RUNS)]
