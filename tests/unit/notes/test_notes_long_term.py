"""MEMORY.md changes line by line, and nothing that others wrote there changes."""

from __future__ import annotations

from datetime import date

from strata.notes.lines import Line, render_line, said_by
from strata.notes.long_term import (
    Section,
    bare_lines,
    compose,
    fits,
    parse_long_term,
    render_long_term,
)
from strata.notes.marks import KEEP, source_days
from strata.notes.words import words_in

OURS = "- Use pnpm. (src: 2026-11-20)"
OTHER = "- Keep PostgreSQL. (src: 2026-11-20)"
THEIRS = """\ufeff# My memory\r
\r
## User Preferences\r
* never phone my mother\r
- Use pnpm. (src: 2026-11-20)\r
\r
## Scratch\r
  parking B2"""


def test_empty_file_becomes_the_page() -> None:
    """
    Where there is nothing, the header and all four sections are written.
    """
    text = compose("", set(), {Section.DECISIONS: [OTHER]})

    assert text.startswith(words_in("en").top)
    assert f"## Key Decisions\n{OTHER}\n\n## Important Contacts\n" in text
    assert fits(text)


def test_line_of_others_survives_every_change() -> None:
    """
    Line ends, a byte order mark, other sections and a last line without end stay.
    """
    text = compose(THEIRS, {OURS}, {Section.DECISIONS: [OTHER]})

    assert OURS not in text
    assert text.startswith("\ufeff# My memory\r\n")
    assert "* never phone my mother\r\n" in text
    assert f"## Key Decisions\r\n{OTHER}\r\n" in text
    assert text.endswith("## Scratch\r\n  parking B2")


def test_same_lines_change_nothing() -> None:
    """
    A page that says what is wanted is left as it is, byte for byte.
    """
    assert compose(THEIRS, {OURS}, {Section.PREFERENCES: [OURS]}) == THEIRS


def test_new_line_follows_the_one_before_it() -> None:
    """
    A line that arrives late goes to its place, and those that are there stay.
    """
    lines = [f"- Line {n}. (src: 2026-11-20)" for n in range(3)]
    page = compose("", set(), {Section.PREFERENCES: [lines[0], lines[2]]})

    text = compose(page, set(lines), {Section.PREFERENCES: lines})

    assert "\n".join(lines) in text


def test_chinese_section_is_known() -> None:
    """
    A section with a Chinese heading takes the lines that belong there.
    """
    text = compose("# 长期记忆\n\n## 用户偏好\n", set(), {Section.PREFERENCES: [OURS]})

    assert text == f"# 长期记忆\n\n## 用户偏好\n{OURS}\n"


def test_heading_in_code_is_no_section() -> None:
    """
    What looks like a heading inside a fence belongs to the code.
    """
    text = "```\n## User Preferences\n```\n"

    assert [part.section for part in parse_long_term(text)] == [None]
    assert render_long_term(parse_long_term(text)) == text


def test_page_over_a_limit_does_not_fit() -> None:
    """
    Eighty lines and 5,120 bytes are allowed, one more of either is not.
    """
    assert fits("x\n" * 80)
    assert not fits("x\n" * 81)
    assert fits("x" * 5120)
    assert not fits("x" * 5121)
    assert not fits("好" * 1707)


def test_line_says_what_was_rendered() -> None:
    """
    A line is read back as it was written, and so is one that an earlier version wrote.
    """
    day = date(2026, 11, 20)
    line = Line("Use pnpm, never npm.", day, ("npm install", "包管理"))
    old = (
        "- Use pnpm, never npm. (src: 2026-11-18, 2026-11-20) <!-- importance: 7 -->"
        " <!-- trigger: npm install --> <!-- keep -->"
    )

    raw = render_line(line)

    assert raw == (
        "- Use pnpm, never npm. (src: 2026-11-20) <!-- trigger: npm install, 包管理 -->"
    )
    assert source_days(raw) == (day,)
    assert source_days(old) == (date(2026, 11, 18), day)
    assert KEEP.search(old)
    assert said_by(raw) == said_by(old) == line.text


def test_line_without_room_names_no_source() -> None:
    """
    The journal has the source; on the page words go first.
    """
    assert render_line(Line("Use pnpm.", None)) == "- Use pnpm."


def test_text_cannot_forge_a_comment() -> None:
    """
    A statement with comment marks stands in the line as words.
    """
    raw = render_line(Line("a <!-- trigger: b -->", date(2026, 11, 20)))

    assert "<!--" not in raw


def test_only_line_feeds_end_lines() -> None:
    """
    A form feed or a line separator is part of what somebody wrote.
    """
    assert bare_lines("a\x0cb\u2028c\nd") == ["a\x0cb\u2028c", "d"]


def test_page_of_our_lines_alone_may_become_empty() -> None:
    """
    Where nothing of others is left and nothing is wanted, nothing is written.
    """
    assert compose(f"{OURS}\n", {OURS}, {}) == ""
    assert compose("", {OURS}, {}) == ""
    assert compose(f"{OURS}\n", {OURS}, {Section.DECISIONS: [OTHER]}).startswith(
        words_in("en").top
    )


def test_new_page_speaks_the_language_of_its_owner() -> None:
    """
    Header and headings of a Chinese owner are Chinese; the journal's names stay.
    """
    wanted = {Section.DECISIONS: [OTHER]}

    text = compose("", set(), wanted, language="zh")

    assert text.startswith("# 长期记忆\n\n> ")
    assert f"## 关键决策\n{OTHER}\n\n## 重要联系人\n" in text
    assert [part.section for part in parse_long_term(text)] == [None, *Section]
    assert compose(text, {OTHER}, wanted, language="en") == text
    assert fits(text)


def test_page_goes_on_in_the_language_that_it_has() -> None:
    """
    What stands is not rewritten, and a section that is missing is named like the others.
    """
    text = compose(
        "## User Preferences\n", set(), {Section.DECISIONS: [OTHER]}, language="zh"
    )

    assert text == f"## User Preferences\n\n## Key Decisions\n{OTHER}\n"


def test_fence_that_nobody_closes_hides_no_section() -> None:
    """
    Composing the next night finds the sections that stand below it.
    """
    wanted = {Section.DECISIONS: [OTHER], Section.CONTACTS: [OURS]}
    page = compose("# KEY DECISIONS\n```", set(), wanted)

    assert compose(page, {OURS, OTHER}, wanted) == page
    assert page.count(OTHER) == page.count(OURS) == 1
    assert page.count("#") == 3
