"""Search terms may say it in other words, and nothing else."""

from __future__ import annotations

import pytest

from strata.statements.grounding.paraphrases import MOST, paraphrases

SAID = "The deposit for the cabin in Daylesford is 500 dollars; key under the pot."


@pytest.mark.parametrize(
    "term",
    ["holiday rental", "度假木屋押金", "money paid up front", "Daylesford trip", "500"],
)
def test_other_words_are_what_they_are_for(term: str) -> None:
    """
    In either language, with the names and values that were said.
    """
    assert paraphrases([term], [SAID]) == (term,)


@pytest.mark.parametrize(
    "term",
    [
        "cabin in Tasmania",
        "deposit of 650",
        "李明的小屋",
        "booking-2291",
        "~/cabins/plan.md",
        "where to find the key and how much was paid for the cabin before the holiday",
        "  ",
        "",
    ],
)
def test_what_was_not_said_is_dropped(term: str) -> None:
    """
    A name, a number or a path of its own says more than the words; a sentence is no term.
    """
    assert paraphrases([term], [SAID]) == ()


def test_each_term_stands_once_and_they_are_few() -> None:
    """
    Case and spaces make no other term; those after the sixth go.
    """
    given = ["Holiday rental", "holiday  rental"]
    words = ["lodging", "getaway", "prepayment", "short break", "hideout", "refuge"]

    assert paraphrases(given[:2], [SAID]) == ("Holiday rental",)
    assert len(paraphrases([*given[:1], *words], [SAID])) == MOST
