"""Names that stand beside what was asked for lead to what the question does not name."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders_search import TODAY, index_of, tiny_model, write_notes

from strata.embedding_models.folder import find_model
from strata.search.answering.finding import Question, find
from strata.search.answering.naming import WEIGHT, names_beside
from strata.search.answering.ranking import Ranking
from strata.search.answering.snippets import mark
from strata.search.language.keywords import query_terms
from strata.search.language.terms import Finder
from strata.search.stores.store import Scope

if TYPE_CHECKING:
    from strata.search.answering.snippets import Marked

MODEL = find_model(Path(__file__).parents[3])
ASKED = "Who planted the old orchard behind the mill?"
PLANTED = (
    "- The old orchard behind the mill was planted by Bertrand Ouvrard in March.\n"
)
TALK = {
    "memory/2026-11-02.md": PLANTED,
    **{
        f"memory/2026-11-{day:02}.md": f"- Our neighbours planted {thing} in the garden.\n"
        for day, thing in enumerate(["beans", "peas", "kale", "leeks"], start=5)
    },
    "memory/2026-11-15.md": "- Ouvrard planted lavender, and sells it at the market.\n",
}


def marked(*texts: str) -> list[Marked]:
    finder = Finder(query_terms(ASKED))
    return [mark(text, finder) for text in texts]


def test_names_and_months_of_the_best_line_are_followed() -> None:
    """
    Names, days and months of the line that fits best count, less than words that were
    asked for; other lines of the passage, and words of the question, do not.
    """
    passages = marked(f"- We met Olga on Sunday.\n{PLANTED}")

    more = names_beside(passages, query_terms(ASKED))

    assert more.keys() == {"bertrand", "ouvrard", "march"}
    assert set(more.values()) == {WEIGHT}


def test_passages_further_behind_lead_nowhere() -> None:
    """
    Only the three best passages are followed.
    """
    passages = marked(*["the old mill"] * 3, PLANTED)

    assert names_beside(passages, query_terms(ASKED)) == {}
    assert names_beside([], query_terms(ASKED)) == {}


@pytest.mark.skipif(MODEL is None, reason="no model: run scripts/install first")
def test_second_look_finds_what_only_the_name_tells(tmp_path: Path) -> None:
    """
    What is told of the one who was asked about comes sooner behind the answer.
    """
    index = index_of(write_notes(tmp_path, TALK), MODEL)
    index.update(embed=True)

    def days(*without: str) -> list[date | None]:
        ranking = Ranking(TODAY, 30, without=frozenset(without))
        answer = find(index, tmp_path, Question(ASKED, 5, Scope()), ranking)
        return [hit.day for hit in answer.hits]

    first, told = date(2026, 11, 2), date(2026, 11, 15)
    assert days()[0] == days("names")[0] == first
    assert days().index(told) < days("names").index(told)


def test_second_look_leaves_the_index_behind(tmp_path: Path) -> None:
    """
    What still waits for its vectors is said though names were followed by words alone.
    """
    model = tiny_model(tmp_path / "tiny")
    write_notes(tmp_path / "notes", TALK)
    index = index_of(tmp_path / "notes", model)
    index.update(embed=True)
    more = {f"memory/2026-10-{day:02}.md": f"- Sold {day}.\n" for day in range(1, 20)}
    write_notes(tmp_path / "notes", more)

    question = Question(ASKED, 5, Scope())
    answer = find(index, tmp_path / "notes", question, Ranking(TODAY, 30))

    assert answer.index == "behind"
