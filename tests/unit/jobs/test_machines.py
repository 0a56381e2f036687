"""Two machines share a memory through a folder, and come to the same."""

from __future__ import annotations

import shutil
import socket
from pathlib import Path
from random import Random

import pytest
from builders_encryption import KEY, own_memory, use_key
from builders_encryption import holding as holding_in
from builders_machines import Lives, Machine, two_machines
from killing import run_killed_at

from strata.cli import main
from strata.errors import (
    NotFound,
    ScopeNotAllowed,
    StrataError,
    UsageError,
    WorkspaceUnavailable,
)
from strata.jobs.doctor import examine, mend
from strata.jobs.encryption import switch_on
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.machines.joining import join, key_of, known_machines, leave
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy
from strata.jobs.undo import known_runs, undo

TESTS = Path(__file__).parents[2]
GROUP = "group:telegram-0123456789abcdef0123"
PORT = "We decided that the staging server listens on port 8443."
PNPM = "From now on always use pnpm, never npm, in acme-dashboard."


@pytest.fixture
def lives(tmp_path: Path) -> Lives:
    return two_machines(tmp_path, Random(1))  # noqa: S311 - a figure of a test


def said(machine: Machine, words: str) -> None:
    machine.says(words)
    sync(machine.memory())


def days(machine: Machine) -> str:
    return "".join(machine.notes().values())


def test_what_is_said_on_one_machine_is_known_on_the_other(lives: Lives) -> None:
    """
    Each has the blocks of both, once, in the same bytes, with one history.
    """
    said(lives.a, PORT)
    said(lives.b, PNPM)

    lives.end()

    assert lives.faults() == []
    assert days(lives.a).count("port 8443") == days(lives.a).count("pnpm, never") == 1
    captured = list(lives.b.memory().journal.records("captured"))
    assert len({record["session"] for record in captured}) == 2


def test_joining_moves_no_byte_of_a_memory(tmp_path: Path) -> None:
    """
    The first machine has the notes and the journal that it had.
    """
    machine = Machine(tmp_path / "a", "a")
    (machine.root / "state").mkdir(parents=True)
    said(machine, PORT)
    note = next((machine.root / "workspace" / "memory").glob("2*.md"))
    note.write_text(f"{note.read_text()}\n\n## Mine\n\n* odd   spaces \n```\n# x\n```")
    journal = machine.memory().journal.path
    before = note.read_bytes(), journal.read_bytes()

    join(machine.memory(), str(machine.shared))
    sync(machine.memory())

    assert (note.read_bytes(), journal.read_bytes()) == before


def test_a_memory_on_one_machine_has_nothing_of_this(tmp_path: Path) -> None:
    """
    Who never joins has no log, no name for the machine, and no folder.
    """
    machine = Machine(tmp_path / "a", "a")
    (machine.root / "state").mkdir(parents=True)

    said(machine, PORT)
    tidy(machine.memory())

    assert not (machine.root / "state" / "strata" / "machines").exists()
    assert not machine.memory().workspace.layout.machines_folder.exists()


def test_an_entry_taken_out_on_one_machine_leaves_the_other(lives: Lives) -> None:
    """
    A line that a hand took out of a note does not come back from the other machine.
    """
    said(lives.a, PORT)
    lives.end()
    note = next((lives.b.root / "workspace" / "memory").glob("2*.md"))
    lines = note.read_text().splitlines(keepends=True)
    note.write_text("".join(line for line in lines if "8443" not in line))

    lives.end()

    assert "8443" not in days(lives.a) + days(lives.b)


def test_two_hands_in_one_block_are_both_heeded(lives: Lives) -> None:
    """
    One machine's block grows while a hand on the other rewords an entry of it.
    """
    said(lives.a, PORT)
    lives.end()
    note = next((lives.b.root / "workspace" / "memory").glob("2*.md"))
    note.write_text(note.read_text().replace("port 8443.", "port 9443 as of today."))
    lives.a.says(PNPM, goes_on=True)
    sync(lives.a.memory())

    lives.end()

    assert lives.faults() == []
    assert "port 9443 as of today" in days(lives.a)
    assert "port 8443" not in days(lives.a)
    assert days(lives.a).count("pnpm, never") == 1


