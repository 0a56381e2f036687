"""What a newer statement is to an older one: what was learned, and what it rests on."""

from __future__ import annotations

import time

import pytest

from strata.judges.succession import (
    WEIGHTS,
    likely,
    pair_features,
    succession,
    tells_nothing_new,
)
from strata.statements.relations import Relation

MEGABYTE = 1 << 20


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The depot closes at six.", "The depot closes at eight now."),
        ("Mondays are for the accounts.", "the accounts moved to Thursdays"),
        (
            "We get our flour from Harbottle, two sacks a week.",
            "done with Harbottle, our flour comes from Denholm from now on",
        ),
        ("体检定在周三上午。", "体检改到周五上午了。"),
        ("门票三十块一张", "门票涨价了 现在四十五块一张"),
    ],
)
def test_what_takes_its_place_ends_it(older: str, newer: str) -> None:
    """
    Told as a change or in passing, in either language.
    """
    assert succession(older, newer) is Relation.UPDATES


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The depot closes at six.", "The café closes at eight."),
        ("Harbottle brings the flour.", "Harbottle has a new dog called Bess."),
        ("Piet drives the lorry.", "Would Piet drive the lorry if it rained?"),
        ("体检定在周三上午。", "周三上午下雨了。"),
        ("", ""),
        ("🐟", "鱼"),
        ("?", "The depot closes at six."),
    ],
)
def test_what_only_shares_a_word_ends_nothing(older: str, newer: str) -> None:
    """
    Something else of the same, a question, or nothing to compare.
    """
    assert succession(older, newer) is not Relation.UPDATES


def test_same_words_are_the_same() -> None:
    """
    Whatever the layer makes of them.
    """
    told = "The depot closes at six, ring the bell at the side."

    assert succession(told, told) is Relation.SAME


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            "Anything about the cluster goes to Ruben at desk 44.",
            "Anything about the cluster goes to Ruben.",
        ),
        ("周三晚上合唱团在礼堂排练，带谱子。", "合唱团周三晚上排练。"),
    ],
)
def test_what_tells_nothing_new_is_known_for_it(older: str, newer: str) -> None:
    """
    Its words and values are all in the older one, none of them denied.
    """
    assert tells_nothing_new(older, newer)
    assert not tells_nothing_new(newer, older)


def test_what_denies_a_part_says_something_new() -> None:
    """
    Though every word of it was there before.
    """
    older = "Anything about the cluster goes to Ruben at desk 44."

    assert not tells_nothing_new(older, "Nothing about the cluster goes to Ruben.")


def test_day_that_a_note_worked_out_changes_nothing() -> None:
    """
    It was not said.
    """
    older, newer = "The fair is on Saturday", "The fair is moved to Sunday"
    dated = f"{older} (2026-10-10)", f"{newer} (2026-10-17 to 2026-10-18)"

    assert pair_features(older, newer) == pair_features(*dated)


def test_weights_are_small_and_a_pair_takes_no_time() -> None:
    """
    Ten thousand entries are compared some twelve times each.
    """
    pairs = [
        (f"The rent of flat {n} is {n}00 euros", f"flat {n} is {n}50 now, since May")
        for n in range(2, 202)
    ]
    for pair in pairs:
        likely(*pair)
    begun = time.process_time()
    for pair in pairs:
        likely(*pair)
    each = (time.process_time() - begun) / len(pairs)

    assert WEIGHTS.stat().st_size < MEGABYTE
    assert each < 0.002
