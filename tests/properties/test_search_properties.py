"""Whatever stands in a note, no line is lost and every number is right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from strata.search.answering.passages import Files
from strata.search.answering.snippets import MAX_CHARACTERS, mark, snippet
from strata.search.indexing.chunking import MAX_LINES, MAX_TOKENS, chunk_file, windows
from strata.search.indexing.paraphrases import Paraphrases
from strata.search.indexing.points import prepare, row
from strata.search.indexing.scanning import FileState, split_lines
from strata.search.language.keywords import document_terms, document_vector, query_terms
from strata.search.language.terms import Finder
from strata.tokens import token_count

if TYPE_CHECKING:
    from pathlib import Path

PATH = "memory/2026-11-20.md"

words = st.sampled_from(
    ["kayak", "数据库", "better-sqlite3", "#", "```", "~~~", "---", "。"]
)
lines = st.one_of(
    st.text(max_size=30),
    st.lists(words, max_size=8).map(" ".join),
    st.sampled_from(
        [
            "",
            "# A",
            "## 14:02 session:61871d67 | 12 messages",
            "### 2026-11-20",
            "```py",
        ]
    ),
    st.integers(1, 900).map(lambda size: "x" * size),
    st.integers(1, 900).map(lambda size: "数" * size),
    st.integers(50, 60).map(lambda count: "- word and word\n" * count),
)
ends = st.sampled_from(["\n", "\r\n"])
texts = st.builds(
    lambda parts, end, last: end.join(parts) + last,
    st.lists(lines, max_size=30),
    ends,
    st.sampled_from(["", "\n"]),
)


@given(texts)
def test_every_line_lies_in_a_chunk(text: str) -> None:
    """
    Each line that is not blank stands in a chunk that names it.
    """
    numbered = split_lines(text)

    chunks = chunk_file(PATH, text)

    covered = {n for c in chunks for n in range(c.start_line, c.end_line + 1)}
    assert {n for n, line in enumerate(numbered, 1) if line.strip()} <= covered


@given(texts)
def test_chunk_is_its_lines(text: str) -> None:
    """
    A chunk's text is that of its lines, or a part of its one line, and is not too large.
    """
    numbered = split_lines(text)
    for chunk in chunk_file(PATH, text):
        whole = "\n".join(numbered[chunk.start_line - 1 : chunk.end_line])

        assert chunk.text.strip()
        assert token_count(chunk.text) <= MAX_TOKENS
        assert chunk.end_line - chunk.start_line < MAX_LINES
        if chunk.start_line == chunk.end_line:
            assert chunk.text in whole
        else:
            assert chunk.text == whole


@given(st.integers(1, 3000), st.sampled_from(["数", "x", "x 数"]))
def test_long_line_is_covered(size: int, letters: str) -> None:
    """
    The parts of a long line, laid one after the other, leave nothing out.
    """
    line = "".join(f"{letters}{number}" for number in range(size))
    reached = 0
    for chunk in chunk_file(PATH, line):
        start = line.index(chunk.text)

        assert start <= reached
        reached = max(reached, start + len(chunk.text))
    assert reached == len(line)


@given(texts)
def test_window_lines_are_all_there(text: str) -> None:
    """
    Every word of a chunk stands in one of its windows.
    """
    joined = "\n".join(windows(text))

    assert set(document_terms(joined)[0]) >= {
        term for term in document_terms(text)[0] if term.isalpha() and len(term) > 1
    } - {"@"}


@given(st.text(max_size=200))
def test_any_text_has_terms_or_none(text: str) -> None:
    """
    Any text can be indexed and asked: weights are positive, numbers have 32 bits.
    """
    assert all(weight > 0 for weight in query_terms(text).values())
    for number, weight in document_vector(text).items():
        assert 0 <= number < 2**32
        assert weight > 0


@example("0:¶1")
@example("ØA")
@example("𖹀")
@given(st.text(max_size=200))
def test_text_answers_itself(text: str) -> None:
    """
    A text that is asked for word by word is found, and the quick look agrees.
    """
    asked = {term for term in query_terms(text) if not term.startswith("@")}

    assert asked <= set(document_terms(text)[0])
    assert Finder(asked).present(text) == asked


@example("3月5日 kayaks\nKayak, Nov 2026\nadded 2026-11-20", ["ads", "3月", "2026-11"])
@given(texts, st.lists(words, min_size=1, max_size=4))
def test_terms_of_a_text_are_those_of_its_lines(text: str, question: list[str]) -> None:
    """
    A term stands in a line of a text where it stands in that line alone.
    """
    finder = Finder(query_terms(" ".join(question)))

    found = finder.by_line(text)

    assert found == [finder.present(line) for line in text.split("\n")]


@given(texts, st.lists(words, min_size=1, max_size=4))
def test_snippet_stands_in_the_text(text: str, question: list[str]) -> None:
    """
    A snippet is a piece of its text, of at most 700 characters.
    """
    terms = query_terms(" ".join(question))
    finder = Finder(terms)

    shown = snippet(mark(text, finder), terms, finder)

    assert shown in text
    assert len(shown) <= MAX_CHARACTERS


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts, st.lists(lines, max_size=3))
def test_chunk_is_found_where_it_moved(
    tmp_path: Path, text: str, above: list[str]
) -> None:
    """
    A chunk whose lines moved is found at its new lines; what is shown stands there.
    """
    file = tmp_path / PATH
    file.parent.mkdir(exist_ok=True)
    content = text.encode("utf-8", "replace")
    pieces = prepare(FileState(PATH, 0, 0), content, Paraphrases()).pieces
    moved = "".join(f"{line}\n" for line in above) + text
    file.write_bytes(moved.encode("utf-8", "replace"))
    numbered = split_lines(moved.encode("utf-8", "replace").decode())
    files = Files(tmp_path)
    for piece in pieces:
        passage = files.passage(row(piece), 1.0)

        if passage is not None:
            stands = "\n".join(numbered[passage.start_line - 1 : passage.end_line])
            assert passage.text in stands
            assert passage.text == piece.chunk.text
