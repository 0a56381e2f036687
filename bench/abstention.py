"""
How often a question without an answer is said to have none, and what that costs.

    python bench/abstention.py [--set NAME …] [--keywords] [--keep DIR] [--shared DIR]

Asks the search itself, in each public workspace: the invented questions in `questions/`,
those about other people's notes, and the set's own that nobody can answer, where it has
such. Beside them stands what abstaining costs the others in recall@5. With *keep* the
indexes stay in that folder, so that the next run embeds nothing.
"""

from __future__ import annotations

import argparse
import random
import sys
import tarfile
import tempfile
from contextlib import nullcontext
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from recall import Unit, all_units, answer_row  # noqa: E402 - after the path

from strata.embedding_models.folder import find_model  # noqa: E402 - the same
from strata.search.answering.finding import Question, find  # noqa: E402 - the same
from strata.search.answering.ranking import Ranking  # noqa: E402 - the same
from strata.search.indexing.index import Index  # noqa: E402 - the same
from strata.search.stores.store import Scope  # noqa: E402 - the same

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FOREIGN = 60
# Preferences bear on questions that never name them: nobody could tell whose they are.
NO_STRANGERS = {"prefeval"}
ASKED = date(2026, 1, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", action="append", help="only this set of questions")
    parser.add_argument("--keywords", action="store_true", help="without the model")
    parser.add_argument("--keep", type=Path, help="a folder for data and indexes")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    arguments = parser.parse_args()
    model = None if arguments.keywords else find_model(ROOT)
    keep = arguments.keep
    with nullcontext(keep) if keep else tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with tarfile.open(arguments.shared / "bench" / "dev.tar.xz") as archive:
            archive.extractall(folder, filter="data")
        units = all_units(folder, None)
        print("| notes | language | invented | others' | adversarial | own | lost |")
        print("|---" * 7 + "|")
        for unit in units:
            if not arguments.set or unit.group in arguments.set:
                index = folder / ("words" if arguments.keywords else "index")
                _measure(unit, units, index, model)


def _measure(
    unit: Unit, units: Sequence[Unit], folder: Path, model: Path | None
) -> None:
    index = Index(folder / unit.folder.name, unit.workspace, model, say=print)
    index.update(embed=True)
    index.keep_open(watch=False)
    language = unit.questions[0]["lang"]
    invented = ROOT / "bench" / "questions" / f"unanswerable_{language}.txt"
    own = [each for each in unit.questions if each["category"] != "adversarial"]
    adversarial = [each for each in unit.questions if each not in own]
    figures = [
        _refused(index, unit, invented.read_text(encoding="utf-8").splitlines()),
        _refused(index, unit, _others(unit, units, language)),
        _refused(index, unit, [each["question"] for each in adversarial]),
        *_lost(index, unit, own),
    ]
    name = f"{unit.group}/{unit.folder.name}"
    told = " | ".join("" if each is None else f"{each:.3f}" for each in figures)
    print(f"| {name} | {language} | {told} |", flush=True)


def _others(unit: Unit, units: Sequence[Unit], language: str) -> list[str]:
    found = [
        each["question"]
        for other in units
        if other != unit and other.group not in NO_STRANGERS
        for each in other.questions
        if each["lang"] == language and each["category"] != "adversarial"
    ]
    randomly = random.Random(1)  # noqa: S311 - a sample is no secret
    return randomly.sample(found, min(FOREIGN, len(found)))


def _refused(index: Index, unit: Unit, questions: Sequence[str]) -> float | None:
    answers = [
        find(index, unit.workspace, Question(text, 10, Scope()), Ranking(ASKED, 30))
        for text in questions
    ]
    if not answers:
        return None
    return sum(not answer.answerable for answer in answers) / len(answers)


def _lost(
    index: Index, unit: Unit, questions: Sequence[dict[str, str]]
) -> tuple[float, float]:
    """Return how many of *questions* are refused, and how much recall@5 that costs."""
    refused, lost = 0, 0.0
    for question in questions:
        if not answer_row(index, unit, question)["results"]:
            refused += 1
            row = answer_row(index, unit, question, frozenset({"abstaining"}))
            lost += _recall(question, row)
    return refused / len(questions), lost / len(questions)


def _recall(question: Mapping[str, Any], row: Mapping[str, Any]) -> float:
    """Return the share of the right lines that stand in the first five of *row*."""
    # Any: outside data, as in the scorer.
    gold = question["gold"]
    found = [
        any(
            hit["path"] == line["path"]
            and hit["start_line"] <= line["line"] <= hit["end_line"]
            for hit in row["results"][:5]
            for line in lines
        )
        for lines in gold
    ]
    return sum(found) / len(found)


if __name__ == "__main__":
    main()
