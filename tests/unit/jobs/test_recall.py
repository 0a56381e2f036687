"""What the bank holds is found by words, name, kind and day, and a page comes first."""

from __future__ import annotations

import shutil
from dataclasses import astuple
from datetime import date
from typing import TYPE_CHECKING

import pytest
from builders_bank import BETHANY, CRAIG, write_note, write_week
from builders_memory import open_memory

from strata.cli import native
from strata.errors import NotFound
from strata.jobs.audit_log import log_of
from strata.jobs.query import Wish, query
from strata.jobs.recall import Recalled, Sought, recall
from strata.jobs.reflect import reflect
from strata.models import Tier
from strata.tokens import token_count

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

WHERE = "Where does Bethany Tulley live?"
FARO = "Bethany Tulley lives in Faro now, no longer in Porto."
PORTO = "Bethany Tulley lives in Porto."
TEA = "The user likes Bethany Tulley's tea."


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """
    The memory of a week of notes with its pages and its index.
    """
    write_week(tmp_path / "workspace")
    found = open_memory(tmp_path, "2026-11-20T12:00:00+00:00", "embedding.model=none")
    reflect(found)
    found.index.update()
    return found


def texts(found: list[Recalled]) -> list[str]:
    """
    What each line says, best first.
    """
    return [each.line.text for each in found]


def test_what_may_have_changed_in_passing_comes_behind(tmp_path: Path) -> None:
    """
    A newer price comes first, though nobody said that it is one; both still stand there.
    """
    older = "Bethany Tulley charges 40 euros an hour for lessons."
    newer = "Bethany Tulley wrote the invoice, lessons at 55 euros an hour."
    write_week(tmp_path / "workspace")
    write_note(tmp_path / "workspace", 17, [f"[finding] {older}"])
    write_note(tmp_path / "workspace", 19, [f"[finding] {newer}"])
    memory = open_memory(tmp_path, "2026-11-20T12:00:00+00:00", "embedding.model=none")
    reflect(memory)
    memory.index.update()

    asked = texts(recall(memory, "What does Bethany Tulley charge an hour?", Sought()))
    then = Sought(as_of=date(2026, 11, 18))

    assert asked[:2] == [newer, older]
    before = texts(recall(memory, "What does Bethany Tulley charge an hour?", then))
    assert before[0] == older
    assert newer not in before


def test_words_find_the_line_with_its_place(memory: Memory) -> None:
    """
    What holds comes before what held; each has whom it is about and where it was said.
    """
    found = recall(memory, WHERE, Sought())

    assert texts(found)[0] == FARO
    assert PORTO in texts(found)[1:]
    assert "Bethany Tulley" in found[0].names
    assert found[0].line.sources == ("memory/2026-11-05.md:4",)


def test_words_that_name_nobody_find_what_is_on_no_page(memory: Memory) -> None:
    """
    By the words alone.
    """
    assert texts(recall(memory, "when does the rowing club meet", Sought()))[0] == (
        "The rowing club meets on Thursdays."
    )


def test_what_no_longer_holds_comes_behind_what_does(memory: Memory) -> None:
    """
    Although it has more of the words that are asked for.
    """
    found = texts(recall(memory, "杨建平住在哪里", Sought()))

    new, old = "杨建平搬到苏州了，不在杭州。", "杨建平住在杭州。"
    assert found.index(new) < found.index(old)


def test_who_is_named_comes_before_who_is_not(memory: Memory) -> None:
    """
    Where somebody else lives is no answer.
    """
    found = recall(memory, "Where does Craig Mather live?", Sought())

    assert "Craig Mather" in found[0].names


def test_name_alone_finds_all_that_tells_of_it(memory: Memory) -> None:
    """
    And nothing of anybody else, in whatever case it is written.
    """
    found = recall(memory, "", Sought(entity="bethany tulley"))

    assert set(texts(found)) == {
        *(FARO, PORTO, TEA),
        "Craig Mather is married to Bethany Tulley.",
    }
    assert texts(found)[-1] == PORTO


