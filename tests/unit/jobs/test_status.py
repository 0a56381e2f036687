"""What `status` says of conversations that go on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from builders import Conversation, small_talk
from builders_memory import captured, open_memory

from strata.jobs.status import status
from strata.jobs.status_rows import _conversations, rows_of
from strata.jobs.sync import sync
from strata.messages import Voice

if TYPE_CHECKING:
    from pathlib import Path


def test_words_that_no_note_holds_are_told(tmp_path: Path) -> None:
    """
    A conversation is up to date until something is said in it; a new one is not.
    """
    talk = small_talk(tmp_path / "state")
    talk.save()
    memory = open_memory(tmp_path)
    assert status(memory).document()["reasons"] == {"not in a note yet": 1}
    sync(memory)
    assert status(memory).document()["reasons"] == {"up to date": 1}

    talk.user("And never deploy on Fridays.").save()
    other = Conversation(
        tmp_path / "state", "71871d67-1111-4222-8333-444444444444", "agent:main:two"
    )
    other.user("hello").agent("Hi.").save()

    found = status(memory)
    assert found.document()["reasons"] == {"not in a note yet": 2}
    told = _conversations(found, Voice("status", "en"))
    assert told == "2: 2 with words that are not in a note yet"
    sync(memory)
    left = {"up to date": 1, "left out (1 user message)": 1}
    assert status(memory).document()["reasons"] == left
    told = _conversations(status(memory), Voice("status", "zh"))
    assert "你只说了 1 句" in told
    assert "user" not in told


def test_status_needs_no_openclaw(tmp_path: Path) -> None:
    """
    Where there is no OpenClaw, nothing waits to be read.
    """
    assert status(open_memory(tmp_path)).document()["reasons"] == {}


def test_a_quick_look_reads_no_notes(tmp_path: Path) -> None:
    """
    It counts the notes, and leaves out what only reading them tells.
    """
    memory = captured(tmp_path)
    quick, full = status(memory, thorough=False), status(memory)

    assert (1, None, None, {}) == (
        quick.notes,
        quick.blocks,
        quick.entries,
        quick.reasons,
    )
    labels, all_labels = (
        [label for label, _ in rows_of(found, Voice("status", "en"))]
        for found in (quick, full)
    )
    assert [each for each in all_labels if each != "conversations"] == labels
    assert quick == replace(full, blocks=None, entries=None, reasons={})
