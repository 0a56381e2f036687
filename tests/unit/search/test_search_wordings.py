"""Several wordings of one question have one answer, in which each place stands once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from builders_search import NOTES, TODAY, write_notes

from strata.search.answering.finding import Question, find
from strata.search.answering.ranking import Ranking
from strata.search.answering.wordings import find_any
from strata.search.indexing.index import Index
from strata.search.stores.store import Scope

if TYPE_CHECKING:
    from pathlib import Path

    from strata.hits import Answer

ENGLISH = "why do we keep PostgreSQL?"
CHINESE = "数据库迁移推迟到什么时候"
NOWHERE = "who won the zeppelin race?"
RANKING = Ranking(TODAY, 30)


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """
    The usual notes, by keywords.
    """
    return Index(tmp_path / "index", write_notes(tmp_path / "w", NOTES), None)


def ask(index: Index, *texts: str, budget: int | None = None) -> Answer:
    questions = [Question(text, 5, Scope(), budget=budget) for text in texts]
    return find_any(index, index.workspace, questions, RANKING)


def test_one_wording_is_answered_as_ever(index: Index) -> None:
    """
    Nothing of it changes where there is nothing to fuse.
    """
    alone = find(index, index.workspace, Question(ENGLISH, 5, Scope()), RANKING)

    assert ask(index, ENGLISH) == alone


def test_what_either_finds_is_found_and_once(index: Index) -> None:
    """
    An English and a Chinese wording: both notes, and no lines twice.
    """
    answer = ask(index, ENGLISH, CHINESE, ENGLISH)

    shown = "\n".join(hit.snippet for hit in answer.hits)
    assert "PostgreSQL 16" in shown
    assert "推迟到三月" in shown
    places = [(hit.path, hit.start_line) for hit in answer.hits]
    assert len(places) == len(set(places))
    assert all(0 <= hit.score <= 1 for hit in answer.hits)


def test_wording_without_an_answer_hides_none(index: Index) -> None:
    """
    It is answered if any wording is, and refused where none is.
    """
    assert ask(index, NOWHERE, ENGLISH).answerable
    nothing = ask(index, NOWHERE, "zeppelin, airship")
    assert not nothing.answerable
    assert nothing.hits == ()


def test_what_several_find_comes_first(index: Index) -> None:
    """
    Said in three ways that agree, against one that does not.
    """
    answer = ask(index, CHINESE, ENGLISH, "PostgreSQL as the only database", "ACID")

    assert "PostgreSQL 16" in answer.hits[0].snippet


def test_limit_and_budget_hold_for_all_together(index: Index) -> None:
    """
    Three wordings cost no more tokens than one.
    """
    questions = [
        replace(Question(text, 2, Scope()), budget=60) for text in (ENGLISH, CHINESE)
    ]

    answer = find_any(index, index.workspace, questions, RANKING)

    assert 1 <= len(answer.hits) <= 2
    assert sum(len(hit.snippet) for hit in answer.hits) <= 60 * 4
