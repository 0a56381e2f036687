"""The daily note is taken apart and put together without losing a byte."""

from __future__ import annotations

from datetime import date

from strata.models import Block
from strata.notes.daily import (
    entry_lines,
    headings,
    parse_daily,
    put_block,
    render_daily,
)

DAY = date(2026, 11, 20)
BLOCK = Block(DAY, "14:02", "61871d67", 12, ("[decision] Keep PostgreSQL.", "Asked."))
TEXT = (
    "# 2026-11-20\n\n"
    "## 14:02 session:61871d67 | 12 messages\n"
    "- [decision] Keep PostgreSQL.\n"
    "- Asked.\n"
)


def test_first_block_opens_the_note_with_its_date() -> None:
    """
    A new note starts with the day as its title.
    """
    assert put_block("", BLOCK) == TEXT


def test_block_is_added_below_what_is_there() -> None:
    """
    A block goes to the end, one blank line away, and changes nothing before it.
    """
    text = put_block("* handwritten, no newline", BLOCK)

    assert text == (
        "* handwritten, no newline\n\n"
        "## 14:02 session:61871d67 | 12 messages\n"
        "- [decision] Keep PostgreSQL.\n"
        "- Asked.\n"
    )


def test_own_blocks_and_foreign_text_are_told_apart() -> None:
    """
    Only what Strata wrote is a block; headings of others are text.
    """
    foreign = "\n## Shopping\n- milk\n"

    note = parse_daily(TEXT + foreign, DAY)

    assert note.blocks == (BLOCK,)
    assert note.parts == ("# 2026-11-20\n\n", BLOCK, foreign)


def test_edited_block_is_still_known_by_its_heading() -> None:
    """
    A block whose entries somebody rewrote, with Windows line ends, still counts.
    """
    edited = TEXT.replace("\n", "\r\n").replace("- Asked.", "Asked, she said")

    assert list(headings(edited, DAY)) == [Block(DAY, "14:02", "61871d67", 12)]
    assert render_daily(parse_daily(edited, DAY)) == edited


def test_impossible_headings_are_no_blocks() -> None:
    """
    A heading that no clock shows is somebody else's.
    """
    text = TEXT.replace("14:02", "24:02")

    assert list(headings(text, DAY)) == []
    assert parse_daily(text, DAY).blocks == ()


def test_heading_of_no_message_is_no_block() -> None:
    """
    Strata writes none, so it is somebody's own, and must not hide a conversation.
    """
    assert list(headings("## 23:59 session:61871d67 | 0 messages\n- x\n", DAY)) == []


def test_entries_compare_without_tag_and_case() -> None:
    """
    The same sentence under another tag is the same entry.
    """
    assert entry_lines("- [task] Ship  it\n* ship it\n") == {"ship it"}
