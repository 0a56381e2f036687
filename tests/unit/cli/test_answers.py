"""Answers for people are told in the language of their question."""

from __future__ import annotations

from datetime import date

import pytest

from strata.cli.search import print_answer
from strata.hits import Answer, Hit, Tier

OLD = Hit(
    "memory/2026-11-20.md", 3, 3, 0.5, "- Port 5432.", Tier.DAILY, None,
    date(2026, 11, 21), "Port 5433.",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "head", "nothing"),
    [
        (
            "which port",
            "  (superseded on 2026-11-21 by: Port 5433.)",
            "nothing found; the notes tell it of Bob; closest: ",
        ),
        (
            "Redis 用哪个端口",
            "（已被取代，2026-11-21，现在是：Port 5433.）",
            "没有找到；笔记里说的是 Bob；最接近的是：",
        ),
    ],
)
def test_answer_speaks_the_language_of_the_question(
    capsys: pytest.CaptureFixture[str], question: str, head: str, nothing: str
) -> None:
    """
    What is out of date, and that nothing was found, is said in it.
    """
    place = "memory/2026-11-20.md#L3-L3"

    print_answer(Answer("keyword", (OLD,), answerable=True), question)
    none = Answer("keyword", (), answerable=False, closest=(OLD,), told_of="Bob")
    print_answer(none, question)

    first, *_, last = capsys.readouterr().out.rstrip("\n").split("\n")
    assert first == f"{place}  0.50{head}"
    assert last == f"{nothing}{place}"
