"""A block names its conversation with as few characters as needed."""

from __future__ import annotations

from strata.notes.labels import labels, shared_starts


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
