"""What agents write below "Retain" is read line by line, in any width, or says why not."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.models import Retained
from strata.notes.daily import items
from strata.notes.retain import (
    MANY,
    MOST,
    WHYS,
    parse_retained,
    retained_in,
    said_by_retained,
    shown_retained,
)
from strata.notes.weekly import summarise_day

NOTE = """# 2026-11-20

- before

## Retain
- W @Anna: Anna moved to Porto.
* B I moved the invoices.
### Later
1. S A long day.

```
- W not a line
```
## Other
- after

## 10:02 session:61871d67 | 4 messages
- [decision] Keep PostgreSQL 16.
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("W @Anna: moved.", Retained("W", "moved.", ("Anna",))),
        ("W: It is so.", Retained("W", "It is so.")),
        ("B I did it: all of it.", Retained("B", "I did it: all of it.")),
        ("O(c=0.8) @Electron: No.", Retained("O", "No.", ("Electron",), 0.8)),
        ("O (c = .5) Tea, not coffee.", Retained("O", "Tea, not coffee.", (), 0.5)),
        ("O(c=1): Yes.", Retained("O", "Yes.")),
        ("O (no sugar) in tea", Retained("O", "(no sugar) in tea")),
        ("S A summary.", Retained("S", "A summary.")),
        ("w @Anna Kost, @Porto: x", Retained("W", "x", ("Anna Kost", "Porto"))),
        ("W @张伟：搬到了深圳。", Retained("W", "搬到了深圳。", ("张伟",))),
        ("Ｗ＠张伟、＠深圳：搬了。", Retained("W", "搬了。", ("张伟", "深圳"))),
        ("Ｏ（ｃ＝０．８）＠红眼：不要", Retained("O", "不要", ("红眼",), 0.8)),
        ("O @user: Short answers.", Retained("O", "Short answers.")),
        ("O @用户 @红眼：不要", Retained("O", "不要", ("红眼",))),
        ("W @Anna: meets at 10:30", Retained("W", "meets at 10:30", ("Anna",))),
        ("W # <!-- no --> [x](y)", Retained("W", "‹!-- no --› x (y)")),
    ],
)
def test_line_is_read(line: str, expected: Retained) -> None:
    """
    Its kind, whom it is tagged with, how sure it is, and what it says.
    """
    assert parse_retained(line) == expected


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("X @Anna: moved.", "letter"),
        ("Anna moved.", "letter"),
        ("Ws are letters.", "letter"),
        ("I did it.", "letter"),
        ("O'Brien called about the roof.", "letter"),
        ("W-2 form is due in April.", "letter"),
        ("B. Smith called.", "letter"),
        ("S-Bahn 晚点了。", "letter"),
        ("张伟搬家了。", "letter"),
        ("O(c=7) @Anna: x", "sure"),
        ("O(c=-1) x", "sure"),
        ("O(c=80%) x", "sure"),
        ("O(c=1.5) x", "sure"),
        ("O（c=很高）x", "sure"),
        ("W @Anna moved.", "names"),
        ("W @: moved.", "names"),
        ("W @张伟搬到了深圳。", "names"),
        ("W @Anna meets at 10:30", "names"),
        ("W", "text"),
        ("W @Anna:", "text"),
        ("W @张伟：。。。", "text"),
        ("O(c=0.8)", "text"),
    ],
)
def test_line_says_why_it_is_not_read(line: str, why: str) -> None:
    """
    One word for each thing that may be wrong with it.
    """
    assert parse_retained(line) == why


def test_section_ends_where_another_of_its_level_begins() -> None:
    """
    A smaller heading within it does not end it, and code is no line of it.
    """
    lines = [item.said for item in items(NOTE) if item.retained]

    assert lines == [
        "W @Anna: Anna moved to Porto.",
        "B I moved the invoices.",
        "S A long day.",
    ]


@pytest.mark.parametrize(
    "title", ["## Retain", "# RETAIN:", "### retain ：", "## Retain ##"]
)
def test_heading_may_be_written_in_any_way(title: str) -> None:
    """
    In any case and of any level, with a colon or none.
    """
    note = f"{title}\r\n- W It is so.\r\n"

    assert [read for _, read in retained_in(note)] == [Retained("W", "It is so.")]


def test_ten_thousand_lines_are_not_read() -> None:
    """
    Whoever writes more than `MOST` retains nothing with the rest, and is told so.
    """
    note = "## Retain\n" + "".join(f"- W Number {n}.\n" for n in range(10_000))

    found = [read for _, read in retained_in(note)]

    assert len(found) == 10_000
    assert found[MOST - 1] == Retained("W", f"Number {MOST - 1}.")
    assert set(found[MOST:]) == {MANY}


def test_names_that_a_line_does_not_say_are_said_before_it() -> None:
    """
    What it says must be borne out with them; a page shows them all, tagged.
    """
    line = Retained("W", "Anna moved there.", ("anna", "Porto"))
    chinese = Retained("W", "搬到了那里。", ("张伟", "深圳"))

    assert said_by_retained(line) == "Porto: Anna moved there."
    assert shown_retained(line) == "@anna, @Porto: Anna moved there."
    assert said_by_retained(chinese) == "张伟、深圳：搬到了那里。"
    assert shown_retained(chinese) == "@张伟、@深圳：搬到了那里。"


def test_week_says_nothing_of_the_section() -> None:
    """
    What it says was said in the talks of the day; all else of others stays.
    """
    lines = summarise_day(NOTE, date(2026, 11, 20))

    assert lines == [
        "before (src: 2026-11-20)",
        "after (src: 2026-11-20)",
        "[decision] Keep PostgreSQL 16. (src: 2026-11-20)",
    ]


@given(st.text(max_size=300))
def test_no_line_breaks_the_reading(text: str) -> None:
    """
    Whatever it is, it is read, or one of the reasons why not.
    """
    for line in (text, f"W {text}", f"O(c={text}) x", f"W @{text}", f"Ｗ＠{text}：x"):
        read = parse_retained(line)

        assert isinstance(read, Retained) or read in WHYS
        if isinstance(read, Retained):
            assert "\n" not in shown_retained(read) + said_by_retained(read)
            assert 0 <= read.sure <= 1


@given(
    st.lists(st.sampled_from(["## Retain", "# a", "- W x", "```", "", "text", "- y"]))
)
def test_every_item_is_counted_once(lines: list[str]) -> None:
    """
    Below "Retain" from 1 on, and nowhere else.
    """
    for newline in ("\n", "\r\n"):
        found = [item.retained for item in items(newline.join(lines))]

        assert [each for each in found if each] == list(
            range(1, sum(map(bool, found)) + 1)
        )
