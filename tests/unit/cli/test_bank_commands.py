"""`strata reflect`, `recall` and `entity`, as a person and a program see them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders_bank import BETHANY, CRAIG, bank_files, write_note, write_week

from strata.cli import run

if TYPE_CHECKING:
    from pathlib import Path

FARO = "Bethany Tulley lives in Faro now, no longer in Porto."
PORTO = "Bethany Tulley lives in Porto."


class Shell:
    """
    Runs commands on one memory.
    """

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self._capsys = capsys
        self._hour = 8

    def run(self, *words: str) -> tuple[int, str, str]:
        """
        The exit code of the command, its output, and what it said beside.
        """
        self._hour += 1
        places = ["--workspace", f"{self.root}/workspace"]
        places += ["--state-dir", f"{self.root}/state"]
        now = ["--now", f"2026-11-20T{self._hour:02}:00:00+00:00"]
        more = ["--set", "timezone=UTC", "--set", "embedding.model=none"]
        self._capsys.readouterr()
        code = run([*places, *now, *more, *words])
        printed = self._capsys.readouterr()
        return code, printed.out, printed.err

    def json(self, *words: str) -> Any:  # Any: JSON
        """
        What the command tells a program.
        """
        code, out, _ = self.run("--json", *words)
        assert code == 0
        return json.loads(out)


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    """
    A shell where a week was written down.
    """
    write_week(tmp_path / "workspace")
    return Shell(tmp_path, capsys)


def test_reflect_tells_what_changed(shell: Shell) -> None:
    """
    Each page by its path, and in the end that there is nothing new.
    """
    code, out, _ = shell.run("reflect")

    assert code == 0
    assert f"new: {BETHANY}" in out
    assert "no changes" in shell.run("reflect")[1]
    write_note(shell.root / "workspace", 7, ["[finding] Bethany Tulley has a boat."])
    _, out, _ = shell.run("reflect")
    assert f"changed: {BETHANY}" in out
    assert f"gone: {CRAIG}" in out


def test_reflect_tells_a_program_the_same(shell: Shell) -> None:
    """
    A dry run too, which writes nothing.
    """
    told = shell.json("reflect", "--dry-run")

    assert bank_files(shell.root / "workspace") == {}
    assert BETHANY in told["new"]
    assert shell.json("reflect") == told


def test_recall_needs_a_bank(shell: Shell) -> None:
    """
    One line says what to do.
    """
    code, out, err = shell.run("recall", "where does Bethany live")

    assert (code, out) == (1, "")
    assert len(err.splitlines()) == 1
    assert "strata reflect" in err


def test_recall_shows_kind_day_name_words_and_place(shell: Shell) -> None:
    """
    Three short lines for each.
    """
    shell.run("reflect")

    code, out, err = shell.run("recall", "where does Bethany Tulley live", "-n", "1")

    assert (code, err) == (0, "")
    first, words, place = out.splitlines()
    assert first.startswith("W 2026-11-05")
    assert "Bethany Tulley" in first
    assert words == f"  {FARO}"
    assert place == "  memory/2026-11-05.md:4"


def test_recall_takes_entity_kind_since_and_budget(shell: Shell) -> None:
    """
    Each narrows what is found.
    """
    shell.run("reflect")
    who = ("recall", "--entity", "Bethany Tulley")

    def texts(*more: str) -> set[str]:
        return {row["text"] for row in shell.json(*who, *more)["results"]}

    every = texts()
    assert {FARO, PORTO} < every
    assert texts("--kind", "O") == {"The user likes Bethany Tulley's tea."}
    assert PORTO not in texts("--since", "2026-11-05")
    assert len(texts("--budget", "60")) < len(every)
    assert len(texts("-n", "1")) == 1


def test_recall_as_of_a_day_tells_what_held_then(shell: Shell) -> None:
    """
    Before the reversal the old value, after it the new one.
    """
    shell.run("reflect")
    asked = ("recall", "where does Bethany Tulley live", "--as-of")

    before = shell.json(*asked, "2026-11-04")["results"]
    after = shell.json(*asked, "2026-11-06")["results"]

    assert before[0]["text"] == PORTO
    assert FARO not in [row["text"] for row in before]
    assert after[0]["text"] == FARO


def test_recall_tells_a_program_everything(shell: Shell) -> None:
    """
    Kind, days, confidence, whom it is about, and where it was said.
    """
    shell.run("reflect")

    (row,) = shell.json("recall", "where Bethany Tulley lives", "-n", "1")["results"]

    assert row["score"] > 0
    del row["score"]
    assert row == {
        "kind": "W",
        "text": FARO,
        "since": "2026-11-05",
        "last": "2026-11-05",
        "until": None,
        "confidence": 0.67,
        "entities": ["Bethany Tulley", "Porto"],
        "sources": ["memory/2026-11-05.md:4"],
        "pages": [BETHANY, "memory/bank/things/porto.md"],
    }


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["recall"], 2),
        (["recall", "--entity", "Quentin"], 1),
        (["recall", "x", "--kind", "Z"], 2),
        (["recall", "x", "--since", "soonish"], 2),
        (["recall", "x", "--as-of", "soonish"], 2),
        (["recall", "x", "--as-of", "yesterday-ish"], 2),
        (["entity"], 2),
        (["entity", "Quentin"], 1),
        (["entity", "merge", "Craig Mather"], 2),
        (["entity", "merge", "Craig Mather", "Quentin"], 1),
        (["entity", "merge", "Craig Mather", "tack"], 1),
        (["entity", "split", "Craig Mather", "craig mather"], 2),
    ],
)
def test_mistake_is_one_line(shell: Shell, words: list[str], code: int) -> None:
    """
    On stderr, and nothing else.
    """
    shell.run("reflect")

    found, out, err = shell.run(*words)

    assert (found, out) == (code, "")
    assert err.strip()
    assert "Traceback" not in err


def test_entity_shows_the_page_and_all_names(shell: Shell) -> None:
    """
    By any case of the name.
    """
    shell.run("reflect")

    _, page, _ = shell.run("entity", "craig", "mather")
    _, names, _ = shell.run("entity", "--list")

    assert page.startswith(CRAIG)
    assert "tack room" in page
    rows = [line.split("  ")[0] for line in names.splitlines()]
    assert {"Bethany Tulley", "Craig Mather"} <= set(rows)
    assert "Zelda Marsh" not in names


def test_no_pages_is_said_by_the_list(shell: Shell) -> None:
    """
    It is no mistake to look.
    """
    code, out, _ = shell.run("entity", "--list")

    assert code == 0
    assert "strata reflect" in out


def test_merge_split_and_undo_are_said_and_done(shell: Shell) -> None:
    """
    Two pages become one, and undo makes two of it again.
    """
    shell.run("reflect")
    before = bank_files(shell.root / "workspace")

    code, out, _ = shell.run("entity", "merge", "Bethany Tulley", "Craig Mather")

    assert code == 0
    assert out.startswith("Bethany Tulley and Craig Mather are one now")
    assert len(bank_files(shell.root / "workspace")) == len(before) - 1
    code, _, err = shell.run("undo")
    assert (code, err) == (0, "")
    assert bank_files(shell.root / "workspace") == before


def test_split_of_two_is_listed_and_undone(shell: Shell) -> None:
    """
    It changes no page, and is a run for all that.
    """
    shell.run("reflect")
    shell.run("entity", "split", "Bethany Tulley", "Craig Mather")

    _, listed, _ = shell.run("undo", "--list")
    code, out, err = shell.run("undo")

    assert "entity" in listed
    assert (code, err) == (0, "")
    assert out.startswith("undo: undid the entity of")
    assert "undone" in shell.run("undo", "--list")[1]


RULE = "The rowing club wants the boat back by nine."


def say_on(shell: Shell, *days: int) -> None:
    """
    The owner says the same on each of *days*, in a conversation of its own.
    """
    for day in days:
        write_note(shell.root / "workspace", day, [f"[finding] {RULE}"])


def test_reflect_proposes_what_was_said_on_several_days(shell: Shell) -> None:
    """
    With the days and a place, and the command that puts it into MEMORY.md; writes nothing.
    """
    say_on(shell, 10, 11)
    assert "remember" not in shell.run("reflect")[1]
    say_on(shell, 12)

    _, out, _ = shell.run("reflect")

    (told,) = (line for line in out.splitlines() if "strata remember" in line)
    assert told.startswith("said on 3 days")
    assert RULE in told
    assert "memory/2026-11-12.md:4" in told
    assert not (shell.root / "workspace" / "MEMORY.md").exists()
    (row,) = shell.json("reflect")["for_memory"]
    assert (row["text"], row["days"], len(row["sources"])) == (RULE, 3, 3)


@pytest.mark.parametrize(
    "line",
    [f"- {RULE}", "- The rowing club wants the boat back by ten."],
)
def test_reflect_proposes_nothing_that_memory_tells_of(shell: Shell, line: str) -> None:
    """
    In whatever words, and nothing that contradicts a line that stands.
    """
    say_on(shell, 10, 11, 12)
    page = shell.root / "workspace" / "MEMORY.md"
    page.write_text(f"# Long-Term Memory\n\n{line}\n", encoding="utf-8")

    assert shell.json("reflect")["for_memory"] == []


def test_what_was_remembered_and_forgotten_again_is_proposed_no_more(
    shell: Shell,
) -> None:
    """
    Who lets a line go does not want it.
    """
    say_on(shell, 10, 11, 12)
    shell.run("remember", RULE)
    (known,) = shell.json("review")["entries"]
    assert shell.json("reflect")["for_memory"] == []

    shell.run("review", "decline", known["id"])

    assert shell.json("reflect")["for_memory"] == []
    assert RULE not in (shell.root / "workspace" / "MEMORY.md").read_text()
