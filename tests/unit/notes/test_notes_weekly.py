"""A week's summary has each day once, in order, each line with its source."""

from __future__ import annotations

from datetime import date

from strata.notes.headings import monday_of
from strata.notes.sayings import sayings
from strata.notes.weekly import (
    add_day,
    days_in,
    lines_of,
    summarise_day,
    weekly_path,
)

NOTE = """# 2026-11-20

## 14:02 session:61871d67 | 12 messages
- User asked to move the API to Fastify.
- [decision] Keep PostgreSQL 16.
- [偏好] 用 pnpm。

## Shopping
* milk
"""
DAY = date(2026, 11, 20)


def test_tagged_entries_and_the_words_of_others_are_kept() -> None:
    """
    Our requests stay behind; tagged entries and what people wrote go into the week.
    """
    assert summarise_day(NOTE, DAY) == [
        "[decision] Keep PostgreSQL 16. (src: 2026-11-20)",
        "[偏好] 用 pnpm。 (src: 2026-11-20)",
        "milk (src: 2026-11-20)",
    ]


def test_day_of_requests_only_is_not_lost() -> None:
    """
    A day without any tagged entry keeps its requests.
    """
    note = "## 14:02 session:61871d67 | 2 messages\n- User asked for tea.\n"

    assert summarise_day(note, DAY) == ["User asked for tea. (src: 2026-11-20)"]


def test_same_statement_is_kept_once() -> None:
    """
    A statement made twice on a day is one line.
    """
    note = "- [task] Ship it\n- ship  it\n"

    assert summarise_day(note, DAY) == ["[task] Ship it (src: 2026-11-20)"]


def test_title_is_in_the_language_of_the_notes() -> None:
    """
    A new week has a title in it, which is read as a title wherever the text lies.
    """
    text = add_day("", DAY, ["[偏好] 周报用中文写。"], "zh")

    title, section, line = sayings("elsewhere.md", text)
    assert title.raw == "# 周摘要 2026-11-16"
    assert (title.frame, section.frame, line.frame) == (True, True, False)
    assert line.day == DAY
    assert add_day(text, DAY, ["b"], "en").startswith("# 周摘要 2026-11-16\n")


def test_days_stand_in_order_and_once() -> None:
    """
    A day that arrives late goes to its place, and so does what it says later still.
    """
    text = add_day("", date(2026, 11, 20), ["b"])
    text = add_day(text, date(2026, 11, 18), ["a"])
    text = add_day(text, date(2026, 11, 22), ["c"])

    assert text == (
        "# Week of 2026-11-16\n\n### 2026-11-18\na\n\n### 2026-11-20\nb\n\n"
        "### 2026-11-22\nc\n"
    )
    late = add_day(text, date(2026, 11, 18), ["other"])
    assert late == text.replace("a\n", "a\nother\n")
    assert lines_of(late, date(2026, 11, 18)) == ["a", "other"]
    assert days_in(text) == {date(2026, 11, 18), DAY, date(2026, 11, 22)}


def test_week_that_straddles_a_year_belongs_to_its_monday() -> None:
    """
    The first days of January may be part of December's last week.
    """
    assert monday_of(date(2027, 1, 3)) == date(2026, 12, 28)
    assert weekly_path(date(2027, 1, 3)) == "memory/weekly/2026-12-28.md"


FOREIGN = """---
title: old tool
---
# Notes

**Decisions**
- Host in Frankfurt,
  because of the law.

## 偏好
1. 用 A4 纸。

| who | phone |
|-----|-------|
| Ada | 4711 |

We spent the afternoon
on the roof.

```
- not a line
```
"""


def test_notes_of_other_tools_are_summarised_too() -> None:
    """
    Lists, tables and paragraphs of any form are kept; headings tell what they are.
    """
    assert summarise_day(FOREIGN, DAY) == [
        "title: old tool (src: 2026-11-20)",
        "[decision] Host in Frankfurt, because of the law. (src: 2026-11-20)",
        "[偏好] 用 A4 纸。 (src: 2026-11-20)",
        "who | phone (src: 2026-11-20)",
        "Ada | 4711 (src: 2026-11-20)",
        "We spent the afternoon on the roof. (src: 2026-11-20)",
    ]


def test_chosen_lines_stand_for_their_entries() -> None:
    """
    A request may be chosen, and an entry without a line leaves none, nor its day.
    """
    request = "User asked to move the API to Fastify."
    chosen = {request: request, "[decision] Keep PostgreSQL 16.": ""}

    assert summarise_day(NOTE, DAY, reworded=chosen) == [
        "User asked to move the API to Fastify. (src: 2026-11-20)",
        "[偏好] 用 pnpm。 (src: 2026-11-20)",
        "milk (src: 2026-11-20)",
    ]
    trace = "## 14:02 session:61871d67 | 2 messages\n- User said: hm\n"
    assert summarise_day(trace, DAY, reworded={"User said: hm": ""}) == []
