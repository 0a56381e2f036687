"""A question is answered with the words that stand in the files now."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from builders_search import (
    TODAY,
    ask,
    identity,
    index_of,
    paths,
    tiny_model,
    write_notes,
)

from strata.models import Tier
from strata.search.answering.passages import MAX_CHARACTERS, Files, Passage
from strata.search.answering.ranking import DENSE_SHARE, Ranking, fuse, weighed
from strata.search.answering.showing import hits_of
from strata.search.answering.snippets import MAX_CHARACTERS as SNIPPET
from strata.search.answering.snippets import Reader, mark, snippet
from strata.search.answering.superseded import Shown
from strata.search.indexing.candidates import Candidates
from strata.search.indexing.manifest import PENDING, Row
from strata.search.language.terms import Finder
from strata.search.stores.store import Found, Scope

if TYPE_CHECKING:
    from pathlib import Path

    from strata.search.indexing.index import Index


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """
    A workspace with the usual notes.
    """
    return write_notes(tmp_path / "workspace")


@pytest.fixture
def index(workspace: Path) -> Index:
    """
    Its index, by keywords.
    """
    index = index_of(workspace)
    index.update()
    return index


def test_head_of_the_page_is_no_find(tmp_path: Path) -> None:
    """
    What stands in every MEMORY.md is not found; what somebody else wrote there is.
    """
    head = "# Long-Term Memory\n\n> Event logs stay in daily files.\n"
    rest = "\n## User Preferences\n- Event logs in UTC.\n\n## Key Decisions\n"
    ours = write_notes(tmp_path / "ours", {"MEMORY.md": head + rest})
    own = {"MEMORY.md": f"{head}> All event logs are in Oslo.\n{rest}"}
    theirs = write_notes(tmp_path / "theirs", own)

    (hit,) = ask(index_of(ours), ours, "event logs").hits
    shown = ask(index_of(theirs), theirs, "event logs in Oslo").hits

    assert hit.snippet.startswith("## User Preferences\n- Event logs in UTC.")
    assert "Oslo" in shown[0].snippet


def test_what_is_far_off_follows_no_better_hit(tmp_path: Path) -> None:
    """
    Without a word of the question and with hardly a score it is left out, but never alone.
    """
    reader = Reader(Files(tmp_path), {"kiln": 1.0})

    def cited(*said: tuple[str, float]) -> list[int]:
        found = [
            Passage("MEMORY.md", at, at, text, Tier.LONG_TERM, None, score, whole=True)
            for at, (text, score) in enumerate(said, 1)
        ]
        shown = [Shown(each, reader.mark(each), None) for each in found]
        return [hit.start_line for hit in hits_of(shown, reader, 1.0, None)]

    assert cited(("a kiln", 0.9), ("an oven", 0.3), ("a van", 0.01)) == [1, 2]
    assert cited(("a kiln", 0.9), ("no kiln", 0.01)) == [1, 2]
    assert cited(("a van", 0.01)) == [1]


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("Which reports need ACID?", "memory/2026-11-19.md"),
        ("which version of better-sqlite3", "memory/2026-11-19.md"),
        ("npm or pnpm?", "MEMORY.md"),
        ("数据库什么时候迁移？", "memory/2026-11-20.md"),
        ("用户喜欢什么样的回答", "MEMORY.md"),
        ("what happened on November 19?", "memory/2026-11-19.md"),
        ("greenhouse", "memory/bank/world.md"),
    ],
)
def test_question_is_answered(
    question: str, path: str, index: Index, workspace: Path
) -> None:
    """
    Questions in both languages find the note that answers them first.
    """
    answer = ask(index, workspace, question)

    assert answer.answerable
    assert paths(answer)[0] == path


def test_hits_are_in_order(index: Index, workspace: Path) -> None:
    """
    Scores fall from one hit to the next, and lie between 0 and 1.
    """
    scores = [hit.score for hit in ask(index, workspace, "database reports").hits]

    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_hit_cites_what_stands_there(index: Index, workspace: Path) -> None:
    """
    The snippet of each hit is found in its file at its lines.
    """
    for hit in ask(index, workspace, "database reports 数据库").hits:
        lines = (workspace / hit.path).read_text(encoding="utf-8").split("\n")
        assert hit.snippet in "\n".join(lines[hit.start_line - 1 : hit.end_line])


@pytest.mark.parametrize("question", ["zebra xylophone", "?!", "鲸鱼"])
def test_unknown_is_not_answered(question: str, index: Index, workspace: Path) -> None:
    """
    A question that no word of any note answers gets no hits.
    """
    answer = ask(index, workspace, question)

    assert not answer.answerable
    assert answer.hits == ()


def test_scope_is_kept(index: Index, workspace: Path) -> None:
    """
    Hits come from the tier and the days asked for alone.
    """
    question = "database"

    weekly = ask(index, workspace, question, Scope(tier=Tier.LONG_TERM))
    old = ask(index, workspace, question, Scope(until=date(2026, 11, 19)))

    assert set(paths(weekly)) == {"MEMORY.md"}
    assert set(paths(old)) == {"memory/2026-11-19.md"}


def test_empty_workspace_answers_nothing(tmp_path: Path) -> None:
    """
    Without notes there is no answer and no error.
    """
    assert ask(index_of(tmp_path), tmp_path, "anything").hits == ()


def test_neighbours_are_one_hit(tmp_path: Path) -> None:
    """
    What goes on in the next chunk is shown once, with the lines of both.
    """
    lines = [f"- kayak trip {number} " + "by the river " * 9 for number in range(24)]
    write_notes(tmp_path, {"memory/2026-11-20.md": "\n".join(lines)})
    index = index_of(tmp_path)

    (hit, *others) = ask(index, tmp_path, "kayak").hits

    assert len(others) <= 1
    assert hit.end_line - hit.start_line > 12
    text = "\n".join(lines[hit.start_line - 1 : hit.end_line])
    assert len(text) <= MAX_CHARACTERS


def test_long_line_is_shown_in_part(tmp_path: Path) -> None:
    """
    Of a very long line the part that answers is shown.
    """
    line = "filler " * 2000 + "the kayak is red " + "filler " * 2000
    write_notes(tmp_path, {"memory/2026-11-20.md": line})

    (hit,) = ask(index_of(tmp_path), tmp_path, "kayak red").hits

    assert "the kayak is red" in hit.snippet
    assert len(hit.snippet) <= SNIPPET
    assert (hit.start_line, hit.end_line) == (1, 1)


def test_chinese_question_needs_no_english_model(
    workspace: Path, tmp_path: Path
) -> None:
    """
    A model that reads English alone is not asked about Chinese.
    """
    index = index_of(workspace, tiny_model(tmp_path / "tiny"))
    index.update(embed=True)

    assert ask(index, workspace, "数据库迁移").mode == "keyword"
    assert ask(index, workspace, "database").mode == "hybrid"


def test_damaged_model_is_said_and_searched_around(
    workspace: Path, tmp_path: Path
) -> None:
    """
    A model that broke since is named once, and keywords answer.
    """
    model = tiny_model(tmp_path / "tiny")
    index_of(workspace, model).update(embed=True)
    (model / "model.onnx").write_bytes(b"garbage")
    said: list[str] = []

    answer = ask(index_of(workspace, model, said), workspace, "database")

    assert answer.mode == "keyword"
    assert answer.hits
    assert len(said) == 1


def test_snippet_shows_the_line_that_answers() -> None:
    """
    Of a long passage the lines around the best one are shown, at most 700 characters.
    """
    lines = [f"- line {number} " + "filler " * 12 for number in range(30)]
    lines[17] = "- the kayak is red"
    terms = {"kayak": 1.0, "red": 1.0}
    finder = Finder(terms)

    shown = snippet(mark("\n".join(lines), finder), terms, finder)

    assert "the kayak is red" in shown
    assert shown in "\n".join(lines)
    assert len(shown) <= SNIPPET


def row(number: int, tier: Tier, day: date | None) -> Row:
    return Row(identity(number), "memory/x.md", 1, 2, tier, day, 0, PENDING)


def order(scores: list[float], rows: list[Row]) -> list[int]:
    sparse = [(each.id, score) for each, score in zip(rows, scores, strict=True)]
    candidates = Candidates(Found(sparse, []), {each.id: each for each in rows})
    ranked = weighed(candidates, Ranking(TODAY, 30))
    return [int(parts.number[-6:-2]) for parts in ranked]


def test_newer_wins_among_equals() -> None:
    """
    Of two equal hits the newer note comes first, and one that never ages before both.
    """
    rows = [
        row(1, Tier.DAILY, date(2026, 1, 1)),
        row(2, Tier.DAILY, date(2026, 11, 19)),
        row(3, Tier.LONG_TERM, None),
    ]

    assert order([5.0, 5.0, 5.0], rows) == [3, 2, 1]


def test_better_hit_stays_first_however_old_it_is() -> None:
    """
    A newer note does not pass an old one that fits better by a fifteenth.
    """
    rows = [row(at, Tier.DAILY, date(2024 + at, 11, 19)) for at in range(3)]

    assert order([15.0, 0.0, 14.0], rows) == [0, 2, 1]


def test_age_never_buries_the_answer() -> None:
    """
    A clearly better hit comes first, however old it is.
    """
    rows = [
        row(1, Tier.DAILY, date(2016, 1, 1)),
        row(2, Tier.DAILY, date(2026, 11, 20)),
        row(3, Tier.DAILY, date(2026, 11, 20)),
    ]

    assert order([9.0, 7.0, 1.0], rows)[0] == 1


def test_note_from_the_future_is_as_new_as_today() -> None:
    """
    A note dated after the question has no more weight than one of today.
    """
    rows = [row(1, Tier.DAILY, TODAY), row(2, Tier.DAILY, date(2027, 11, 20))]

    assert order([5.0, 5.0], rows) == [1, 2]


def test_both_channels_vote() -> None:
    """
    What both channels find beats what one finds, and words have the larger vote.
    """
    fused = fuse(
        [("both", 9.0), ("words", 9.0), ("last", 1.0)],
        [("both", 0.9), ("meaning", 0.9), ("least", 0.1)],
    )

    assert sorted(fused, key=lambda key: -fused[key])[:3] == [
        "both",
        "words",
        "meaning",
    ]
    assert fused["both"] == 1.0
    assert fused["meaning"] == pytest.approx(DENSE_SHARE)


def test_what_waits_for_its_vector_is_ranked_by_words() -> None:
    """
    The best by words is not put behind one that a vector alone speaks for.
    """
    sparse, dense = [("new", 9.0), ("old", 1.0)], [("old", 0.1), ("far", 0.05)]

    assert fuse(sparse, dense)["new"] == 1 - DENSE_SHARE
    assert fuse(sparse, dense, {"new"}) == fuse(sparse, dense) | {"new": 1.0}


def test_one_channel_is_enough() -> None:
    """
    Where one channel finds nothing the other decides alone.
    """
    assert fuse([("a", 3.0), ("b", 1.0)], []) == {"a": 1.0, "b": 0.0}
    assert fuse([], [("a", 0.5)]) == {"a": 1.0}
    assert fuse([], []) == {}
