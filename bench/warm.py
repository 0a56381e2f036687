"""
What a question costs in a process that stays: the index and the ranking, at any size.

    python bench/warm.py DIR [--questions 100]

*DIR* is a workspace that `bench/search.py --keep DIR` has made. The model is loaded, and
what it needs to embed a question is measured apart: questions come with their vectors.
Then a daily note gets a line, again and again, and it is measured how long it takes until
a question finds it: in this process, through an MCP server that runs (`strata query` as a
process), and without one. Times are CPU unless they are said to be wall.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np  # noqa: E402 - after the number of its threads
from search import CHINESE, ENGLISH  # noqa: E402 - after the path

from strata.embedding_models.folder import find_model  # noqa: E402 - the same
from strata.search.answering.finding import Question, find  # noqa: E402 - the same
from strata.search.answering.ranking import Ranking  # noqa: E402 - the same
from strata.search.indexing.index import Index  # noqa: E402 - the same
from strata.search.stores.store import Scope  # noqa: E402 - the same

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from strata.embedding_models.encoder import Encoder, Vectors

ASKED = date(2026, 11, 20)
WORDS = ["server", "choose", "use", "project", "reports", "greenhouse", "database"]


class Remembering:
    """A model that embeds no text twice, so that it costs nothing here."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._known: dict[str, Vectors] = {}
        self.name, self.fingerprint = encoder.name, encoder.fingerprint
        self.dimensions, self.languages = encoder.dimensions, encoder.languages

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of *texts*."""
        for text in texts:
            if text not in self._known:
                self._known[text] = self._encoder.encode([text])[0]
        return np.stack([self._known[text] for text in texts])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--questions", type=int, default=100)
    arguments = parser.parse_args()
    workspace: Path = arguments.workspace
    index = Index(workspace / ".strata" / "index", workspace, find_model(ROOT))
    print(f"{index.status().chunks} chunks")
    index.keep_open(watch=True)
    encoder = index.encoder
    index.__dict__["encoder"] = Remembering(encoder)
    for title, text in [
        ("hybrid", ENGLISH),
        ("Chinese, by keywords", CHINESE),
        ("hybrid, with a time", f"{ENGLISH} Last week?"),
    ]:
        _show(title, _costs(index, workspace, text, arguments.questions))
    _show("embedding alone", _timed(lambda: encoder.encode([ENGLISH]), 20))
    _show_updates(index, workspace)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB")


def _costs(index: Index, workspace: Path, text: str, number: int) -> list[float]:
    asked = iter(range(number + len(WORDS)))

    def ask() -> object:
        question = Question(f"{text} {WORDS[next(asked) % 7]}", 10, Scope())
        return find(index, workspace, question, Ranking(ASKED, 30))

    # The words come round again, so that each question has its vector by now.
    for _ in WORDS:
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


def _show_updates(index: Index, workspace: Path) -> None:
    """Append a line to the newest note and ask for it, ten times each way."""
    command = [sys.executable, "-m", "strata", "--workspace", str(workspace)]
    command += ["--state-dir", str(workspace)]

    def here(word: str) -> bool:
        return _finds(index, workspace, word)

    def by_command(word: str) -> bool:
        return word in _output([*command, "query", word])

    _show_walls("found here", _updates(workspace, here))
    _show_walls("found by a command", _updates(workspace, by_command))
    with _server(command, workspace):
        by_command("warm")
        _show_walls("found through a server", _updates(workspace, by_command))
        asked = [*command, "query", ENGLISH]
        _show_walls("query, server", _walls(lambda: _output(asked)))
    alone = [sys.executable, "-I", "-c", "pass"]
    _show_walls("python alone", _walls(lambda: _output(alone)))


@contextmanager
def _server(command: list[str], workspace: Path) -> Iterator[None]:
    server = subprocess.Popen(
        [*command, "mcp"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    try:
        while not (workspace / ".strata" / "ask.sock").exists():
            time.sleep(0.1)
        yield
    finally:
        server.communicate()


def _output(command: list[str]) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def _walls(action: Callable[[], object], number: int = 15) -> list[float]:
    walls = []
    for _ in range(number):
        started = time.perf_counter()
        action()
        walls.append(1000 * (time.perf_counter() - started))
    return walls


def _finds(index: Index, workspace: Path, word: str) -> bool:
    answer = find(index, workspace, Question(word, 10, Scope()), Ranking(ASKED, 30))
    return any(word in hit.snippet for hit in answer.hits)


def _updates(workspace: Path, finds: Callable[[str], bool]) -> list[float]:
    """Return how long it took from each write, once the file was closed, to the answer."""
    note = max((workspace / "memory").glob("????-??-??.md"))
    numbers = iter(range(10))

    def update() -> None:
        word = f"zanzibar{time.time_ns()}x{next(numbers)}"
        with note.open("a", encoding="utf-8") as file:
            file.write(f"- The ship is called {word}.\n")
        if not finds(word):
            sys.exit(f"{word} was written to {note} and not found")

    return _walls(update, 10)


def _show_walls(title: str, walls: list[float]) -> None:
    print(
        f"{title:22} p50 {statistics.median(walls):6.1f} ms, "
        f"least {min(walls):6.1f} ms of wall time"
    )


def _show(title: str, costs: list[float]) -> None:
    last = sorted(costs)[int(0.95 * len(costs))]
    print(
        f"{title:22} p50 {statistics.median(costs):6.1f} ms, p95 {last:6.1f} ms of CPU"
    )


if __name__ == "__main__":
    main()
