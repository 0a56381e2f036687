"""Phrases in quotes and words with a minus, beside whatever else is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders_search import ask, index_of, paths, tiny_model, write_notes

from strata.search.answering.operators import parse

if TYPE_CHECKING:
    from pathlib import Path

MIXED = {
    "memory/2026-11-17.md": "# 2026-11-17\n\n- 缓存改用Redis集群，不再用Memcached。\n",
    "memory/2026-11-18.md": "# 2026-11-18\n\n- 缓存先放在内存里，猫的照片也是。\n",
    "memory/2026-11-19.md": "# 2026-11-19\n\n- The cache of better-sqlite3 is cold.\n",
}


@pytest.mark.parametrize(
    ("text", "phrases", "excluded"),
    [
        ("「支付接口」在哪里", ("支付接口",), ()),
        ("『支付接口』", ("支付接口",), ()),
        ("“only database”", ("only database",), ()),
        ("＂only database＂", ("only database",), ()),
        ('cache -"session store"', (), ("session store",)),
        ("缓存 -「会话存储」", (), ("会话存储",)),
        ("cache -better-sqlite3", (), ("better-sqlite3",)),
        ("缓存 -猫", (), ("猫",)),
        ("用什么缓存 -Redis？", (), ("redis",)),
        ("well-known options like -n and 10-20", (), ()),
    ],
)
def test_operators_are_read(
    text: str, phrases: tuple[str, ...], excluded: tuple[str, ...]
) -> None:
    """
    Quotes of both languages hold phrases, and a minus leaves out what follows it.
    """
    wanted = parse(text)

    assert (wanted.phrases, wanted.excluded) == (phrases, excluded)
    assert not any(word in wanted.text.lower() for word in excluded)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("缓存 -Redis", ["memory/2026-11-18.md"]),
        ("缓存 -猫", ["memory/2026-11-17.md"]),
        ("cache 缓存 -better-sqlite3 -猫", ["memory/2026-11-17.md"]),
        ('缓存 -"redis集群"', ["memory/2026-11-18.md"]),
    ],
)
def test_excluded_word_may_stand_within_chinese(
    text: str, left: list[str], tmp_path: Path
) -> None:
    """
    Between hanzi a word needs no spaces around it.
    """
    answer = ask(index_of(write_notes(tmp_path, MIXED)), tmp_path, text)

    assert paths(answer) == left


def test_only_the_lines_with_an_excluded_word_are_left_out(tmp_path: Path) -> None:
    """
    What else was said that day is found, and what has nothing to do with it is not.
    """
    notes = {
        "memory/2026-11-17.md": "# 2026-11-17\n\n- The kiln heats for nine hours.\n"
        "- The kiln needs a lead-free glaze.\n- The kiln stands in the shed.\n"
        "- Another glaze came.\n- The dentist called.\n",
    }
    index = index_of(write_notes(tmp_path, notes))

    answer = ask(index, tmp_path, "kiln -glaze")

    shown = {hit.citation: hit.snippet for hit in answer.hits}
    assert shown == {
        "memory/2026-11-17.md#L1-L3": "# 2026-11-17\n\n- The kiln heats for nine hours.",
        "memory/2026-11-17.md#L5-L5": "- The kiln stands in the shed.",
    }


def test_phrase_comes_before_what_fits_better_otherwise(tmp_path: Path) -> None:
    """
    However much more of the question another passage has, the phrase comes first.
    """
    notes = {
        "memory/2026-11-17.md": "# 2026-11-17\n\n- Backups of invoices: cold store.\n",
        "memory/2026-11-19.md": "# 2026-11-19\n\n"
        "- The store of backups of invoices is cold, says the plan of the office.\n",
    }
    index = index_of(write_notes(tmp_path, notes))

    answer = ask(index, tmp_path, 'plan of the office for invoices, "cold store"')

    assert paths(answer) == list(notes)


def test_phrase_that_stands_nowhere_is_no_answer(tmp_path: Path) -> None:
    """
    Quotes alone do not make passages answer that have nothing of the question.
    """
    index = index_of(write_notes(tmp_path))

    answer = ask(index, tmp_path, 'the "quantum flux" of the ferret\'s backup harness')

    assert not answer.answerable
    assert answer.closest


@pytest.mark.parametrize("text", ["-redis", '""', '-"session cache"', "?!", "🎉"])
def test_question_without_a_word_is_not_answered(text: str, tmp_path: Path) -> None:
    """
    Where nothing is looked for, nothing is found, however near its vector may be.
    """
    notes = write_notes(tmp_path / "notes")
    index = index_of(notes, tiny_model(tmp_path / "model"))
    index.update(embed=True)

    assert not ask(index, notes, text).answerable


def test_excluded_word_counts_where_a_time_alone_is_asked_for(tmp_path: Path) -> None:
    """
    "What happened last week" leaves out what it is told to as well.
    """
    notes = {
        "memory/2026-11-10.md": "# 2026-11-10\n\n- Paid the invoice of the plumber.\n",
        "memory/2026-11-11.md": "# 2026-11-11\n\n- Repaired the boiler.\n",
    }
    index = index_of(write_notes(tmp_path, notes))

    some = ask(index, tmp_path, "what happened last week -invoice")
    none = ask(index, tmp_path, "what happened last week -invoice -boiler")

    assert paths(some) == ["memory/2026-11-11.md"]
    assert not none.answerable


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('"cafe in Zurich"', 1),
        ('"CAFÉ in Zürich"', 1),
        ('"isn\'t open"', 1),
        ("cafe -zurich", 0),
    ],
)
def test_accents_and_apostrophes_count_as_little_as_in_words(
    text: str, left: int, tmp_path: Path
) -> None:
    """
    A phrase is the same one however its keyboard wrote it.
    """
    note = "# 2026-11-19\n\n- The café in Zürich isn’t open.\n"
    index = index_of(write_notes(tmp_path, {"memory/2026-11-19.md": note}))

    assert len(ask(index, tmp_path, text).hits) == left


def many_doors() -> dict[str, str]:
    """
    Notes that all say the same words, of which one has them side by side.
    """
    days = [
        f"2026-{month:02}-{day:02}" for month in range(1, 8) for day in range(1, 29)
    ]
    notes = {f"memory/{day}.md": f"# {day}\n\n- The door is red.\n" for day in days}
    return notes | {
        "memory/2025-11-20.md": "# 2025-11-20\n\n- We keep the key behind the red door, "
        "where the cat sleeps in winter, and nobody else knows of it.\n"
    }


@pytest.mark.parametrize("text", ['"red door"', 'who has the "red door"', "door -is"])
def test_operators_reach_every_note(text: str, tmp_path: Path) -> None:
    """
    What they leave is found, however many notes with the same words stand before it.
    """
    answer = ask(index_of(write_notes(tmp_path, many_doors())), tmp_path, text)

    assert paths(answer)[0] == "memory/2025-11-20.md"
