"""An index that is kept open answers at once, and stands in nobody's way."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from builders_search import NOTES, ask, index_of, write_notes

from strata.cli import run
from strata.errors import Busy
from strata.search.indexing import lock

if TYPE_CHECKING:
    from strata.search.indexing.index import Index

ROOT = Path(__file__).parents[3]
QUESTION = "Which database do we keep?"
SOCKETS = pytest.mark.skipif(
    sys.platform == "win32", reason="nobody can be asked to let go of the index there"
)
WRITE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from strata.search.indexing.index import Index
workspace = Path(sys.argv[2])
for number in range(int(sys.argv[3])):
    note = workspace / "memory" / f"2026-10-{number + 1:02}.md"
    note.write_text(f"# A day\\n\\n- Service {number} was moved to Valkey 8.\\n")
    Index(workspace / ".strata" / "index", workspace, None).update()
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """
    A workspace with the usual notes.
    """
    return write_notes(tmp_path / "workspace")


@pytest.fixture
def kept(workspace: Path) -> Index:
    """
    An index that stays open.
    """
    index = index_of(workspace)
    index.keep_open(watch=True)
    return index


def writer(workspace: Path, notes: int) -> subprocess.Popen[str]:
    """
    Another process that writes *notes* and indexes each.
    """
    command = [sys.executable, "-c", WRITE, str(ROOT), str(workspace), str(notes)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


@SOCKETS
def test_index_stays_open(
    workspace: Path, kept: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Between two questions the lock is held against those who do not knock.
    """
    ask(kept, workspace, QUESTION)
    monkeypatch.setattr(lock, "_knock", lambda _file: None)

    with (
        pytest.raises(Busy),
        lock.exclusive(kept.shelf.lock_file, patience_seconds=0.05),
    ):
        pass


def test_command_of_a_process_that_goes_on_keeps_nothing(workspace: Path) -> None:
    """
    Who runs a question in a program of its own finds the lock free afterwards.
    """
    index_of(workspace).update()

    run(["--workspace", str(workspace), "query", QUESTION])

    with lock.exclusive(index_of(workspace).shelf.lock_file, patience_seconds=0):
        pass


@SOCKETS
def test_index_is_handed_over(workspace: Path, kept: Index) -> None:
    """
    Who waits for the lock gets it, and what that one writes is found afterwards.
    """
    ask(kept, workspace, QUESTION)

    with writer(workspace, 3) as other:
        assert other.wait(timeout=60) == 0
    answer = ask(kept, workspace, "Service 2 Valkey")

    assert answer.hits[0].path == "memory/2026-10-03.md"


@SOCKETS
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no way round there")
def test_long_path_has_a_bell_too(tmp_path: Path) -> None:
    """
    A workspace whose path has no room in the address of a socket is handed over as well.
    """
    workspace = write_notes(tmp_path / ("deep" * 20) / ("deeper" * 20) / "workspace")
    index = index_of(workspace)
    index.keep_open(watch=False)
    ask(index, workspace, QUESTION)

    with lock.exclusive(index.shelf.lock_file, patience_seconds=30):
        pass


