"""The pages of the bank are what the notes say, and nothing else."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from builders import START, Conversation, tree
from builders_bank import (
    BETHANY,
    CRAIG,
    WEEK,
    YANG,
    bank_caches,
    bank_files,
    names,
    write_below,
    write_note,
    write_week,
)
from builders_encryption import ALL_NOTES, KEY, holding, own_memory, use_key
from builders_memory import open_memory
from builders_scopes import CANARIES, open_agent, populate

from strata.events import TIDY
from strata.jobs.banking.knowing import known_lines
from strata.jobs.change_entry import delete
from strata.jobs.encryption import switch_on
from strata.jobs.entity import decide
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.reflect import reflect, reflect_on_all
from strata.jobs.scheduled import run_scheduled
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy
from strata.jobs.undo import undo
from strata.notes.bank_marks import yours_in

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

LATER = "2026-11-20T13:00:00+00:00"
LATEST = "2026-11-20T14:00:00+00:00"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """
    The memory of a week of notes, of which there are no pages yet.
    """
    write_week(tmp_path / "workspace")
    return open_memory(tmp_path)


def test_pages_appear_after_two_days_or_three_statements(memory: Memory) -> None:
    """
    Who was named once waits.
    """
    report = reflect(memory)

    assert {BETHANY, CRAIG, YANG} <= set(report.new)
    assert (report.changed, report.gone) == ([], [])
    assert "Zelda Marsh" not in names(memory)
    write_note(memory.workspace.root, 9, ["[finding] Zelda Marsh has a boat."])
    assert "memory/bank/people/zelda-marsh.md" in reflect(memory).new


def test_page_holds_what_is_and_what_was(memory: Memory) -> None:
    """
    In both languages, each line with the day and the line of the note that says so.
    """
    reflect(memory)

    page = memory.workspace.read(BETHANY)
    now, past = page.split("## Timeline")
    assert "Faro now, no longer in Porto. (src: 2026-11-05#L4)" in now
    assert "- 2026-11-02 to 2026-11-05: Bethany Tulley lives in Porto." in past
    assert "[[craig-mather]]" in page
    assert "杨建平搬到苏州了，不在杭州。 (src: 2026-11-07#L6)" in memory.workspace.read(
        YANG
    )


def test_every_source_of_a_page_says_so(memory: Memory) -> None:
    """
    The line of the note that is cited holds the words of the page.
    """
    reflect(memory)

    lines = known_lines(memory)
    assert len(lines) == sum(len(rows) for blocks in WEEK.values() for rows in blocks)
    for line in lines:
        for source in line.sources:
            path, _, number = source.rpartition(":")
            cited = memory.workspace.read(path).split("\n")[int(number) - 1]
            assert line.text in cited


def test_conversation_becomes_a_page(tmp_path: Path) -> None:
    """
    What is captured is read as what a hand wrote is.
    """
    said = [
        "I found out that Bethany Tulley's boat leaks: the seal is torn.",
        "From now on always ask Bethany Tulley before the boat goes out.",
    ]
    for day, words in enumerate(said, 17):
        session = f"{day}871d67-1111-4222-8333-444444444444"
        at = START.replace(day=day)
        talk = Conversation(tmp_path / "state", session, f"agent:main:d{day}", at)
        talk.user(words).agent("Noted.").user("Thanks, bye").agent("Bye.").save()
    memory = open_memory(tmp_path)
    sync(memory)

    reflect(memory)

    assert "before the boat goes out" in memory.workspace.read(BETHANY)


def test_second_run_changes_nothing(memory: Memory) -> None:
    """
    Neither a page nor what is kept beside them, not even in its time.
    """
    reflect(memory)
    before = tree(memory.workspace.root), bank_times(memory)

    report = reflect(memory)

    assert report.paths == []
    assert report.pages > 0
    assert (tree(memory.workspace.root), bank_times(memory)) == before


def bank_times(memory: Memory) -> dict[str, int]:
    """
    When each page was last written.
    """
    root = memory.workspace.root
    return {path: (root / path).stat().st_mtime_ns for path in bank_files(root)}


def test_deleted_folder_comes_back_byte_for_byte(memory: Memory) -> None:
    """
    The pages are made of the notes alone.
    """
    root = memory.workspace.root
    reflect(memory)
    before = bank_files(root)
    shutil.rmtree(root / "memory/bank")

    report = reflect(memory)

    assert sorted(before) == report.new
    assert bank_files(root) == before


def test_deleted_and_damaged_caches_come_back(memory: Memory) -> None:
    """
    What was read is read again, as the same.
    """
    root = memory.workspace.root
    reflect(memory)
    before = bank_files(root), bank_caches(root)
    for file in (root / ".strata/cache").glob("*.json"):
        file.unlink()

    assert reflect(memory).paths == []
    assert (bank_files(root), bank_caches(root)) == before
    for file in (root / ".strata/cache").glob("*.json"):
        file.write_bytes(b'{"form":1')
    assert reflect(open_memory(root.parent)).paths == []
    assert (bank_files(root), bank_caches(root)) == before


def test_readings_of_another_making_are_not_used(memory: Memory) -> None:
    """
    What an older tagger read is read anew.
    """
    root = memory.workspace.root
    reflect(memory)
    before = bank_files(root), bank_caches(root)
    file = root / ".strata/cache/readings.json"
    told = json.loads(file.read_text())
    told["made"][2] = "0.0"
    told["names"] = {key: [] for key in told["names"]}
    file.write_text(json.dumps(told))

    assert reflect(memory).paths == []
    assert (bank_files(root), bank_caches(root)) == before


def test_cache_keeps_nothing_of_what_is_gone(memory: Memory) -> None:
    """
    A statement that no note has any more leaves the readings too.
    """
    root = memory.workspace.root
    reflect(memory)
    write_note(root, 7, ["[finding] The gate code is 4471."])

    reflect(memory)

    assert holding(root / ".strata/cache", "Zelda", "zelda", "苏州") == []


def test_dry_run_says_the_same_and_writes_nothing(memory: Memory) -> None:
    """
    No page, and no cache either.
    """
    root = memory.workspace.root
    before = tree(root, without=".strata")

    told = reflect(memory, dry_run=True)

    assert tree(root, without=".strata") == before
    assert not (root / ".strata/cache").exists()
    done = reflect(memory)
    assert (told.new, told.changed, told.gone) == (done.new, done.changed, done.gone)
    write_note(root, 7, ["[finding] Bethany Tulley has a boat."])
    before = bank_files(root)
    told = reflect(memory, dry_run=True)
    assert bank_files(root) == before
    done = reflect(memory)
    assert (told.new, told.changed, told.gone) == (done.new, done.changed, done.gone)
    assert CRAIG in done.gone


def test_night_makes_the_pages_unless_they_are_off(tmp_path: Path) -> None:
    """
    ``bank = false`` keeps no page.
    """
    write_week(tmp_path / "off/workspace")
    write_week(tmp_path / "on/workspace")
    off = open_memory(tmp_path / "off", "2026-11-08T03:00:00+00:00", "bank=false")
    on = open_memory(tmp_path / "on", "2026-11-08T03:00:00+00:00")

    run_scheduled(off, TIDY)
    run_scheduled(on, TIDY)

    assert bank_files(off.workspace.root) == {}
    assert BETHANY in bank_files(on.workspace.root)


def test_pages_stay_as_they_are_when_days_go_to_the_archive(memory: Memory) -> None:
    """
    A note has the same day and the same lines there.
    """
    reflect(memory)
    before = bank_files(memory.workspace.root)

    tidy(memory)

    assert not (memory.workspace.root / "memory/2026-11-02.md").exists()
    assert reflect(memory).paths == []
    assert bank_files(memory.workspace.root) == before


def test_forgotten_person_leaves_nothing(memory: Memory) -> None:
    """
    No page, no name, no "related" line, and no word beside the pages.
    """
    root = memory.workspace.root
    reflect(memory)

    receipt = forget(memory, Target(entity="Bethany Tulley"))

    assert receipt.proof.holds
    assert not (root / BETHANY).exists()
    assert holding(root, "Bethany", "bethany", "Tulley", "tulley") == []
    assert (root / YANG).exists()
    assert not [each for each in names(memory) if "Tulley" in each]


def test_forgotten_person_is_gone_where_the_pages_were_deleted(
    memory: Memory,
) -> None:
    """
    What is kept beside the pages holds no word either.
    """
    root = memory.workspace.root
    reflect(memory)
    shutil.rmtree(root / "memory/bank")

    forget(memory, Target(entity="Bethany Tulley"))

    assert holding(root, "Bethany", "bethany", "Tulley", "tulley") == []


def test_forgotten_words_of_the_owner_on_a_page_go_too(memory: Memory) -> None:
    """
    What a hand wrote below another page is memory as well; the rest of it stays.
    """
    root = memory.workspace.root
    reflect(memory)
    write_below(memory, YANG, "- Knows Bethany Tulley.\n- Mine.\n")

    forget(memory, Target(entity="Bethany Tulley"))

    assert holding(root, "Bethany", "Tulley") == []
    assert yours_in(memory.workspace.read(YANG)) == "- Mine.\n"


def test_deleted_line_leaves_its_page_at_once(memory: Memory) -> None:
    """
    And is there again when that is undone.
    """
    reflect(memory)
    before = bank_files(memory.workspace.root)

    delete(memory, "memory/2026-11-05.md:5")

    assert b"tack room" not in b"".join(bank_files(memory.workspace.root).values())
    undo(open_memory(memory.workspace.root.parent, LATER))
    assert bank_files(memory.workspace.root) == before


def test_change_of_memory_makes_no_bank_where_there_is_none(memory: Memory) -> None:
    """
    Whoever has no pages gets none by deleting a line.
    """
    delete(memory, "memory/2026-11-05.md:5")

    assert bank_files(memory.workspace.root) == {}


def test_bank_of_a_scope_is_apart(tmp_path: Path) -> None:
    """
    A group's has nothing of the owner's, nor the owner's anything of the group's.
    """
    populate(tmp_path, era="files")
    memory = open_agent(tmp_path)
    sync(memory)

    changed = reflect_on_all(memory)

    scopes = [memory.within(name) for name in memory.scopes.names()]
    banks = [
        b"".join(bank_files(each.workspace.root).values()) for each in (memory, *scopes)
    ]
    assert any(path.startswith("scopes/user-") for path in changed)
    assert CANARIES["main"].encode() in banks[0]
    assert any(CANARIES["other"].encode() in each for each in banks[1:])
    for words in CANARIES.values():
        assert sum(words.encode() in each for each in banks) <= 1


def test_encrypted_bank_holds_no_plain_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Pages and caches are read with the key alone, and are made anew as the same.
    """
    use_key(monkeypatch, KEY)
    write_week(tmp_path / "workspace")
    memory = open_memory(tmp_path)
    with own_memory(memory.workspace.root):
        switch_on(memory)
        memory = open_memory(tmp_path, LATER, ALL_NOTES)
        for path in sorted((memory.workspace.root / "memory").glob("2026-*.md")):
            memory.workspace.recode(path.relative_to(memory.workspace.root).as_posix())
        reflect(memory)
        write_below_encrypted(memory)

        assert holding(memory.workspace.root, "Tulley", "tulley", "杨建平住在") == []
        assert "Bethany Tulley" in names(memory)
        assert reflect(open_memory(tmp_path, LATEST, ALL_NOTES)).paths == []
        assert yours_in(memory.workspace.read(BETHANY)) == "Mine.\n"


def write_below_encrypted(memory: Memory) -> None:
    """
    The owner writes below a page through a program that has the key.
    """
    memory.workspace.update(BETHANY, lambda text: text + "Mine.\n")


def test_forgotten_day_leaves_the_pages_that_undo_keeps(memory: Memory) -> None:
    """
    A page names the lines of which it is made, so that its copies are known by them.
    """
    root = memory.workspace.root
    reflect(memory)
    decide(memory, "merge", "Bethany Tulley", "Craig Mather")
    fifth = datetime(2026, 11, 5, tzinfo=UTC)
    target = Target(since=fifth, until=fifth + timedelta(days=1))

    receipt = forget(open_memory(root.parent, LATER), target)

    assert receipt.proof.holds
    assert holding(root, "tack room") == []
