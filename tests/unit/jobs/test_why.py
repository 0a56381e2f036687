"""Why a question does not find what it should."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders_search import NOTES, write_notes

from strata.errors import NotFound, UsageError
from strata.history.ledger import statement_id
from strata.history.standing_journal import StandingJournal
from strata.jobs.why import why
from strata.memory import Memory
from strata.search.answering.citations import names_a_line

if TYPE_CHECKING:
    from pathlib import Path


MORNING = "2026-11-19T03:00:00+00:00"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """
    A memory of the usual notes, searched by keywords.
    """
    write_notes(tmp_path, NOTES)
    return Memory.open(
        workspace=str(tmp_path),
        state_dir=str(tmp_path),
        now="2026-11-20T12:00:00+00:00",
        overrides=["embedding.model=none", "timezone=UTC"],
    )


def reasons(memory: Memory, question: str, expected: str) -> list[str]:
    """
    The reasons for *expected*, as programs read them.
    """
    return [each.reason for each in why(memory, question, expected)]


@pytest.mark.parametrize(
    ("question", "expected", "reason"),
    [
        ("which database do we keep", "the only database", "found"),
        ("数据库迁移推迟到什么时候", "推迟到三月", "found"),
        ("blood type of the ferret", "backup every night", "outranked"),
        (
            "which error has the orthodontist of the ferret's dentist",
            "E_CONN is gone",
            "below-the-floor",
        ),
        ("which port", "the port is 8443 for the gateway", "not-captured"),
        (
            "which key",
            "the key is AKIAZ7QX3PLM5RTVB2WD",
            "redacted",
        ),
    ],
)
def test_reason_is_named(
    memory: Memory, question: str, expected: str, reason: str
) -> None:
    """
    Each way to miss a text has a reason of its own.
    """
    assert reasons(memory, question, expected) == [reason]


def test_question_for_a_time_alone_is_explained(memory: Memory) -> None:
    """
    What "what happened last week" shows is found, and what another week says is not.
    """
    assert reasons(memory, "what happened yesterday?", "backup every night") == [
        "found"
    ]
    assert reasons(memory, "what happened last week?", "backup every night") == [
        "outranked"
    ]
    assert reasons(memory, "what happened in May?", "backup every night") == [
        "below-the-floor"
    ]


def test_what_is_shown_is_found_however_far_down(tmp_path: Path) -> None:
    """
    Where more hits are wanted than usual, the last of them is found as well.
    """
    notes = {
        f"memory/2026-10-{day:02}.md": f"# 2026-10-{day:02}\n\n"
        f"- The gate opens for van{day}, bus{day} and tram{day}.\n"
        for day in range(1, 16)
    }
    memory = Memory.open(
        workspace=str(write_notes(tmp_path, notes)),
        state_dir=str(tmp_path),
        now="2026-11-20T12:00:00+00:00",
        overrides=["embedding.model=none", "timezone=UTC", "search.results=20"],
    )

    found = reasons(memory, "when do gates open", "van1, bus1 and tram1")

    assert found == ["found"]


def test_journal_is_asked(memory: Memory) -> None:
    """
    What was superseded or evicted says so, with the reason.
    """
    memory.journal.append(
        [
            {
                "event": "evicted",
                "id": "1",
                "text": "The gateway listens on port 8443.",
                "at": "2026-11-19T03:00:00Z",
                "reason": "least valuable",
            }
        ]
    )

    (found,) = why(memory, "which port", "gateway listens on port 8443")

    assert found.reason == "evicted"
    assert "least valuable" in found.detail


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("noted", [False, True])
def test_what_was_rejected_says_why(memory: Memory, *, noted: bool, kept: bool) -> None:
    """
    Whether a note still has it or not, and whoever reads the journal.
    """
    text = "The ferret sleeps in the blue box."
    dull = {"event": "rejected", "at": MORNING, "run": "r"}
    words = {"text": text, "dimension": "broadly_applicable", "reason": "of a day"}
    memory.journal.append([{**dull, "id": statement_id(text), **words}])
    if noted:
        memory.workspace.update(
            "memory/2026-11-19.md", lambda before: f"{before}\n- {text}\n"
        )
    if kept:
        memory = memory.with_journal(StandingJournal(memory.journal.path))

    found = [each.reason for each in why(memory, text)]

    assert found == [*(["noted"] if noted else []), "rejected"]


def test_the_very_words_are_told_beside_what_is_near_them(memory: Memory) -> None:
    """
    What was rejected does not hide behind a wording that was once more than that.
    """
    texts = {
        "expired": "The ferret of Ana sleeps in the blue box.",
        "rejected": "The ferret of Ana sleeps in the green box.",
    }
    memory.journal.append(
        {"event": event, "at": MORNING, "run": "r", "id": statement_id(text)}
        | {"text": text, "dimension": "broadly_applicable", "reason": "of a day"}
        for event, text in texts.items()
    )

    found = {each.reason for each in why(memory, texts["rejected"])}

    assert found == {"expired", "rejected"}


@pytest.mark.parametrize("text", ["[fact]", " ", "…"])
def test_what_says_nothing_is_said_nowhere(memory: Memory, text: str) -> None:
    """
    No line is given for it, and nothing breaks, whatever the journal holds.
    """
    memory.journal.append([{"event": "waiting", "at": MORNING, "text": "no id"}])

    assert not [each for each in why(memory, text) if each.reason == "noted"]


def test_line_is_explained(memory: Memory) -> None:
    """
    What cites a line stands for what that line says, and what looks like it is a text.
    """
    here, *others = why(memory, "memory/2026-11-19.md:4")

    assert here.detail.startswith("memory/2026-11-19.md:4")
    assert (here.reason, [each.reason for each in others]) == ("noted", ["not-judged"])
    assert why(memory, "MEMORY.md#L4")[0].reason == "remembered"
    assert why(memory, "port:8443")[0].reason != "noted"


def test_line_has_to_be_there(memory: Memory) -> None:
    """
    Of a blank line, or one behind the end, there is nothing to explain.
    """
    with pytest.raises(NotFound, match=r"nothing stands on MEMORY\.md:2"):
        why(memory, "MEMORY.md:2")
    with pytest.raises(NotFound, match="99"):
        why(memory, "MEMORY.md:99")


def test_both_texts_are_needed(memory: Memory) -> None:
    """
    An empty question is answered with how to ask.
    """
    with pytest.raises(UsageError, match="--expect"):
        why(memory, "", "port")


def test_time_of_day_is_no_citation(memory: Memory) -> None:
    """
    "9:00" ends like the line of a note, and names none.
    """
    assert names_a_line("memory/2026-11-16.md:12")
    assert why(memory, "the standup is at 9:00")
