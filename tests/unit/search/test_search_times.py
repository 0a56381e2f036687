"""The time that a question names."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from builders_search import (
    NOTES,
    TODAY,
    ask,
    index_of,
    paths,
    tiny_model,
    write_notes,
)

from strata.search.answering.finding import Question, find
from strata.search.answering.ranking import Ranking
from strata.search.indexing.times import times_of
from strata.search.stores.store import Scope

if TYPE_CHECKING:
    from pathlib import Path

WEEKS = {
    "memory/2026-11-18.md": """\
# 2026-11-18

## 10:12 session:0a1b2c3d | 6 messages
- The release of the greenhouse app was moved to the end of the month.
- 温室应用的发布推迟到月底。
""",
    "memory/2026-11-11.md": """\
# 2026-11-11

## 10:12 session:1a1b2c3d | 6 messages
- The release of the greenhouse app is on track, nothing was moved.
- 温室应用的发布按计划进行。
""",
    "memory/weekly/2026-11-02.md": """\
# Week of 2026-11-02

### 2026-11-03
[decision] The release of the greenhouse app needs a review first. (src: 2026-11-03)
""",
}


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("the release of the greenhouse app last Wednesday", "memory/2026-11-18.md"),
        (
            "the release of the greenhouse app nine days ago",
            "memory/2026-11-11.md",
        ),
        ("上周三温室应用的发布怎么样", "memory/2026-11-11.md"),
        ("两天前温室应用的发布怎么样", "memory/2026-11-18.md"),
        (
            "the release of the greenhouse app in the week of November 2",
            "memory/weekly/2026-11-02.md",
        ),
    ],
)
def test_time_in_a_question_prefers_its_notes(
    tmp_path: Path, text: str, path: str
) -> None:
    """
    Of notes with the same words those of the time asked for come first, none is excluded.
    """
    answer = ask(index_of(write_notes(tmp_path, WEEKS)), tmp_path, text)

    assert paths(answer)[0] == path
    assert len(set(paths(answer))) > 1


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("What happened last week?", "memory/2026-11-11.md"),
        ("上周发生了什么？", "memory/2026-11-11.md"),
        ("What did we do two weeks ago?", "memory/weekly/2026-11-02.md"),
        ("两天前做了什么", "memory/2026-11-18.md"),
    ],
)
def test_question_for_a_time_alone_reads_its_notes(
    tmp_path: Path, text: str, path: str
) -> None:
    """
    "What happened last week" is answered by that week, whatever words stand there.
    """
    answer = ask(index_of(write_notes(tmp_path, WEEKS)), tmp_path, text)

    assert paths(answer) == [path]


def test_long_time_reads_the_weekly_summary_first(tmp_path: Path) -> None:
    """
    Where a week has a summary and daily notes, the summary opens the answer.
    """
    daily = {"memory/archive/2026/2026-11-03.md": "# 2026-11-03\n\n- A review.\n"}
    write_notes(tmp_path, WEEKS | daily)
    index = index_of(tmp_path)

    week = ask(index, tmp_path, "what happened two weeks ago?")
    day = ask(index, tmp_path, "what happened on 2026-11-03?")

    assert paths(week) == ["memory/weekly/2026-11-02.md", *daily]
    assert paths(day)[0] == next(iter(daily))


def test_time_without_notes_names_the_nearest_days(tmp_path: Path) -> None:
    """
    Where there is nothing of the time asked for, the answer says so and what is near.
    """
    answer = ask(
        index_of(write_notes(tmp_path, WEEKS)), tmp_path, "what happened in May?"
    )

    assert not answer.answerable
    assert answer.hits == ()
    assert answer.closest[0].path == "memory/weekly/2026-11-02.md"


@pytest.mark.parametrize("text", ["when is the launch?", "what happened in November?"])
def test_week_tells_no_more_than_was_known_by_the_last_day(
    tmp_path: Path, text: str
) -> None:
    """
    A weekly summary bears its Monday, and each of its sections the day that it tells of.
    """
    week = {
        "memory/weekly/2026-11-02.md": "# Week of 2026-11-02\n\n"
        "### 2026-11-02\n[finding] The launch needs a hall. (src: 2026-11-02)\n\n"
        "### 2026-11-05\n[decision] The launch is on 2027-01-15. (src: 2026-11-05)\n"
    }
    index = index_of(write_notes(tmp_path, week))

    before = ask(index, tmp_path, text, Scope(until=date(2026, 11, 4)))
    then = ask(index, tmp_path, text, Scope(until=date(2026, 11, 5)))

    assert [hit.end_line for hit in before.hits] == [4]
    assert "2027-01-15" in then.hits[0].snippet


def test_what_may_not_be_shown_answers_nothing(tmp_path: Path) -> None:
    """
    How near a section comes that was written later makes no answer of an earlier one.
    """
    later = "[decision] The launch is on 2027-01-15. (src: 2026-11-05)"
    week = {
        "memory/weekly/2026-11-02.md": "# Week of 2026-11-02\n\n"
        "### 2026-11-02\n[finding] Invoice 27 was paid twice. (src: 2026-11-02)\n\n"
        f"### 2026-11-05\n{later}\n"
    }
    notes = write_notes(tmp_path / "notes", week)
    index = index_of(notes, tiny_model(tmp_path / "model"))
    index.update(embed=True)
    question = Question(later, 10, Scope(until=date(2026, 11, 4)), explain=True)

    answer = find(index, notes, question, Ranking(TODAY, 30))

    assert answer.explanation is not None
    assert answer.explanation.nearest < 0.99


def test_flag_and_words_hold_together(tmp_path: Path) -> None:
    """
    Words prefer within what a flag allows.
    """
    index = index_of(write_notes(tmp_path, WEEKS))
    scope = Scope(since=TODAY.replace(day=15))

    answer = ask(
        index, tmp_path, "the release of the greenhouse app nine days ago", scope
    )

    assert paths(answer) == ["memory/2026-11-18.md"]


def test_day_to_come_is_found_where_it_is_written(tmp_path: Path) -> None:
    """
    "Next Friday" finds the note that names its date.
    """
    plan = {
        "memory/2026-11-19.md": "# 2026-11-19\n\n- Dentist on 2026-11-27 at nine.\n"
    }
    index = index_of(write_notes(tmp_path, NOTES | plan))

    answer = ask(index, tmp_path, "what is planned for next Friday?")

    assert paths(answer)[0] == "memory/2026-11-19.md"
    assert "2026-11-27" in answer.hits[0].snippet


def test_time_is_read_only_where_there_is_some() -> None:
    """
    A question without time prefers nothing.
    """
    assert times_of("which database did we choose?", TODAY).stretches == ()
    assert times_of("我们选了哪个数据库", TODAY).stretches == ()


def test_times_of_a_pasted_page_are_not_asked_for() -> None:
    """
    A long text is looked for by its words alone, within moments.
    """
    line = "2026-11-18 12:03 worker 7 failed by the timeout of last Friday\n"

    assert times_of(line, TODAY).stretches
    assert not times_of(line * 1500, TODAY).stretches
