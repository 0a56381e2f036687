"""
What a question costs in a process that stays: the index and the ranking, at any size.

    python bench/warm.py DIR [--questions 100]

*DIR* is a workspace that `bench/search.py --keep DIR` has made. The model is loaded, and
what it needs to embed a question is measured apart.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import sys
import time
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from search import CHINESE, ENGLISH  # noqa: E402 - after the path

from strata.embedding_models.folder import find_model  # noqa: E402 - the same
from strata.search.finding import Question, find  # noqa: E402 - the same
from strata.search.index import Index  # noqa: E402 - the same
from strata.search.ranking import Ranking  # noqa: E402 - the same
from strata.search.store import Scope  # noqa: E402 - the same

if TYPE_CHECKING:
    from collections.abc import Callable

ASKED = date(2026, 11, 20)
WORDS = ["server", "choose", "use", "project", "reports", "greenhouse", "database"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--questions", type=int, default=100)
    arguments = parser.parse_args()
    workspace: Path = arguments.workspace
    index = Index(workspace / ".strata" / "index", workspace, find_model(ROOT))
    print(f"{index.status().chunks} chunks")
    for title, text in [
        ("hybrid", ENGLISH),
        ("Chinese, by keywords", CHINESE),
        ("hybrid, with a time", f"{ENGLISH} Last week?"),
    ]:
        _show(title, _costs(index, workspace, text, arguments.questions))
    _show("embedding alone", _timed(lambda: index.encoder.encode([ENGLISH]), 20))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB")


def _costs(index: Index, workspace: Path, text: str, number: int) -> list[float]:
    asked = iter(range(number + 1))

    def ask() -> object:
        question = Question(f"{text} {WORDS[next(asked) % 7]}", 10, Scope())
        return find(index, workspace, question, Ranking(ASKED, 30))

    ask()
    return _timed(ask, number)


def _timed(action: Callable[[], object], number: int) -> list[float]:
    """Return the milliseconds of CPU that each of *number* calls took."""
    costs = []
    for _ in range(number):
        started = time.process_time()
        action()
        costs.append(1000 * (time.process_time() - started))
    return costs


def _show(title: str, costs: list[float]) -> None:
    last = sorted(costs)[int(0.95 * len(costs))]
    print(
        f"{title:22} p50 {statistics.median(costs):6.1f} ms, p95 {last:6.1f} ms of CPU"
    )


if __name__ == "__main__":
    main()
