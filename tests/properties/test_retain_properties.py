"""In whatever order lines are retained and judged, the bank is what they come to."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from builders_bank import bank_files
from builders_retain import (
    INVENTED,
    SAID,
    SUMMARIES,
    TALKS,
    reflected,
    talked,
    write_retain,
)
from hypothesis import given, settings
from hypothesis import strategies as st

LINES = tuple(
    (day, line)
    for day in TALKS
    for line in (*SAID[day], *INVENTED[day], *SUMMARIES[day], "X broken", "W @Anna no")
)
retained = st.lists(st.sampled_from(LINES), max_size=8)


@settings(max_examples=6)
@given(retained, st.sets(st.integers(0, 7)))
def test_judging_in_any_steps_makes_the_same_pages(
    lines: list[tuple[int, str]], steps: set[int]
) -> None:
    """
    Judged now and then, all at once, or made again from nothing.
    """
    with TemporaryDirectory() as folder:
        at_once, in_steps = (talked(Path(folder) / name) for name in ("a", "b"))
        for memory in (at_once, in_steps):
            for day in TALKS:
                write_retain(memory, day, ())
        for place, (day, line) in enumerate(lines):
            for memory in (at_once, in_steps):
                note = memory.workspace.root / f"memory/2026-11-{day}.md"
                note.write_bytes(note.read_bytes() + f"- {line}\n".encode())
            if place in steps:
                reflected(in_steps)

        pages = [bank_files(reflected(e).workspace.root) for e in (at_once, in_steps)]
        shutil.rmtree(in_steps.workspace.root / "memory/bank")
        again = bank_files(reflected(in_steps).workspace.root)

    assert pages[0] == pages[1] == again
    told = b"".join(again.values()).decode()
    assert not [
        each for each in ("Lisbon", "李雷", "backups", "broken") if each in told
    ]
