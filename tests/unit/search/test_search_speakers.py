"""A question about one person is not answered by another's words."""

from __future__ import annotations

import pytest

from strata.search.answering.abstaining import OF_OTHERS
from strata.search.answering.snippets import mark
from strata.search.answering.speakers import told_of_others
from strata.search.language.keywords import query_terms
from strata.search.language.terms import Finder

TALK = """\
- Caroline: I started looking into adoption agencies last week.
- Melanie: That's great! My kids and I painted a sunrise. When will you adopt?
- Caroline: Soon, I hope. How was Paris, and the marathon there?
- Melanie: Tiring. I ran it in four hours.
"""
CHINESE_TALK = """\
- 刘琳：我上周开始学滑雪，教练很耐心。
- 周立：真不错！我最近在学游泳。
- 刘琳：巴黎的马拉松怎么样？
- 周立：很累，四个小时跑完了。
"""


def told(question: str, text: str) -> tuple[float, str]:
    """
    By how much others' lives in *text* fit *question* better, and whose.
    """
    terms = query_terms(question)
    finder = Finder(terms)
    return told_of_others(question, [mark(text, finder)], terms, finder)


@pytest.mark.parametrize(
    ("question", "whose"),
    [
        ("Which adoption agencies does Caroline look into?", ""),
        ("Which adoption agencies does Melanie look into?", "Caroline"),
        ("When did Melanie paint a sunrise?", ""),
        ("When did Caroline paint a sunrise?", "Melanie"),
        ("刘琳在学滑雪吗", ""),
        ("周立在学滑雪吗", "刘琳"),
    ],
)
def test_others_words_are_no_answer(question: str, whose: str) -> None:
    """
    What one person said of herself is told of her, and not of whom she spoke with.
    """
    text = TALK if question.isascii() else CHINESE_TALK

    fits, who = told(question, text)

    assert (who if fits > 0 else "") == whose


@pytest.mark.parametrize(
    ("question", "of_others"),
    [
        ("When was Melanie at the marathon in Paris?", False),
        ("When was Caroline at the marathon in Paris?", True),
        ("周立跑了巴黎的马拉松吗", False),
        ("刘琳跑了巴黎的马拉松吗", True),
    ],
)
def test_question_tells_of_whom_it_is_put_to(question: str, *, of_others: bool) -> None:
    """
    Who asks "How was Paris?" was not there; who is asked was.
    """
    text = TALK if question.isascii() else CHINESE_TALK

    assert (told(question, text)[0] > 0) is of_others


def test_remark_about_another_is_less_than_what_they_say_themselves() -> None:
    """
    "That race sounds great" does not make it a race of who says so.
    """
    text = (
        "- Ann: I ran the charity race.\n"
        "- Bea: That charity race sounds great!\n"
        "- Bea: Rain today.\n"
    )

    assert told("When did Bea run the charity race?", text)[0] > OF_OTHERS
    assert told("When did Ann run the charity race?", text + "- Ann: Yes.")[0] < 0


def test_one_word_of_another_is_weak_evidence() -> None:
    """
    A single word in common speaks half as loud as it would beside a second one.
    """
    text = "- Ann: Hello.\n- Bea: I serve my country.\n- Ann: Hello again.\n"

    one, _ = told("Which European country saw Ann swim?", text)
    two, _ = told("Which European country did Ann serve?", text)

    assert one == 1 / 8
    assert two == 2 / 3


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who paints a sunrise?", TALK),
        ("Did Caroline and Melanie paint a sunrise?", TALK),
        ("Did Melanie paint a sunrise?", "- [decision] paint: a sunrise\n"),
        ("Did Melanie paint a sunrise?", "- Melanie paints a sunrise.\n"),
        ("Did Ann paint?", "- Ann: a painter\n- Bea: I paint.\n- Bea: I do.\n"),
        ("朱守谦的父亲是谁", "- 父：范令公\n- 太祖说：我与你父亲不同。\n"),
        ("Did Ann paint?", "- Ann: I paint.\n- Ann: I do.\n"),
        ("安娜喜欢健身吗", "- 安娜：你好。\n- 助手：我喜欢健身。\n- 安娜：好。\n"),
    ],
)
def test_without_talk_or_with_both_names_nothing_speaks_against(
    question: str, text: str
) -> None:
    """
    Notes that are no talk, lists of words with what they mean, and questions about nobody
    or about both are left alone.
    """
    assert told(question, text) == (0.0, "")