def test_name_and_words_find_the_line_of_that_one(memory: Memory) -> None:
    """
    The words choose among the lines of the name.
    """
    found = recall(memory, "tack room key", Sought(entity="Craig Mather"))

    assert texts(found)[0] == "Craig Mather has the key of the tack room."
    assert all("Craig Mather" in each.names for each in found)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("O", {TEA}),
        ("W", {FARO, PORTO, "Craig Mather is married to Bethany Tulley."}),
        ("B", set()),
        ("E", set()),
    ],
)
def test_kind_is_what_is_asked_for(
    memory: Memory, kind: str, expected: set[str]
) -> None:
    """
    Opinions, facts, what the agent did, or what happened.
    """
    found = recall(memory, "", Sought(entity="Bethany Tulley", kind=kind))

    assert set(texts(found)) == expected


def test_event_is_found_as_one(memory: Memory) -> None:
    """
    Also of somebody who has no page.
    """
    assert texts(recall(memory, "Zelda Marsh", Sought(kind="E"))) == [
        "Zelda Marsh came by."
    ]


def test_since_leaves_out_what_was_said_before(memory: Memory) -> None:
    """
    By the day on which it was said last.
    """
    sought = Sought(entity="Bethany Tulley", since=date(2026, 11, 5))

    assert set(texts(recall(memory, "", sought))) == {
        *(FARO, "Craig Mather is married to Bethany Tulley."),
    }


@pytest.mark.parametrize(
    ("day", "first", "absent"),
    [(2, PORTO, FARO), (4, PORTO, FARO), (5, FARO, ""), (20, FARO, "")],
)
def test_as_of_a_day_holds_what_held_then(
    memory: Memory, day: int, first: str, absent: str
) -> None:
    """
    The old value before the reversal, and from that day on the new one.
    """
    found = recall(memory, WHERE, Sought(as_of=date(2026, 11, day)))

    assert texts(found)[0] == first
    assert absent not in texts(found)


def test_as_of_a_day_before_all_finds_nothing(memory: Memory) -> None:
    """
    Nothing had been said.
    """
    assert recall(memory, WHERE, Sought(as_of=date(2026, 10, 1))) == []


@pytest.mark.parametrize("budget", [50, 80, 200])
def test_budget_is_not_exceeded(memory: Memory, budget: int) -> None:
    """
    The best lines come, and no more than fit.
    """
    every = texts(recall(memory, WHERE, Sought(limit=200)))

    found = texts(recall(memory, WHERE, Sought(budget=budget)))

    assert found == every[: len(found)]
    assert sum(map(token_count, found)) <= budget
    assert found


def test_limit_counts_lines(memory: Memory) -> None:
    """
    So many and no more.
    """
    assert len(recall(memory, WHERE, Sought(limit=2))) == 2


def test_no_bank_is_said(tmp_path: Path) -> None:
    """
    Where nobody has reflected yet, that is what to do.
    """
    write_week(tmp_path / "workspace")

    with pytest.raises(NotFound, match="strata reflect"):
        recall(open_memory(tmp_path), WHERE, Sought())


def test_nobody_of_that_name_is_said_with_who_is_near(memory: Memory) -> None:
    """
    A name that has a word in common is told; for any other, where all names are.
    """
    with pytest.raises(NotFound, match="Craig Mather"):
        recall(memory, "", Sought(entity="Craig Miller"))
    with pytest.raises(NotFound, match="--list"):
        recall(memory, "", Sought(entity="Quentin"))


def test_recall_is_the_same_each_time(memory: Memory) -> None:
    """
    Asking changes no answer.
    """
    first = recall(memory, WHERE, Sought())

    assert recall(memory, WHERE, Sought()) == first


def test_question_about_somebody_is_answered_from_the_page(memory: Memory) -> None:
    """
    The first hit is the page with the line that holds, and its number is right.
    """
    answer = query(memory, WHERE, Wish())

    hit = answer.hits[0]
    assert (hit.path, hit.tier) == (BETHANY, Tier.BANK)
    assert FARO in hit.snippet
    assert PORTO not in hit.snippet
    page = memory.workspace.read(BETHANY).split("\n")
    shown = page[hit.start_line - 1 : hit.end_line]
    assert all(line in shown for line in hit.snippet.split("\n"))
    assert answer.answerable


