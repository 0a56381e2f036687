"""The journal keeps what was written, also when a crash tore its last line."""

from __future__ import annotations

import re
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


def test_large_journal_is_read_as_a_small_one(tmp_path: Path) -> None:
    """
    Whatever is in it, a journal of years holds the same records as one of a day.
    """
    records: list[dict[str, object]] = [
        {"event": "captured", "text": "half a sign \ud83d", "n": 2**70},
        {"event": "evicted", "of": '"event":"captured"'},
        {"event": "captured", "text": "今天"},
    ]
    journal = Journal(tmp_path / "journal.jsonl")
    journal.append(records)
    with journal.path.open("ab") as file:
        file.write(b'{"event": "captured", "torn\n{"event": "captured"}\n')
    small = list(journal.records("captured"))
    journal.append({"event": "padding", "text": "x" * 1000} for _ in range(2100))

    large = list(journal.records("captured"))

    assert small == large
    assert [records[0], records[2], {"event": "captured"}] == large


def test_lines_that_do_not_suit_are_not_read(tmp_path: Path) -> None:
    """
    Who knows what a line must hold gets the records of the lines that do, in order.
    """
    journal = Journal(tmp_path / "journal.jsonl")
    days = [f"2026-11-{number}" for number in (20, 21, 22, 20)]
    records = [{"event": "captured", "day": day, "n": n} for n, day in enumerate(days)]
    journal.append([*records, {"event": "evicted", "day": days[0]}])

    suits = re.compile(f"{days[0]}|{days[1]}".encode()).search
    found = list(journal.records("captured", suits=suits))

    assert [records[0], records[1], records[3]] == found
