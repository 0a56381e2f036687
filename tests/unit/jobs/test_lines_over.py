"""A model says which line of a page is over by which: it moves to the timeline."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from builders_bank import bank_files, write_note
from builders_described import line, made_anew, says, with_model
from builders_memory import open_memory
from builders_model import FakeModel, shown_in

from strata.jobs.banking.knowing import known_lines
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.recall import Sought, recall
from strata.jobs.reflect import reflect

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

LATER = "2026-11-21T12:00:00+00:00"
RUTH = "memory/bank/people/ruth-calloway.md"
# No rule knows the second one for the news of the first.
RINGS, ROTA = "Ruth Calloway answers at night", "Ruth Calloway is off the rota"
CHEAP = "Ruth Calloway charges 45"
DEARER = "[finding] Ruth Calloway charges 50 for a visit now, no longer 45."
CALLS: dict[int, list[str]] = {
    2: [f"[finding] {RINGS}.", "[finding] Ruth Calloway is the vet."],
    4: [f"[finding] {CHEAP} for a visit."],
    6: [f"[finding] {ROTA}, the lad takes the calls."],
}


def played(root: Path, *over: tuple[str, str]) -> tuple[Memory, FakeModel]:
    """
    That week of talk, and a model that says which line is over by which.
    """
    for day, lines in CALLS.items():
        write_note(root / "workspace", day, lines)
    told = [{"line": older, "by": by} for older, by in over]
    model = FakeModel(says({"Ruth Calloway": {"over": told}}))
    return with_model(root, model), model


def part(memory: Memory, heading: str) -> str:
    """
    What stands below *heading* on the page.
    """
    return memory.workspace.read(RUTH).partition(f"## {heading}\n")[2].split("\n\n")[0]


def pairs(memory: Memory) -> list[dict[str, Any]]:
    """
    What was journaled of lines that are over.
    """
    told = memory.journal.records("described")
    return [pair for each in told for pair in each.get("over", ())]


def test_line_that_is_over_stands_in_the_timeline(tmp_path: Path) -> None:
    """
    Until the day of the later one, which holds.
    """
    memory, _ = played(tmp_path, (RINGS, ROTA))

    reflect(memory)

    assert RINGS not in part(memory, "Now")
    assert ROTA in part(memory, "Now")
    assert f"2026-11-02 to 2026-11-06: {RINGS}" in part(memory, "Timeline")


def test_no_rule_would_have_told_so(tmp_path: Path) -> None:
    """
    Without the model both lines hold.
    """
    memory, _ = played(tmp_path)

    reflect(memory)

    assert RINGS in part(memory, "Now")
    assert ROTA in part(memory, "Now")


def test_day_is_told_by_recall(tmp_path: Path) -> None:
    """
    As of a day before, the older line holds.
    """
    memory, _ = played(tmp_path, (RINGS, ROTA))
    reflect(memory)

    before = recall(memory, "Ruth at night", Sought(as_of=date(2026, 11, 4)))
    (ended,) = (each for each in known_lines(memory) if RINGS in each.text)

    assert RINGS in before[0].line.text
    assert ended.until == "2026-11-06"


def test_deleted_folder_comes_back_without_a_model(tmp_path: Path) -> None:
    """
    Byte for byte, for the journal has the verdict, and no word of the lines but theirs.
    """
    memory, _ = played(tmp_path, (RINGS, ROTA))
    reflect(memory)
    before = bank_files(memory.workspace.root)

    assert made_anew(tmp_path, LATER) == before
    assert b"to 2026-11-06" in before[RUTH]


def test_verdict_stays_when_more_is_said(tmp_path: Path) -> None:
    """
    It rests on two lines; those that come to the page change nothing of it.
    """
    memory, _ = played(tmp_path, (RINGS, ROTA))
    reflect(memory)
    more = "[finding] Ruth Calloway keeps two greyhounds."
    write_note(tmp_path / "workspace", 9, [more])

    reflect(open_memory(tmp_path, LATER))

    assert RINGS not in part(memory, "Now")
    assert "greyhounds" in part(memory, "Now")


@pytest.mark.parametrize(
    ("older", "by"),
    [
        (ROTA, RINGS),
        (RINGS, RINGS),
        (RINGS, "no such words"),
        ("no such words", ROTA),
    ],
)
def test_what_cannot_be_is_not_believed(tmp_path: Path, older: str, by: str) -> None:
    """
    An earlier line ends none, nor does a line itself, nor one that is not on the page.
    """
    memory, _ = played(tmp_path, (older, by))

    reflect(memory)

    assert pairs(memory) == []
    assert RINGS in part(memory, "Now")
    assert ROTA in part(memory, "Now")


def test_line_of_another_page_ends_none(tmp_path: Path) -> None:
    """
    Whatever number the model gives.
    """
    memory, model = played(tmp_path)
    lines = [f"[finding] Bethany Tulley {each}." for each in ("rows", "bakes", "sings")]
    write_note(tmp_path / "workspace", 8, lines)

    def reply(prompt: str) -> str:
        rows = [each for each in shown_in(prompt) if "id" in each]
        older, by = (
            next(each["id"] for each in rows if words in each["says"])
            for words in (RINGS, "Bethany Tulley sings")
        )
        pages = [each["page"] for each in shown_in(prompt) if "page" in each]
        over = f'"over": [{{"line": {older}, "by": {by}}}]'
        told = ", ".join(f'{{"page": {page}, {over}}}' for page in pages)
        return f'{{"pages": [{told}]}}'

    model.reply = reply

    reflect(memory)

    assert len(model.prompts) == 1
    assert pairs(memory) == []
    assert RINGS in part(memory, "Now")


def test_what_is_said_again_holds_again(tmp_path: Path) -> None:
    """
    The owner's newer word wins over the model.
    """
    memory, _ = played(tmp_path, (RINGS, ROTA))
    reflect(memory)
    write_note(tmp_path / "workspace", 9, [f"[finding] {RINGS}."])

    reflect(open_memory(tmp_path, LATER))

    assert RINGS in part(memory, "Now")
    assert "to 2026-11-06" in part(memory, "Timeline")


def test_verdict_on_other_words_is_none(tmp_path: Path) -> None:
    """
    A hand that puts a line otherwise has said something that nobody was asked about.
    """
    memory, _ = played(tmp_path, (RINGS, ROTA))
    reflect(memory)
    note = tmp_path / "workspace/memory/2026-11-06.md"
    before = note.read_text(encoding="utf-8")
    note.write_text(before.replace("off the rota", "on holiday"), encoding="utf-8")

    reflect(open_memory(tmp_path, LATER))
    changed = part(memory, "Now")
    note.write_text(before, encoding="utf-8")
    reflect(open_memory(tmp_path, LATER))

    assert RINGS in changed
    assert RINGS not in part(memory, "Now")


def test_verdict_goes_with_what_is_forgotten(tmp_path: Path) -> None:
    """
    The line that was over holds again; what was said of other lines stays.
    """
    left = "[finding] Ruth Calloway has left the practice to her son."
    memory, _ = played(tmp_path, (RINGS, ROTA), ("is the vet", "to her son"))
    write_note(tmp_path / "workspace", 7, [left])
    reflect(memory)
    assert len(pairs(memory)) == 2

    receipt = forget(memory, Target("off the rota"))
    reflect(open_memory(tmp_path, LATER))

    assert receipt.proof.holds
    assert len(pairs(memory)) == 1
    assert RINGS in part(memory, "Now")
    assert "is the vet" not in part(memory, "Now")


def test_line_that_leans_on_another_is_shown_and_never_cited(tmp_path: Path) -> None:
    """
    With what it is about; no sentence rests on it.
    """
    leaning = (
        "[decision] not at night any more (about: what hours does Ruth Calloway do)"
    )
    memory, model = played(tmp_path)
    write_note(tmp_path / "workspace", 8, [leaning])
    told = {
        "over": [{"line": RINGS, "by": "not at night"}],
        "summary": [
            {"text": "Ruth Calloway, not at night any more.", "lines": ["not at"]}
        ],
    }
    model.reply = says({"Ruth Calloway": told})

    report = reflect(memory)

    rows = [each for each in shown_in(model.prompts[0]) if "about" in each]
    assert [each["about"] for each in rows] == ["what hours does Ruth Calloway do"]
    assert report.refused == 1
    assert RINGS not in part(memory, "Now")


def test_one_answer_is_enough(tmp_path: Path) -> None:
    """
    The summary of the same answer stands beside it, and nobody is asked again.
    """
    memory, model = played(tmp_path)
    told = {
        "over": [{"line": RINGS, "by": ROTA}],
        "summary": [line("Ruth Calloway is the vet.", "is the vet")],
    }
    model.reply = says({"Ruth Calloway": told})

    reflect(memory)
    again = reflect(with_model(tmp_path, model, LATER))

    assert "- Ruth Calloway is the vet. (src" in part(memory, "Summary")
    assert len(model.prompts) == 1
    assert again.paths == []


def test_sentence_of_what_is_over_is_dropped(tmp_path: Path) -> None:
    """
    Be it over by the same answer, or by the reading.
    """
    memory, model = played(tmp_path)
    write_note(tmp_path / "workspace", 8, [DEARER])
    told = {
        "over": [{"line": RINGS, "by": ROTA}],
        "summary": [
            line("Ruth Calloway answers at night.", RINGS),
            line("Ruth Calloway charges 45 for a visit.", CHEAP),
        ],
    }
    model.reply = says({"Ruth Calloway": told})

    report = reflect(memory)

    assert report.refused == 2
    assert "## Summary" not in memory.workspace.read(RUTH)


def test_line_that_the_reading_ended_holds_where_the_model_says_so(
    tmp_path: Path,
) -> None:
    """
    It is shown with the day since which it is taken to be over; without a word of it
    that stays so.
    """
    memory, model = played(tmp_path)
    write_note(tmp_path / "workspace", 8, [DEARER])
    reflect(memory)
    before = part(memory, "Now")
    shown = [each for each in shown_in(model.prompts[0]) if "until" in each]
    model.reply = says({"Ruth Calloway": {"holds": [CHEAP, ROTA]}})
    write_note(tmp_path / "workspace", 9, ["[finding] Ruth Calloway keeps a dog."])

    reflect(with_model(tmp_path, model, LATER))

    assert CHEAP not in before
    assert [(each["says"], each["until"]) for each in shown] == [
        (f"{CHEAP} for a visit.", "2026-11-08")
    ]
    assert CHEAP in part(memory, "Now")
    assert len(list(memory.journal.records("described"))) == 3


def test_last_word_of_the_model_counts(tmp_path: Path) -> None:
    """
    What it said was over may hold by what it is asked later.
    """
    memory, model = played(tmp_path, (RINGS, ROTA))
    reflect(memory)
    write_note(tmp_path / "workspace", 9, ["[finding] Ruth Calloway keeps a dog."])
    model.reply = says({"Ruth Calloway": {"holds": [RINGS]}})

    reflect(with_model(tmp_path, model, LATER))

    assert RINGS in part(memory, "Now")
    assert "Timeline" not in memory.workspace.read(RUTH)


def test_line_of_two_pages_is_over_on_both(tmp_path: Path) -> None:
    """
    Also where the later one is on one of them alone.
    """
    both = "[finding] Ruth Calloway answers at night with Bethany Tulley."
    memory, model = played(tmp_path)
    for day in (2, 4):
        write_note(
            tmp_path / "workspace",
            day,
            [*CALLS[day], f"[finding] Bethany Tulley keeps {day} bees."],
            [both] if day == 2 else [],
        )
    model.reply = says(
        {"Ruth Calloway": {"over": [{"line": "with Bethany", "by": ROTA}]}}
    )

    reflect(memory)

    page = memory.workspace.read("memory/bank/people/bethany-tulley.md")
    assert "2026-11-02 to 2026-11-06: Ruth Calloway answers at night with" in page
    known = [each for each in known_lines(memory) if "with Bethany" in each.text]
    assert {each.until for each in known} == {"2026-11-06"}
    # What holds instead is told there too, though it does not name her.
    assert ROTA in page.partition("## Now")[2].partition("## Timeline")[0]
    [rota] = [each for each in known_lines(memory) if ROTA in each.text]
    assert "memory/bank/people/bethany-tulley.md" in rota.entities


def test_what_was_taken_for_the_same_may_be_over(tmp_path: Path) -> None:
    """
    Each wording is a line of its own, of which the model may say that it is news.
    """
    older = "Ruth Calloway comes twice a month with the dog"
    newer = "Ruth Calloway comes with the dog twice a month, by bus now"
    memory, model = played(tmp_path)
    write_note(tmp_path / "workspace", 7, [f"[finding] {older}."])
    write_note(tmp_path / "workspace", 8, [f"[finding] {newer}."])
    reflect(memory)
    before = part(memory, "Now")
    model.reply = says({"Ruth Calloway": {"over": [{"line": older, "by": newer}]}})
    write_note(tmp_path / "workspace", 9, ["[finding] Ruth Calloway keeps a dog."])

    reflect(with_model(tmp_path, model, LATER))

    assert (older in before) + (newer in before) == 1
    assert newer in part(memory, "Now")
    assert f"2026-11-07 to 2026-11-08: {older}" in part(memory, "Timeline")


def test_other_wording_of_what_is_over_stays(tmp_path: Path) -> None:
    """
    The model was shown both, and named one.
    """
    first = "Ruth Calloway comes twice a month with the dog"
    second = "Ruth Calloway comes with the dog twice a month, by bus now"
    memory, model = played(tmp_path)
    write_note(tmp_path / "workspace", 3, [f"[finding] {first}."])
    write_note(tmp_path / "workspace", 5, [f"[finding] {second}."])
    model.reply = says({"Ruth Calloway": {"over": [{"line": first, "by": ROTA}]}})

    reflect(memory)

    assert second in part(memory, "Now")
    assert first not in part(memory, "Now")
    assert f"2026-11-03 to 2026-11-06: {first}" in part(memory, "Timeline")
