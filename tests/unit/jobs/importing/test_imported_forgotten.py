"""What the owner forgets leaves the talks of other tools as well, with proof."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from builders import tree
from builders_encryption import KEY, own_memory, use_key
from builders_imports import LONG_AGO, chatgpt_talk, write_zip
from builders_memory import open_memory
from killing import Killed, killed_before

from strata.jobs.encryption import look, switch_on
from strata.jobs.forgetting.forget import forget, plan
from strata.jobs.forgetting.proving import prove_again
from strata.jobs.forgetting.target import Target
from strata.jobs.importing.importing import import_from
from strata.jobs.sync import sync
from strata.jobs.trace import trace
from strata.jobs.undo import undo

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

SECRET = "We keep PostgreSQL 16, because the reports need ACID."
KEPT = "From now on always use pnpm, never npm, in acme-dashboard."
SAID = [
    ("user", f"{SECRET} {KEPT}"),
    (
        "assistant",
        "PostgreSQL 16 stays, because the reports need ACID. And pnpm it is.",
    ),
    ("user", "Call Bob Meyer on Mondays about the invoices, before noon."),
    ("assistant", "Noted, I remind you of Bob Meyer."),
]
UNNOTED = [
    ("user", "What would you cook for ten people?"),
    ("assistant", "A soup of chestnuts, or Zanzibar stew."),
]


def export(root: Path, *more: tuple[str, str], title: str = "Reports") -> Path:
    listed = [
        chatgpt_talk("one", [*SAID, *more], title=title),
        chatgpt_talk("two", UNNOTED, at=LONG_AGO + timedelta(days=1)),
    ]
    return write_zip(root / "a.zip", {"conversations.json": listed})


def memory_at(root: Path, now: str = "2026-11-20T12:00:00+00:00") -> Memory:
    (root / "state").mkdir(exist_ok=True)
    return open_memory(root, now)


def holding(memory: Memory, words: str) -> list[str]:
    files = tree(memory.workspace.root).items()
    return [path for path, content in files if words.encode() in content]


def test_words_leave_the_copy_and_the_rest_stays(tmp_path: Path) -> None:
    """
    The sentences that say it go, also where an assistant wraps them, and others stay.
    """
    memory = memory_at(tmp_path)
    import_from(memory, export(tmp_path, title="PostgreSQL 16, because of reports"))

    receipt = forget(memory, Target(SECRET))

    assert receipt.proof.holds
    assert 1 == receipt.more["talks"]
    assert [] == receipt.transcripts
    assert [] == holding(memory, "need ACID")
    (copy,) = (p for p in holding(memory, KEPT) if p.endswith(".jsonl"))
    text = (memory.workspace.root / copy).read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    texts = [e["message"]["content"][0]["text"] for e in lines if "message" in e]
    assert [KEPT, SAID[2][1], SAID[3][1]] == [texts[0], *texts[-2:]]
    assert trace(memory, KEPT).is_intact


def test_what_no_note_says_is_found_in_the_copies(tmp_path: Path) -> None:
    """
    A plan counts the talks that would lose words, and they lose them.
    """
    memory = memory_at(tmp_path)
    import_from(memory, export(tmp_path))
    target = Target("Zanzibar stew")

    planned = plan(memory, target)
    receipt = forget(memory, target)

    assert (1, False) == (planned.talks, planned.is_empty)
    assert receipt.proof.holds
    assert [] == holding(memory, "Zanzibar")
    assert holding(memory, "chestnuts") == []
    assert holding(memory, "ten people")


def test_whole_talks_and_times_go(tmp_path: Path) -> None:
    """
    A forgotten day takes what was said on it out of the copies.
    """
    memory = memory_at(tmp_path)
    import_from(memory, export(tmp_path))
    day = LONG_AGO.replace(hour=0)

    receipt = forget(memory, Target(since=day, until=day + timedelta(days=1)))

    assert receipt.proof.holds
    assert [] == holding(memory, "Bob Meyer")
    assert holding(memory, "Zanzibar")


def test_later_export_does_not_bring_it_back(tmp_path: Path) -> None:
    """
    The same words in a newer export, or the same export again, stay out of the copy.
    """
    memory = memory_at(tmp_path)
    import_from(memory, export(tmp_path))
    receipt = forget(memory, Target(SECRET))

    import_from(memory, export(tmp_path))
    grown = ("user", "We decided to host the greenhouse on Hetzner, in Falkenstein.")
    report = import_from(memory, export(tmp_path, grown))
    sync(memory)

    assert 1 == report.messages
    assert [] == holding(memory, "need ACID")
    assert holding(memory, "Falkenstein")
    assert prove_again(memory, receipt.id).holds


def test_undo_of_an_import_brings_nothing_back(tmp_path: Path) -> None:
    """
    What undo has of a copy loses the words too; the way back is as free as before.
    """
    memory = memory_at(tmp_path)
    import_from(memory, export(tmp_path))
    grown = ("user", "We decided to host the greenhouse on Hetzner, in Falkenstein.")
    import_from(memory, export(tmp_path, grown))
    forget(memory, Target(SECRET))

    undone = undo(memory)

    assert undone.steps
    assert [] == holding(memory, "need ACID")
    assert not [p for p in holding(memory, "Falkenstein") if p.startswith("memory")]
    undo(memory, undone.by)
    assert [] == holding(memory, "need ACID")
    assert holding(memory, "Bob Meyer")


def test_forgetting_that_is_cut_off_is_completed(tmp_path: Path) -> None:
    """
    Without the words, by hashes alone, the next command takes them out of the copies.
    """
    memory = memory_at(tmp_path)
    import_from(memory, export(tmp_path))
    target = Target(SECRET)
    with pytest.raises(Killed), killed_before(2):
        forget(memory, target)
    assert holding(memory, "need ACID")

    sync(memory_at(tmp_path))

    assert [] == holding(memory, "need ACID")


def test_copies_that_came_back_lose_it_again(tmp_path: Path) -> None:
    """
    A copy that a backup brought back is no proof any more, until the next sync.
    """
    memory = memory_at(tmp_path)
    import_from(memory, export(tmp_path))
    (copy,) = (p for p in holding(memory, "need ACID") if p.endswith(".jsonl"))
    old = (memory.workspace.root / copy).read_bytes()
    receipt = forget(memory, Target(SECRET))
    (memory.workspace.root / copy).write_bytes(old)

    assert not prove_again(memory, receipt.id).holds
    sync(memory)

    assert prove_again(memory, receipt.id).holds


def test_copies_are_encrypted_where_memory_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    An encrypted memory has no plain copy, reads its own, and forgets in them.
    """
    use_key(monkeypatch, KEY)
    memory = memory_at(tmp_path)
    with own_memory(memory.workspace.root):
        import_from(memory, export(tmp_path))
        switch_on(memory)
        assert "on" == look(memory).state
        assert not [p for p in holding(memory, "Zanzibar") if "imported" in p]

        report = import_from(memory, export(tmp_path))
        found = trace(memory, KEPT)
        receipt = forget(memory, Target(SECRET))

        assert 2 == report.same
        assert found.is_intact
        assert receipt.proof.holds
        assert 1 == receipt.more["talks"]
        assert not [p for p in holding(memory, "Zanzibar") if "imported" in p]
        assert trace(memory, KEPT).is_intact
