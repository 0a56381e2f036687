"""What passages say puts them in their last order, and each part can be switched off."""

from __future__ import annotations

import os
from datetime import date
from typing import TYPE_CHECKING

import pytest
from builders_search import TODAY, index_of, write_notes

from strata.models import Tier
from strata.search.answering import passages
from strata.search.answering.finding import Question, find
from strata.search.answering.passages import Files, Passage
from strata.search.answering.ranking import Ranking, toward
from strata.search.answering.refining import by_closeness, diverse
from strata.search.answering.snippets import mark
from strata.search.answering.superseded import History, Succession
from strata.search.indexing import points
from strata.search.indexing.paraphrases import Paraphrases
from strata.search.indexing.scanning import FileState
from strata.search.language.terms import Finder
from strata.search.stores.store import Scope

if TYPE_CHECKING:
    from pathlib import Path

    from strata.models import Answer

HOMES = {
    f"memory/2026-{month:02}-03.md": f"# 2026-{month:02}-03\n\n- I live in {city}.\n"
    for month, city in [(2, "Lisbon"), (6, "Braga"), (10, "Faro")]
}


def passage(text: str, score: float, path: str = "memory/a.md") -> Passage:
    return Passage(path, 1, 1, text, Tier.OTHER, None, score, whole=True)


def asked(
    folder: Path,
    text: str,
    without: tuple[str, ...] = (),
    history: History | None = None,
) -> Answer:
    """
    The answer to *text* from notes on three homes, or from what is in *folder*.
    """
    if not (folder / "memory").exists():
        write_notes(folder, HOMES)
    question = Question(text, 5, Scope(), history=history or History(), explain=True)
    ranking = Ranking(TODAY, 30, without=frozenset(without))
    return find(index_of(folder), folder, question, ranking)


def test_words_in_one_line_come_before_words_apart() -> None:
    """
    Of two passages with the same words, that with all of them in a line is first.
    """
    terms = {"red": 1.0, "kayak": 1.0}
    apart = passage("the red car\nthe old kayak", 0.5)
    together = passage("the red kayak\nthe old car", 0.48)
    finder = Finder(terms)

    ordered = by_closeness(
        [apart, together], lambda each: mark(each.text, finder), terms
    )

    assert [each.text for each in ordered] == [together.text, apart.text]


def test_repetition_of_one_note_gives_way() -> None:
    """
    What a better passage of the same note has said comes after something else; another
    note may repeat it.
    """
    said = passage("the gateway listens on port 8443 since March", 0.9)
    again = passage("the gateway listens on port 8443 since March too", 0.8)
    other = passage("reports are built at night by the old server", 0.75)
    elsewhere = passage(again.text, 0.8, "memory/b.md")

    assert diverse([said, again, other], 2) == [said, other]
    assert diverse([said, again, other], 3) == [said, other, again]
    assert diverse([said, elsewhere, other], 2) == [said, elsewhere]


@pytest.mark.parametrize(
    ("settled_seconds", "words"),
    [(2.0, ["red", "tea", "red", "sea"]), (-3600.0, ["red", "pink", "red", "green"])],
)
def test_notes_are_read_as_they_are_now(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    settled_seconds: float,
    words: list[str],
) -> None:
    """
    A changed line is seen at once, in a note that was just written even where its size
    and time are the same, and in one that was remembered.
    """
    monkeypatch.setattr(passages, "_SETTLED_SECONDS", settled_seconds)
    path = "memory/2026-11-20.md"
    file = tmp_path / path
    for word in words:
        write_notes(tmp_path, {path: f"I own a {word} kayak.\n"})
        os.utime(file, (1, 1))
        (piece,) = points.prepare(
            FileState(path, 0, 0), file.read_bytes(), Paraphrases()
        ).pieces
        for _ in range(2):
            found = Files(tmp_path).passage(points.row(piece), 1.0)

            assert found is not None
            assert word in found.text


def test_only_notes_within_reach_are_read(tmp_path: Path) -> None:
    """
    Once enough notes are found, only what stands in one of them is read.
    """
    texts = {
        f"memory/{name}.md": f"# {name}\n\nOne.\n\n# {name}\n\nTwo.\n" for name in "abc"
    }
    write_notes(tmp_path, texts)
    first, second, third = (
        [
            points.row(piece)
            for piece in points.prepare(
                FileState(path, 0, 0), text.encode(), Paraphrases()
            ).pieces
        ]
        for path, text in texts.items()
    )
    gone = first[0]._replace(path="memory/gone.md")
    rows = [gone, first[0], second[0], third[0], first[1], third[1]]

    found = Files(tmp_path).passages([(row, 1.0) for row in rows], 2)

    assert [each and each.path[-4] for each in found] == [
        None,
        "a",
        "b",
        None,
        "a",
        None,
    ]
    assert diverse([], 2) == []


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("where do I live now?", 1),
        ("the latest address", 1),
        ("where did I live at first?", -1),
        ("我现在住在哪里", 1),
        ("我最初住在哪里", -1),
        ("where do I live?", 0),
        ("is the first version the current one?", 0),
    ],
)
def test_question_says_which_value_it_means(text: str, direction: int) -> None:
    """
    Words such as "now" and "at first" ask for the latest and the earliest value.
    """
    assert toward(text) == direction


