"""Whether what was found answers the question."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from builders_search import (
    NOTES,
    TODAY,
    ask,
    index_of,
    paths,
    tiny_model,
    write_notes,
)

from strata.search.answering.abstaining import (
    Asked,
    Nearest,
    Verdict,
    is_titled,
    judge,
    names_strangers,
)
from strata.search.answering.finding import Question, find, places
from strata.search.answering.ranking import Ranking
from strata.search.answering.showing import cost
from strata.search.answering.snippets import Marked
from strata.search.answering.superseded import history_of
from strata.search.stores.store import Scope

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from strata.embedding_models.encoder import Encoder, Vectors
    from strata.models import Answer


def answer_of(folder: Path, question: Question) -> Answer:
    """
    The answer to *question* from the usual notes in *folder*.
    """
    return find(index_of(write_notes(folder)), folder, question, Ranking(TODAY, 30))


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("when is the backup?", "memory/2026-11-19.md"),
        ("用户喜欢什么样的回答", "MEMORY.md"),
        # Words of no note, but its day.
        ("What happened yesterday?", "memory/2026-11-19.md"),
    ],
)
def test_places_to_read_on_are_those_of_the_answer(
    tmp_path: Path, text: str, path: str
) -> None:
    """
    The first is the note that `find` would show, and all stand in their files.
    """
    index = index_of(write_notes(tmp_path))
    question = Question(text, 3, Scope())

    found = places(index, tmp_path, question, Ranking(TODAY, 30))

    assert found[0].path == path
    assert len(found) <= question.limit
    for each in found:
        lines = (tmp_path / each.path).read_text(encoding="utf-8").split("\n")
        assert 1 <= each.start_line <= each.end_line <= len(lines)


@pytest.mark.parametrize(
    ("text", "answerable"),
    [
        ("which database do we keep?", True),
        ("when is the backup?", True),
        ("the error of better-sqlite3", True),
        ("数据库迁移推迟到什么时候", True),
        ("用户喜欢什么样的回答", True),
        ("what is the name of the babysitter's orthodontist?", False),
        ("blood type of the ferret", False),
        ("护照什么时候过期", False),
        ("房贷的利率是多少", False),
    ],
)
def test_question_without_an_answer_gets_none(
    tmp_path: Path, text: str, *, answerable: bool
) -> None:
    """
    What no note speaks of is not answered, and what came closest is still named.
    """
    answer = ask(index_of(write_notes(tmp_path)), tmp_path, text)

    assert answer.answerable is answerable
    assert bool(answer.hits) is answerable


def test_words_of_no_note_count_against() -> None:
    """
    The same coverage is enough without absent words, and is not with them.
    """
    assert Verdict(0.0, 0.2, 0.0, chunks=100).answered
    assert not Verdict(0.0, 0.2, 0.6, chunks=100).answered
    assert Verdict(0.3, 0.5, 0.0, chunks=100).answered
    assert not Verdict(0.3, 0.5, 0.8, chunks=100).answered


def test_question_of_small_words_is_answered_by_what_was_found() -> None:
    """
    Where nothing of the question can be covered, nothing can be missing either.
    """
    nothing = Asked("what is it about?")

    assert not judge(nothing, [], Nearest(), (), 10).answered
    assert judge(nothing, [Marked(("x",), (frozenset(),))], Nearest(), (), 10).answered


def test_words_alone_are_judged_where_the_best_passage_waits_for_its_vector() -> None:
    """
    What has no vector was not compared, so that no other's meaning speaks against it.
    """
    asked = Asked("how heavy is the kayak")
    best = Marked(("The kayak weighs 21 kg.",), (frozenset({"kayak"}),))
    other = Marked(("The office.",), (frozenset(),))

    compared = judge(asked, [best, other], Nearest(0.05), {"kayak"}, 3)
    waiting = judge(asked, [best, other], Nearest(0.05), {"kayak"}, 3, [best])
    beside = judge(asked, [best, other], Nearest(0.05), {"kayak"}, 3, [other])

    assert (compared.answered, waiting.answered, beside.answered) == (
        False,
        True,
        False,
    )


class Unlike:
    """
    A model to which no two texts mean the same.
    """

    def __init__(self, encoder: Encoder) -> None:
        self.name, self.fingerprint = encoder.name, encoder.fingerprint
        self.dimensions, self.languages = encoder.dimensions, encoder.languages
        self._places: dict[str, int] = {}

    def encode(self, texts: Sequence[str]) -> Vectors:
        """
        Give each text an axis of its own, a little turned to that of all others.
        """
        # Cosines of 0 would say that nothing was compared.
        axes = 0.995 * np.eye(self.dimensions, k=1, dtype=np.float32)
        axes[:, 0] = 0.1
        places = [self._places.setdefault(text, len(self._places)) for text in texts]
        return axes[places]


@pytest.mark.parametrize(
    ("text", "answerable"), [("how heavy is the kayak?", True), ("the ferret", False)]
)
def test_new_note_is_answered_with_before_it_is_embedded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, *, answerable: bool
) -> None:
    """
    Where too many wait for a vector, one comes first by its words, and no other does.
    """
    monkeypatch.setattr("strata.search.indexing.comparing.WHILE_ASKED", 0)
    new = "memory/2026-11-20.md"
    notes = {"memory/2026-11-18.md": "- The greenhouse stands behind the office.\n"}
    model = tiny_model(tmp_path / "tiny")
    index = index_of(write_notes(tmp_path / "workspace", notes), model)
    index.__dict__["encoder"] = Unlike(index.encoder)
    index.update(embed=True)
    write_notes(index.workspace, {new: "- The kayak weighs 21 kg.\n"})
    index.update()

    answer = ask(index, index.workspace, text)

    assert (answer.mode, answer.answerable) == ("hybrid", answerable)
    assert paths(answer)[:1] == ([new] if answerable else [])


def test_more_notes_must_hold_more_of_a_question() -> None:
    """
    What is enough among fifty chunks may have come together by chance among thousands.
    """
    assert Verdict(0.0, 0.4, 0.45, chunks=50, unspaced=True).answered
    assert not Verdict(0.0, 0.4, 0.45, chunks=5000, unspaced=True).answered


def test_name_that_nobody_has_counts_against() -> None:
    """
    A question about somebody who is in no note needs more, and a sentence's first word
    names nobody.
    """
    assert names_strangers("when did Caroline move?", {"carolin"})
    assert not names_strangers("when did Caroline meet Jon?", {"carolin"})
    assert not names_strangers("Caroline", {"carolin"})
    assert not Verdict(0.3, 0.5, 0.2, 50, strangers=True).answered
    assert Verdict(0.3, 0.5, 0.2, 50).answered


def test_question_about_the_owner_may_name_a_place_for_the_first_time() -> None:
    """
    "Where should I stay in Lisbon?" is not about Lisbon, and an abbreviation is a name too.
    """
    assert names_strangers("the best hotels in Lisbon", {"lisbon"})
    assert not names_strangers("which hotels would I like in Lisbon?", {"lisbon"})
    assert not names_strangers("why no Elasticsearch or ES", {"elasticsearch"})


@pytest.mark.parametrize(
    ("question", "title", "titled"),
    [
        ("what is Blue Heron about?", "## Blue Heron", True),
        ("what is a heron?", "## Blue Heron", False),
        ("what about herons?", "## Heron", False),
        ("刘节为什么受人敬仰", "## 刘节", True),
        ("刘洁为什么受人敬仰", "## 刘节", False),
        ("刘节为什么受人敬仰", "- 刘节", False),
    ],
)
def test_note_that_is_named_answers_sooner(
    question: str, title: str, *, titled: bool
) -> None:
    """
    A question with the whole title of a note is about it, in whatever words it goes on.
    """
    assert is_titled(question, [Marked((title, "- x"), (frozenset(),) * 2)]) is titled
    assert not Verdict(0.0, 0.3, 0.7, 50, unspaced=True).answered
    assert Verdict(0.0, 0.3, 0.7, 50, unspaced=True, titled=True).answered


@pytest.mark.parametrize(
    ("talk", "of_other", "of_same", "whose"),
    [
        (
            "Ann: I adopted a greyhound from the shelter.|Bea: How lovely!|Bea: Bye!",
            "which greyhound did Bea adopt from the shelter?",
            "which greyhound did Ann adopt from the shelter?",
            "Ann",
        ),
        (
            "刘琳：我从收容所领养了一只灰狗。|周立：真好！|周立：再见。|刘琳：好。",
            "周立从收容所领养了什么狗",
            "刘琳从收容所领养了什么狗",
            "刘琳",
        ),
    ],
)
def test_answer_names_of_whom_the_notes_tell_it(
    tmp_path: Path, talk: str, of_other: str, of_same: str, whose: str
) -> None:
    """
    Where one person's life is asked of another, the answer is no answer and says whose.
    """
    lines = "".join(f"- {line}\n" for line in [*talk.split("|"), "Ann: Bye."])
    index = index_of(write_notes(tmp_path, {"memory/2026-11-18.md": lines}))

    wrong, right = (ask(index, tmp_path, text) for text in (of_other, of_same))

    assert (wrong.answerable, wrong.told_of) == (False, whose)
    assert (right.answerable, right.told_of) == (True, "")


def test_line_with_most_words_answers_whatever_it_means() -> None:
    """
    A setting's name says nothing to a model of sentences, and is found by its letters.
    """
    assert not Verdict(0.05, 0.7, 0.0, 50).answered
    assert Verdict(0.05, 0.7, 0.0, 50, in_line=0.7).answered


def test_asked_words_are_covered_by_their_parts() -> None:
    """
    A name stands there in parts too, and a Chinese character with either neighbour.
    """
    assert Asked("rfc7807").share({"rfc", "7807"}) == 1.0
    assert Asked("gpu-03 rfc7807").share({"gpu-03"}) == 0.5
    assert Asked("洗碗机的序列号").share({"洗碗", "序列", "列号"}) == 5 / 6
    assert Asked("䲟又叫做什么").share({"䲟"}) == 1.0
    assert Asked("", ["@03-31"]).share({"@03-31"}) == 1.0


def test_phrase_alone_must_stand(tmp_path: Path) -> None:
    """
    A question that is a phrase in quotes finds the passages that have it, and no others.
    """
    index = index_of(write_notes(tmp_path))

    found = ask(index, tmp_path, '"only database"')
    missing = ask(index, tmp_path, '"database only"')

    assert len(found.hits) == 2
    assert all("only database" in hit.snippet for hit in found.hits)
    assert missing.hits == ()


def test_phrase_in_a_sentence_comes_first(tmp_path: Path) -> None:
    """
    Beside other words, passages with the phrase come before those without.
    """
    answer = ask(index_of(write_notes(tmp_path)), tmp_path, 'database "reports need"')

    assert "reports need" in answer.hits[0].snippet
    assert len(answer.hits) > 1


@pytest.mark.parametrize("text", ["database -ACID", "数据库 -支付", "database －acid"])
def test_excluded_word_stands_in_no_hit(tmp_path: Path, text: str) -> None:
    """
    A -word keeps passages with it out, in any case and width.
    """
    answer = ask(index_of(write_notes(tmp_path)), tmp_path, text)

    assert not any(
        "ACID" in hit.snippet for hit in answer.hits if "ACID" in text.upper()
    )
    assert not any("支付" in hit.snippet for hit in answer.hits if "支付" in text)


def test_option_of_a_command_excludes_nothing(tmp_path: Path) -> None:
    """
    A passage that names the option itself is what was looked for.
    """
    notes = NOTES | {
        "memory/2026-11-18.md": "# 2026-11-18\n\n- Unpack with tar -xzf.\n"
    }
    index = index_of(write_notes(tmp_path, notes))

    answer = ask(index, tmp_path, "how to unpack with tar -xzf")

    assert "tar -xzf" in answer.hits[0].snippet


def test_budget_holds_and_repeats_nothing(tmp_path: Path) -> None:
    """
    With a budget the hits, citations included, stay within it and say nothing twice.
    """
    same = "- Keep PostgreSQL 16 as the only database, because the reports need ACID.\n"
    notes = {
        f"memory/2026-11-{day:02}.md": f"# 2026-11-{day:02}\n\n{same}"
        f"- The database of service {day} has {day} tables and a cache of {day} MB.\n"
        for day in range(1, 15)
    }
    index = index_of(write_notes(tmp_path, notes))
    question = Question("which database do we keep?", 10, Scope(), budget=200)

    small = find(index, tmp_path, question, Ranking(TODAY, 30))
    large = find(index, tmp_path, replace(question, budget=2000), Ranking(TODAY, 30))

    shown = sum(
        len(f"{hit.path}#L{hit.start_line}-L{hit.end_line}{hit.snippet}") / 4
        for hit in small.hits
    )
    assert 0 < shown <= 200
    assert len({hit.snippet for hit in large.hits}) == len(large.hits)
    assert len(small.hits) <= len(large.hits) < len(notes)


@pytest.mark.parametrize(
    ("line", "text", "word"),
    [
        (
            "- 缓存改用集群，" + "每个区域两台机器，" * 30 + "先从华东开始。\n",
            "缓存改用什么",
            "缓存",
        ),
        (
            "- Invoices are kept in the vault, "
            + "behind one more door, " * 30
            + ".\n",
            "where are invoices kept",
            "vault",
        ),
        (
            "- 今天下雨。\n" * 9 + "- 缓存改用集群。\n- 会议改到周四。\n",
            "缓存改用什么",
            "集群",
        ),
    ],
)
def test_smallest_budget_holds_the_words_that_answer(
    tmp_path: Path, line: str, text: str, word: str
) -> None:
    """
    Where little room is left, what answers is shown, and not what stands first.
    """
    notes = {"memory/2026-11-19.md": f"# 2026-11-19\n\n{line}"}
    index = index_of(write_notes(tmp_path, notes))

    answer = find(
        index, tmp_path, Question(text, 10, Scope(), budget=50), Ranking(TODAY, 30)
    )

    assert word in answer.hits[0].snippet
    assert sum(map(cost, answer.hits)) <= 50


def test_superseded_value_ranks_below_its_successor(tmp_path: Path) -> None:
    """
    What was superseded comes after what took its place and says so, from that day on.
    """
    notes = {
        "memory/2026-11-01.md": "# 2026-11-01\n\n- Reports are kept in Oracle.\n",
        "memory/2026-11-10.md": "# 2026-11-10\n\n- [decision] Reports live in Postgres.\n",
    }
    index = index_of(write_notes(tmp_path, notes))
    history = history_of(
        [
            (
                "Reports are kept in Oracle.",
                "Reports live in Postgres.",
                "2026-11-10T09:00Z",
            )
        ]
    )
    question = Question("where are reports kept", 10, Scope(), history=history)

    now = find(index, tmp_path, question, Ranking(TODAY, 30))
    then = find(
        index,
        tmp_path,
        replace(question, history=history.as_of(TODAY.replace(day=5))),
        Ranking(TODAY, 30),
    )

    assert [hit.path for hit in now.hits] == list(notes)[::-1]
    assert now.hits[1].successor == "Reports live in Postgres."
    assert now.hits[1].superseded == TODAY.replace(day=10)
    assert not then.hits[0].superseded
    assert then.hits[0].path == "memory/2026-11-01.md"


SHIRTS = {
    "memory/2026-11-01.md": "# 2026-11-01\n\n"
    "- A shirt of the shop costs 20 euros, be it short or long.\n",
    "memory/2026-11-05.md": "# 2026-11-05\n\n- Shirts are 25 euros.\n",
    "memory/2026-11-10.md": "# 2026-11-10\n\n- From now on it is 30 euros for each.\n",
}
DEAR, DEARER, DEAREST = (note.rpartition("- ")[2].strip() for note in SHIRTS.values())


def test_latest_of_many_values_comes_first(tmp_path: Path) -> None:
    """
    What was superseded by a value that was superseded itself says what holds now.
    """
    index = index_of(write_notes(tmp_path, SHIRTS))
    history = history_of(
        [(DEAR, DEARER, "2026-11-05T09:00Z"), (DEARER, DEAREST, "2026-11-10T09:00Z")]
    )
    question = Question("how many euros for a shirt", 10, Scope(), history=history)

    now = find(index, tmp_path, question, Ranking(TODAY, 30))

    assert now.hits[0].path == "memory/2026-11-10.md"
    assert [hit.successor for hit in now.hits] == ["", DEAREST, DEAREST]


def test_what_was_taken_back_ranks_below_and_says_so(tmp_path: Path) -> None:
    """
    From the day on which its owner took it back; what it replaced says nothing of it.
    """
    index = index_of(write_notes(tmp_path, SHIRTS))
    history = history_of(
        [(DEAR, DEARER, "2026-11-05T09:00Z")], [(DEARER, "2026-11-08T09:00Z")]
    )
    question = Question("how many euros for a shirt", 10, Scope(), history=history)

    hits = find(index, tmp_path, question, Ranking(TODAY, 30)).hits
    told = {hit.path: hit for hit in hits}

    assert [False, True] == [
        told[f"memory/2026-11-{day}.md"].taken_back for day in ("10", "05")
    ]
    assert hits[-1].path == "memory/2026-11-05.md"
    assert told["memory/2026-11-05.md"].superseded == TODAY.replace(day=8)
    assert told["memory/2026-11-01.md"].successor == ""
    assert not history.as_of(TODAY.replace(day=6)).successor(DEARER)


def test_value_that_is_said_again_holds_again() -> None:
    """
    There and back again: then what was said at first is superseded by nothing.
    """
    history = history_of(
        [(DEAR, DEARER, "2026-11-05T09:00Z"), (DEARER, DEAR, "2026-11-10T09:00Z")]
    )
    between = history.as_of(TODAY.replace(day=7))

    assert history.successor(DEAR) is None
    assert history.successor(DEARER).text == DEAR  # type: ignore[union-attr]
    assert between.successor(DEAR).text == DEARER  # type: ignore[union-attr]
    assert between.successor(DEARER) is None


def test_explanation_tells_of_every_candidate(tmp_path: Path) -> None:
    """
    An explained answer has each candidate with its ranks, factors and fate.
    """
    answer = answer_of(
        tmp_path, Question("which database last Thursday", 1, Scope(), explain=True)
    )

    assert answer.explanation is not None
    first, *others = answer.explanation.candidates
    assert first.fate == "shown"
    assert first.word_rank == 1
    factors = first.recency * first.time * first.order * first.tier_weight
    assert first.score == pytest.approx(first.fused * factors)
    fates = {each.fate.split(":")[0] for each in others}
    assert fates == {"cut", "shown, joined with its neighbour"}
    assert answer.explanation.times != ()
