"""The owner's latest word counts."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from strata.history.decisions import Decisions, Remembered, decisions
from strata.workspace.journal import Journal

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.jsonl")


def said(
    event: str, name: str = "aaa", run: str = "run1", **more: object
) -> dict[str, object]:
    """
    One record of the owner's.
    """
    return {"event": event, "version": 1, "id": name, "run": run, **more}


def test_no_journal_no_decisions(journal: Journal) -> None:
    """
    Without a journal nothing is decided.
    """
    assert decisions(journal) == Decisions()


def test_latest_word_counts(journal: Journal) -> None:
    """
    What was declined and then accepted is accepted; a pin is a matter of its own.
    """
    journal.append(
        [
            said("declined", text="Use tabs."),
            said("pinned"),
            said("accepted"),
            said("accepted", "bbb"),
            said("declined", "bbb", text="Use spaces."),
            said("pinned", "ccc"),
            said("unpinned", "ccc"),
        ]
    )

    found = decisions(journal)

    assert found.accepted == {"aaa"}
    assert found.declined == {"bbb": "Use spaces."}
    assert found.pinned == {"aaa"}
    assert found.released == {"ccc"}


def test_remembered_in_the_order_of_the_last_word(journal: Journal) -> None:
    """
    A remembered statement comes back with its section and day; damaged ones do not.
    """
    words = {"text": "Use pnpm.", "section": "User Preferences", "day": "2026-11-20"}
    journal.append(
        [
            said("remembered", at="2026-11-20T10:00:00", importance=8, **words),
            said("remembered", "bad", text="No day."),
        ]
    )

    assert decisions(journal).remembered == (
        Remembered(
            "aaa",
            "Use pnpm.",
            "User Preferences",
            date(2026, 11, 20),
            "2026-11-20T10:00:00",
            8,
        ),
    )


def test_new_wording_takes_the_place_of_the_old(journal: Journal) -> None:
    """
    An edited statement stays in its new wording, and its old one does not come back.
    """
    journal.append(
        [
            said("accepted", "old", text="Use npm."),
            said(
                "edited",
                "new",
                text="Use pnpm.",
                before="Use npm.",
                replaces="old",
                day="2026-11-20",
            ),
        ]
    )

    found = decisions(journal)

    assert [(each.id, each.replaces) for each in found.remembered] == [("new", "old")]
    assert found.declined == {"old": "Use npm."}
    assert found.accepted == frozenset()


def test_undone_decisions_do_not_count(journal: Journal) -> None:
    """
    A run that was undone decides nothing, until its undoing is undone.
    """
    journal.append(
        [said("declined", text="Use tabs."), said("undone", "", "run2", undoes="run1")]
    )
    assert decisions(journal) == Decisions()

    journal.append([said("undone", "", "run3", undoes="run2")])
    assert decisions(journal).declined == {"aaa": "Use tabs."}


def test_what_was_undone_waits(journal: Journal) -> None:
    """
    After an undo nothing enters, leaves or is compressed again until the owner accepts.
    """
    undone = {"run": "run2", "dimension": "undone"}
    journal.append(
        [
            said("undone", "", "run2", undoes="run1"),
            said("waiting", "in", text="Use tabs.", wanted="promoted", **undone),
            said("waiting", "out", text="Use npm.", wanted="evicted", **undone),
            said("waiting", "day", day="2026-11-05", wanted="compressed", **undone),
            said("waiting", "weak", text="Unsure.", dimension="consistent"),
        ]
    )

    found = decisions(journal)

    assert found.declined == {"in": "Use tabs."}
    assert found.pinned == {"out"}
    assert found.days == {date(2026, 11, 5)}

    journal.append(
        [
            said("accepted", "in", "run3", wanted="promoted"),
            said("accepted", "out", "run3", wanted="evicted"),
            said("accepted", "day", "run3", wanted="compressed"),
        ]
    )
    found = decisions(journal)

    assert found == Decisions(accepted=frozenset({"in"}), released=frozenset({"out"}))
