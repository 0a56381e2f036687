"""
How much of what was said is found again, on the public conversations beside the checkout.

    python bench/recall.py [--set NAME …] [--keywords] [--model NAME] [--match range|text]

Unpacks the data into a temporary folder, indexes every workspace, asks every question in
one process, and has the data's own scorer judge the answers. Prints our line of each set
below the baselines that the data's README lists. --model names an embedding model that
`strata embed --model` has fetched.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from strata.embedding_models.folder import DEFAULT_NAME, find_model  # noqa: E402 - same
from strata.search.answering.finding import Question, find  # noqa: E402 - the same
from strata.search.answering.ranking import Ranking  # noqa: E402 - the same
from strata.search.indexing.index import Index  # noqa: E402 - the same
from strata.search.stores.store import Scope  # noqa: E402 - the same

if TYPE_CHECKING:
    from strata.models import Hit

COLUMNS = [
    "recall@1",
    "recall@5",
    "recall@10",
    "ndcg@10",
    "recall@2000ch",
    "tokens@10 (chars/4)",
]


@dataclass(frozen=True)
class Unit:
    """One workspace with its questions."""

    group: str
    folder: Path

    @property
    def workspace(self) -> Path:
        return self.folder / "workspace"

    @property
    def questions(self) -> list[dict[str, str]]:
        lines = (self.folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line]


def main() -> None:
    arguments = _arguments()
    shared = arguments.shared / "bench"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with tarfile.open(shared / "dev.tar.xz") as archive:
            archive.extractall(folder, filter="data")
        runs = folder / "runs.jsonl"
        model = None if arguments.keywords else find_model(ROOT, arguments.model)
        groups = _answer_all(folder, arguments.set, model, runs)
        scores = score_runs(shared, folder, runs, groups, arguments.match)
    baselines = _baselines((shared / "README.md").read_text(encoding="utf-8"))
    for group in groups:
        _print_table(group, baselines.get(group, []), scores[group])
    if arguments.save:
        arguments.save.write_text(json.dumps(scores, indent=1), encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", action="append", help="only this set of questions")
    parser.add_argument("--keywords", action="store_true", help="without the model")
    parser.add_argument("--model", default=DEFAULT_NAME, help="the embedding model")
    parser.add_argument("--match", default="range", choices=["range", "text"])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--save", type=Path, help="a JSON file for the scores")
    found = parser.parse_args()
    if not (found.keywords or find_model(ROOT, found.model)):
        parser.error(f"there is no {found.model} in .models; strata embed gets it")
    return found


def all_units(folder: Path, wanted: list[str] | None) -> list[Unit]:
    found = sorted(path.parent for path in folder.glob("*/*/queries.jsonl"))
    units = [Unit(path.parent.name, path) for path in found]
    return [unit for unit in units if not wanted or unit.group in wanted]


def _answer_all(
    folder: Path, wanted: list[str] | None, model: Path | None, runs: Path
) -> list[str]:
    units = all_units(folder, wanted)
    with runs.open("w", encoding="utf-8") as file:
        for unit in units:
            for row in _answer_unit(unit, folder / "index", model):
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return sorted({unit.group for unit in units})


def _answer_unit(
    unit: Unit, folder: Path, model: Path | None
) -> list[dict[str, object]]:
    index = Index(folder / unit.folder.name, unit.workspace, model, say=print)
    started = time.process_time()
    report = index.update(embed=True)
    indexed = time.process_time()
    rows = [answer_row(index, unit, each) for each in unit.questions]
    asked = time.process_time()
    print(
        f"{unit.group}/{unit.folder.name}: {report.chunks} chunks in "
        f"{indexed - started:.1f} s of CPU, {len(rows)} questions at "
        f"{1000 * (asked - indexed) / len(rows):.0f} ms",
        file=sys.stderr,
    )
    return rows


def answer_row(
    index: Index,
    unit: Unit,
    question: dict[str, str],
    without: frozenset[str] = frozenset(),
) -> dict[str, object]:
    """Ask *question*, and return what the scorer reads."""
    day = _day(question.get("date") or "2026-01-01")
    asked = Question(question["question"], 10, Scope())
    ranking = Ranking(day, 30, without=without)
    answer = find(index, unit.workspace, asked, ranking)
    return {"qid": question["qid"], "results": [_result(hit) for hit in answer.hits]}


def _day(said: str) -> date:
    """Return the day of asking; a month stands for its last day."""
    year, month, day = ([int(part) for part in said.split("-")] + [31, 31])[:3]
    return date(year, month, min(day, monthrange(year, month)[1]))


def _result(hit: Hit) -> dict[str, object]:
    return {
        "path": hit.path,
        "start_line": hit.start_line,
        "end_line": hit.end_line,
        "score": hit.score,
        "text": hit.snippet,
    }


def score_runs(
    shared: Path, folder: Path, runs: Path, groups: list[str], match: str
) -> dict[str, dict[str, float]]:
    summary = folder / "summary.jsonl"
    done = subprocess.run(
        [
            *(sys.executable, str(shared / "score.py"), "--prep", str(folder)),
            *("--results", str(runs), "--json", str(summary), "--match", match),
            *("--set", ",".join(groups), "--name", "strata"),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    print("\n".join(done.stdout.splitlines()[-4:]))
    lines = summary.read_text(encoding="utf-8").splitlines()
    return {row["set"]: row["mean"] for row in map(json.loads, lines)}


def _baselines(readme: str) -> dict[str, list[str]]:
    tables: dict[str, list[str]] = {}
    rows: list[str] = []
    for line in readme.splitlines():
        title = re.match(r"\*\*(\w+)\*\* · ", line)
        if title:
            rows = tables.setdefault(title[1], [])
        elif line.startswith("|"):
            rows.append(line)
    return tables


def _print_table(group: str, baselines: list[str], score: dict[str, float]) -> None:
    print(f"\n{group}")
    print("\n".join(baselines))
    one, five, ten, gain, short = (f"{score[name]:.3f}" for name in COLUMNS[:5])
    tokens = f"{score[COLUMNS[5]]:.0f}"
    print(f"| **strata** | {one} | {five} | {ten} | {gain} | {short} | | {tokens} |")


if __name__ == "__main__":
    main()
