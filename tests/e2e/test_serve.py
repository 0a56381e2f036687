"""The process that the plugin keeps: it answers on and on, and ends with whoever asks."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builders_search import NOTES, write_notes

from strata.workspace.own_folder import Installation, OwnFolder

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
OWNER = {"session": "agent:main:main"}
ENDS_WITHIN = 20.0
# What the plugin waits for an answer.
LONGEST_WAIT_SECONDS = 8.0


class Server:
    """
    A running `strata serve` of *workspace*, asked as the plugin does.
    """

    def __init__(self, workspace: Path, state: Path) -> None:
        shared = ("--workspace", str(workspace), "--state-dir", str(state))
        settings = ("--set", "embedding.model=none", "--set", "timezone=UTC")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "strata", *shared, *settings, "serve"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"OPENCLAW_STATE_DIR": str(state)},
        )
        self._number = 0

    def ask(self, **told: Any) -> dict[str, Any]:
        """
        Return what the process answers.
        """
        return self.say(json.dumps({"asker": OWNER, **told}))

    def say(self, line: str) -> dict[str, Any]:
        """
        Write *line* as it is, and return the answer to it.
        """
        assert self.process.stdin
        assert self.process.stdout
        self._number += 1
        self.process.stdin.write(f"{self._number} {line}\n")
        self.process.stdin.flush()
        number, code, answer = self.process.stdout.readline().split(" ", 2)
        assert (number, code) == (str(self._number), "0")
        found: dict[str, Any] = json.loads(answer)
        return found

    def search(self, query: str, **told: Any) -> list[str]:
        """
        Return the snippets that the tool finds.
        """
        found = self.ask(name="search", query=query, **told)
        return [row["snippet"] for row in found["results"]]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """
    A state directory into which Strata is installed.
    """
    OwnFolder(tmp_path / "state").save(Installation(program="openclaw"))
    return tmp_path / "state"


@pytest.fixture
def server(tmp_path: Path, state: Path) -> Iterator[Server]:
    started = Server(write_notes(tmp_path / "w", NOTES), state)
    yield started
    started.process.kill()
    started.process.wait()
    for stream in (started.process.stdin, started.process.stdout):
        assert stream
        stream.close()


def test_rows_are_those_of_the_tools_contract(server: Server) -> None:
    """
    A hit names file, lines, score and citation as OpenClaw's own search does.
    """
    found = server.ask(name="search", query="which database do we keep", limit=2)

    rows = found["results"]
    assert found["notice"] == ""
    assert 1 <= len(rows) <= 2
    assert "PostgreSQL 16" in rows[0]["snippet"]
    assert rows[0]["citation"].startswith(f"{rows[0]['path']}#L{rows[0]['startLine']}-")
    scores = [row["score"] for row in rows]
    assert scores == sorted(scores, reverse=True)


def test_several_wordings_are_one_question(server: Server) -> None:
    """
    What only the second wording finds is found, and each place once.
    """
    alone = server.ask(name="search", query="wann wird die Datenbank umgezogen")
    assert alone["results"] == []

    both = server.search("wann wird die Datenbank umgezogen | 数据库迁移推迟到什么时候")

    assert any("数据库迁移推迟到三月" in each for each in both)
    assert len(both) == len(set(both))


def test_where_nothing_answers_a_notice_says_so(server: Server) -> None:
    """
    An agent that gets no rows is told that it is not its query's form.
    """
    nothing = server.ask(name="search", query="who won the zeppelin race")
    little = server.ask(
        name="search", query="who broke the greenhouse windows in April"
    )

    assert (nothing["results"], nothing["notice"]) == ([], "nothing found")
    assert "merely closest" in little["notice"]
    assert 1 <= len(little["results"]) <= 3
    assert all(row["unsure"] for row in little["results"])


def test_lines_are_read_where_a_citation_names_them(server: Server) -> None:
    """
    From a line on, with where it goes on, and by a citation as well.
    """
    path = "memory/2026-11-19.md"

    part = server.ask(name="get", path=path, **{"from": 4}, lines=1)
    cited = server.ask(name="get", path=f"{path}#L4-L4", **{"from": 4})
    missing = server.ask(name="get", path="memory/1999-01-01.md")

    assert part["text"] == cited["text"]
    assert "PostgreSQL 16" in part["text"]
    assert (part["from"], part["lines"]) == (4, 1)
    assert "1999-01-01" in missing["notice"]


@pytest.mark.parametrize("path", ["/etc/passwd", "../x.md", "docs/a.md"])
def test_what_is_no_memory_is_left_to_openclaw(server: Server, path: str) -> None:
    """
    Its own tool may read more than Strata's files, and decides that itself.
    """
    assert server.ask(name="get", path=path) == {"elsewhere": True}


def test_new_line_is_found_at_once(server: Server, tmp_path: Path) -> None:
    """
    The index stays open, and what changes on the disk is seen by the next question.
    """
    assert not any(
        "Friedrichshafen" in e for e in server.search("where does the zeppelin land")
    )

    note = tmp_path / "w" / "memory" / "2026-11-20.md"
    note.write_text(f"{note.read_text()}- The zeppelin lands in Friedrichshafen.\n")

    assert any(
        "Friedrichshafen" in e for e in server.search("where does the zeppelin land")
    )


@pytest.mark.parametrize(
    "line", ["", "{", "[]", "7", '{"name": "rm"}', '{"name": "search", "query": 5}']
)
def test_nonsense_is_answered_and_the_next_question_too(
    server: Server, line: str
) -> None:
    """
    Whatever a plugin of another version writes, the process goes on.
    """
    answer = server.say(line)

    assert answer.keys() & {"failed", "results"}
    assert server.search("which database do we keep")


def test_message_of_200_kb_is_answered(server: Server) -> None:
    """
    A pasted book is a question like any other.
    """
    found = server.ask(name="search", query="database " * 25_000)

    assert "failed" not in found


def test_in_the_slot_the_tools_are_given_back_to_nobody(
    server: Server, tmp_path: Path
) -> None:
    """
    There are no others: a setting that gives them back holds for the redirect alone.
    """
    settings = tmp_path / "w" / ".strata" / "config.toml"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text("[search]\nnative = false\n")
    asked = {"name": "search", "query": "which database do we keep"}

    assert server.ask(**asked) == {"elsewhere": True}
    assert server.ask(**asked, slot=True)["results"]


def test_second_gateway_is_answered_like_the_first(
    server: Server, tmp_path: Path, state: Path
) -> None:
    """
    Each keeps a process of its own on the same memory, and one's end is not the other's.
    """
    first = server.search("which database do we keep")
    second = Server(tmp_path / "w", state)
    other = second.search("which database do we keep")
    second.process.kill()
    second.process.communicate()

    assert first == other != []
    assert server.search("which database do we keep")
    assert OwnFolder(state).lost_its_server() is False


def test_rebuilt_index_keeps_nobody_waiting(server: Server, tmp_path: Path) -> None:
    """
    While the index is made anew from the files, again and again, questions are answered.
    """
    shared = ("--workspace", str(tmp_path / "w"), "--set", "embedding.model=none")
    command = [sys.executable, "-m", "strata", *shared, "update", "--rebuild"]
    server.search("database")
    rounds = [
        subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(2)
    ]
    answers = []
    while any(each.poll() is None for each in rounds):
        begin = time.monotonic()
        answers.append(server.ask(name="search", query="which database do we keep"))
        assert time.monotonic() - begin < LONGEST_WAIT_SECONDS

    assert answers
    assert [each for each in answers if not each.get("results")] == []


def test_without_memory_left_it_answers_or_dies(server: Server) -> None:
    """
    It never hangs, and says nothing that it did not find; with memory it answers again.
    """
    server.search("database")
    status = Path(f"/proc/{server.process.pid}/statm").read_text()
    used = int(status.split()[0]) * resource.getpagesize()
    before = resource.prlimit(server.process.pid, resource.RLIMIT_AS)
    resource.prlimit(server.process.pid, resource.RLIMIT_AS, (used, before[1]))
    try:
        starved = server.ask(name="search", query="database " * 500_000)
    except ValueError:
        assert server.process.wait(ENDS_WITHIN) != 0
        return
    resource.prlimit(server.process.pid, resource.RLIMIT_AS, before)

    assert starved.keys() & {"failed", "results"}
    assert server.search("which database do we keep")


def test_process_ends_with_whoever_asks(server: Server, state: Path) -> None:
    """
    A gateway that is gone, however, closes the pipe; no file stays behind.
    """
    own = OwnFolder(state)
    server.search("database")
    assert own.lost_its_server() is False
    assert server.process.stdin

    server.process.stdin.close()

    assert server.process.wait(ENDS_WITHIN) == 0
    assert own.lost_its_server() is None


def test_killed_process_is_known_as_lost(
    server: Server, state: Path, tmp_path: Path
) -> None:
    """
    What was killed leaves its lock, which `doctor` reads; the next one takes it over.
    """
    own = OwnFolder(state)
    server.search("database")

    server.process.send_signal(signal.SIGKILL)
    server.process.wait(ENDS_WITHIN)

    assert own.lost_its_server() is True
    second = Server(tmp_path / "w", state)
    assert second.search("which database do we keep")
    assert own.lost_its_server() is False
    second.process.kill()
    second.process.communicate()


def test_process_ends_where_strata_is_uninstalled(server: Server, state: Path) -> None:
    """
    Nobody has to end it: without an installation nobody asks again.
    """
    server.search("database")

    OwnFolder(state).remove()

    deadline = time.monotonic() + ENDS_WITHIN
    while server.process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.1)
    assert server.process.poll() == 0


def test_what_one_agent_prints_is_no_answer(server: Server) -> None:
    """
    The stream of answers is the process's own: nothing of it is masked or parted twice.
    """
    for _ in range(3):
        found = server.ask(name="search", query="which database", conversation="c")
        assert found["results"]


@pytest.mark.parametrize(
    "broken",
    [b"- The \xff\xfe zeppelin.\n", b"- " + "万".encode() * 1200 + b"\n"],
)
def test_odd_line_ends_nothing(server: Server, tmp_path: Path, broken: bytes) -> None:
    """
    A byte that is no UTF-8, or a number without end: the process reads on and answers.
    """
    note = tmp_path / "w" / "memory" / "2026-11-20.md"
    note.write_bytes(note.read_bytes() + broken)

    server.ask(name="recall", text="where is the zeppelin", conversation="c1")
    time.sleep(4)

    assert server.process.poll() is None
    assert server.search("which database do we keep")
    assert "failed" not in server.ask(name="search", query="万" * 1200)


def test_recall_that_comes_too_late_was_none(server: Server) -> None:
    """
    The plugin has gone on without it, so it must come with the next message.
    """
    late = server.ask(name="recall", text="database", conversation="c", until=1)

    assert late == {}
