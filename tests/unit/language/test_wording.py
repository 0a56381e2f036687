"""How somebody begins is no part of what they say, and half a word is no beginning."""

from __future__ import annotations

import pytest

from strata.language.wording import trim


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("no - the attic is dry", "the attic is dry"),
        ("ok, the attic is dry", "the attic is dry"),
        ("right-hand drive cars only", "right-hand drive cars only"),
        ("no-console warnings never matter", "no-console warnings never matter"),
        ("next-day delivery is fine", "next-day delivery is fine"),
        ("no-console 不用管", "no-console 不用管"),
    ],
)
def test_a_compound_word_stays_whole(said: str, meant: str) -> None:
    """
    A dash within a word ends no greeting.
    """
    assert trim(said).lower() == meant
