"""A question about one person is not answered by another's words."""

from __future__ import annotations

import pytest

from strata.search.snippets import mark
from strata.search.speakers import told_of_others
from strata.search.terms import Finder

TALK = """\
- Caroline: I started looking into adoption agencies last week.
- Melanie: That's great! My kids and I painted a sunrise. When will you adopt?
"""
CHINESE_TALK = """\
- 刘琳：我上周开始学滑雪，教练很耐心。
- 周立：真不错！我最近在学游泳。
"""
TERMS = {
    "adopt": 1.0,
    "agenc": 1.0,
    "sunris": 1.0,
    "paint": 1.0,
    "滑雪": 1.0,
    "游泳": 1.0,
}


def told(question: str, text: str, *asked: str) -> float:
    """
    By how much others' words in *text* fit *question*, which has the terms *asked*.
    """
    finder = Finder([*TERMS, "carolin", "melani", "刘琳", "周立"])
    weights = {term: TERMS[term] for term in asked}
    return told_of_others(question, [mark(text, finder)], weights, finder)


@pytest.mark.parametrize(
    ("question", "asked", "of_others"),
    [
        ("Which adoption agencies does Caroline look into?", ("adopt", "agenc"), False),
        ("Which adoption agencies does Melanie look into?", ("adopt", "agenc"), True),
        ("When did Melanie paint a sunrise?", ("paint", "sunris"), False),
        ("When did Caroline paint a sunrise?", ("paint", "sunris"), True),
    ],
)
def test_others_words_are_no_answer(
    question: str, asked: tuple[str, ...], *, of_others: bool
) -> None:
    """
    What one person said of herself is told of her, and not of whom she spoke with.
    """
    assert (told(question, TALK, *asked) > 0) is of_others


def test_speakers_are_told_apart_in_chinese() -> None:
    """
    The same holds in Chinese.
    """
    assert told("刘琳在学滑雪吗", CHINESE_TALK, "滑雪") < 0
    assert told("周立在学滑雪吗", CHINESE_TALK, "滑雪") > 0


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who paints a sunrise?", TALK),
        ("Did Caroline and Melanie paint a sunrise?", TALK),
        ("Did Melanie paint a sunrise?", "- [decision] paint: a sunrise\n"),
        ("Did Melanie paint a sunrise?", "- Melanie paints a sunrise.\n"),
    ],
)
def test_without_talk_or_with_both_names_nothing_speaks_against(
    question: str, text: str
) -> None:
    """
    Notes that are no talk, and questions about nobody or about both, are left alone.
    """
    assert told(question, text, "sunris", "paint") == 0.0
