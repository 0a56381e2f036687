"""What an entry says in other words, and the index that is a function of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders_search import TODAY, ask, write_notes

from strata.notes.marks import line_key
from strata.search.answering.finding import Question, find
from strata.search.answering.ranking import Ranking
from strata.search.indexing.index import Index
from strata.search.language.keywords import document_vector, number_beside, term_number
from strata.search.stores.store import Scope
from strata.workspace.journal import Journal

if TYPE_CHECKING:
    from pathlib import Path

    from strata.models import Answer

DAY = "memory/2026-11-20.md"
ENTRY = "[preference] No cashews in the office kitchen."
NOTE = f"""\
# 2026-11-20

## 10:12 session:0a1b2c3d | 6 messages
- {ENTRY}
- The lease of the copier ends in March.
"""
WEEK = """\
# Week of 2026-11-16

### 2026-11-20
[preference] No cashews in the office kitchen. (src: 2026-11-20)
"""
QUESTION = "坚果过敏"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return write_notes(tmp_path / "workspace", {DAY: NOTE})


def record(*terms: str, day: str = "2026-11-20", entry: str = ENTRY) -> dict[str, Any]:
    """
    What the journal has of a block with one entry, and *terms* for it.
    """
    told = {"id": "0a1b2c3d4e5f", "line": line_key(f"- {entry}"), "terms": list(terms)}
    return {"event": "captured", "day": day, "entries": [told]}


def journal_of(workspace: Path) -> Journal:
    return Journal(workspace / ".strata" / "journal.jsonl")


def index_of(workspace: Path, name: str = "index") -> Index:
    journal = journal_of(workspace).path
    return Index(workspace / ".strata" / name, workspace, None, journal=journal)


def points(index: Index) -> dict[str, set[int]]:
    """
    The terms of every chunk that *index* holds, by its id.
    """
    with index.shelf.opened(1.0) as session:
        ids = [
            row.id
            for path in session.manifest.files()
            for row in session.manifest.rows_of(path)
        ]
        return {each: session.store.terms_of([each]) for each in ids}


def everything(index: Index, text: str = QUESTION) -> Answer:
    """
    What *index* finds, whether it is good enough or not.
    """
    ranking = Ranking(TODAY, 30, without=frozenset({"abstaining"}))
    return find(index, index.workspace, Question(text, 10, Scope()), ranking)


def test_entry_is_found_by_its_terms(workspace: Path) -> None:
    """
    A question in the other language finds the line, which alone is shown.
    """
    journal_of(workspace).append([record("坚果过敏", "腰果")])

    answer = ask(index_of(workspace), workspace, QUESTION)

    assert answer.answerable
    assert "cashews" in answer.hits[0].snippet
    assert "过敏" not in answer.hits[0].snippet


def test_snippet_is_the_line_that_the_terms_are_of(tmp_path: Path) -> None:
    """
    Of a long passage that part is shown beside which the question's words stand.
    """
    others = "- Another line tells at length of crates and of the weather.\n" * 24
    text = NOTE.replace(f"- {ENTRY}\n", f"{others}- {ENTRY}\n")
    workspace = write_notes(tmp_path, {DAY: text})
    journal_of(workspace).append([record("坚果过敏")])

    answer = everything(index_of(workspace))

    assert "cashews" in answer.hits[0].snippet


def test_terms_that_come_later_reach_a_note_that_stays(workspace: Path) -> None:
    """
    The note has the same bytes, and is indexed anew all the same.
    """
    index = index_of(workspace)
    assert not everything(index).hits
    journal_of(workspace).append([record("坚果过敏")])

    assert everything(index).hits


@pytest.mark.parametrize("day", ["2026-11-19", "2026-11-21"])
def test_terms_are_those_of_the_day(workspace: Path, day: str) -> None:
    """
    The same words on another day were another entry.
    """
    journal_of(workspace).append([record("坚果过敏", day=day)])

    assert not everything(index_of(workspace)).hits


def test_week_and_page_have_the_terms_of_their_days(tmp_path: Path) -> None:
    """
    A line of a week or of MEMORY.md that says the same is found by them as well.
    """
    line = f"- {ENTRY.partition('] ')[2]} (src: 2026-11-20)\n"
    page = f"# Long-Term Memory\n\n## User Preferences\n{line}"
    notes = {"memory/weekly/2026-11-16.md": WEEK, "MEMORY.md": page}
    workspace = write_notes(tmp_path, notes)
    journal_of(workspace).append([record("坚果过敏")])

    answer = everything(index_of(workspace))

    assert {hit.path for hit in answer.hits} == set(notes)


def test_changed_line_loses_its_terms(workspace: Path) -> None:
    """
    They were given for other words; with these they come back.
    """
    journal_of(workspace).append([record("坚果过敏")])
    index = index_of(workspace)
    changed = NOTE.replace("No cashews", "No peanuts at all")

    write_notes(workspace, {DAY: changed})
    gone = everything(index)
    write_notes(workspace, {DAY: NOTE})
    back = everything(index)

    assert not gone.hits
    assert back.hits


def test_rewritten_journal_takes_its_terms_back(workspace: Path) -> None:
    """
    What is no longer in the journal, as after `forget`, is no longer found.
    """
    journal = journal_of(workspace)
    journal.append([record("坚果过敏")])
    index = index_of(workspace)
    assert everything(index).hits

    journal.path.write_text('{"event":"settled","run":"x"}\n', encoding="utf-8")

    assert not everything(index).hits


def test_lost_journal_costs_the_terms_alone(workspace: Path) -> None:
    """
    The notes are found as before.
    """
    journal_of(workspace).append([record("坚果过敏")])
    index = index_of(workspace)
    assert everything(index).hits

    journal_of(workspace).path.unlink()

    assert not everything(index).hits
    assert everything(index, "cashews").hits


def test_index_grown_by_and_by_is_the_one_built_at_once(workspace: Path) -> None:
    """
    Deleted and made anew it holds the same chunks with the same terms.
    """
    index = index_of(workspace)
    index.update()
    journal_of(workspace).append([record("坚果过敏")])
    index.update()
    write_notes(workspace, {"memory/weekly/2026-11-16.md": WEEK})
    index.update()
    journal_of(workspace).append([record("nut allergy", "腰果")])
    index.update()

    fresh = index_of(workspace, "fresh")
    fresh.update()

    assert points(index) == points(fresh)


def test_without_terms_the_index_is_what_it_was(workspace: Path) -> None:
    """
    A journal that tells of none changes no byte of it.
    """
    told = record()["entries"][0]
    del told["terms"]
    plain = {"event": "captured", "day": "2026-11-20", "entries": [told]}
    journal_of(workspace).append([plain])
    index, bare = index_of(workspace), Index(workspace / "bare", workspace, None)
    index.update()
    bare.update()

    assert points(index) == points(bare)


def test_damaged_record_is_passed_over(workspace: Path) -> None:
    """
    A line that a crash tore off, or a hand broke, takes no other line's terms.
    """
    journal = journal_of(workspace)
    journal.append([record("坚果过敏")])
    broken = {"event": "captured", "day": "2026-11-20", "entries": [{"terms": 5}]}
    with journal.path.open("a", encoding="utf-8") as file:
        file.write(f'{json.dumps(broken)}\n{{"day":"2026-11-20","terms"\n')

    assert everything(index_of(workspace)).hits


def test_terms_weigh_less_and_nothing_else_for_them() -> None:
    """
    What a note says weighs as much as without them, and more than they do.
    """
    text = "no cashews in the kitchen"

    alone, beside = document_vector(text), document_vector(text, "cashews / allergy")

    added = beside.keys() - alone.keys()
    assert {each: beside[each] for each in alone} == alone
    assert added == {number_beside(term_number("allergi"))}
    assert all(beside[each] < alone[term_number("cashew")] for each in added)


def test_other_questions_are_judged_as_without_terms(workspace: Path) -> None:
    """
    A word beside an entry is none that the notes say: what has no answer has none still.
    """
    journal_of(workspace).append([record("kitchen rules", "dishwasher", "报销")])
    questions = ("How do I get my travel expenses back?", "怎么报销差旅费")

    answers = [ask(index_of(workspace), workspace, each) for each in questions]

    assert [each.answerable for each in answers] == [False, False]
