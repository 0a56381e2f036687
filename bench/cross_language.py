"""
How well a question in one language finds the note in the other that answers it.

    python bench/cross_language.py [FILE …] [--also] [--model NAME] [--without vectors …]

Each file is an owner: a memory of single lines with their days, half English and half
Chinese, and questions in the other language than the line that answers them (`gold`), or
that none does. The lines become daily notes; a question is right at 1 or 5 where a gold
line stands in one of so many first hits. Of those that nothing answers it counts how many
are refused. With --also each question is asked in the wordings of `ask_also` as well, as
an agent's model would word them that knows the question alone. A refused question counts
as not found; what stands among the closest, which an agent's own tool shows as unsure, is
told apart. --model names an embedding model that `strata embed --model` has fetched, and
--keywords is without any.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from strata.embedding_models.dictionary import ensure_glosses  # noqa: E402 - the path
from strata.embedding_models.folder import (  # noqa: E402 - the same
    DEFAULT_NAME,
    find_model,
    read_model,
)
from strata.language.simplified import has_han  # noqa: E402 - the same
from strata.search.answering.finding import Question  # noqa: E402 - the same
from strata.search.answering.ranking import Ranking  # noqa: E402 - the same
from strata.search.answering.wordings import find_any  # noqa: E402 - the same
from strata.search.indexing.index import Index  # noqa: E402 - the same
from strata.search.stores.store import Scope  # noqa: E402 - the same

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from strata.models import Answer, Hit

FOLDER = ROOT / "bench" / "cross_language"
ASKED = date(2026, 11, 20)
LIMIT, CLOSEST = 10, 3


@dataclass(frozen=True)
class Line:
    """A line of the memory, by its name."""

    name: str
    day: str
    text: str


@dataclass(frozen=True)
class Asked:
    """A question in its wordings, the names of what answers it, and its kind."""

    wordings: tuple[str, ...]
    gold: tuple[str, ...]
    kind: str


@dataclass(frozen=True)
class Result:
    """
    What became of a question: the place of the first right hit, 0 for none.

    *near* tells that it is among the first three, refused or not.
    """

    asked: Asked
    rank: int
    near: bool
    refused: bool
    first: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="*", type=Path)
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--keywords", action="store_true", help="without any model")
    parser.add_argument("--model", default=DEFAULT_NAME, help="the embedding model")
    parser.add_argument("--also", action="store_true", help="several wordings")
    parser.add_argument("--show", action="store_true", help="each question that fails")
    arguments = parser.parse_args()
    model = None if arguments.keywords else find_model(ROOT, arguments.model)
    if model is None and not arguments.keywords:
        parser.error(f"there is no {arguments.model} in .models; strata embed gets it")
    if model is not None and read_model(model).needs_glosses:
        ensure_glosses(model)
    files = arguments.file or sorted(FOLDER.glob("*.json"))
    results = [
        each
        for file in files
        for each in measured(
            file, model, frozenset(arguments.without), also=arguments.also
        )
    ]
    for result in results if arguments.show else ():
        if result.rank != 1 and not (result.refused and not result.asked.gold):
            print(f"{result.rank:3} {result.asked.kind}: {result.asked.wordings[0]}")
            print(f"      first: {result.first}")
    _print(results)


def measured(
    file: Path,
    model: Path | None,
    without: frozenset[str] = frozenset(),
    *,
    also: bool = False,
) -> list[Result]:
    """Ask every question of the owner in *file*."""
    found = json.loads(file.read_text(encoding="utf-8"))
    lines = [Line(e["id"], e["day"], e["text"]) for e in found["memory"]]
    asked = [
        Asked(
            (e["ask"], *(e.get("ask_also", ()) if also else ())),
            tuple(e["gold"]),
            e["kind"],
        )
        for e in found["questions"]
    ]
    with tempfile.TemporaryDirectory() as name:
        workspace = Path(name)
        places = write_notes(workspace, lines)
        index = Index(workspace / "index", workspace, model, say=print)
        index.update(embed=True)
        ranking = Ranking(ASKED, 30, without=without)
        return [
            _result(
                each,
                find_any(
                    index,
                    workspace,
                    [Question(text, LIMIT, Scope()) for text in each.wordings],
                    ranking,
                ),
                {places[gold] for gold in each.gold},
            )
            for each in asked
        ]


def write_notes(workspace: Path, lines: Sequence[Line]) -> dict[str, tuple[str, int]]:
    """Write *lines* as daily notes, and return the path and the line of each."""
    places = {}
    (workspace / "memory").mkdir()
    by_day = sorted(lines, key=attrgetter("day"))
    for day, those in groupby(by_day, key=attrgetter("day")):
        path, written = f"memory/{day}.md", [f"# {day}"]
        # A conversation is in one language.
        talks = groupby(those, key=lambda line: has_han(line.text))
        for hour, (_, talk) in enumerate(talks, start=8):
            title = f"## {hour:02}:15 session:{day[-2:]}{hour:02}abcd | 12 messages"
            written += ["", title]
            for line in talk:
                written.append(f"- {line.text}")
                places[line.name] = path, len(written)
        (workspace / path).write_text("\n".join(written) + "\n", encoding="utf-8")
    return places


def _result(asked: Asked, answer: Answer, gold: set[tuple[str, int]]) -> Result:
    rank = _rank(answer.hits, gold)
    near = 0 < _rank(answer.hits or answer.closest, gold) <= CLOSEST
    first = answer.hits[0].snippet.replace("\n", " / ") if answer.hits else "refused"
    return Result(asked, rank, near, not answer.hits, first)


def _rank(hits: Sequence[Hit], gold: set[tuple[str, int]]) -> int:
    """Return the place of the first of *hits* with a line of *gold*, 0 for none."""
    ranks = (
        rank
        for rank, hit in enumerate(hits, 1)
        for path, line in gold
        if hit.path == path and hit.start_line <= line <= hit.end_line
    )
    return next(ranks, 0)


def _print(results: Iterable[Result]) -> None:
    groups: defaultdict[str, list[Result]] = defaultdict(list)
    for result in results:
        if not result.asked.gold:
            groups["none"].append(result)
            continue
        way = (
            "Chinese → English"
            if has_han(result.asked.wordings[0])
            else "English → Chinese"
        )
        for name in ("all", way, result.asked.kind):
            groups[name].append(result)
    print("| questions | n | R@1 | R@5 | MRR | refused | among three, unsure too |")
    print("|---" * 7 + "|")
    for name, those in sorted(groups.items()):
        number = len(those)
        refused = sum(each.refused for each in those) / number
        one, five = (
            sum(0 < each.rank <= most for each in those) / number for most in (1, 5)
        )
        reciprocal = sum(1 / each.rank for each in those if each.rank) / number
        figures = f"{one:.3f} | {five:.3f} | {reciprocal:.3f}"
        told = figures if those[0].asked.gold else " |  | "
        near = sum(each.near for each in those) / number
        print(f"| {name} | {number} | {told} | {refused:.3f} | {near:.3f} |")


if __name__ == "__main__":
    main()
