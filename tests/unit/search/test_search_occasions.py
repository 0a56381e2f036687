"""What a request is an occasion for is found, though no line has its words."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders_search import TODAY, index_of, tiny_model, write_notes

from strata.embedding_models.folder import find_model
from strata.hits import Tier
from strata.search.answering.finding import Question, find
from strata.search.answering.occasions import by_occasion
from strata.search.answering.passages import Passage
from strata.search.answering.ranking import Ranking
from strata.search.indexing.comparing import vectors_of, weighable
from strata.search.indexing.purging import purge
from strata.search.stores.store import Scope

if TYPE_CHECKING:
    from strata.search.indexing.index import Index

MODEL = find_model(Path(__file__).parents[3])
pytestmark = pytest.mark.skipif(
    MODEL is None, reason="no model: run scripts/install first"
)

ASKED = "Which restaurant would you recommend for dinner on Saturday?"
CAPERS = "By the way, I am allergic to capers, so nothing that I eat may have them."
TALK = {
    "memory/2026-11-16.md": f"""\
# 2026-11-16

- User: We drove up to the lake and the water was like glass. {CAPERS} \
Anyway, the boat needs a new coat of varnish before the winter. Is two coats enough?
""",
    "memory/2026-11-17.md": """\
# 2026-11-17

- My sister found a place for her bicycle below the stairs.
- Saturday was dry, so the varnish went on.
""",
    "memory/2026-11-18.md": """\
# 2026-11-18

- On Saturday we talked about the garden until it was dark.
""",
}


@pytest.fixture
def index(tmp_path: Path) -> Index:
    made: Index = index_of(write_notes(tmp_path, TALK), MODEL)
    made.update(embed=True)
    return made


def days(index: Index, text: str = ASKED, *without: str) -> list[int]:
    """
    The days of the notes that answer *text*, in their order.
    """
    ranking = Ranking(TODAY, 30, without=frozenset({"abstaining", *without}))
    asked = Question(text, 5, Scope())
    answer = find(index, index.workspace, asked, ranking)
    return [hit.day.day for hit in answer.hits if hit.day]


def kept(index: Index, text: str) -> bool:
    """
    Whether *index* keeps a vector of the sentence *text*.
    """
    return text in vectors_of(index.shelf, index.model, [text])


def test_what_harms_is_found_where_one_eats(index: Index) -> None:
    """
    What the asker cannot eat comes before a line that shares a word with the request.
    """
    assert days(index) == [17, 16, 18]
    assert days(index, ASKED, "occasions") == [17, 18, 16]


def test_line_that_says_it_stays_first(index: Index) -> None:
    """
    Where one line has most of the question, nothing comes before it.
    """
    asked = "Where did my sister find a place for her bicycle?"

    assert days(index, asked) == days(index, asked, "occasions")
    assert days(index, asked)[0] == 17


def test_sentences_have_vectors_and_questions_none(index: Index) -> None:
    """
    A sentence of a long line is kept with its vector; what only asks is not.
    """
    assert kept(index, CAPERS)
    assert not kept(index, "Is two coats enough?")


def test_vector_of_a_sentence_goes_with_it(index: Index) -> None:
    """
    Of a sentence that was taken out nothing is left once the index is purged.
    """
    note = index.workspace / "memory/2026-11-16.md"
    note.write_text(note.read_text().replace(f"{CAPERS} ", ""))

    purge(index)

    assert not kept(index, CAPERS)
    assert kept(
        index, "Anyway, the boat needs a new coat of varnish before the winter."
    )


def test_question_does_without_vectors_that_are_being_written(index: Index) -> None:
    """
    While another process has all vectors for itself, the order is that of before.
    """
    before = days(index, ASKED, "occasions")

    with closing(sqlite3.connect(index.shelf.vectors_file)) as other:
        other.execute("BEGIN EXCLUSIVE")
        busy = days(index)

    assert busy == before
    assert days(index) != before


def test_question_makes_no_file_of_vectors(index: Index) -> None:
    """
    Where the vectors are gone a question finds as before, and starts no file of them.
    """
    index.shelf.vectors_file.unlink()

    assert days(index) == days(index, ASKED, "occasions")
    assert not index.shelf.vectors_file.exists()


def test_another_model_weighs_nothing(tmp_path: Path) -> None:
    """
    The net has learned from one model, so that others keep no vectors of sentences.
    """
    index = index_of(tmp_path, tiny_model(tmp_path / "tiny"))

    assert weighable(index.model, CAPERS) == []


def test_chinese_is_not_weighed(index: Index) -> None:
    """
    A sentence in Chinese has no vector of its own.
    """
    assert weighable(index.model, "我对花生过敏。\nNo nuts, please.") == [
        "No nuts, please."
    ]


def test_passage_in_another_language_keeps_its_score(index: Index) -> None:
    """
    What was not weighed counts neither as needed nor as not needed.
    """
    foreign = Passage("a.md", 1, 1, "餐厅在河边。", Tier.OTHER, None, 0.6, whole=True)
    other = replace(foreign, text="The boat is old.", score=0.9)
    asked = index.vector_of(ASKED)
    known = replace(foreign, text=CAPERS, score=0.5)

    found = by_occasion(index, ASKED, asked, [other, foreign, known])

    assert [each.text for each in found] == [CAPERS, foreign.text, other.text]
    assert found[1].score == 0.6
