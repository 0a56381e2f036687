"""The net that says what bears on a message: its features, and what comes with Strata."""

from __future__ import annotations

import numpy as np
import pytest

from strata.search.answering.bearing import (
    CUT,
    MOST,
    MOST_SHOWN,
    features,
    nearest,
    net,
    together,
)

SIZE = 384


def vectors(count: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """
    Directions that have nothing to do with one another, the same in each run.
    """
    made = np.random.default_rng(7).normal(size=(count, SIZE)).astype(np.float32)
    unit: np.ndarray[tuple[int, int], np.dtype[np.float32]]
    unit = made / np.linalg.norm(made, axis=1, keepdims=True)
    return unit


@pytest.mark.parametrize("message", ["", "?", "book a table", "帮我订个位子"])
@pytest.mark.parametrize("count", [1, 2, 3, 40])
def test_any_number_of_lines_has_features(message: str, count: int) -> None:
    """
    One line, two lines, many: all numbers, and no more lines weighed than may be.
    """
    rows = vectors(count + 1)
    lines = [f"line {number} 一行" for number in range(count)]

    table = features(message, lines, rows[1:] @ rows[0])
    weighed = nearest(table)
    chances = net().chances(rows[0], rows[1:][weighed], table[weighed])

    assert table.shape[0] == count
    assert np.isfinite(table).all()
    assert len(weighed) == min(count, MOST)
    assert ((chances > 0) & (chances < 1)).all()


def test_rare_words_weigh_more_than_common_ones() -> None:
    """
    What stands in every line tells none of them apart.
    """
    lines = ["the boat needs paint", "the boat needs rope", "the boat sails"]

    table = features("rope for the boat", lines, np.zeros(3, np.float32))

    assert table[:, 6].argmax() == 1


def test_lines_are_weighed_each_by_itself() -> None:
    """
    Their order changes no chance.
    """
    rows = vectors(9)
    lines = [f"line about thing {number}" for number in range(8)]
    turned = slice(None, None, -1)

    def chances(
        texts: list[str], there: np.ndarray[tuple[int, int], np.dtype[np.float32]]
    ) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        table = features("thing 3?", texts, there @ rows[0])
        found: np.ndarray[tuple[int], np.dtype[np.float32]] = net().chances(
            rows[0], there, table
        )
        return found

    forth, back = chances(lines, rows[1:]), chances(lines[turned], rows[1:][turned])

    assert np.allclose(forth[3], back[turned][3], atol=0.02)


def test_what_is_less_likely_comes_only_beside_what_is_likely() -> None:
    """
    One line decides whether anything is shown, and its share of chance what comes along.
    """
    unsure, likely = 0.9 * CUT, 1.5 * CUT

    assert together([unsure, unsure, 0.01]) == []
    assert together([0.01, unsure, likely]) == [2, 1]
    assert len(together([likely] * 9)) == MOST_SHOWN
    assert together([]) == []
