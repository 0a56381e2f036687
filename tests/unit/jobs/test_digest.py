"""The morning digest: five lines of plain words, each told once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from builders import Conversation
from builders_memory import NIGHT, captured, open_memory

from strata.jobs.deciding.verdict_list import statements
from strata.jobs.digest import MOST_LINES, digest_lines, news, plain, waiting_lines
from strata.jobs.remember import remember
from strata.jobs.review import review
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy
from strata.workspace.digest_file import Told, keeping

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

MORNING = "2026-11-21T08:00:00+00:00"
NEXT_MORNING = "2026-11-22T08:00:00+00:00"


def morning(root: Path, *settings: str) -> Memory:
    """
    The memory at breakfast, after a night in which two lines were found.
    """
    captured(root)
    tidy(open_memory(root, NIGHT, *settings))
    return open_memory(root, MORNING, *settings)


def test_a_night_is_told_and_how_to_take_it_back(tmp_path: Path) -> None:
    """
    What was learned stands under one heading, with the one way to answer.
    """
    heading, *items, answer = digest_lines([news(morning(tmp_path))], Told())

    assert heading == "Memory, Saturday 21 November: 2 lines learned"
    assert any("pnpm" in item for item in items)
    assert all(item.startswith("New: ") for item in items)
    assert answer == "To take the last change back: /strata undo"


def test_what_matters_most_is_told(tmp_path: Path) -> None:
    """
    Where not all has room, the lines of most importance are those that are there.
    """
    talk = Conversation(tmp_path / "state")
    for said in (
        "My birthday is on 3 May.",
        "My sister Ines lives in Lisbon.",
        "My doctor is Dr. Lindqvist in Malmö.",
        "We keep PostgreSQL 16, because the reports need ACID.",
        "From now on always use pnpm, never npm, in acme-dashboard.",
    ):
        talk.user(said).agent("Ok.")
    talk.save()
    sync(open_memory(tmp_path))
    tidy(open_memory(tmp_path, NIGHT))
    memory = open_memory(tmp_path, MORNING)
    weights = {each.text: each.record["importance"] for each in statements(memory)}

    _, *items, _ = digest_lines([news(memory)], Told())

    shown = [weights[item.removeprefix("New: ")] for item in items]
    assert len(weights) > len(shown)
    assert shown == sorted(weights.values(), reverse=True)[: len(shown)]


def test_what_waits_has_a_number_to_answer_by(tmp_path: Path) -> None:
    """
    The first that waits is named in the last line, in the owner's language.
    """
    memory = morning(tmp_path, "tidy.mode=ask", "language=zh")
    told = Told()

    heading, *items, answer = digest_lines([news(memory)], told)

    assert heading == "记忆，11月21日 周六：2 条等你决定"
    assert [item[:2] for item in items] == ["1？", "2？"]
    assert "/strata accept 1" in answer
    assert [name for _, name in told.numbers] == [e.id for e in news(memory).waiting]


def test_what_was_told_is_no_news(tmp_path: Path) -> None:
    """
    After a digest there is none until something happens, however long things wait.
    """
    first = news(morning(tmp_path, "tidy.mode=ask"))
    tidy(open_memory(tmp_path, "2026-11-22T03:00:00+00:00", "tidy.mode=ask"))
    later = open_memory(tmp_path, NEXT_MORNING, "tidy.mode=ask")

    assert first
    assert not news(later, first.until)
    assert len(news(later, first.until).waiting) == 2


def test_what_the_owner_decided_is_no_news(tmp_path: Path) -> None:
    """
    A line that was accepted or dictated is not told to the one who did it.
    """
    waiting = news(morning(tmp_path, "tidy.mode=ask"))
    memory = open_memory(tmp_path, "2026-11-21T09:00:00+00:00", "tidy.mode=ask")

    review(memory, "accept", [waiting.waiting[0].id])
    remember(memory, "My doctor is Dr. Lindqvist in Malmö.")

    later = news(open_memory(tmp_path, NEXT_MORNING), waiting.until)
    assert not later.groups
    assert len(later.waiting) == 1


def test_several_agents_are_named_in_one_digest(tmp_path: Path) -> None:
    """
    Who has news is named; who has none is not, and five lines are enough for all.
    """
    main = morning(tmp_path / "one", "tidy.mode=ask")
    work = replace(morning(tmp_path / "two"), agent="work")
    idle = replace(open_memory(tmp_path / "three", MORNING), agent="idle")

    lines = digest_lines([news(main), news(work), news(idle)], Told())

    assert len(lines) == MOST_LINES
    assert "main: 2 wait for your word; work: 2 lines learned" in lines[0]
    assert {line.split(":")[0] for line in lines[1:-1]} == {"main", "work"}
    assert not any("idle" in line for line in lines)
    assert digest_lines([news(work), news(idle)], Told())[-1].endswith("undo work")


def test_a_number_stays_with_what_waits() -> None:
    """
    What is decided leaves a gap; once nothing waits, numbers begin anew.
    """
    told = Told()
    told.number_all([("w", "a"), ("w", "b")], "w")
    told.number_all([("w", "b"), ("w", "c")], "w")
    assert [told.number("w", each) for each in "bc"] == [2, 3]

    assert "a" not in str(told.numbers)
    told.number_all([("w", "d")], "w")

    assert told.number("w", "d") == 1


def test_who_is_not_looked_at_keeps_numbers() -> None:
    """
    A list of one agent, or a night without the key of another, gives none a new number.
    """
    told = Told()
    told.number_all([("v", "a"), ("w", "b"), ("w", "c")], "vw")

    told.number_all([], "v")
    told.number_all([("w", "c"), ("w", "d")], "w")

    assert [told.number("w", each) for each in "cd"] == [3, 4]


def test_who_dies_before_the_end_has_told_nothing(tmp_path: Path) -> None:
    """
    Only a body that comes to its end is kept, and a damaged file is an empty one.
    """
    with pytest.raises(OSError, match="gone"):
        _die_while_telling(tmp_path)
    with keeping(tmp_path) as told:
        assert told == Told()
        told.until["w"] = MORNING
    with keeping(tmp_path) as told:
        assert told.until == {"w": MORNING}

    (tmp_path / "digest.json").write_text('{"until": 1}')

    with keeping(tmp_path) as told:
        assert told == Told()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Ask @everyone and <@123>.", "Ask ＠everyone and ‹＠123›."),
        ("See https://evil.example/x", "See https: //evil.example/x"),
        ("MEDIA:/etc/passwd is media:x", "MEDIA :/etc/passwd is media :x"),
        ("[[audio_as_voice]] **now** `rm`", "[ [audio_as_voice]] ∗∗now∗∗ 'rm'"),
        ("[click](here)\n\u202eback", "[click] (here)  back"),
        ("user_name in max_size", "user_name in max_size"),
    ],
)
def test_what_was_said_stays_words(tmp_path: Path, said: str, told: str) -> None:
    """
    No mention rings, no link leads anywhere, nothing is attached, nothing is markup.
    """
    assert plain(open_memory(tmp_path), said) == told


def test_what_is_masked_is_masked_here_too(tmp_path: Path) -> None:
    """
    The owner's own rules of what is shown hold for what goes out by a message app.
    """
    memory = open_memory(tmp_path, MORNING, "trust.masked=Marigold")

    assert plain(memory, "The boat is called Marigold.") == "The boat is called M•••."


def test_all_that_waits_is_listed(tmp_path: Path) -> None:
    """
    The list has the numbers of the digest.
    """
    memory, told = morning(tmp_path, "tidy.mode=ask"), Told()
    lines = digest_lines([news(memory)], told)

    assert waiting_lines([news(memory)], told) == lines[1:-1]


def _die_while_telling(folder: Path) -> None:
    with keeping(folder) as told:
        told.until["w"] = MORNING
        raise OSError("gone")