def test_what_one_machine_forgot_is_forgotten_on_the_other(lives: Lives) -> None:
    """
    The words leave every file of both, and no late file of the other brings them back.
    """
    said(lives.a, PORT)
    lives.end()
    late = {file: file.read_bytes() for file in lives.b.shared.glob("*.jsonl")}

    lives.b.minutes += 30
    forget(lives.b.memory(), Target(text="staging"))
    assert not holding(lives.b, "staging") - {*late}
    lives.end()
    assert not holding(lives.a, "staging") | holding(lives.b, "staging")
    for file, content in late.items():
        file.write_bytes(content)
    sync(lives.b.memory())

    assert not holding(lives.b, "staging") - {*late}
    lives.end()
    assert not holding(lives.a, "staging") | holding(lives.b, "staging")


def test_a_forgetting_is_told_at_once(lives: Lives) -> None:
    """
    The machine may be off before its next sync.
    """
    said(lives.a, PORT)
    lives.end()
    own = lives.b.shared / f"{known_machines(lives.b.memory())[0].id}.jsonl"
    before = own.read_bytes()
    told = {"workspace": "workspace", "state-dir": "state"}
    where = [f"--{name}={lives.b.root / folder}" for name, folder in told.items()]

    with pytest.raises(SystemExit, match="0"):
        main([*where, f"--now={lives.b.now.isoformat()}", "forget", "staging", "--yes"])

    assert len(own.read_bytes()) > len(before)


def holding(machine: Machine, words: str) -> set[Path]:
    places = (machine.root / "workspace", machine.shared)
    files = [file for place in places for file in place.rglob("*") if file.is_file()]
    return {file for file in files if words.encode() in file.read_bytes()}


def test_a_lost_strata_folder_costs_nothing(lives: Lives) -> None:
    """
    Without `.strata` a machine gets its history back from its own log in the folder.
    """
    said(lives.a, PORT)
    said(lives.b, PNPM)
    lives.end()
    config = lives.a.memory().workspace.layout.settings_file.read_text()
    before = lives.a.history()
    shutil.rmtree(lives.a.root / "workspace" / ".strata")
    lives.a.memory().workspace.make_private()
    lives.a.memory().workspace.layout.settings_file.write_text(config)

    lives.end()

    assert lives.a.history() == before
    assert lives.faults() == []


def test_a_folder_out_of_reach_keeps_nothing_back(lives: Lives) -> None:
    """
    Sync goes on, doctor says what is wrong, and what was said is told once it is back.
    """
    lives.a.shared.rename(lives.a.root / "elsewhere")
    said(lives.a, PORT)

    assert "machines" in [
        e.name
        for e in examine(lives.a.memory(), ask_gateway=False)
        if e.level == "problem"
    ]
    (lives.a.root / "elsewhere").rename(lives.a.shared)
    lives.end()
    assert "8443" in days(lives.b)


def test_the_other_machines_words_can_be_undone(lives: Lives) -> None:
    """
    What an exchange brought is a run like any other.
    """
    said(lives.a, PORT)
    lives.carrier.settle()
    sync(lives.b.memory())
    assert "8443" in days(lives.b)

    undo(lives.b.memory())

    assert "8443" not in days(lives.b)
    assert [each.run.kind for each in known_runs(lives.b.memory())][1] == "machines"


def test_a_run_of_the_other_machine_is_undone_there(lives: Lives) -> None:
    """
    Undo says on which machine a run was; undone there, it is undone here as well.
    """
    said(lives.a, PORT)
    lives.a.day = lives.b.day = 20
    sync(lives.a.memory())
    tidy(lives.a.memory())
    weeks = [name for name in lives.a.notes() if name.startswith("weekly/")]
    lives.end()
    assert (
        [name for name in lives.b.notes() if name.startswith("weekly/")] == weeks != []
    )
    run = next(e.run for e in known_runs(lives.a.memory()) if e.run.kind == "tidy")

    with pytest.raises(NotFound, match=lives.a.memory().machines.own):  # type: ignore[union-attr]
        undo(lives.b.memory(), run.id)
    undo(lives.a.memory(), run.id)
    lives.end()

    assert not [name for name in lives.b.notes() if name.startswith("weekly/")]
    assert lives.a.notes() == lives.b.notes()