@SOCKETS
def test_deleted_index_is_shared_as_before(
    workspace: Path, kept: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Who still had the deleted one open leaves the bell alone that hangs at the new one.
    """
    monkeypatch.setattr("strata.search.indexing.index.READER_PATIENCE_SECONDS", 1.0)
    other = index_of(workspace)
    other.keep_open(watch=True)
    ask(kept, workspace, QUESTION)
    ask(other, workspace, QUESTION)
    shutil.rmtree(kept.shelf.root)

    conditions = [
        ask(each, workspace, QUESTION).index for each in (kept, other, kept, other)
    ]

    assert conditions == ["current"] * 4


KEEP = """
import sys, time
from pathlib import Path
sys.path[:0] = sys.argv[1:3]
from builders_search import ask, index_of
workspace = Path(sys.argv[3])
index = index_of(workspace)
index.keep_open(watch=True)
ask(index, workspace, "Which database do we keep?")
print("kept", flush=True)
time.sleep(600)
"""


@SOCKETS
def test_what_a_killed_process_leaves_holds_nobody_up(workspace: Path) -> None:
    """
    A program that reads all files there ends, and the next process clears the rest away.
    """
    places = [str(ROOT), str(ROOT / "tests"), str(workspace)]
    with subprocess.Popen(
        [sys.executable, "-c", KEEP, *places], stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "kept\n"
        other.kill()
    assert strange_files(workspace)

    read = subprocess.run(
        ["grep", "-r", "PostgreSQL", str(workspace)],
        capture_output=True,
        timeout=60,
        check=False,
    )
    with lock.exclusive(index_of(workspace).shelf.lock_file, patience_seconds=0):
        pass

    assert b"PostgreSQL" in read.stdout
    assert strange_files(workspace) == []


def strange_files(folder: Path) -> list[Path]:
    """
    What lies below *folder* and is neither a file nor a folder.
    """
    return [p for p in folder.rglob("*") if not (p.is_file() or p.is_dir())]


def test_questions_and_writes_take_turns(workspace: Path, kept: Index) -> None:
    """
    Asked without pause, by several threads in turn, the index still lets a writer in.
    """
    over, turn = threading.Event(), threading.Lock()
    missed: list[str] = []

    def go_on() -> None:
        while not over.is_set():
            with turn:
                answer = ask(kept, workspace, QUESTION)
            if not any("PostgreSQL 16" in hit.snippet for hit in answer.hits):
                missed.append(answer.index)

    threads = [threading.Thread(target=go_on) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        with writer(workspace, 6) as other:
            told = other.communicate(timeout=120)[1]
    finally:
        over.set()
        for thread in threads:
            thread.join()

    assert (other.returncode, told, missed) == (0, "", [])
    assert ask(kept, workspace, "Service 5 Valkey").hits[0].path == (
        "memory/2026-10-06.md"
    )


def test_two_keep_the_same_index(workspace: Path, kept: Index) -> None:
    """
    Two that stay open, in one process even, give way to each other.
    """
    other = index_of(workspace)
    other.keep_open(watch=True)

    answers = [ask(each, workspace, QUESTION) for each in (kept, other, kept, other)]

    assert {answer.index for answer in answers} == {"current"}
    assert all(answer == answers[0] for answer in answers)


def test_deleted_folder_is_made_anew(workspace: Path, kept: Index) -> None:
    """
    Where the index is deleted under it, the next question makes another.
    """
    before = ask(kept, workspace, QUESTION)
    shutil.rmtree(kept.shelf.root)

    assert ask(kept, workspace, QUESTION) == before
    assert kept.shelf.manifest_file.exists()


def test_rebuild_does_not_wait_for_itself(workspace: Path, kept: Index) -> None:
    """
    What is kept open is let go before everything is made anew.
    """
    ask(kept, workspace, QUESTION)

    report = kept.update(rebuild=True)

    assert report.files == len(NOTES)
    assert ask(kept, workspace, QUESTION).answerable


def test_error_lets_go(workspace: Path, kept: Index) -> None:
    """
    After an error in the middle the index is open to others, and then to itself.
    """
    ask(kept, workspace, QUESTION)

    def fail() -> None:
        with kept.shelf.opened(1):
            raise sqlite3.OperationalError("disk I/O error")

    with pytest.raises(Exception, match="disk i/o error"):
        fail()
    with lock.exclusive(kept.shelf.lock_file, patience_seconds=0):
        pass
    assert ask(kept, workspace, QUESTION).answerable


def test_without_sockets_nothing_is_kept(
    workspace: Path, kept: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Where nobody could ask for the index it is closed after each question.
    """

    def refuse(*_arguments: object, **_named: object) -> NoReturn:
        raise OSError("not supported")

    monkeypatch.setattr(lock, "_socket", refuse)

    assert ask(kept, workspace, QUESTION).answerable
    with lock.exclusive(kept.shelf.lock_file, patience_seconds=0):
        pass
