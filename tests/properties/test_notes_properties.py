"""Notes parse and render as inverses, whatever stands in them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from hypothesis import assume, given
from hypothesis import strategies as st

from strata.models import Block, Entry, Frame, Tag
from strata.notes.daily import (
    DailyNote,
    headings,
    items,
    parse_daily,
    put_block,
    render_block,
    render_daily,
)
from strata.notes.entries import one_line, parse_entry, render_entry
from strata.notes.foreign import statements_in

if TYPE_CHECKING:
    from random import Random

DAY = date(2026, 11, 20)

entries = st.text(max_size=60).map(one_line).filter(bool)
blocks = st.builds(
    Block,
    st.just(DAY),
    st.times().map(lambda time: time.strftime("%H:%M")),
    st.from_regex(r"[0-9a-f]{8}(-[0-9a-f]{1,4})?", fullmatch=True),
    st.integers(1, 99_999),
    st.lists(entries, min_size=1, max_size=10).map(tuple),
)
lines = st.one_of(
    st.text(max_size=40),
    blocks.map(render_block),
    st.sampled_from(
        [
            *("## 14:02 session:61871d67 | 12 messages", "- entry", "\r\n", "#"),
            *("```", "```sh", "~~~~", "  - ```", "    - nested", "```\r", "<!--"),
        ]
    ),
)
texts = st.lists(lines, max_size=12).map("\n".join)


@given(texts)
def test_any_text_survives_parsing(text: str) -> None:
    """
    Rendering what was parsed gives back every byte.
    """
    assert render_daily(parse_daily(text, DAY)) == text


@given(st.lists(blocks, min_size=1, max_size=5))
def test_any_note_survives_rendering(written: list[Block]) -> None:
    """
    Parsing what was rendered gives back every block.
    """
    parts = tuple(part for block in written for part in (block, "\n"))
    note = DailyNote(DAY, parts)

    assert parse_daily(render_daily(note), DAY) == note


@given(texts, blocks)
def test_added_block_is_found_and_nothing_else_moves(text: str, block: Block) -> None:
    """
    The block is known, and around it all stands as it stood.
    """
    assume(render_block(block) not in text)
    added = put_block(text, block)

    before, _, after = added.partition(render_block(block))
    told = text if text.strip() else "# 2026-11-20"
    assert (before + after).split() == told.split()
    assert block in parse_daily(added, DAY).blocks
    assert block.messages in [each.messages for each in headings(added, DAY)]


@given(
    st.lists(
        blocks,
        max_size=6,
        unique_by=lambda each: (each.time, each.label, each.messages),
    ),
    st.randoms(),
)
def test_order_in_which_blocks_come_is_not_to_be_seen(
    written: list[Block], random: Random
) -> None:
    """
    Blocks stand by their time, whichever was written first and whichever has grown.
    """
    at_once, grown = "", ""
    for block in written:
        at_once = put_block(at_once, block)
    random.shuffle(written)
    for block in written:
        early = replace(block, time="00:00", messages=1, entries=("early",))
        grown = put_block(put_block(grown, early), block, old=early)

    assert grown == at_once


@given(texts, blocks, texts)
def test_block_is_read_whatever_others_leave_open(
    before: str, block: Block, after: str
) -> None:
    """
    Code that somebody began and did not end hides nothing of what was captured.
    """
    note = f"{put_block(before, block)}{after}"

    said = [each.said for each in items(note) if each.block]
    assert set(block.entries) <= set(said)
    # An indented line that follows says more of the last entry.
    told = tuple(each.text for each in statements_in(note))
    lines = [one_line(each) for each in block.entries]
    assert "<!--" in note or all(
        any(each.startswith(line) for each in told) for line in lines
    )


@given(entries, st.sampled_from([*Tag, None]), st.sampled_from(Frame))
def test_entry_is_read_as_it_was_written(
    text: str, tag: Tag | None, frame: Frame
) -> None:
    """
    What a line says is what was rendered, and rendering it again changes nothing.
    """
    line = render_entry(Entry(text, tag, frame))

    assert render_entry(parse_entry(line)) == line


@given(st.text())
def test_entry_is_one_clean_line(text: str) -> None:
    """
    No text, however hostile, becomes more than one line or a comment.
    """
    line = one_line(text)

    assert line.splitlines() in ([], [line])
    assert "<!--" not in line
    assert one_line(line) == line
