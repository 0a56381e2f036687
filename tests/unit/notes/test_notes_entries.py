"""An entry is one line that cannot pose as anything else."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.models import Entry, Frame, Tag
from strata.notes.entries import LONGEST, one_line, parse_entry, render_entry
from strata.notes.markdown import unbulleted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two\nlines", "two lines"),
        ("# Heading", "Heading"),
        ("- [ ] task", "task"),
        (
            "## 14:02 session:61871d67 | 12 messages",
            "14:02 session:61871d67 | 12 messages",
        ),
        ("a <!-- trigger: rm --> b", "a ‹!-- trigger: rm --› b"),
        ("zero\u200bwidth", "zero width"),
        ("bell\x07 and \x1b[31mred", "bell and [31mred"),
        ("-16 LUFS", "-16 LUFS"),
        ("#1 priority", "#1 priority"),
        ("  ", ""),
        (
            "see [the docs](https://a.example/x?y=1 'z')",
            "see the docs (https://a.example/x?y=1)",
        ),
        ("![p](https://a.example/?q=secret)", "p (https://a.example/?q=secret)"),
        ("[[reply_to_current]] hi", "[reply_to_current] hi"),
        ("use <script>alert(1)</script>", "use ‹script>alert(1)‹/script>"),
        ("List<String> stays", "List<String> stays"),
        ("x (src: 2026-01-01) <!-- keep -->", "x (src 2026-01-01) ‹!-- keep --›"),
    ],
)
def test_line_cannot_forge_structure(text: str, expected: str) -> None:
    """
    What would be a heading, a comment or a control code in a note is taken out.
    """
    assert one_line(text) == expected


def test_long_line_is_cut_at_a_word() -> None:
    """
    A line has at most 400 characters and says where it was cut.
    """
    line = one_line("word " * 200)

    assert len(line) <= LONGEST
    assert line.endswith("word…")


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "[decision] 用 uv"), ("zh", "[决策] 用 uv")],
)
def test_tag_speaks_the_language_of_the_conversation(
    language: str, expected: str
) -> None:
    """
    The tag is Chinese in a Chinese conversation.
    """
    entry = Entry("用 uv", Tag.DECISION, language=language)  # type: ignore[arg-type]

    assert render_entry(entry) == expected


def test_words_cannot_pose_as_a_tag() -> None:
    """
    An entry that has no tag does not get one by beginning with its word.
    """
    assert render_entry(Entry("[decision] use uv")) == "(decision) use uv"


@given(st.text(alphabet="[]()!<>-# (src:2026-1)abscript/", max_size=60))
def test_what_is_neutral_stays(text: str) -> None:
    """
    Once it cannot forge anything, a line is not changed again.
    """
    once = one_line(text)

    assert one_line(once) == once


def test_what_only_spaces_made_long_is_neutral_at_once() -> None:
    """
    A link that is too long to be one until its spaces are collapsed is none afterwards.
    """
    once = one_line("[[one" + " " * 250 + "two]] is it")

    assert once == "[one two] is it"
    assert one_line(once) == once


def test_only_what_leads_is_a_bullet() -> None:
    """
    A number at the end of a sentence within a line is part of what it says.
    """
    line = "- The port is 5433, not 5432. Write that down."

    assert unbulleted(line) == "The port is 5433, not 5432. Write that down."
    assert unbulleted("2) milk") == "milk"
    assert unbulleted("port 5432. Yes") == "port 5432. Yes"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[decision] use uv", Entry("use uv", Tag.DECISION)),
        ("[决策] use uv", Entry("use uv", Tag.DECISION, language="zh")),
        ("User asked: move it", Entry("move it", frame=Frame.REQUEST)),
        ("The user said: hm", Entry("hm", frame=Frame.SAYING)),
        ("用户要求：备份", Entry("备份", frame=Frame.REQUEST, language="zh")),
        # Older notes have a colon of half the width.
        ("用户要求:备份", Entry("备份", frame=Frame.REQUEST, language="zh")),
        ("Somebody here said: hi", Entry("hi", frame=Frame.HEARD)),
        ("It's blue (about: the oven)", Entry("It's blue", topic="the oven")),
        (
            "It opens (about: the mill in May (2027-05))",
            Entry("It opens", topic="the mill in May (2027-05)"),
        ),
        ("就用它（所指：新烤箱）", Entry("就用它", topic="新烤箱", language="zh")),
        (
            "[task] Ship it (src: 2026-11-20, 2026-11-21) <!-- importance: 7 -->",
            Entry("Ship it", Tag.TASK, days=(date(2026, 11, 20), date(2026, 11, 21))),
        ),
        ("[x] is no tag: nor is this", Entry("[x] is no tag: nor is this")),
        ("用户要求严格", Entry("用户要求严格", language="zh")),
        ("(src: main.c) is a path", Entry("(src: main.c) is a path")),
        ("[decision]", Entry("[decision]")),
    ],
)
def test_line_is_read_as_data(line: str, expected: Entry) -> None:
    """
    Tag, frame, topic and sources are fields; what only looks like one is text.
    """
    assert parse_entry(line) == expected