@pytest.mark.parametrize(
    "wordings",
    [
        ("Where does she live?", "Bethany Tulley home town"),
        ("Bethany Tulley", "where does Bethany Tulley live", "她住在哪里"),
    ],
)
def test_one_of_several_wordings_may_be_what_names_somebody(
    memory: Memory, wordings: tuple[str, ...]
) -> None:
    """
    The page comes first in the answer to all of them.
    """
    first, *others = wordings

    hit = query(memory, first, Wish(also=tuple(others))).hits[0]

    assert hit.path == BETHANY
    assert FARO in hit.snippet


def test_wordings_that_name_two_are_about_neither(memory: Memory) -> None:
    """
    No page comes first where it is not plain whose.
    """
    found = query(memory, WHERE, Wish(also=("Where does Craig Mather live?",)))

    assert all(hit.tier is not Tier.BANK for hit in found.hits[:1])


def test_what_happened_is_shown_with_its_day(memory: Memory) -> None:
    """
    What stands under *Timeline* answers as what stands under *Now* does.
    """
    asked = "User asked: order paper for Craig Mather's birthday in teal."
    write_note(memory.workspace.root, 19, [asked])
    again = open_memory_again(memory)
    reflect(again)
    again.index.update()

    hit = query(again, "What colour of paper for Craig Mather?", Wish()).hits[0]

    assert hit.path == CRAIG
    assert hit.snippet.startswith("- 2026-11-19: ")
    assert "in teal" in hit.snippet.split("\n")[0]


def test_question_that_names_two_is_about_what_tells_of_both(memory: Memory) -> None:
    """
    The page of whom it names first comes first, with lines of both alone.
    """
    both = "[finding] Craig Mather lends the van to Bethany Tulley on Sundays."
    write_note(memory.workspace.root, 19, [both])
    again = open_memory_again(memory)
    reflect(again)
    again.index.update()

    asked = "When does Bethany Tulley get the van of Craig Mather?"
    hit = query(again, asked, Wish()).hits[0]

    assert hit.path == BETHANY
    lines = hit.snippet.split("\n")
    assert "on Sundays" in lines[0]
    assert all("Craig" in line and "Bethany" in line for line in lines)


def test_agents_own_search_shows_the_page_first(memory: Memory) -> None:
    """
    In the form of the tool's contract, also for a name alone; the whole page can be read.
    """
    told = native.search(memory, {"query": "where does she live | Bethany Tulley home"})
    row = native.search(memory, {"query": "bethany tulley"})["results"][0]

    assert told["results"][0]["path"] == row["path"] == BETHANY
    scores = [each["score"] for each in told["results"]]
    assert scores == sorted(scores, reverse=True)
    whole = native.read(memory, {"path": row["path"]})["text"]
    assert row["snippet"].split("\n")[0] in whole.split("\n")


def test_what_was_recalled_is_in_the_audit_log(memory: Memory) -> None:
    """
    Also where a name alone asked for it: each place that a line shown rests on.
    """
    memory.watch_over("cli", "recall")

    found = recall(memory, "", Sought(entity="Craig Mather"))

    (record,) = log_of(memory).records()
    assert record["read"] == [
        f"memory/2026-11-0{day}.md#L{line}" for day, line in ((7, 4), (5, 5))
    ]
    assert len(found) == len(record["read"])


def test_page_does_not_crowd_out_the_notes(memory: Memory) -> None:
    """
    The hits of the notes follow in their order, no more than were wanted.
    """
    with_page = query(memory, WHERE, Wish(limit=3)).hits
    shutil.rmtree(memory.workspace.root / "memory/bank")
    (memory.workspace.root / ".strata/cache/bank-names.json").unlink()
    without = query(open_memory_again(memory), WHERE, Wish(limit=3)).hits

    assert len(with_page) <= 3
    assert [h.path for h in with_page[1:]] == [h.path for h in without][
        : len(with_page) - 1
    ]


def open_memory_again(memory: Memory) -> Memory:
    """
    The same memory in another process.
    """
    root = memory.workspace.root.parent
    return open_memory(root, "2026-11-20T12:00:00+00:00", "embedding.model=none")


def test_name_alone_shows_what_is_known(memory: Memory) -> None:
    """
    Whoever asks for nothing else wants the page.
    """
    hit = query(memory, "Craig Mather", Wish()).hits[0]

    assert hit.path == CRAIG
    assert "tack room" in hit.snippet
    assert "married" in hit.snippet


