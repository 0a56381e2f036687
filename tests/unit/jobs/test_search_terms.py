"""Search terms of a model go with the entry that they were given for."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from builders import small_talk
from builders_encryption import KEY as KEY_OF_MEMORY
from builders_encryption import holding, use_key
from builders_extraction import Proposing, Rows, open_with, proposed, sync_with

from strata.jobs.change_entry import edit
from strata.jobs.encryption import switch_on
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.query import Wish, query
from strata.jobs.undo import undo
from strata.workspace.files import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory
    from strata.models import Hit

CACHE = (
    "The build is slow because the cache key contains the date",
    "finding",
    "cache key contains",
)
PNPM = ("Always use pnpm, never npm, in acme-dashboard", "preference", "use pnpm")
TERMS = ["编译缓慢", "compiling takes long", "Zagreb build time", "slow after 45 days"]
KEY = "AKIAIOSFODNN7EXAMPLE"
QUESTION = "编译缓慢"


def answer(rows: Rows) -> list[dict[str, object]]:
    """
    Two facts, the first of them with terms, not all of which were said.
    """
    cache, pnpm = proposed(rows, CACHE, PNPM)
    return [cache | {"terms": [*TERMS, f"token {KEY}"]}, pnpm]


@pytest.fixture
def memory(workspace: Path, state: Path) -> Memory:
    small_talk(state).save()
    sync_with(workspace, state, Proposing(answer))
    return replace(
        open_with(workspace, state, None, "search.without=abstaining,vectors"),
        workspace=Workspace(workspace),
    )


def found(memory: Memory) -> tuple[Hit, ...]:
    return query(memory, QUESTION, Wish()).hits


def test_journal_keeps_what_the_words_bear_out(memory: Memory) -> None:
    """
    A name, a number and a secret that nobody said are no other words for it; the note
    has none of them.
    """
    [record] = memory.journal.records("captured")

    told = [each.get("terms") for each in record["entries"]]
    assert told == [None, TERMS[:2]]
    assert QUESTION not in memory.workspace.read("memory/2026-11-20.md")


def test_entry_is_found_by_them(memory: Memory) -> None:
    """
    The answer is the line of the note.
    """
    assert any(CACHE[0] in hit.snippet for hit in found(memory))


def test_they_go_with_what_is_forgotten(memory: Memory) -> None:
    """
    Neither journal nor index knows them any more, nor do caches.
    """
    assert found(memory)

    receipt = forget(memory, Target("cache key"))

    assert receipt.proof.holds
    assert not found(memory)
    private = memory.workspace.layout.private
    files = [each for each in private.rglob("*") if each.is_file()]
    assert not any(QUESTION.encode() in each.read_bytes() for each in files)


def test_term_that_names_what_is_forgotten_goes_alone(memory: Memory) -> None:
    """
    The entry stays with the others.
    """
    forget(memory, Target("compiling"))

    [record] = memory.journal.records("captured")
    assert record["entries"][1]["terms"] == [QUESTION]
    assert found(memory)


def test_they_are_encrypted_with_the_journal(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    The entry is found by them still, and no file has one in the clear.
    """
    use_key(monkeypatch, KEY_OF_MEMORY)
    assert found(memory)

    switch_on(memory)

    encrypted = replace(memory)
    assert found(encrypted)
    assert holding(memory.workspace.root, QUESTION, TERMS[1]) == []


def test_they_go_with_an_edit_and_come_back_with_undo(memory: Memory) -> None:
    """
    They were given for the words that stood there.
    """
    edit(memory, CACHE[0], "The nightly job is slow because of the disk")
    edited = found(memory)
    undo(memory)

    assert not edited
    assert found(memory)


def test_answer_without_terms_is_one(workspace: Path, state: Path) -> None:
    """
    Of an older answer, and of another provider, the entry is all there is.
    """
    small_talk(state).save()
    sync_with(workspace, state, Proposing(lambda rows: proposed(rows, CACHE)))

    journal = workspace / ".strata" / "journal.jsonl"
    [line] = [
        json.loads(each)
        for each in journal.read_text(encoding="utf-8").splitlines()
        if '"captured"' in each
    ]
    assert "terms" not in line["entries"][0]
    assert "line" not in line["entries"][0]
