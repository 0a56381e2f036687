"""A block names its conversation with as few characters as needed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.models import Block
from strata.notes.daily import headings, render_block
from strata.notes.labels import labels, shared_starts, standing


def test_eight_characters_are_enough_for_most() -> None:
    """
    Ids that differ early are cut to eight characters.
    """
    assert labels(["61871d67-aaaa", "71871d67-aaaa"]) == {
        "61871d67-aaaa": "61871d67",
        "71871d67-aaaa": "71871d67",
    }


def test_later_conversation_with_the_same_start_gets_a_longer_label() -> None:
    """
    The oldest keeps eight, so that what is already written stays right.
    """
    ids = ["c0ffee11-1a2b-4c", "c0ffee11-9a2b-4c", "c0ffee11-9a2c-4c"]

    assert labels(ids) == {
        "c0ffee11-1a2b-4c": "c0ffee11",
        "c0ffee11-9a2b-4c": "c0ffee11-9",
        "c0ffee11-9a2c-4c": "c0ffee11-9a2c",
    }


def test_only_shared_starts_need_a_closer_look() -> None:
    """
    Ids that share their first eight characters are grouped; the others are left out.
    """
    assert shared_starts(["aaaaaaaa-1", "bbbbbbbb-1", "aaaaaaaa-2"]) == [
        ["aaaaaaaa-1", "aaaaaaaa-2"]
    ]


def test_id_that_is_the_start_of_an_older_one_gets_a_label_of_its_own() -> None:
    """
    No two conversations share a label, also where one id has no more characters to add.
    """
    chosen = labels(["20261120-b", "20261120"])

    assert chosen["20261120-b"] == "20261120"
    assert chosen["20261120"] not in {"20261120", "20261120-"}


@pytest.mark.parametrize(
    "odd", ["群聊 一二三四五六", "61871d67-1111 copy", "a|b", "x\ny"]
)
def test_id_that_no_heading_can_hold_gets_another_name(odd: str) -> None:
    """
    The label of a file that somebody named by hand is one that a note can be read by.
    """
    label = labels([odd])[odd]
    block = Block(date(2026, 11, 20), "10:00", label, 2, ("Said.",))

    assert list(headings(render_block(block), block.day)) == [
        replace(block, entries=())
    ]


def test_label_that_stands_in_a_note_stays() -> None:
    """
    The conversation that made a label long may be deleted; the label remains.
    """
    assert standing(["c0ffee11-9a2b"], ["c0ffee11-9"]) == {
        "c0ffee11-9a2b": "c0ffee11-9"
    }
    assert labels(["c0ffee11-1a2b"], {"c0ffee11-9a2b": "c0ffee11-9"}) == {
        "c0ffee11-9a2b": "c0ffee11-9",
        "c0ffee11-1a2b": "c0ffee11",
    }


@given(st.lists(st.text("ab-.é", min_size=1, max_size=12), unique=True, max_size=12))
def test_no_two_conversations_share_a_label(session_ids: list[str]) -> None:
    """
    Whatever their ids look like.
    """
    chosen = labels(session_ids)

    assert len(set(chosen.values())) == len(session_ids)
