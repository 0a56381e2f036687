"""A whole life of an encrypted memory: nights, crashes, keys, and the way back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import forking
import pytest
from builders import Conversation
from builders_encryption import (
    ALL_NOTES,
    KEY,
    OTHER,
    contents,
    holding,
    own_memory,
    use_key,
)
from builders_memory import open_memory
from killing import run_killed_at
from scripted_model import answering

from strata.cli import run
from strata.search.answering.finding import Question, find
from strata.search.answering.ranking import Ranking
from strata.search.stores.store import Scope
from strata.workspace import stored
from strata.workspace.files import Workspace
from strata.workspace.forms import is_encrypted
from strata.workspace.journal import Journal
from strata.workspace.snapshot import memory_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).parents[2]
DAY, NIGHT = "2026-11-20T12:00:00+00:00", "2026-11-29T03:00:00+00:00"
ENGLISH, CHINESE = "quokkabrunnen", "袋鼠喷泉方案"
# What was asked for meanwhile, and when files were looked through.
GROWING = {".strata/cache/recalls.txt", ".strata/cache/swept.json"}
MAIN = "from strata.cli import main\nmain()"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """
    A place in which somebody has talked in two languages; the key is in the environment.
    """
    talked(tmp_path)
    use_key(monkeypatch, KEY)
    monkeypatch.setenv("STRATA_ENCRYPTION_NOTES", "memory/*")
    with own_memory(tmp_path / "workspace"):
        yield tmp_path


def talked(root: Path) -> None:
    """
    Have *root* hold a conversation with both canaries.
    """
    talk = Conversation(root / "state")
    talk.user(f"From now on always use pnpm for the {ENGLISH} app, never npm.")
    talk.agent("Ok.").user("We keep PostgreSQL 16, because the reports need ACID.")
    talk.agent("Fine.").user(f"我们决定采用{CHINESE}，因为客户要求周五之前上线。")
    talk.agent("好的。").save()
    (root / "workspace").mkdir()


def shared(root: Path, now: str) -> list[str]:
    """
    The options of every command.
    """
    where = ["--workspace", str(root / "workspace"), "--state-dir", str(root / "state")]
    return [*where, "--now", now, "--set", "timezone=UTC"]


def strata(root: Path, *arguments: str, now: str = DAY) -> int:
    """
    The command in this process, as one that starts with what the environment says.
    """
    ordered = [*shared(root, now), *arguments]
    if "query" not in arguments:
        return run(ordered)
    # One that asks keeps the index open for as long as its process lives.
    asked = forking.run(forking.STRATA, *ordered)
    sys.stdout.write(asked.stdout)
    sys.stderr.write(asked.stderr)
    return asked.returncode


def live(root: Path, *settings: str) -> None:
    """
    A day and the night after the week: every job that writes.
    """
    strata(root, "sync")
    strata(root, "query", "pnpm")
    strata(root, "remember", f"Call Anna about the {ENGLISH} invoices on Mondays.")
    strata(root, "remember", f"周报里一定要提到{CHINESE}")
    strata(root, *settings, "tidy", now=NIGHT)
    strata(root, "update", now=NIGHT)
    strata(root, "review", now=NIGHT)
    strata(root, "trace", ENGLISH, now=NIGHT)
    strata(root, "forget", "--yes", "reports need ACID", now=NIGHT)
    strata(root, "query", CHINESE, now=NIGHT)
    strata(root, "audit", "scan", now=NIGHT)


def reply(_prompt: str) -> str:
    """
    What a model says that repeats what it was shown.
    """
    return json.dumps({"lines": [], "left_out": [], "said": [ENGLISH, CHINESE]})


def outside_of_memory_md(root: Path) -> list[str]:
    """
    Where a canary stands, the one page aside that OpenClaw reads itself.
    """
    found = holding(root / "workspace", ENGLISH, CHINESE, "Anna about", "客户要求")
    return [path for path in found if path != "MEMORY.md"]


def test_a_night_leaves_no_plain_byte(root: Path) -> None:
    """
    After sync, remember, tidy with a model, forget and the rest, no file of `.strata` and
    no chosen note holds what was said, in any encoding.
    """
    assert strata(root, "encryption", "on") == 0

    with answering(reply) as model:
        live(root, *(f"--set={each}" for each in model.settings))
        assert model.prompts

    files = [path for path in (root / "workspace/.strata").rglob("*") if path.is_file()]
    assert len(files) > 20
    assert outside_of_memory_md(root) == []
    assert ENGLISH in (root / "workspace/MEMORY.md").read_text("utf-8")
    assert strata(root, "encryption", "status") == 0


def test_encryption_changes_nothing_but_the_bytes(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """
    The same life without encryption leaves the same files as one with, once that is off.
    """
    other = tmp_path_factory.mktemp("plain")
    talked(other)
    live(other)

    strata(root, "encryption", "on")
    live(root)
    strata(root, "encryption", "off")

    assert contents(other / "workspace/memory") == contents(root / "workspace/memory")
    assert page(other) == page(root)
    assert not (root / "workspace/.strata/index/contents").exists()


def test_on_and_off_restore_every_byte(root: Path) -> None:
    """
    What lived in plain is encrypted and comes back byte for byte, index included.
    """
    live(root)
    before = contents(root / "workspace")

    assert strata(root, "encryption", "on") == 0
    assert outside_of_memory_md(root) == []
    assert strata(root, "query", ENGLISH) == 0
    assert strata(root, "encryption", "off") == 0

    after = contents(root / "workspace")
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    assert changed <= GROWING
    assert (root / "workspace/.strata/index/manifest.sqlite").exists()


@pytest.mark.parametrize("way", ["on", "off"])
@pytest.mark.slow
def test_killed_on_the_way_it_is_read_and_finished(root: Path, way: str) -> None:
    """
    Killed at any step, memory is read as before, and the same command completes it.
    """
    live(root)
    before = contents(root / "workspace")
    if way == "off":
        strata(root, "encryption", "on")
    command = [*shared(root, NIGHT), "encryption", way]

    step, killed = 5, True
    while killed:
        killed = run_killed_at(step, root / "workspace", MAIN, *command)
        step += 60
        assert said(root, before) == {p: before[p] for p in before if p not in GROWING}
        assert strata(root, "query", ENGLISH, now=NIGHT) == 0

    if way == "on":
        assert outside_of_memory_md(root) == []
        assert strata(root, "encryption", "off") == 0
    assert said(root, contents(root / "workspace")) == said(root, before)


def said(root: Path, paths: Iterable[str]) -> dict[str, bytes]:
    """
    What the files *paths* say, in whatever form they are.
    """
    return {
        path: stored.read(root / "workspace" / path)
        for path in paths
        if path not in GROWING
    }


def page(root: Path) -> str:
    """
    MEMORY.md as it is.
    """
    return (root / "workspace/MEMORY.md").read_text("utf-8")


def test_without_the_key_nothing_happens(
    root: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """
    No key or a wrong one is one clear line and exit code 77; not one byte changes.
    """
    strata(root, "encryption", "on")
    strata(root, "sync")
    before = contents(root / "workspace")

    for key in ("", OTHER):
        use_key(monkeypatch, key)
        for command in ("sync", "tidy", "query pnpm", "update", "status", "mcp"):
            capfd.readouterr()
            assert (command, 77) == (command, strata(root, *command.split()))
            assert len(capfd.readouterr().err.splitlines()) == 1
        assert strata(root, "encryption", "off") == 77
        assert strata(root, "remember", "Water the plants on Fridays.") == 77

    assert contents(root / "workspace") == before


def test_events_wait_for_the_key(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    A gateway without the key keeps its events; `doctor` tells, and with the key they are
    handled as if nothing had been.
    """
    strata(root, "encryption", "on")
    use_key(monkeypatch)

    assert strata(root, "event", "session_end", "--session", "61871d67") == 77
    assert strata(root, "event", "cron", "--job", "memory-sync") == 77
    assert strata(root, "doctor") == 1
    told = capsys.readouterr()
    assert "2 events wait for it, none is lost" in told.out + told.err
    use_key(monkeypatch, KEY)
    assert strata(root, "event", "heartbeat") == 0

    assert list((root / "workspace/.strata/spool").glob("*.json")) == []
    note = Workspace(root / "workspace").read("memory/2026-11-20.md")
    assert ENGLISH in note


