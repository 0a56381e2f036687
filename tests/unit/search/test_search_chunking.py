"""Chunks follow the structure of the notes, and name their lines."""

from __future__ import annotations

import itertools
from datetime import date

import pytest
from builders_search import NOTES

from strata.models import Chunk, Tier
from strata.search.indexing.chunking import MAX_TOKENS, chunk_file, sentences, windows
from strata.tokens import token_count

DAILY = "memory/2026-11-19.md"


def spans(chunks: list[Chunk]) -> list[tuple[int, int]]:
    return [(chunk.start_line, chunk.end_line) for chunk in chunks]


def test_session_block_is_a_chunk() -> None:
    """
    Each session block is one chunk; the title of the day goes with the first.
    """
    chunks = chunk_file(DAILY, NOTES[DAILY])

    assert spans(chunks) == [(1, 5), (7, 8)]
    assert chunks[1].text.startswith("## 15:40 session:9f8e7d6c | 4 messages\n")


def test_chunk_knows_its_place() -> None:
    """
    A chunk of a daily note carries its tier, its day and the day as context.
    """
    chunk = chunk_file(DAILY, NOTES[DAILY])[1]

    assert chunk.tier is Tier.DAILY
    assert chunk.day == date(2026, 11, 19)
    assert chunk.context == "2026-11-19"


def test_headings_are_context() -> None:
    """
    A section is indexed under its file and all headings above it.
    """
    chunks = chunk_file("MEMORY.md", NOTES["MEMORY.md"])

    assert chunks[1].context == "MEMORY.md > Long-Term Memory > Key Decisions"


def test_weekly_day_is_a_chunk() -> None:
    """
    A day's section of a weekly note is a chunk of its own.
    """
    text = "# Week of 2026-11-09\n\n### 2026-11-10\n[task] A.\n\n### 2026-11-11\nB.\n"

    chunks = chunk_file("memory/weekly/2026-11-09.md", text)

    assert spans(chunks) == [(1, 4), (6, 7)]
    assert chunks[0].tier is Tier.WEEKLY


def test_long_section_is_cut_with_overlap() -> None:
    """
    A section of more than 400 tokens is cut at a line, and about 80 tokens repeat.
    """
    lines = [f"- entry {number} " + "word " * 20 for number in range(60)]

    chunks = chunk_file("memory/2026-11-19.md", "\n".join(lines))

    assert all(token_count(chunk.text) <= MAX_TOKENS for chunk in chunks)
    for earlier, later in itertools.pairwise(chunks):
        repeated = lines[later.start_line - 1 : earlier.end_line]
        assert 40 <= token_count("\n".join(repeated)) <= 80


def test_long_line_becomes_several_chunks() -> None:
    """
    A line of more than 400 tokens is cut by characters, and every part names the line.
    """
    line = "".join(chr(0x4E00 + number) for number in range(1000))

    chunks = chunk_file("memory/2026-11-19.md", f"# 2026-11-19\n{line}\n")

    parts = [chunk for chunk in chunks if chunk.start_line == chunk.end_line == 2]
    starts = [line.index(part.text) for part in parts]
    ends = [start + len(part.text) for start, part in zip(starts, parts, strict=True)]
    assert (starts[0], ends[-1]) == (0, 1000)
    assert [end - start for end, start in zip(ends, starts[1:], strict=False)] == [
        79,
        79,
    ]


def test_fence_is_not_cut() -> None:
    """
    A fenced block that fits stays in one chunk, and its comments are no headings.
    """
    before = [f"Line {number} " + "word " * 20 for number in range(14)]
    fence = ["```sh", "# install", *["run " * 10] * 8, "```"]

    chunks = chunk_file("memory/2026-11-19.md", "\n".join([*before, *fence]))

    assert any("\n".join(fence) in chunk.text for chunk in chunks)
    assert all("install" not in chunk.context for chunk in chunks)


def test_frontmatter_opens_the_first_section() -> None:
    """
    What looks like a heading in frontmatter is none.
    """
    text = "---\ntitle: x\n# comment\n---\n# Alice\nLikes tea.\n"

    chunks = chunk_file("memory/bank/entities/alice.md", text)

    assert spans(chunks) == [(1, 4), (5, 6)]
    assert chunks[1].context == "memory/bank/entities/alice.md > Alice"


@pytest.mark.parametrize("text", ["", "\n", " \n\t\r\n", "\ufeff"])
def test_blank_file_has_no_chunk(text: str) -> None:
    """
    Nothing is made of nothing.
    """
    assert chunk_file(DAILY, text.removeprefix("\ufeff")) == []


def test_windows_line_ends_count_once() -> None:
    """
    CRLF ends one line, and the carriage return is no part of the text.
    """
    (chunk,) = chunk_file(DAILY, "# A\r\n\r\nB\r\n")

    assert (chunk.start_line, chunk.end_line) == (1, 3)
    assert chunk.text == "# A\n\nB"


def test_window_ends_where_a_sentence_of_a_long_line_does() -> None:
    """
    Short lines share a window; a line of sentences that is too long for one is cut between
    them, and shares its windows with no other line.
    """
    first, second = "I grew up by the sea. " * 6, "My sister cannot stand spicy food."
    text = f"- Bought tea.\n- Sold a bike.\n\n- {first}{first}{second}\n- Slept."

    assert windows(text) == [
        "Bought tea.\nSold a bike.",
        (first * 2)[: 22 * 10].strip(),
        f"{'I grew up by the sea. ' * 2}{second}",
        "Slept.",
    ]


def test_sentences_are_what_is_stated() -> None:
    """
    A line gives a sentence at a time without its bullet, tag and source; what asks, what
    heads and what an assistant says gives none, and a window the same as its chunk.
    """
    text = (
        "# 2026-11-20\n- [fact] I grew up by the sea. Did you? We sold fish. "
        "(src: 2026-11-20)\n\n- Assistant: Fish is good for you.\n- Slept"
    )

    stated = list(sentences(text))

    assert stated == ["I grew up by the sea.", "We sold fish.", "Slept"]
    assert list(sentences("\n".join(windows(text)))) == stated


@pytest.mark.parametrize("word", ["sea ", "海", "海。"])
def test_window_holds_a_sentence_that_never_ends(word: str) -> None:
    """
    What has no place to be cut at stays one window.
    """
    assert windows(word * 200) == [(word * 200).strip()]


def test_exotic_line_ends_count_as_letters() -> None:
    """
    A form feed or U+2028 does not start a line, as in an editor.
    """
    (chunk,) = chunk_file(DAILY, "one\u2028two\x0cthree\nfour")

    assert (chunk.start_line, chunk.end_line) == (1, 2)


def test_many_open_fences_take_no_time() -> None:
    """
    Ten thousand fences that never close are cut like any lines.
    """
    text = "\n".join(f"~~~ {number}" for number in range(10_000))

    chunks = chunk_file(DAILY, text)

    assert chunks[-1].end_line == 10_000
