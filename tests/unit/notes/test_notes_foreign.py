"""What notes say that others than Strata wrote."""

from __future__ import annotations

import time

import pytest

from strata.notes.foreign import statements_in


@pytest.mark.parametrize(
    "line", ["---", "***", "|---|:--|", "| -- | --- |", "--", " :-- "]
)
def test_rule_says_nothing(line: str) -> None:
    """
    A line across a note, or below the head of a table, is no statement.
    """
    assert ["One", "Two"] == [each.text for each in statements_in(f"One\n{line}\nTwo")]


def test_line_of_dashes_before_words_takes_no_longer() -> None:
    """
    Whether it is a rule is seen in time that grows with its length alone.
    """
    began = time.process_time()
    list(statements_in("-" * 20_000 + "x"))

    assert time.process_time() - began < 5
