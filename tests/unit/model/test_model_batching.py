"""Much is asked in batches that fit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from strata.model.batching import batches


@given(st.lists(st.integers(1, 40)), st.integers(1, 6), st.integers(1, 60))
def test_batches_hold_everything_once_and_fit(
    things: list[int], most: int, room: int
) -> None:
    """
    In their order, within both limits unless one thing alone is too long.
    """
    found = list(batches(things, most=most, room=room, chars=int))

    assert things == [thing for batch in found for thing in batch]
    assert all(len(batch) <= most for batch in found)
    assert all(sum(batch) <= room or len(batch) == 1 for batch in found)