def test_who_lacks_the_key_does_not_join(lives: Lives, tmp_path: Path) -> None:
    """
    Without the key, with a wrong one, or for another agent nothing is shared.
    """
    third = Machine(tmp_path / "c", "c")
    (third.root / "state").mkdir(parents=True)
    shared = str(lives.a.shared)
    said(lives.a, PORT)
    said(third, PNPM)

    for key in ("", "abc", "a" * 52):
        with pytest.raises(StrataError):
            join(third.memory(), shared, key)
    with pytest.raises(UsageError):
        join(third.memory(), str(third.root / "workspace" / "x"))

    assert third.memory().machines is None
    join(third.memory(), shared, key_of(lives.a.memory()))
    assert len(known_machines(third.memory())) == 2


def test_a_copy_of_a_machine_is_refused(lives: Lives) -> None:
    """
    Two machines that write under one name, as after a copied disk, are told so.
    """
    said(lives.a, PORT)
    own = lives.a.memory().machines
    assert own
    file = lives.a.shared / f"{own.own}.jsonl"
    lines = file.read_text().splitlines()
    forged = [*lines[:-1], lines[-1].replace("8443", "9999"), lines[-1]]
    file.write_text("\n".join(forged) + "\n")

    with pytest.raises(WorkspaceUnavailable):
        sync(lives.a.memory())


def test_who_leaves_keeps_what_was_brought(lives: Lives) -> None:
    """
    Notes stay, and nothing more is told.
    """
    said(lives.a, PORT)
    lives.end()
    leave(lives.b.memory())
    said(lives.a, PNPM)
    lives.carrier.settle()
    sync(lives.b.memory())

    assert "8443" in days(lives.b)
    assert "pnpm, never" not in days(lives.b)


def test_a_copied_workspace_says_nothing_twice(lives: Lives, tmp_path: Path) -> None:
    """
    A second machine that begins as a copy of the first has every note and record once.
    """
    said(lives.a, PORT)
    lives.end()
    third = Machine(tmp_path / "c", "c")
    shutil.copytree(lives.a.root / "workspace", third.root / "workspace")
    shutil.copytree(lives.a.root / "state" / "agents", third.root / "state" / "agents")
    leave(third.memory())
    third.minutes = lives.a.minutes + 5

    join(third.memory(), str(lives.a.shared), key_of(lives.a.memory()))
    said(third, PNPM)
    lives.a.minutes = third.minutes
    sync(lives.a.memory())

    assert days(third) == days(lives.a)
    for machine in (third, lives.a):
        captured = list(machine.memory().journal.records("captured"))
        assert len(captured) == len({str(each["session"]) for each in captured}) == 2


def test_a_group_shares_nothing(lives: Lives) -> None:
    """
    What a group said stays on the machine that heard it.
    """
    group = lives.a.memory().within(GROUP)

    assert group.machines is None
    with pytest.raises(ScopeNotAllowed):
        join(group, str(lives.a.shared))


