"""What is asked for is noted, and counts when not all lines can stay."""

from __future__ import annotations

import multiprocessing
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from builders_life import Life, new_life
from builders_rules import write_rules

from strata.jobs.query import Wish, query
from strata.jobs.tidy import tidy
from strata.memory import Memory
from strata.workspace import recalls
from strata.workspace.recalls import Recalls, recall_key

if TYPE_CHECKING:
    from pathlib import Path

    from strata.jobs.distil import DistilReport

MONDAY, TUESDAY = date(2026, 11, 2), date(2026, 11, 3)


@pytest.mark.parametrize(
    "line",
    [
        "- [preference] Use pnpm, never npm.",
        "[preference] Use pnpm, never npm. (src: 2026-11-20)",
        "- Use pnpm, never npm. (src: 2026-11-20) <!-- importance: 7 -->",
        "- [偏好] use pnpm, never  npm",
    ],
)
def test_statement_has_one_key_in_every_tier(line: str) -> None:
    """
    Bullet, tag, source, comments, case and marks do not matter.
    """
    assert recall_key(line) == recall_key("Use pnpm, never npm.")


def _ask_often(path: Path, name: str) -> None:
    for _ in range(200):
        Recalls(path).add(MONDAY, [name])


def test_days_count_and_not_questions(tmp_path: Path) -> None:
    """
    A statement that is found ten times a day is found on one day; today is not over.
    """
    noted = Recalls(tmp_path / "recalls.txt")

    for _ in range(10):
        noted.add(MONDAY, ["aa", "bb"])
    noted.add(TUESDAY, ["aa"])

    assert noted.days(before=TUESDAY) == {"aa": 1, "bb": 1}
    assert noted.days(before=date(2026, 11, 4)) == {"aa": 2, "bb": 1}
    assert noted.per_day() == {"2026-11-02": 10, "2026-11-03": 1}


def test_old_half_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The file does not grow for ever, and the newest questions stay.
    """
    monkeypatch.setattr(recalls, "LARGEST_BYTES", 1000)
    noted = Recalls(tmp_path / "recalls.txt")

    for number in range(500):
        noted.add(MONDAY, [f"{number:012x}"])

    assert noted.path.stat().st_size <= 1000
    assert f"{499:012x}" in noted.days(before=TUESDAY)


def test_processes_note_beside_each_other(tmp_path: Path) -> None:
    """
    Questions asked at the same time are all noted, in whole lines.
    """
    path = tmp_path / "recalls.txt"
    context = multiprocessing.get_context("spawn")
    asking = [
        context.Process(target=_ask_often, args=(path, name)) for name in ("aa", "bb")
    ]
    for process in asking:
        process.start()
    for process in asking:
        process.join()

    assert path.read_text().count("\n") == 400
    assert set(path.read_text().split("\n")) == {"2026-11-02 aa", "2026-11-02 bb", ""}


@pytest.fixture
def life(tmp_path: Path) -> Life:
    return new_life(tmp_path)


def test_question_notes_the_line_that_answers(life: Life) -> None:
    """
    The line is noted by its key, with its day, and nothing of the question.
    """
    life.talk("From now on always export figures as SVG, never as PNG.")
    life.night()
    memory = life.memory()

    query(memory, "which format do figures have?", Wish(limit=5))

    noted = memory.workspace.layout.recalls_file.read_text()
    line = "From now on always export figures as SVG, never as PNG."
    assert noted.startswith("2026-11-03 ")
    assert recall_key(line) in noted.split()
    assert "figures" not in noted


def test_unanswered_question_notes_nothing(life: Life) -> None:
    """
    What is not found is not in use.
    """
    query(life.memory(), "blood type of the ferret", Wish(limit=5))

    assert not life.memory().workspace.layout.recalls_file.exists()


def test_line_that_is_asked_for_stays_when_the_page_is_full(tmp_path: Path) -> None:
    """
    Of more rules than fit, one that questions find every day gets a line.
    """
    unasked = _night(tmp_path / "unasked")
    leaving = unasked.of("evicted")[-1]["text"]

    asked = _night(tmp_path / "asked", leaving)

    assert leaving not in [each["text"] for each in unasked.of("promoted")]
    assert leaving in [each["text"] for each in asked.of("promoted")]
    assert asked.of("evicted")


def _night(root: Path, question: str = "") -> DistilReport:
    """
    What a night makes of 500 rules, after days on which *question* was asked.
    """
    last = write_rules(root)
    for days in range(6, 0, -1):
        if question:
            query(_memory(root, last - timedelta(days=days)), question, Wish(limit=3))
    return tidy(_memory(root, last), compress=False, archive=False).distilled


def _memory(root: Path, day: date) -> Memory:
    return Memory.open(
        workspace=str(root),
        state_dir=str(root),
        now=f"{day}T23:00:00+00:00",
        overrides=["embedding.model=none", "timezone=UTC"],
    )