def test_key_changes_without_rewriting(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    The new key opens all that the old one did, and the old one nothing.
    """
    strata(root, "encryption", "on")
    strata(root, "sync")
    note = (root / "workspace/memory/2026-11-20.md").read_bytes()
    (root / "new").write_text("芝麻开门 open sesame 芝麻\n", "utf-8")

    assert strata(root, "encryption", "change-key") == 2
    assert (
        strata(root, "encryption", "change-key", "--new-key-file", f"{root}/new") == 0
    )

    use_key(monkeypatch, KEY)
    assert strata(root, "query", "pnpm") == 77
    use_key(monkeypatch)
    assert strata(root, f"--set=encryption.key_file={root}/new", "query", "pnpm") == 0
    assert (root / "workspace/memory/2026-11-20.md").read_bytes() == note


def test_damage_is_named(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """
    A flipped byte in a note, a cache or a line of the journal is found and named; `off`
    decrypts the rest and keeps the key.
    """
    strata(root, "encryption", "on")
    strata(root, "sync")
    for path in ("memory/2026-11-20.md", ".strata/cache/sync.json"):
        flip(root / "workspace" / path, 200)
    flip(root / "workspace/.strata/journal.jsonl", 60)
    capsys.readouterr()

    assert strata(root, "encryption", "status") == 1
    told = capsys.readouterr().out
    assert strata(root, "doctor") == 1
    assert strata(root, "encryption", "off") == 1

    for where in ("memory/2026-11-20.md", "cache/sync.json", "journal.jsonl:1"):
        assert f"{where}\n" in told
    assert (root / "workspace/memory/encryption.json").exists()


def flip(file: Path, place: int) -> None:
    """
    Have one bit of *file* be another one.
    """
    content = bytearray(file.read_bytes())
    content[place] ^= 1
    file.write_bytes(bytes(content))


def test_index_comes_back_after_a_restart(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """
    What lies in the machine's memory is gone after a restart, and is fetched from its
    encrypted copy; a damaged copy is made anew from the notes.
    """
    strata(root, "encryption", "on")
    strata(root, "sync")
    strata(root, "update")
    folder = memory_folder((root / "workspace").resolve())
    assert folder

    restart(root)
    capfd.readouterr()
    assert strata(root, "query", ENGLISH) == 0
    told = capfd.readouterr()
    assert ENGLISH in told.out
    assert told.err == ""
    assert (folder / "manifest.sqlite").exists()

    restart(root)
    for block in (root / "workspace/.strata/index/blocks").iterdir():
        flip(block, 14)
    assert strata(root, "query", ENGLISH) == 0
    assert "damaged; made anew" in capfd.readouterr().err


def restart(root: Path) -> None:
    """
    Empty the machine's memory.
    """
    with own_memory(root / "workspace"):
        pass


def test_without_a_folder_in_memory_the_files_are_searched(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Where the machine offers none, nothing goes to the disk, and keywords find it all.
    """
    monkeypatch.setattr("strata.workspace.snapshot.SHARED_MEMORY", root / "none")
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    strata(root, "encryption", "on")
    strata(root, "sync")
    memory = open_memory(root, DAY, ALL_NOTES)
    said: list[str] = []

    found = find(
        memory.open_index(said.append),
        memory.workspace.root,
        Question(CHINESE, 5, Scope()),
        Ranking(memory.now.date(), 30),
    )

    assert [hit.path for hit in found.hits] == ["memory/2026-11-20.md"]
    assert "XDG_RUNTIME_DIR" in said[0]
    assert outside_of_memory_md(root) == []


def test_scopes_are_encrypted_with_the_owners_key(root: Path) -> None:
    """
    The memory of a group, in its own workspace, is encrypted by the same switch.
    """
    group = root / "workspace/scopes/group-telegram-0123456789abcdef0123"
    (group / "memory").mkdir(parents=True)
    (group / "memory/2026-11-20.md").write_text(f"- {CHINESE}\n", "utf-8")
    (root / "workspace/scopes/.key").write_text("00" * 32)
    Journal(group / ".strata/journal.jsonl").append([{"event": "a", "text": ENGLISH}])

    assert strata(root, "encryption", "on") == 0

    assert outside_of_memory_md(root) == []
    assert Workspace(group).read("memory/2026-11-20.md") == f"- {CHINESE}\n"


def test_git_gets_what_lies_on_the_disk(root: Path) -> None:
    """
    A repository that tracks memory never sees a chosen note in plain.
    """
    strata(root, "encryption", "on")
    for command in ("sync", "tidy"):
        strata(root, "--set=git=true", command, now=NIGHT)
    strata(root, "--set=git=true", "remember", f"{ENGLISH} needs a permit.", now=NIGHT)

    shown = git(root, "log", "-p", "--all", "--", "memory")
    assert "strata-encrypted-1" in shown
    assert ENGLISH not in shown
    assert CHINESE not in shown


def git(root: Path, *arguments: str) -> str:
    """
    What git says in the workspace.
    """
    return subprocess.run(
        ["git", *arguments],
        cwd=root / "workspace",
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_two_processes_write_at_once(root: Path) -> None:
    """
    Two commands that remember at the same moment both find their line kept.
    """
    strata(root, "encryption", "on")
    says = ["Water the office plants on Fridays.", "Back up the wiki on Sundays."]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "strata", *shared(root, DAY), "remember", each],
            cwd=ROOT,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            stdout=subprocess.DEVNULL,
        )
        for each in says
    ]

    assert [process.wait(timeout=120) for process in running] == [0, 0]

    note = (root / "workspace/memory/2026-11-20.md").read_bytes()
    assert is_encrypted(note)
    text = Workspace(root / "workspace").read("memory/2026-11-20.md")
    assert all(each in text for each in says)


def test_memory_md_cannot_be_chosen(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    OpenClaw reads MEMORY.md into its prompt, so a setting that hides it is refused.
    """
    assert strata(root, "--set=encryption.notes=MEMORY.md", "encryption", "on") == 2
    assert "stays plain" in capsys.readouterr().err
