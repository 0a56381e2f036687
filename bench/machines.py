"""
Whether two machines come to one memory, however their files are carried.

Usage: ``python bench/machines.py [--runs 500] [--steps 30] [--first 0] [--processes 2]``

Each run has two machines with a disk, a state folder and a shared folder of their own, on
which an owner talks, an agent writes, hands reword and take out, words are forgotten and
remembered, days pass and memory is tidied, in a random order. Every fourth sync or so is
killed before one of its first writes. Between the shared folders a synchroniser delivers
whole files: late, twice, old ones after newer, cut off, or not at all until the end. The
clocks of the two agree, or are minutes, an hour or a day apart. Then all is delivered, and
the two have to have the same bytes in all notes and one history, with everything that was
said there once, unless it was taken out, or forgotten on whichever of them.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random

PROJECT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(PROJECT), str(PROJECT / "tests")]

from builders_machines import APART, two_machines  # noqa: E402 - found from there


def main() -> None:
    """Run, and print what was wrong and how many were right."""
    options = argparse.ArgumentParser()
    options.add_argument("--runs", type=int, default=500)
    options.add_argument("--first", type=int, default=0)
    options.add_argument("--steps", type=int, default=30)
    options.add_argument("--processes", type=int, default=2)
    given = options.parse_args()
    begun, wrong = time.monotonic(), 0
    seeds = range(given.first, given.first + given.runs)
    with ProcessPoolExecutor(given.processes) as pool:
        for seed, faults in pool.map(partial(run, steps=given.steps), seeds):
            wrong += bool(faults)
            for each in faults:
                print(f"{seed}: {each}", flush=True)
    took = time.monotonic() - begun
    right = given.runs - wrong
    print(f"{right} of {given.runs} runs of {given.steps} steps right, in {took:.0f} s")


def run(seed: int, *, steps: int) -> tuple[int, list[str]]:
    """Let *steps* things happen on two machines; return what is wrong in the end."""
    with tempfile.TemporaryDirectory(prefix="strata-") as folder:
        try:
            random = Random(seed)  # noqa: S311 - it repeats
            apart = random.choice(APART)
            lives = two_machines(Path(folder), random, apart=apart)
            for _ in range(steps):
                lives.step()
            lives.end()
            return seed, lives.faults()
        except Exception:  # noqa: BLE001 - whatever it is, the seed is to be told
            return seed, [traceback.format_exc()]


if __name__ == "__main__":
    main()
