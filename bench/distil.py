"""
How long does it take to distil hundreds of candidates into a page that is almost full?

Usage: ``python bench/distil.py [--count 500] [--human 60] [--runs 3]``

Writes *count* different rules, ten a day, into daily notes and the journal of a throw-away
workspace whose MEMORY.md holds *human* lines of other hands, and distils them without a
model: first the run that fills the page, then one that finds nothing to do. CPU time,
median of *runs*.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(PROJECT), str(PROJECT / "tests")]

from builders_rules import human_page, write_rules  # noqa: E402 - lies beside the tests

from strata.jobs.tidy import tidy  # noqa: E402 - after the path is set
from strata.memory import Memory  # noqa: E402 - after the path is set


def main() -> None:
    """Print the median seconds of both runs, and what they did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--human", type=int, default=60)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    results = [measure(options.count, options.human) for _ in range(options.runs)]
    first, again = (statistics.median(times) for times in zip(*results, strict=True))
    print(f"{options.count} candidates: {first:.2f} s CPU; again: {again:.2f} s CPU")


def measure(count: int, human: int) -> tuple[float, float]:
    """Return the CPU seconds of a first and of a second run."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        last = write_rules(root, count=count)
        (root / "MEMORY.md").write_text(human_page(human))
        memory = Memory.open(
            workspace=folder, state_dir=folder, now=f"{last}T23:00:00+00:00"
        )
        return _timed(memory), _timed(memory)


def _timed(memory: Memory) -> float:
    start = time.process_time()
    tidy(memory, compress=False, archive=False)
    return time.process_time() - start


if __name__ == "__main__":
    main()
