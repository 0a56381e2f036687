"""Our block comes and goes, and not one other byte moves."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from strata.notes.managed_block import block_in, separator, with_block, without_block

PIECES = ["a", "记", "\n", "\r\n", "\r", "\x85", " ", "# ", "<!-- x -->", "- "]
FOREIGN = st.lists(st.sampled_from(PIECES) | st.characters(codec="utf-8")).map("".join)


@given(FOREIGN)
def test_text_is_the_same_after_block_came_and_went(text: str) -> None:
    """
    Whatever a file holds, it holds byte for byte again after the block is out.
    """
    added = separator(text)

    inside = with_block(text, "rules\nof recall")

    assert block_in(inside) == "rules\nof recall"
    assert without_block(inside, added) == text


@given(FOREIGN, FOREIGN)
def test_block_is_replaced_in_its_place(before: str, after: str) -> None:
    """
    A new block stands where the old one stood, whatever was written around it.
    """
    text = with_block(before, "old") + after

    changed = with_block(text, "new")

    assert block_in(changed) == "new"
    assert without_block(changed, "") == without_block(text, "")
    assert with_block(changed, "new") == changed


def test_what_is_added_later_stays() -> None:
    """
    Lines that somebody wrote below the block survive its removal.
    """
    text = with_block("# Agents\n", "rules")

    assert without_block(text + "mine\n", "\n") == "# Agents\nmine\n"


def test_windows_line_ends_stay() -> None:
    """
    A file with CRLF keeps it, and the block has it too.
    """
    text = with_block("# Agents\r\n\r\nbe kind", "one\ntwo")

    assert "\n" not in text.replace("\r\n", "")
    assert block_in(text) == "one\ntwo"
