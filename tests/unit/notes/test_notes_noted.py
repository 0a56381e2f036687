"""What a note holds, line by line."""

from __future__ import annotations

from strata.models import Tag
from strata.notes.noted import Noted, noted_lines

NOTE = """\ufeff# 2026-11-20

## 09:15 session:61871d67 | 4 messages
- [decision] We keep PostgreSQL 16. (src: 2026-11-20)
- User asked: Why? <!-- keep -->

| --- | --- |
```
# no heading
```
---
## 计划
1. [任务] 浇水
"""


def test_each_line_has_its_number_kind_and_heading() -> None:
    """
    Whoever wrote it and in whatever language; headings, rules and fences say nothing.
    """
    session = "09:15 session:61871d67 | 4 messages"

    found = list(noted_lines(NOTE))

    assert found == [
        Noted(4, "We keep PostgreSQL 16.", Tag.DECISION, session),
        Noted(5, "User asked: Why?", None, session),
        Noted(9, "# no heading", None, session),
        Noted(13, "浇水", Tag.TASK, "计划"),
    ]


def test_who_begins_later_sees_the_rest() -> None:
    """
    The lines from a number on are those that all of them end with.
    """
    every = list(noted_lines(NOTE))

    assert all(
        [each for each in every if each.number >= start]
        == list(noted_lines(NOTE, start))
        for start in range(-1, 16)
    )
