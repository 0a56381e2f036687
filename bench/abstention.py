"""
How often a question without an answer is said to have none, and what that costs.

    python bench/abstention.py [--set NAME …] [--keywords] [--shared DIR]

Asks the invented questions in `questions/` and the questions about other people's notes
of each public workspace; none of them can be answered there. Beside them stand that
workspace's own questions: how many of those are refused, for which abstaining is wrong.
"""

from __future__ import annotations

import argparse
import random
import sys
import tarfile
import tempfile
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from recall import Unit, all_units  # noqa: E402 - after the path

from strata.embedding_models.folder import find_model  # noqa: E402 - the same
from strata.search.finding import Question, find  # noqa: E402 - the same
from strata.search.index import Index  # noqa: E402 - the same
from strata.search.ranking import Ranking  # noqa: E402 - the same
from strata.search.store import Scope  # noqa: E402 - the same

if TYPE_CHECKING:
    from collections.abc import Sequence

FOREIGN = 60
# Preferences bear on questions that never name them: nobody could tell whose they are.
NO_STRANGERS = {"prefeval"}
ASKED = date(2026, 1, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", action="append", help="only this set of questions")
    parser.add_argument("--keywords", action="store_true", help="without the model")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    arguments = parser.parse_args()
    model = None if arguments.keywords else find_model(ROOT)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with tarfile.open(arguments.shared / "bench" / "dev.tar.xz") as archive:
            archive.extractall(folder, filter="data")
        units = all_units(folder, None)
        print("notes                     language  invented  others'  own refused")
        for unit in units:
            if not arguments.set or unit.group in arguments.set:
                _measure(unit, units, folder / "index", model)


def _measure(
    unit: Unit, units: Sequence[Unit], folder: Path, model: Path | None
) -> None:
    index = Index(folder / unit.folder.name, unit.workspace, model, say=print)
    index.update(embed=True)
    language = unit.questions[0]["lang"]
    invented = ROOT / "bench" / "questions" / f"unanswerable_{language}.txt"
    own = [each for each in unit.questions if each["category"] != "adversarial"]
    figures = [
        _refused(index, unit, invented.read_text(encoding="utf-8").splitlines()),
        _refused(index, unit, _others(unit, units, language)),
        _refused(index, unit, [each["question"] for each in own]),
    ]
    name = f"{unit.group}/{unit.folder.name}"
    told = "  ".join(f"{figure:8.2f}" for figure in figures)
    print(f"{name:25} {language:8} {told}")


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


def _refused(index: Index, unit: Unit, questions: Sequence[str]) -> float:
    answers = [
        find(index, unit.workspace, Question(text, 10, Scope()), Ranking(ASKED, 30))
        for text in questions
    ]
    return sum(not answer.answerable for answer in answers) / max(len(answers), 1)


if __name__ == "__main__":
    main()
