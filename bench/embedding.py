"""
How long the embedding model takes to open, and how many texts a second it reads.

    python bench/embedding.py [--rounds 5]

Needs the model (`scripts/install`). Each figure is the median of fresh processes and is
CPU time, user and system: on a busy machine the clock says little. Texts per second are
those of one thread.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is imported, by whomever

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from strata.embedding_models.folder import find_model  # noqa: E402 - needs the path above

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from strata.embedding_models.encoder import Encoder

QUESTION = "Which database did we choose for the greenhouse project?"
SENTENCE = (
    "The import stopped at 02:13 because the clock of sensor 9 runs 4 hours ahead. "
)
KILOBYTES_PER_MEGABYTE = 1024


@dataclass(frozen=True, slots=True)
class Run:
    """What one process measured, and the most memory that it held."""

    figure: float
    peak_megabytes: float


def main() -> None:
    options = _options()
    if options.measure:
        figure = MEASURES[options.measure]()
        kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(json.dumps([figure, kilobytes / KILOBYTES_PER_MEGABYTE]))
        return
    for name, unit in UNITS.items():
        runs = [_in_new_process(name) for _ in range(options.rounds)]
        middle = statistics.median(run.figure for run in runs)
        peak = statistics.median(run.peak_megabytes for run in runs)
        print(f"{name:36} {middle:8.1f} {unit:14} peak {peak:4.0f} MB")


def cold() -> float:
    """Open the model and embed a question, as a cold query does, imports included."""
    started = time.process_time()
    _encoder().encode([QUESTION])
    return (time.process_time() - started) * 1000


def warm() -> float:
    """Embed a question with a model that is open."""
    encoder = _encoder()
    encoder.encode([QUESTION])
    return _cpu_seconds(lambda: encoder.encode([QUESTION])) * 1000


def long_texts() -> float:
    """Embed chunks of about 390 tokens."""
    return _per_second([SENTENCE * 19] * 24)


def mixed_texts() -> float:
    """Embed texts of 20 to 390 tokens, in no order."""
    return _per_second([SENTENCE * (1 + 7 * n % 19) for n in range(64)])


UNITS = {
    "open and embed a question, cold": "ms of CPU",
    "embed a question, warm": "ms of CPU",
    "chunks of 390 tokens": "texts/CPU-s",
    "20 to 390 tokens": "texts/CPU-s",
}
MEASURES = dict(
    zip(
        UNITS,
        (cold, warm, long_texts, mixed_texts),
        strict=True,
    )
)


def _encoder() -> Encoder:
    # Inside, so that the cold figure pays for the import.
    from strata.embedding_models.encoder import load_encoder  # noqa: PLC0415 - see above

    folder = find_model(ROOT)
    if folder is None:
        sys.exit("there is no embedding model; run scripts/install")
    return load_encoder(folder)


def _per_second(texts: Sequence[str]) -> float:
    encoder = _encoder()
    encoder.encode(texts[:1])
    return len(texts) / _cpu_seconds(lambda: encoder.encode(texts))


def _cpu_seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _in_new_process(measure: str) -> Run:
    done = subprocess.run(
        [sys.executable, __file__, "--measure", measure],
        stdout=subprocess.PIPE,
        check=True,
    )
    return Run(*json.loads(done.stdout))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--measure", choices=MEASURES, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
