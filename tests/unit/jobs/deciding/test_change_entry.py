"""One entry can be looked at from all sides, reworded and taken out, and that undone."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from builders_memory import (
    NIGHT,
    NOON,
    captured,
    open_memory,
    overtaken,
    page,
    statements_of,
)
from click.testing import CliRunner

from strata.cli import commands
from strata.errors import Busy, NotAccepted, NotFound
from strata.jobs.change_entry import delete, edit
from strata.jobs.inspect import inspect
from strata.jobs.remember import remember
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy
from strata.jobs.undo import known_runs, undo
from strata.workspace.journal import Journal

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from strata.memory import Memory

DAILY = "memory/2026-11-20.md"
PNPM = "From now on always use pnpm, never npm, in acme-dashboard."


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))
    return open_memory(tmp_path, "2026-11-21T09:00:00+00:00")


def at(memory: Memory, now: str) -> Memory:
    return replace(memory, now=datetime.fromisoformat(now))


def place_of(memory: Memory, path: str, words: str) -> str:
    lines = memory.workspace.read(path).split("\n")
    return next(f"{path}:{n}" for n, line in enumerate(lines, 1) if words in line)


def test_inspection_tells_all(memory: Memory) -> None:
    """
    Words, origin, evidence, verdict and every place, by place, id or text alike.
    """
    by_place = inspect(memory, place_of(memory, "MEMORY.md", "pnpm"))
    by_id = inspect(memory, by_place.id[:6])
    entry = inspect(memory, by_place.traced.trails[0].source.entry_id)

    assert by_place.traced.text == by_id.traced.text == PNPM
    assert by_place.known["origin"] == "owner"
    assert by_place.traced.is_intact
    assert {each.rpartition(":")[0] for each in by_place.places} == {"MEMORY.md", DAILY}
    assert entry.traced.place is not None
    assert entry.traced.place.path == DAILY


def test_edited_entry_is_the_owners_word(memory: Memory) -> None:
    """
    A reworded entry of a note becomes the line of MEMORY.md, and undo takes it back.
    """
    before = memory.workspace.read(DAILY)
    new = "From now on always use yarn, never npm, in acme-dashboard."

    done = edit(memory, place_of(memory, DAILY, "pnpm"), new)

    assert new in memory.workspace.read(DAILY)
    assert done.also == ("MEMORY.md",)
    sync(memory)
    tidy(at(memory, "2026-11-22T03:00:00+00:00"))
    assert "yarn" in page(memory)
    assert "pnpm" not in page(memory)
    undo(memory, force=True)
    undo(memory, force=True)
    assert memory.workspace.read(DAILY) == before


def test_edited_line_of_memory_goes_through_review(memory: Memory) -> None:
    """
    A line of ours in MEMORY.md keeps its history; a person's line is just reworded.
    """
    memory.workspace.update(
        "MEMORY.md", lambda text: f"{text}\n- I drink green tea in the morning.\n"
    )

    edit(
        memory,
        place_of(memory, "MEMORY.md", "pnpm"),
        "Always use pnpm in all projects.",
    )
    edit(
        memory,
        place_of(memory, "MEMORY.md", "green tea"),
        "I drink coffee in the morning.",
    )

    assert "- Always use pnpm in all projects. (src:" in page(memory)
    assert "- I drink coffee in the morning.\n" in page(memory)


def test_edit_names_the_line_that_it_made(memory: Memory) -> None:
    """
    A new wording is of today and stands below older lines; what is told is where.
    """
    remember(memory, "I prefer short answers without any lists.")
    new = "Always use pnpm in all projects."

    done = edit(memory, place_of(memory, "MEMORY.md", "pnpm"), new)

    assert f"{done.place.path}:{done.place.line}" == place_of(memory, "MEMORY.md", new)
    expired = list(memory.journal.records("expired"))
    assert [record["reason"] for record in expired] == ["you chose another wording"]


def test_undo_names_what_was_done(memory: Memory) -> None:
    """
    A run is called by the command that made it, wherever the line stood.
    """
    edit(memory, place_of(memory, "MEMORY.md", "pnpm"), "Always use pnpm.")
    delete(memory, place_of(memory, "MEMORY.md", "Always use pnpm."))

    assert [each.run.kind for each in known_runs(memory)][:2] == ["delete", "edit"]


def test_deleted_entry_stays_away(memory: Memory) -> None:
    """
    The next sync does not write it again, and its line leaves MEMORY.md with the night.
    """
    delete(memory, place_of(memory, DAILY, "pnpm"))

    sync(at(memory, "2026-11-21T12:00:00+00:00"))
    tidy(at(memory, "2026-11-22T03:00:00+00:00"))

    assert "pnpm" not in memory.workspace.read(DAILY)
    assert "pnpm" not in page(memory)


def test_deleted_line_does_not_enter_again(memory: Memory) -> None:
    """
    Taken out of MEMORY.md, it is declined, and its note keeps it.
    """
    delete(memory, place_of(memory, "MEMORY.md", "pnpm"))

    tidy(at(memory, "2026-11-22T03:00:00+00:00"))

    assert "pnpm" not in page(memory)
    assert "pnpm" in memory.workspace.read(DAILY)


@pytest.mark.parametrize("change", ["edit", "delete"])
def test_line_that_moves_while_another_job_works_is_still_the_one(
    memory: Memory, change: str
) -> None:
    """
    The line that stands in its place by then stays as it is.
    """
    for said in ("I prefer window seats on trains.", "I prefer short answers."):
        remember(memory, said)
    upper, *_ = standing = statements_of(memory)[:3]
    meant = place_of(memory, "MEMORY.md", standing[1])
    moved = overtaken(memory, lambda: delete(memory, upper))

    if change == "edit":
        edit(moved, meant, "I prefer to walk.")
    else:
        delete(moved, meant)

    left = statements_of(memory)
    assert standing[2] in left
    assert not {upper, standing[1]} & {*left}


def test_line_that_is_no_longer_the_one_that_was_seen_stays(memory: Memory) -> None:
    """
    Whoever decided about a line decided about its words.
    """
    before = memory.workspace.read(DAILY)

    for path in (DAILY, "MEMORY.md"):
        with pytest.raises(Busy):
            delete(memory, place_of(memory, path, "pnpm"), seen="- Something else.")

    assert before == memory.workspace.read(DAILY)
    assert PNPM in statements_of(memory)


def test_refused_change_does_not_count(memory: Memory) -> None:
    """
    Where the line moves while another job works, nothing is told, and the night keeps it.
    """
    path = memory.workspace.root / DAILY
    file = path.read_text()
    moved = overtaken(memory, lambda: path.write_text(f"- Mine.\n{file}"))

    with pytest.raises(Busy):
        delete(moved, place_of(memory, DAILY, "pnpm"))

    assert list(memory.journal.records("deleted", "undone")) == []
    tidy(at(memory, "2026-11-22T03:00:00+00:00"))
    assert PNPM in statements_of(memory)


def test_change_that_a_hand_forestalls_is_taken_back(memory: Memory) -> None:
    """
    Where the line moves when the journal has told already, that holds no more.
    """
    path = memory.workspace.root / DAILY
    journal = _Forestalled(path, memory.journal.path)

    with pytest.raises(Busy):
        delete(memory.with_journal(journal), place_of(memory, DAILY, "pnpm"))

    assert len(list(memory.journal.records("deleted", "undone"))) == 2
    tidy(at(memory, "2026-11-22T03:00:00+00:00"))
    assert PNPM in statements_of(memory)


class _Forestalled(Journal):
    """
    A journal before whose next lines somebody puts a line above a note.
    """

    def __init__(self, note: Path, path: Path) -> None:
        super().__init__(path)
        self._note = note

    def append(self, records: Iterable[dict[str, Any]]) -> None:
        super().append(records)
        self._note.write_text(f"- Mine.\n{self._note.read_text()}")


def test_mistakes_are_refused(memory: Memory) -> None:
    """
    A place without an entry, the same wording, an id that nothing has.
    """
    with pytest.raises(NotFound):
        inspect(memory, f"{DAILY}:1")
    with pytest.raises(NotAccepted):
        edit(memory, place_of(memory, DAILY, "pnpm"), PNPM)
    with pytest.raises(NotFound):
        delete(memory, "ffffffff")


def test_commands_say_what_delete_is_not(memory: Memory) -> None:
    """
    The command names the other places, undo, and what really forgets.
    """
    root = memory.workspace.root
    shared = ["--workspace", str(root), "--state-dir", str(root.parent / "state")]
    place = place_of(memory, DAILY, "pnpm")

    chosen = [*shared, "--now", NOON]
    shown = CliRunner().invoke(commands, [*chosen, "inspect", place])
    chosen += ["--set", "language=zh"]
    chinese = CliRunner().invoke(commands, [*chosen, "inspect", place])
    told = CliRunner().invoke(commands, [*shared, "--now", NOON, "delete", place])

    assert "whose words: you" in shown.output
    assert "谁说的：你" in chinese.output
    assert "it also stands in MEMORY.md" in told.output
    assert "strata undo" in told.output
    assert "strata forget" in told.output


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("- [decision] is\n", "- [decision] Use yarn for the builds\n"),
        (
            "- Use pnpm <!-- why --> always\n",
            "- Use yarn for the builds <!-- why -->\n",
        ),
        (
            "- 用 pnpm (src: 2026-11-20) <!-- keep -->\n",
            "- Use yarn for the builds (src: 2026-11-20) <!-- keep -->\n",
        ),
        ("- Use pnpm\r\n", "- Use yarn for the builds\r\n"),
    ],
)
def test_rewording_keeps_what_stands_around_the_words(
    memory: Memory, line: str, left: str
) -> None:
    """
    The tag that holds the same letters, a comment amid the words, the end of the line.
    """
    file = memory.workspace.root / "USER.md"
    file.write_bytes(line.encode())

    edit(memory, "USER.md:1", "Use yarn for the builds")

    assert file.read_bytes().decode() == left