def test_now_and_at_first_find_the_ends(tmp_path: Path) -> None:
    """
    Among notes that fit alike, "now" finds the newest first, and "at first" the oldest.
    """
    now = asked(tmp_path, "where do I live now")
    first = asked(tmp_path, "where did I live at first")

    assert now.hits[0].day == date(2026, 10, 3)
    assert first.hits[0].day == date(2026, 2, 3)


def test_newest_that_fits_comes_before_what_has_more_of_the_words(
    tmp_path: Path,
) -> None:
    """
    What was said of it months later comes first where it fits at least half as well, and
    what barely fits does not, however new it is.
    """
    notes = {
        "memory/2026-02-03.md": "# 2026-02-03\n\n- The dose of sertraline is 50 mg.\n",
        "memory/2026-09-03.md": "# 2026-09-03\n\n- Sertraline: it is 100 mg, a dose a day"
        " before breakfast, the doctor said today.\n",
        "memory/2026-11-03.md": "# 2026-11-03\n\n- A dose of luck at the fair, where"
        " we rode the wheel and ate too much of everything that there was.\n",
        "memory/2026-11-13.md": "# 2026-11-13\n\n- Painted the fence.\n",
    }
    write_notes(tmp_path, notes)

    plain = asked(tmp_path, "which dose of sertraline do I take now", ("order",))
    now = asked(tmp_path, "which dose of sertraline do I take now")

    assert plain.hits[0].day == date(2026, 2, 3)
    assert [hit.day for hit in now.hits][:2] == [date(2026, 9, 3), date(2026, 2, 3)]


def test_now_means_little_among_notes_of_one_week(tmp_path: Path) -> None:
    """
    Of notes that are days apart the one that fits best stays first, whatever "now" says.
    """
    notes = {
        f"memory/2026-11-{day:02}.md": f"# 2026-11-{day:02}\n\n- {line}\n"
        for day, line in [
            (10, "My trainer has me on kettlebells and sprints."),
            (13, "Kettlebells are sold out, I asked at two shops in town for them."),
        ]
    }
    write_notes(tmp_path, notes)

    answer = asked(tmp_path, "what does my trainer have me on now, kettlebells?")

    assert answer.hits[0].day == date(2026, 11, 10)


def test_order_and_recency_can_be_switched_off(tmp_path: Path) -> None:
    """
    Without order and recency no note has a factor but its words.
    """
    answer = asked(tmp_path, "where do I live now", ("order", "recency"))

    assert answer.explanation is not None
    factors = {(each.order, each.recency) for each in answer.explanation.candidates}
    assert factors == {(1.0, 1.0)}


def test_long_term_memory_comes_before_the_note_it_was_made_of(tmp_path: Path) -> None:
    """
    Of the same words in a note and in `MEMORY.md`, the latter are first; without tiers
    both have their words alone.
    """
    line = "- The gateway listens on port 8443.\n"
    write_notes(tmp_path, {"memory/2026-11-19.md": line, "MEMORY.md": line})

    answer = asked(tmp_path, "which port has the gateway")
    plain = asked(tmp_path, "which port has the gateway", ("tiers",))

    assert answer.hits[0].tier is Tier.LONG_TERM
    assert plain.explanation is not None
    assert {each.tier_weight for each in plain.explanation.candidates} == {1.0}


def test_time_can_be_switched_off(tmp_path: Path) -> None:
    """
    Without time, a month in a question is a word like any other.
    """
    timed = asked(tmp_path, "where did I live in June 2026").explanation
    plain = asked(tmp_path, "where did I live in June 2026", ("time",)).explanation

    assert timed is not None
    assert timed.times
    assert plain is not None
    assert not plain.times


def test_abstaining_can_be_switched_off(tmp_path: Path) -> None:
    """
    Without abstaining, the closest is the answer, however far off.
    """
    text = "I want the orthodontist of the ferret, or the notary"

    assert not asked(tmp_path, f"{text} in Lisbon").answerable
    assert asked(tmp_path, f"{text} in Lisbon", ("abstaining",)).hits


def test_supersession_can_be_switched_off(tmp_path: Path) -> None:
    """
    Without supersession, a value that was replaced is a hit like any other.
    """
    history = History({"i live in faro": Succession("I live in Braga.", None)})

    marked = asked(tmp_path, "who lives in Faro", (), history)
    plain = asked(tmp_path, "who lives in Faro", ("supersession",), history)

    assert any(hit.superseded for hit in marked.hits)
    assert not any(hit.superseded for hit in plain.hits)
