"""The journal keeps what was written, also when a crash tore its last line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from strata.workspace.journal import Journal

if TYPE_CHECKING:
    from pathlib import Path


def test_records_come_back_in_order(tmp_path: Path) -> None:
    """
    Records of one event are read back as they were written.
    """
    journal = Journal(tmp_path / "journal.jsonl")
    journal.append([{"event": "captured", "n": 1}, {"event": "evicted"}])
    journal.append([{"event": "captured", "n": 2, "text": "决定\u2028"}])

    assert list(journal.records("captured")) == [
        {"event": "captured", "n": 1},
        {"event": "captured", "n": 2, "text": "决定\u2028"},
    ]


def test_torn_line_costs_only_itself(tmp_path: Path) -> None:
    """
    A line that a crash cut off is skipped, and the next record stands on its own.
    """
    journal = Journal(tmp_path / "journal.jsonl")
    journal.append([{"event": "captured", "n": 1}])
    with journal.path.open("ab") as file:
        file.write(b'{"event":"captu')

    journal.append([{"event": "captured", "n": 2}])

    assert [record["n"] for record in journal.records("captured")] == [1, 2]


@pytest.mark.parametrize(
    "damage",
    [
        {"entries": 7},
        {"entries": [7]},
        {"sources": {"day": 1}},
        {"sources": ["x"]},
        {"id": {"a": 1}},
    ],
)
def test_record_of_another_shape_is_skipped(
    tmp_path: Path, damage: dict[str, object]
) -> None:
    """
    Who reads the journal need not look whether a list is one.
    """
    journal = Journal(tmp_path / "journal.jsonl")
    whole = {"event": "captured", "id": "1", "entries": [{"id": "2"}], "sources": []}
    journal.append([whole | damage, whole])

    assert list(journal.records("captured")) == [whole]


def test_no_journal_is_no_history(tmp_path: Path) -> None:
    """
    A lost journal reads as an empty one.
    """
    assert list(Journal(tmp_path / "journal.jsonl").records("captured")) == []


def test_damaged_bytes_cost_only_their_line(tmp_path: Path) -> None:
    """
    A line that is no text any more does not keep the others from being read.
    """
    journal = Journal(tmp_path / "journal.jsonl")
    journal.append([{"event": "captured", "n": 1}])
    with journal.path.open("ab") as file:
        file.write(b'\xff\x00{"event"\n')

    journal.append([{"event": "captured", "n": 2}])

    assert [record["n"] for record in journal.records("captured")] == [1, 2]


def test_lines_that_cannot_be_meant_may_be_left_out(tmp_path: Path) -> None:
    """
    A record whose line does not suit is skipped unread; one whose line does is there.
    """
    journal = Journal(tmp_path / "journal.jsonl")
    journal.append([{"event": "captured", "n": 1, "key": "agent:main:main"}])
    journal.append([{"event": "captured", "n": 2, "key": "agent:main:x:Group:7"}])

    asked = journal.records("captured", suits=lambda line: b":Group:" in line)

    assert [record["n"] for record in asked] == [2]


def test_event_is_found_wherever_it_stands_in_its_line(tmp_path: Path) -> None:
    """
    How a line begins tells what need not be read, not what a record is.
    """
    journal = Journal(tmp_path / "journal.jsonl")
    journal.append([{"n": 1, "event": "pinned"}, {"event": "captured", "of": "pinned"}])

    assert [record["n"] for record in journal.records("pinned")] == [1]