def test_what_is_encrypted_is_so_in_the_folder(
    lives: Lives, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Where memory is encrypted no word stands in the folder, and who has the key reads on.
    """
    said(lives.a, PORT)
    lives.end()
    use_key(monkeypatch, KEY)
    with (
        own_memory(lives.a.root / "workspace"),
        own_memory(lives.b.root / "workspace"),
    ):
        switch_on(lives.a.memory(locked=True))
        said(lives.a, PNPM)
        lives.carrier.settle()
        use_key(monkeypatch)
        said(lives.b, "We decided that the backup runs at four in the night.")
        assert "pnpm, never" not in days(lives.b)
        found = examine(lives.b.memory(), ask_gateway=False)
        assert "problem" in [e.level for e in found if e.name == "machines"]

        use_key(monkeypatch, KEY)
        vault = "workspace/memory/encryption.json"
        shutil.copy(lives.a.root / vault, lives.b.root / vault)
        switch_on(lives.b.memory(locked=True))
        lives.end()

        assert lives.faults() == []
        assert "pnpm, never" in days(lives.b)
        for machine in (lives.a, lives.b):
            assert holding_in(machine.shared, "pnpm, never", "backup runs") == []


PROGRAM = """
from pathlib import Path
from builders_encryption import KEY, own_memory, use_key
from builders_encryption import holding as holding_in
from builders_machines import Machine
from strata.jobs.sync import sync
root, minutes = sys.argv[1:]
sync(Machine(Path(root), "b", minutes=int(minutes)).memory())
"""


@pytest.mark.parametrize("step", [1, 3, 6, 9, 12, 15, 18, 22, 27, 33])
def test_killed_at_any_step_nothing_is_lost_or_twice(lives: Lives, step: int) -> None:
    """
    A sync that is killed for real while it exchanges is made good by the next.
    """
    said(lives.a, PORT)
    said(lives.b, PNPM)
    lives.end()
    note = next((lives.b.root / "workspace" / "memory").glob("2*.md"))
    note.write_text(f"{note.read_text()}\n## Notes\n- zq1b was looked at\n")
    lives.written.add("zq1b")
    said(lives.a, "We decided that the backup runs at four in the night.")
    lives.carrier.settle()
    program = f"sys.path.insert(0, {str(TESTS)!r})\n{PROGRAM}"
    minutes = str(lives.a.minutes + 5)

    run_killed_at(step, lives.b.root, program, str(lives.b.root), minutes)
    lives.end()

    assert lives.faults() == []
    for words in ("port 8443", "pnpm, never", "backup runs", "looked at"):
        assert days(lives.a).count(words) == 1


NAMES = (
    "{day}.sync-conflict-20261102-081500-ABCDEF7.md",
    "{day} (anna's conflicted copy 2026-11-02).md",
    "{day} (conflicted copy 2026-11-02 081500).md",
    "{day}_conflict-20261102-081500.md",
    "{day}.Conflict.md",
    "{day} (1).md",
    "{day} 2.md",
    "{day}-LAPTOP-4F7QK2MD.md",
)


@pytest.mark.parametrize("name", NAMES)
def test_doctor_merges_second_versions(tmp_path: Path, name: str) -> None:
    """
    Doctor names them, `--fix` merges them, and undo brings both back.
    """
    machine = Machine(tmp_path / "a", "a")
    (machine.root / "state").mkdir(parents=True)
    said(machine, PORT)
    folder = machine.root / "workspace" / "memory"
    note = next(folder.glob("2*.md"))
    copy = folder / name.format(day=note.stem)
    before = note.read_text()
    second = before.replace("8443.", "8443.\n- pnpm it is") + "\n## Notes\n- theirs\n"
    copy.write_text(second)
    other = folder / f"{note.stem}-recipes.md"
    other.write_text("# Recipes\n- flour\n")

    found = examine(machine.memory(), ask_gateway=False)
    assert [e.level for e in found if e.name == "versions"] == ["problem"]
    mend(each for each in found if each.name == "versions")

    assert not copy.exists()
    assert note.read_text() == second
    assert other.exists()
    undo(machine.memory())
    assert (note.read_text(), copy.read_text()) == (before, second)


OWN = (
    ("{day}-old.md", "{whole}- and more\n"),
    ("{day} (1).md", "{title}\n\n## Mine\n- a list of my own\n"),
    ("{day}-LAPTOP-4F7QK2MD.md", "{title}\n\n## Mine\n- a list of my own\n"),
)


@pytest.mark.parametrize(("name", "text"), OWN)
def test_what_may_be_somebodys_own_is_named_alone(
    tmp_path: Path, name: str, text: str
) -> None:
    """
    A copy of a note that a hand made, or a list of that day, stays where and as it is.
    """
    machine = Machine(tmp_path / "a", "a")
    (machine.root / "state").mkdir(parents=True)
    said(machine, PORT)
    note = next((machine.root / "workspace" / "memory").glob("2*.md"))
    whole = note.read_text()
    own = note.with_name(name.format(day=note.stem))
    own.write_text(text.format(whole=whole, title=whole.split("\n")[0]))
    before = own.read_text()

    found = examine(machine.memory(), ask_gateway=False)
    mend(each for each in found if each.name == "versions")

    assert [e.level for e in found if e.name == "versions"] == ["note"]
    assert (note.read_text(), own.read_text()) == (whole, before)


def test_a_name_of_one_of_the_machines_is_one_drives(lives: Lives) -> None:
    """
    What ends in the name of this computer, or of another that shares memory, is merged.
    """
    said(lives.a, PORT)
    lives.end()
    host = socket.gethostname().split(".")[0]
    note = next((lives.a.root / "workspace" / "memory").glob("2*.md"))
    copy = note.with_name(f"{note.stem}-{host}.md")
    copy.write_text(f"{note.read_text()}\n## Notes\n- theirs\n")

    found = examine(lives.a.memory(), ask_gateway=False)
    mend(each for each in found if each.name == "versions")

    assert not copy.exists()
    assert "- theirs" in note.read_text()


def test_words_that_one_machine_alone_knows_are_forgotten_by_the_other(
    tmp_path: Path,
) -> None:
    """
    They leave every file, late ones too, wherever clocks stand.
    """
    for apart in (0, 1440, -1440):
        root = tmp_path / str(apart)
        lives = two_machines(root, Random(1), apart=apart)  # noqa: S311 - a figure of a test
        said(lives.b, PORT)
        late = {file.name: file.read_bytes() for file in lives.b.shared.glob("*.jsonl")}
        lives.b.says("And the staging server needs 16 GB of memory.", goes_on=True)
        lives.a.minutes = lives.b.minutes + 5
        forget(lives.a.memory(), Target(text="staging"))
        for name, content in late.items():
            (lives.a.shared / name).write_bytes(content)
        sync(lives.a.memory())
        assert holding(lives.a, "staging") <= {lives.a.shared / each for each in late}

        lives.b.minutes = lives.a.minutes + 5
        lives.end()
        tidy(lives.b.memory())
        lives.end()

        assert lives.faults() == []
        assert not holding(lives.a, "staging") | holding(lives.b, "staging")


def test_what_a_hand_reworded_and_the_owner_forgot_is_not_told_again(
    tmp_path: Path,
) -> None:
    """
    The conversation still says it, and tidy looks there for what a hand took out.
    """
    machine = Machine(tmp_path / "a", "a")
    (machine.root / "state").mkdir(parents=True)
    said(machine, PORT)
    note = next((machine.root / "workspace" / "memory").glob("2*.md"))
    note.write_text(note.read_text().replace("8443.", "8443, as of today."))
    machine.minutes += 5
    forget(machine.memory(), Target(text="staging"))

    machine.day += 1
    tidy(machine.memory())

    assert not holding(machine, "staging")


def test_what_is_said_anew_after_it_was_heard_stays(lives: Lives) -> None:
    """
    The owner says it again on a machine that knows it was forgotten on the other.
    """
    said(lives.a, PORT)
    lives.end()
    forget(lives.a.memory(), Target(text="staging"))
    lives.end()
    lives.b.minutes += 10
    said(lives.b, PORT)

    lives.end()

    assert "staging" in days(lives.a)
    assert lives.faults() == []


def test_doctor_merges_what_git_marked(tmp_path: Path) -> None:
    """
    Both sides of a conflict stay, and the marks go.
    """
    machine = Machine(tmp_path / "a", "a")
    (machine.root / "state").mkdir(parents=True)
    said(machine, PORT)
    note = next((machine.root / "workspace" / "memory").glob("2*.md"))
    whole = note.read_text()
    note.write_text(
        f"{whole}\n<<<<<<< HEAD\n## Notes\n- ours\n=======\n## Notes\n- theirs\n>>>>>>> b\n"
    )

    found = examine(machine.memory(), ask_gateway=False)
    mend(each for each in found if each.name == "versions")

    text = note.read_text()
    assert text.startswith(whole)
    assert text.count("## Notes") == text.count("- ours") == text.count("- theirs") == 1
    assert "<<<<" not in text
