"""
How well a question in one language finds the note in the other that answers it.

    python bench/cross_language.py [FILE …] [--also] [--terms] [--model NAME] [--keywords]
                                   [--without vectors …]

Each file is an owner: a memory of single lines with their days, half English and half
Chinese, and questions in the other language than the line that answers them (`gold`), or
that none does. The lines become daily notes; a question is right at 1 or 5 where a gold
line stands in one of so many first hits. Of those that nothing answers it counts how many
are refused. With --also each question is asked in the wordings of `ask_also` as well, as
an agent's model would word them that knows the question alone. With --terms each line
has the search terms of `terms/` beside it, as a model would give them that knows the line
alone. A refused question counts as not found; what stands among the closest, which an
agent's own tool shows as unsure, is told apart. --model names an embedding model that
`strata embed --model` has fetched, and --keywords is without any.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from strata.embedding_models.dictionary import ensure_glosses  # noqa: E402 - the path
from strata.embedding_models.folder import (  # noqa: E402 - the same
    DEFAULT_NAME,
    find_model,
    read_model,
)
from strata.history.evidence import capture_record  # noqa: E402 - the same
from strata.language.sentences import language_of  # noqa: E402 - the same
from strata.language.simplified import has_han  # noqa: E402 - the same
from strata.models import (  # noqa: E402 - the same
    Block,
    Evidence,
    Fact,
    Origin,
    Session,
    SessionKind,
)
from strata.notes.stretches import Stretch  # noqa: E402 - the same
from strata.search.answering.finding import Question  # noqa: E402 - the same
from strata.search.answering.ranking import Ranking  # noqa: E402 - the same
from strata.search.answering.wordings import find_any  # noqa: E402 - the same
from strata.search.indexing.index import Index  # noqa: E402 - the same
from strata.search.stores.store import Scope  # noqa: E402 - the same
from strata.statements.grounding.paraphrases import paraphrases  # noqa: E402 - the same
from strata.workspace.journal import Journal  # noqa: E402 - the same

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from strata.models import Answer, Hit

FOLDER = ROOT / "bench" / "cross_language"
TERMS = FOLDER / "terms"
ASKED = date(2026, 11, 20)
LIMIT, CLOSEST = 10, 3


@dataclass(frozen=True)
class Line:
    """A line of the memory, by its name, and the *terms* that a model gave for it."""

    name: str
    day: str
    text: str
    terms: tuple[str, ...] = ()


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
    parser.add_argument("--terms", action="store_true", help="those of a model")
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
            file,
            model,
            frozenset(arguments.without),
            also=arguments.also,
            terms=arguments.terms,
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
    terms: bool = False,
) -> list[Result]:
    """Ask every question of the owner in *file*."""
    found = json.loads(file.read_text(encoding="utf-8"))
    given = json.loads((TERMS / file.name).read_text("utf-8")) if terms else {}
    lines = [
        Line(e["id"], e["day"], e["text"], tuple(given.get(e["id"], ())))
        for e in found["memory"]
    ]
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
        journal = Journal(workspace / "journal.jsonl")
        journal.append(record_of(day, lines) for day, lines in by_day(lines))
        index = Index(
            workspace / "index", workspace, model, journal=journal.path, say=print
        )
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
    for day, those in by_day(lines):
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


def by_day(lines: Sequence[Line]) -> Iterator[tuple[str, Iterator[Line]]]:
    """Give the days of *lines*, each with those that are of it."""
    return groupby(sorted(lines, key=attrgetter("day")), key=attrgetter("day"))


def record_of(day: str, lines: Iterable[Line]) -> dict[str, Any]:
    """Return what the journal has of the *lines* of a day, as capture writes it."""
    at = datetime.fromisoformat(f"{day}T08:15+00:00")
    facts = []
    for line in lines:
        evidence = (Evidence(line.name, line.text, at, Origin.OWNER),)
        kept = paraphrases(line.terms, [line.text])
        language = language_of(line.text)
        facts.append((line.text, Fact(line.text, None, language, evidence, terms=kept)))
    session = Session(
        id="s",
        key="agent:main:main",
        kind=SessionKind.MAIN,
        agent="main",
        listed=True,
        started_at=at,
        updated_at=at,
        fingerprint="",
    )
    return capture_record(
        session,
        Block(at.date(), "08:15", "s", 12),
        path=f"memory/{day}.md",
        stretch=Stretch(at.date(), 1, 12),
        last_at=at.timestamp(),
        entries=facts,
    )


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
