"""An undo brings every byte back, and never takes somebody's words for it."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from builders import tree
from builders_memory import overtaken
from click.testing import CliRunner
from killing import Killed, killed_before, run_killed_at

from strata.cli import commands, run
from strata.errors import Moved, NotFound, WorkspaceUnavailable
from strata.history.decisions import decisions
from strata.jobs.tidy import tidy
from strata.jobs.undo import known_runs, undo
from strata.jobs.undoing.runs import recorded
from strata.jobs.undoing.way_back import way_back
from strata.memory import Memory
from strata.workspace.audit import AuditLog, Witness
from strata.workspace.recording import MOST_RUNS

if TYPE_CHECKING:
    from pathlib import Path

NOW = "2026-11-20T03:00:00+00:00"
OLD = """# 2026-11-05

## 14:02 session:61871d67 | 12 messages
- [decision] Keep PostgreSQL 16.
"""
DAILY = "memory/2026-11-05.md"
WEEKLY = "memory/weekly/2026-11-02.md"
ARCHIVED = "memory/archive/2026/2026-11-05.md"


def open_memory(root: Path, now: str = NOW) -> Memory:
    return Memory.open(workspace=str(root), state_dir=str(root), now=now)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    (tmp_path / "memory").mkdir()
    (tmp_path / DAILY).write_bytes(OLD.encode() + b"\xff no text\r\n")
    (tmp_path / "MEMORY.md").write_text("- mine\n")
    return open_memory(tmp_path)


def files(memory: Memory) -> dict[str, bytes]:
    return tree(memory.workspace.root, without=".strata")


class Nosy(Witness):
    """
    Somebody who adds a line to a note at the moment when a change of it is told, once.
    """

    def __init__(self, note: Path) -> None:
        super().__init__(AuditLog(note.parent), "cli", "test")
        self._note = note
        self._lines = iter(["- theirs\n"])

    def wrote(self, *paths: str) -> None:
        if self._note.match(paths[0]):
            with self._note.open("a") as file:
                file.write(next(self._lines, ""))


def write(memory: Memory, path: str, text: str, kind: str = "tidy") -> str:
    """
    A run of *kind* that replaces *path*.
    """
    with recorded(memory, kind) as run:
        memory.workspace.update(path, lambda _: text)
    return run.id


@pytest.mark.parametrize("setting", ["git=false", "git=true"])
def test_words_added_while_a_change_is_recorded_are_kept(
    memory: Memory, setting: str
) -> None:
    """
    They stand in the file afterwards, and after an undo too; nothing else is kept of that.
    """
    root = memory.workspace.root
    memory = Memory.open(
        workspace=str(root), state_dir=str(root), now=NOW, overrides=[setting]
    )
    memory.workspace.witness = Nosy(root / "MEMORY.md")

    with recorded(memory, "tidy") as run:
        memory.workspace.update("MEMORY.md", lambda text: text + "- ours\n")

    assert memory.workspace.read("MEMORY.md") == "- mine\n- theirs\n- ours\n"
    images = (root / ".strata" / "undo" / run.id).glob("*.before")
    assert [each.read_text() for each in images] == ["- mine\n- theirs\n"]
    undo(memory)
    assert memory.workspace.read("MEMORY.md") == "- mine\n- theirs\n"


def test_what_lies_beside_recordings_is_no_run(memory: Memory) -> None:
    """
    A file of a file manager, or a copy of a recording, keeps no run from being made.
    """
    first = write(memory, "MEMORY.md", "- one\n")
    undone = memory.workspace.layout.undo_folder
    (undone / first).rename(undone / f"{first} copy")
    (undone / ".DS_Store").write_bytes(b"\0")

    second = write(memory, "MEMORY.md", "- two\n")

    assert [each.run.id for each in known_runs(memory)] == [second]


def test_note_that_grows_while_its_end_is_recorded_stays(memory: Memory) -> None:
    """
    A file that is to go is left where somebody has just added to it.
    """
    memory.workspace.witness = Nosy(memory.workspace.root / "MEMORY.md")

    with recorded(memory, "tidy"):
        assert not memory.workspace.remove("MEMORY.md", text="- mine\n")

    assert memory.workspace.read("MEMORY.md") == "- mine\n- theirs\n"


def test_every_byte_comes_back(memory: Memory) -> None:
    """
    After a tidy and its undo the memory files are what they were.
    """
    before = files(memory)
    tidy(memory)
    assert files(memory) != before

    report = undo(memory)

    assert files(memory) == before
    assert report.paths == sorted([DAILY, WEEKLY, ARCHIVED])


def test_an_undo_can_be_undone(memory: Memory) -> None:
    """
    Taking the undo back gives what tidy had made of the files.
    """
    tidy(memory)
    tidied = files(memory)
    first = undo(memory)

    undo(memory, first.by)

    assert files(memory) == tidied
    assert decisions(memory.journal).days == frozenset()


def test_next_tidy_does_not_redo_it(memory: Memory) -> None:
    """
    What was undone waits for the owner; the next night leaves it alone.
    """
    tidy(memory)
    undo(memory)
    undone = files(memory)

    report = tidy(open_memory(memory.workspace.root, "2026-11-21T03:00:00+00:00"))

    assert report.paths == []
    assert files(memory) == undone
    waiting = [record["text"] for record in memory.journal.records("waiting")]
    assert waiting == ["2026-11-05: into its week and the archive"]


def test_runs_are_undone_from_the_last_on(memory: Memory) -> None:
    """
    A second undo takes back the run before.
    """
    write(memory, "MEMORY.md", "one\n")
    write(memory, "MEMORY.md", "two\n", "remember")

    undo(memory)
    assert memory.workspace.read("MEMORY.md") == "one\n"
    undo(memory)
    assert memory.workspace.read("MEMORY.md") == "- mine\n"
    with pytest.raises(NotFound, match="no run that could be undone"):
        undo(memory)


def test_several_changes_of_a_file_are_one(memory: Memory) -> None:
    """
    A file that a run wrote three times goes back in one step, also after a kill between.
    """
    with recorded(memory, "tidy"):
        memory.workspace.update("MEMORY.md", lambda _: "a")
        memory.workspace.update("MEMORY.md", lambda _: "b")
        memory.workspace.update("MEMORY.md", lambda _: "c")
    (memory.workspace.root / "MEMORY.md").write_text("b")

    report = undo(memory)

    assert [step.path for step in report.steps] == ["MEMORY.md"]
    assert memory.workspace.read("MEMORY.md") == "- mine\n"


def test_edit_since_is_refused(memory: Memory) -> None:
    """
    A file that somebody changed since is left alone, and so are all others.
    """
    tidy(memory)
    (memory.workspace.root / WEEKLY).write_text("edited\n")
    before = files(memory)

    with pytest.raises(
        WorkspaceUnavailable, match="changed since, by a sync or somebody else"
    ) as no:
        undo(memory)

    assert WEEKLY in str(no.value)
    assert files(memory) == before


def test_force_keeps_both(memory: Memory) -> None:
    """
    With force the edited text goes into a backup, and undoing that brings it back.
    """
    before = files(memory)
    tidy(memory)
    (memory.workspace.root / WEEKLY).write_text("edited\n")

    report = undo(memory, force=True)

    (backup,) = report.backups
    assert backup == "memory/archive/2026-11-02.md.bak-2026-11-20"
    assert files(memory) == {**before, backup: b"edited\n"}
    undo(memory, report.by)
    assert memory.workspace.read(WEEKLY) == "edited\n"
    assert memory.workspace.read(backup) == "edited\n"


def test_later_run_is_named(memory: Memory) -> None:
    """
    Where a later run changed the file, the message says which to undo first.
    """
    first = write(memory, "MEMORY.md", "one\n")
    later = write(memory, "MEMORY.md", "two\n", "review")

    with pytest.raises(WorkspaceUnavailable, match=f"by run {later} \\(review\\)"):
        undo(memory, first)


def test_archived_note_that_grew_comes_back_as_it_is(memory: Memory) -> None:
    """
    What was added to an archived note since is still in it when it comes back.
    """
    tidy(memory)
    with (memory.workspace.root / ARCHIVED).open("ab") as note:
        note.write(b"- late\n")

    undo(memory)

    assert (memory.workspace.root / DAILY).read_bytes().endswith(b"\r\n- late\n")


def test_new_note_in_the_place_of_the_old_survives(memory: Memory) -> None:
    """
    A note that somebody made anew is refused, or kept as a backup.
    """
    tidy(memory)
    (memory.workspace.root / DAILY).write_text("new\n")

    with pytest.raises(WorkspaceUnavailable, match="there is a new"):
        undo(memory)
    report = undo(memory, force=True)

    assert (memory.workspace.root / DAILY).read_bytes().startswith(OLD.encode())
    assert memory.workspace.read(report.backups[0]) == "new\n"


def test_dry_run_writes_nothing(memory: Memory) -> None:
    """
    A dry run names the files and leaves them, and the journal, alone.
    """
    tidy(memory)
    before = tree(memory.workspace.root)

    report = undo(memory, dry_run=True)

    assert len(report.steps) == 2
    after = tree(memory.workspace.root)
    assert after == before


def test_old_recordings_go(memory: Memory) -> None:
    """
    Twenty runs can be undone; older ones are forgotten.
    """
    for number in range(MOST_RUNS + 3):
        write(memory, "MEMORY.md", f"{number}\n")

    runs = known_runs(memory)

    assert [known.run.number for known in runs] == list(range(MOST_RUNS + 3, 3, -1))
    assert all(known.finished and not known.undone for known in runs)


def test_run_without_changes_leaves_nothing(memory: Memory) -> None:
    """
    A quiet night is no run.
    """
    with recorded(memory, "tidy"):
        pass

    assert known_runs(memory) == []


def test_unknown_and_ambiguous_runs(memory: Memory) -> None:
    """
    An id that names no run, and one that was undone already, get a clear line.
    """
    run = write(memory, "MEMORY.md", "one\n")
    with pytest.raises(NotFound, match="there is no run zzz"):
        undo(memory, "zzz")
    by = undo(memory).by

    with pytest.raises(NotFound, match=f"undone already; `strata undo --run {by}`"):
        undo(memory, run)


def test_what_changed_since_it_was_shown_is_not_undone(memory: Memory) -> None:
    """
    Not with force either: it would overwrite what nobody has seen.
    """
    run = write(memory, "MEMORY.md", "one\n")
    seen = way_back(memory, known_runs(memory)[0].run).fingerprint
    late = overtaken(memory, lambda: write(memory, "MEMORY.md", "two\n", "review"))

    with pytest.raises(Moved):
        undo(late, run, force=True, seen=seen)

    assert memory.workspace.read("MEMORY.md") == "two\n"
    assert [known.run.kind for known in known_runs(memory)] == ["review", "tidy"]


@pytest.mark.parametrize("change", [1, 2, 3, 4])
def test_undo_that_was_killed_is_finished_by_the_name_of_its_run(
    memory: Memory, change: int
) -> None:
    """
    It is the same undo, and the run counts as undone only then.
    """
    before = files(memory)
    run = write(memory, WEEKLY, "# Week\n")
    with killed_before(change), pytest.raises(Killed):
        undo(memory)
    *begun, standing = known_runs(memory)
    assert not standing.undone

    report = undo(memory, run)

    assert files(memory) == before
    done, undone = known_runs(memory)
    assert report.by == done.run.id == undone.by
    assert not begun or begun[0].run == done.run
    assert done.finished
    assert len(list(memory.journal.records("undone"))) == 1


def test_undo_that_was_killed_before_other_runs_is_begun_anew(memory: Memory) -> None:
    """
    Once, though every file is back already: so the runs before it can be undone in turn.
    """
    runs = [write(memory, f"memory/{name}.md", name) for name in "ab"]
    with killed_before(4), pytest.raises(Killed):
        undo(memory)
    runs.append(write(memory, "memory/c.md", "c"))

    undone = [undo(memory).run.id for _ in runs]

    assert undone == runs[::-1]
    assert [known.run.id for known in known_runs(memory) if known.undone] == undone


PROGRAM = """
from strata.memory import Memory
from strata.jobs.undo import undo
undo(Memory.open(workspace=sys.argv[1], state_dir=sys.argv[1], now=sys.argv[2]))
"""
AFTER = "2026-11-20T09:00:00+00:00"


def test_kill_at_any_step_is_made_good(tmp_path: Path) -> None:
    """
    Killed before any change on disk, the next undo ends where the first would have.
    """
    killed = True
    for step in range(1, 200, 5):
        root = tmp_path / str(step)
        (root / "memory").mkdir(parents=True)
        (root / DAILY).write_text(OLD)
        (root / "MEMORY.md").write_text("- mine\n")
        before = tree(root)
        memory = open_memory(root)
        with recorded(memory, "tidy"):
            memory.workspace.update(DAILY, lambda text: text + "- more\n")
            memory.workspace.move(DAILY, ARCHIVED)
            memory.workspace.update(ARCHIVED, lambda text: text + "- late\n")
            memory.workspace.update("MEMORY.md", lambda _: "theirs\n")
            memory.workspace.update(WEEKLY, lambda _: "# Week\n")
        killed = run_killed_at(step, root, PROGRAM, str(root), AFTER)
        if killed:
            with suppress(NotFound):
                undo(open_memory(root, AFTER))

        backup = "memory/archive/MEMORY.md.bak-2026-11-20"
        assert tree(root, without=".strata") == {**before, backup: b"theirs\n"}
        assert len(list(memory.journal.records("undone"))) == 1
        assert [known.undone for known in known_runs(memory)] == [False, True]
        if not killed:
            break
    assert not killed


def test_command_lists_previews_and_undoes(memory: Memory) -> None:
    """
    ``undo --list`` names the runs, ``--dry-run`` the files; JSON has both.
    """
    tidy(memory)
    arguments = ["--workspace", str(memory.workspace.root), "--json", "undo"]

    (listed,) = _json(*arguments, "--list")["runs"]
    planned = _json(*arguments, "--dry-run")
    done = _json(*arguments, "--run", listed["run"][:6])

    assert (listed["kind"], listed["files"], listed["undone"]) == ("tidy", 2, False)
    assert planned["moved"] == done["moved"] == [{"from": ARCHIVED, "to": DAILY}]
    assert planned["removed"] == done["removed"] == [WEEKLY]
    assert planned["by"] is None
    assert [each["undone"] for each in _json(*arguments, "--list")["runs"]] == [
        False,
        True,
    ]


def _json(*arguments: str) -> Any:
    shown = CliRunner().invoke(commands, list(arguments))
    assert shown.exit_code == 0, shown.output
    return json.loads(shown.output)


def test_undo_speaks_the_owners_language(
    memory: Memory, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Who writes Chinese reads in Chinese what was undone, and why not.
    """
    options = ["--workspace", str(memory.workspace.root), "--set", "language=zh"]
    tidy(memory)

    assert run([*options, "undo"]) == 0
    assert run([*options, "undo", "--list"]) == 0
    told = capsys.readouterr().out
    write(memory, "MEMORY.md", "one\n", "remember")
    memory.workspace.update("MEMORY.md", lambda _: "mine\n")
    assert run([*options, "undo"]) == 1

    assert "undo：已撤销" in told
    assert "要反悔：strata undo --run" in told
    assert "个文件" in told
    assert "后来被 sync 或别人改过；什么都没有撤销" in capsys.readouterr().err
