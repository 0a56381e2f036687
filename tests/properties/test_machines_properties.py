"""However their files are carried, two machines come to one memory."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from builders_machines import APART, two_machines

if TYPE_CHECKING:
    from pathlib import Path

STEPS = 12


# bench/machines.py does the same for longer and five hundred times.
@pytest.mark.parametrize("seed", range(6))
def test_two_machines_end_in_the_same_bytes(tmp_path: Path, seed: int) -> None:
    """
    With delays, losses, old files after new ones and kills: nothing is lost, or twice.

    Nor is anything back that was forgotten, wherever it was known, by clocks a day apart.
    """
    random = Random(seed)  # noqa: S311 - it repeats
    lives = two_machines(tmp_path, random, apart=random.choice(APART))
    for _ in range(STEPS):
        lives.step()

    lives.end()

    assert lives.faults() == []
