"""How all statements stand, read on from where it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.history.names import CAPTURED, OF_STATEMENTS
from strata.history.standing_journal import StandingJournal
from strata.history.statements import read_statements
from strata.workspace.journal import Journal

if TYPE_CHECKING:
    from pathlib import Path

DAY = "2026-11-20"
ABOUT = (*OF_STATEMENTS, CAPTURED)
NAMES = ("a1a1a1a1a1a1", "b2b2b2b2b2b2", "c3c3c3c3c3c3")


def record(event: str, name: str, at: int = 0) -> dict[str, Any]:
    """
    What the journal has of *event*, with words that look like a record themselves.
    """
    said = f'say "event":"rejected","id":"{name}"'
    return {"event": event, "at": f"2026-11-20T12:00:{at:02}", "id": name, "text": said}


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """
    A journal with nothing in it.
    """
    return Journal(tmp_path / "journal.jsonl")


@given(
    st.lists(st.tuples(st.sampled_from(OF_STATEMENTS), st.sampled_from(NAMES))),
    st.integers(0, 20),
)
def test_it_tells_what_the_whole_journal_tells(
    tmp_path_factory: pytest.TempPathFactory, events: list[tuple[str, str]], at: int
) -> None:
    """
    But for what was rejected and nothing else, it is the same, wherever it read on.
    """
    journal = Journal(tmp_path_factory.mktemp("all") / "journal.jsonl")
    records = [record(*each, at=n) for n, each in enumerate(events)]
    standing = StandingJournal(journal.path)
    journal.append(records[:at])
    list(standing.records("promoted"))
    journal.append(records[at:])

    found = read_statements(standing, "")

    whole = [e for e in read_statements(journal, "") if e.kind != "rejected"]
    assert whole == [each for each in found if each.kind != "rejected"]


@given(
    st.lists(st.tuples(st.sampled_from(ABOUT), st.sampled_from(NAMES))),
    st.sets(st.sampled_from((*NAMES, DAY, "")), max_size=3),
    st.integers(0, 20),
)
def test_it_finds_what_is_about_a_name_as_the_whole_journal_does(
    tmp_path_factory: pytest.TempPathFactory,
    events: list[tuple[str, str]],
    names: set[str],
    at: int,
) -> None:
    """
    Also what was rejected and nothing else, and what was captured on a day, in order.
    """
    journal = Journal(tmp_path_factory.mktemp("named") / "journal.jsonl")
    records = [record(*each, at=n) for n, each in enumerate(events)]
    for each in records:
        if each["event"] == CAPTURED:
            each["day"] = each.pop("id").replace(NAMES[0], DAY)
    standing = StandingJournal(journal.path)
    journal.append(records[:at])
    standing.catch_up()
    journal.append(records[at:])

    found = list(standing.naming(names, *ABOUT))

    assert found == list(journal.naming(names, *ABOUT))
    assert len(found) == sum(
        (each.get("id") or each.get("day")) in names for each in records
    )


def test_a_line_that_is_being_written_is_read_once_it_is_whole(
    journal: Journal,
) -> None:
    """
    Half a line is not read, and not lost.
    """
    journal.append([record("waiting", NAMES[0])])
    standing = StandingJournal(journal.path)
    line = journal.path.read_bytes()
    with journal.path.open("ab") as file:
        file.write(line[:20])
    before = list(standing.records("waiting"))
    with journal.path.open("ab") as file:
        file.write(line[20:])

    assert len(before) == 1
    assert len(list(standing.records("waiting"))) == 2


@pytest.mark.parametrize("reads", [Journal, StandingJournal])
def test_odd_records_are_found_or_left(reads: type[Journal], journal: Journal) -> None:
    """
    Whatever stands for an id or a day, in however many kinds of events and ids.
    """
    odd: list[dict[str, Any]] = [
        {"event": "waiting", "id": "a.b c", "day": ["2026-11-20"]},
        {"event": CAPTURED, "id": DAY, "day": "2026-11-21"},
        {"event": CAPTURED, "id": "x", "day": DAY},
        *({"event": f"of_{n}", "id": "x"} for n in range(300)),
        *({"event": "rejected", "id": f"{n:012x}"} for n in range(3000)),
    ]
    journal.append(odd)
    with journal.path.open("ab") as file:
        file.write(b'{"event" : "rejected", "id" : "spaced"}\n')
    asked = reads(journal.path)

    def found(*names: str) -> list[object]:
        events = (CAPTURED, "waiting", "rejected", "of_299")
        return [each["id"] for each in asked.naming(set(names), *events)]

    assert found("a.b c", "spaced") == ["a.b c", "spaced"]
    assert found(DAY, "x") == ["x", "x"]
    assert len(found(*(f"{n:012x}" for n in range(3000)))) == 3000


def test_what_is_read_is_of_one_file(journal: Journal) -> None:
    """
    A journal that takes the place of another meanwhile changes nothing of an answer.
    """
    journal.append([record("rejected", NAMES[0], at=n) for n in range(5)])
    standing = StandingJournal(journal.path)
    found = standing.naming({NAMES[0]}, "rejected")
    first = next(found)
    other = journal.path.with_suffix(".new")
    Journal(other).append([record("promoted", NAMES[1])])
    other.replace(journal.path)

    assert len([first, *found]) == 5
    assert list(standing.naming({NAMES[0]}, "rejected")) == []
    journal.path.unlink()
    assert list(standing.naming({NAMES[1]}, "promoted")) == []


def test_what_was_forgotten_is_not_kept(journal: Journal) -> None:
    """
    Of a journal that was written anew nothing old stays, whatever number its file has.
    """
    journal.append([record("waiting", NAMES[0]), record("promoted", NAMES[1])])
    standing = StandingJournal(journal.path)
    list(standing.records("waiting"))
    journal.path.write_bytes(b"")
    journal.append([record("promoted", NAMES[1])] * 3)

    assert list(standing.records("waiting")) == []
    assert len(list(standing.records("promoted"))) == 3
    assert NAMES[0] not in repr(vars(standing))
