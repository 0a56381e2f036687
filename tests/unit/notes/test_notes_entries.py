"""An entry is one line that cannot pose as anything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.models import Fact, Tag
from strata.notes.entries import LONGEST, one_line, render_entry


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
    fact = Fact("用 uv", Tag.DECISION, language, ())  # type: ignore[arg-type]

    assert render_entry(fact) == expected


def test_words_cannot_pose_as_a_tag() -> None:
    """
    An entry that has no tag does not get one by beginning with its word.
    """
    fact = Fact("[decision] use uv", None, "en", ())

    assert render_entry(fact) == "(decision) use uv"


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