@pytest.mark.parametrize(
    "text",
    [
        "When does the rowing club meet?",
        "Thursdays",
        "What does Quentin like?",
        "划船",
        "Craig Mather and 杨建平",
        '"rowing club" -Bethany',
    ],
)
def test_who_names_nobody_is_answered_as_ever(memory: Memory, text: str) -> None:
    """
    Nobody, or two of them: the answer is that of a memory without a bank.
    """
    with_bank = query(memory, text, Wish())
    shutil.rmtree(memory.workspace.root / "memory/bank")
    for file in (memory.workspace.root / ".strata/cache").glob("bank*.json"):
        file.unlink()

    without = query(open_memory_again(memory), text, Wish())

    assert astuple(with_bank) == astuple(without)


@pytest.mark.parametrize(
    "wish",
    [Wish(tier=Tier.DAILY), Wish(as_of=date(2026, 11, 3)), Wish(explain=True)],
)
def test_who_asks_for_notes_or_a_day_gets_no_page(memory: Memory, wish: Wish) -> None:
    """
    A page is of today, and of no tier but its own.
    """
    hits = query(memory, WHERE, wish).hits

    assert BETHANY not in [hit.path for hit in hits]


def test_answer_as_of_a_day_is_in_the_words_of_then(memory: Memory) -> None:
    """
    Richer words of a later day say more than anybody knew.
    """
    said = "Bethany Tulley sings in the choir on Mondays"
    for day, text in ((9, f"{said}."), (14, f"{said}, with Craig's cousin Nadine.")):
        write_note(memory.workspace.root, day, [f"[finding] {text}"])
    reflect(memory)

    told = [
        [each.line.text for each in found if "choir" in each.line.text]
        for found in (
            recall(memory, "choir", Sought(as_of=date(2026, 11, 9))),
            recall(memory, "choir", Sought(as_of=date(2026, 11, 14))),
            recall(memory, "choir", Sought()),
        )
    ]

    assert told == [[f"{said}."], *[[f"{said}, with Craig's cousin Nadine."]] * 2]


def test_who_looks_in_the_window_gets_the_page_and_the_reasons(memory: Memory) -> None:
    """
    What is explained to the owner beside the answer is the answer as ever.
    """
    plain = query(memory, WHERE, Wish())
    told = query(memory, WHERE, Wish(explain=True, for_owner=True))

    assert told.hits[0].path == BETHANY
    assert told.hits == plain.hits
    assert told.explanation
    assert plain.explanation is None


def test_page_that_was_deleted_is_not_cited(memory: Memory) -> None:
    """
    Until it is made again the notes answer.
    """
    shutil.rmtree(memory.workspace.root / "memory/bank")

    answer = query(memory, WHERE, Wish())

    assert all(not hit.path.startswith("memory/bank/") for hit in answer.hits)
    assert answer.hits


def test_only_what_the_owner_wrote_on_a_page_is_searched(memory: Memory) -> None:
    """
    The rest stands in the notes, and would be found twice.
    """
    with (memory.workspace.root / BETHANY).open("a") as file:
        file.write("She keeps an armadillo.\n")
    memory.index.update()

    found = query(memory, "armadillo", Wish()).hits
    club = query(memory, "tack room key", Wish(tier=Tier.BANK)).hits

    assert [hit.path for hit in found] == [BETHANY]
    line = memory.workspace.read(BETHANY).split("\n")[found[0].start_line - 1]
    assert line == "She keeps an armadillo."
    assert club == ()


def test_page_follows_the_notes_only_when_it_is_made_anew(memory: Memory) -> None:
    """
    What was said since is found in the notes until then.
    """
    write_note(
        memory.workspace.root,
        9,
        ["[finding] Bethany Tulley lives in Evora now, no longer in Faro."],
    )
    memory.index.update()

    before = query(memory, WHERE, Wish(limit=5)).hits
    reflect(memory)
    after = query(memory, WHERE, Wish(limit=5)).hits

    assert any("Evora" in hit.snippet for hit in before)
    assert "Evora" in after[0].snippet
    assert after[0].path == BETHANY
