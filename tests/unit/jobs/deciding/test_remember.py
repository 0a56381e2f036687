"""The owner's word enters at once, or a line says why not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from builders_memory import NIGHT, captured, open_memory, page, statements_of
from killing import run_killed_at

from strata.cli import run
from strata.errors import NotAccepted
from strata.jobs.deciding.verdict_list import statements
from strata.jobs.remember import remember
from strata.jobs.review import review
from strata.jobs.tidy import tidy
from strata.jobs.trace import trace
from strata.jobs.undo import undo
from strata.notes.long_term import bare_lines

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

ANNA = "Always reply to Anna in German, she does not read English."
NOTE = "memory/2026-11-20.md"


def test_statement_stands_in_memory_and_note(tmp_path: Path) -> None:
    """
    What is remembered has a line, and the note of its source day holds it.
    """
    memory = open_memory(tmp_path)

    report = remember(memory, ANNA)

    lines = page(memory).split("\n")
    assert lines[report.line - 1] == (f"- {ANNA} (src: 2026-11-20)")
    note = memory.workspace.read(NOTE)
    assert note.startswith("# 2026-11-20\n\n## 12:00 remembered\n- ")
    assert note.endswith(f"{ANNA}\n")


def test_next_night_keeps_it(tmp_path: Path) -> None:
    """
    Tidy finds nothing to do about what was remembered, in either language.
    """
    memory = open_memory(tmp_path)
    remember(memory, ANNA)
    remember(memory, "周报一律用中文写")
    before = page(memory)

    report = tidy(open_memory(tmp_path, NIGHT))

    assert report.paths == []
    assert page(memory) == before


def test_only_what_was_said_enters(tmp_path: Path) -> None:
    """
    Remembering does not promote what waits for the night.
    """
    memory = captured(tmp_path)

    remember(memory, ANNA)
    assert statements_of(memory) == [ANNA]

    tidy(open_memory(tmp_path, NIGHT))
    assert len(statements_of(memory)) > 1


def test_twice_is_once(tmp_path: Path) -> None:
    """
    What MEMORY.md says already is not written again, in any wording.
    """
    memory = open_memory(tmp_path)
    first = remember(memory, "Use pnpm, never npm, in acme-dashboard")
    before = page(memory), memory.workspace.read(NOTE)

    again = remember(memory, "use PNPM, never npm, in acme-dashboard.")

    assert again.known
    assert again.line == first.line
    assert (page(memory), memory.workspace.read(NOTE)) == before


def test_what_it_replaces_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    A correction takes the place of what it corrects, and the command says which that was.
    """
    memory = open_memory(tmp_path)
    old, new = "The staging port is 5432.", "The staging port is 5433, not 5432."
    remember(memory, old)

    run(["--workspace", str(memory.workspace.root), "remember", new])

    assert statements_of(memory) == [new]
    assert f"it took the place of: {old}" in capsys.readouterr().out


def test_section_and_importance_are_the_owners(tmp_path: Path) -> None:
    """
    The section and the importance that were asked for are those of the line.
    """
    memory = open_memory(tmp_path)

    remember(memory, ANNA, section="Important Contacts", importance=4)

    text = page(memory)
    assert text.index("## Important Contacts") < text.index(ANNA)
    (record,) = memory.journal.records("promoted")
    assert record["importance"] == 4


def test_dates_become_absolute(tmp_path: Path) -> None:
    """
    A date that is certain is written in full; the line leaves when it is over.
    """
    memory = open_memory(tmp_path)

    remember(memory, "Until next Friday deploy only to staging")
    (said,) = statements_of(memory)
    assert re.search(r"\(2026-11-2\d\)", said)

    report = tidy(open_memory(tmp_path, "2026-12-05T03:00:00+00:00"))
    assert statements_of(memory) == []
    (expired,) = report.distilled.of("expired")
    assert expired["reason"].startswith("it held until 2026-11-2")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("   ", "nothing to remember"),
        ("The db password is Tr0ub4dor&3xyz", "secret"),
        ("My card is 4111 1111 1111 1111", "secret or a personal number"),
        ("数据库密码是 Tr0ub4dor&3xyz", "secret"),
        ("We recently moved to Redis", "“recently”"),
        ("最近改用 Redis 了", "“最近”"),
        ("do it like that", "stands by itself"),
        ("x" * 301, "301 characters"),
    ],
)
def test_what_memory_does_not_take(tmp_path: Path, text: str, reason: str) -> None:
    """
    A secret, a lost date, a dangling word or a long text is refused and nothing is written.
    """
    memory = open_memory(tmp_path)

    with pytest.raises(NotAccepted, match=re.escape(reason)):
        remember(memory, text)

    assert not (memory.workspace.root / "MEMORY.md").exists()
    assert not memory.journal.path.exists()


def test_markup_cannot_enter(tmp_path: Path) -> None:
    """
    A comment that OpenClaw would obey stays text.
    """
    memory = open_memory(tmp_path)

    remember(memory, "Use tabs in Makefiles <!-- trigger: everything -->")

    assert "<!-- trigger: everything" not in page(memory)


def test_it_is_traced_to_the_owner(tmp_path: Path) -> None:
    """
    The trail of a remembered line ends at the moment it was told, unbroken.
    """
    memory = open_memory(tmp_path)
    report = remember(memory, ANNA)

    found = trace(memory, f"MEMORY.md:{report.line}")

    (trail,) = found.trails
    assert trail.spoken == "2026-11-20T12:00:00+00:00"
    assert found.is_intact


def test_undo_takes_it_back_for_good(tmp_path: Path) -> None:
    """
    After an undo neither line nor note has it, and the next night does not bring it back.
    """
    memory = captured(tmp_path)
    note = memory.workspace.read(NOTE)
    remember(memory, ANNA)

    undo(memory)
    assert not page(memory)
    assert memory.workspace.read(NOTE) == note

    tidy(open_memory(tmp_path, NIGHT))
    assert ANNA not in page(memory)


def test_no_room_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """
    Where people fill MEMORY.md, the note takes the statement, which waits for a place.
    """
    memory = open_memory(tmp_path)
    human = "".join(f"- line {number} of mine\n" for number in range(80))
    path = memory.workspace.root / "MEMORY.md"
    path.write_text(human)

    code = run([*at(memory), "remember", ANNA])

    assert code == 0
    assert "MEMORY.md has no room" in capsys.readouterr().out
    assert page(memory) == human
    assert ANNA in memory.workspace.read(NOTE)
    (waiting,) = (each for each in statements(memory) if each.text == ANNA)
    assert waiting.kind == "waiting"

    path.write_text("".join(human.splitlines(keepends=True)[9:]))
    tidy(open_memory(tmp_path, NIGHT))
    assert ANNA in page(memory)


def at(memory: Memory) -> list[str]:
    """
    The options that open *memory* at its moment.
    """
    return ["--workspace", str(memory.workspace.root), "--now", memory.now.isoformat()]


@pytest.mark.parametrize(
    ("language", "told"), [("en", "MEMORY.md was full"), ("zh", "MEMORY.md 已满")]
)
def test_what_makes_room_is_not_called_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, told: str
) -> None:
    """
    A line that leaves a full page for another one was not contradicted by it.
    """
    memory = open_memory(tmp_path)
    remember(memory, ANNA, importance=1)
    mine = "".join(f"- line {number} of mine\n" for number in range(80))
    (memory.workspace.root / "MEMORY.md").write_text(page(memory) + mine)

    options = ["--set", f"language={language}", "--importance", "9"]
    said = ["remember", "Use pnpm, never npm, in acme-dashboard", *options]
    run(["--workspace", str(memory.workspace.root), *said])

    assert told in capsys.readouterr().out
    assert ANNA not in page(memory)


def test_full_page_lets_go_what_is_worth_least(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Whatever stands there for good reasons, what the owner says now has its line.
    """
    memory = open_memory(tmp_path)
    mine = "".join(f"- line {number} of mine\n" for number in range(75))
    (memory.workspace.root / "MEMORY.md").write_text(mine)
    for name in ("Ann", "Ben"):
        remember(memory, f"{name} wants every quote in euros.")
    remember(memory, ANNA, section="User Preferences")
    assert len(bare_lines(page(memory))) == 80
    pinned = next(each for each in statements(memory) if "Ben" in each.text)
    review(memory, "pin", [pinned.id])

    rent = "I pay the rent on the 3rd of each month."
    options = ["--importance", "1", "--section", "User Preferences"]
    code = run([*at(open_memory(tmp_path, NIGHT)), "remember", rent, *options])

    assert code == 0
    assert rent in page(memory)
    assert "Ben wants" in page(memory)
    assert mine in page(memory)
    told = "MEMORY.md was full, so what was worth least left it: Ann wants"
    assert told in capsys.readouterr().out
    run([*at(memory), "status"])
    assert "80 of 80 lines" in (said := capsys.readouterr().out)
    assert "1 left for want of room" in said


PROGRAM = """
from strata.memory import Memory
from strata.jobs.remember import remember
memory = Memory.open(
    workspace=sys.argv[1],
    state_dir=sys.argv[1],
    now=sys.argv[2],
    overrides=["timezone=UTC"],
)
remember(memory, sys.argv[3])
"""


def test_kill_at_any_step_is_made_good(tmp_path: Path) -> None:
    """
    Killed before any change on disk, a repeat or the next night ends as if nothing was.
    """
    killed = True
    for step in range(1, 120, 4):
        root = tmp_path / str(step)
        (root / "workspace").mkdir(parents=True)
        folder = root / "workspace"
        killed = run_killed_at(
            step, folder, PROGRAM, str(folder), "2026-11-20T12:00:00+00:00", ANNA
        )
        memory = open_memory(root, NIGHT)
        told = list(memory.journal.records("remembered"))
        if told:
            tidy(memory)
        else:
            remember(open_memory(root), ANNA)

        assert statements_of(memory) == [ANNA]
        assert memory.workspace.read(NOTE).count(ANNA) == 1
        assert trace(memory, ANNA).is_intact
        if not killed:
            break
    assert not killed


def test_what_left_for_another_reason_was_not_replaced(tmp_path: Path) -> None:
    """
    A line whose note somebody has deleted leaves that night; nothing took its place.
    """
    memory = open_memory(tmp_path)
    remember(memory, "The staging port is 5432.")
    memory.workspace.remove(NOTE, text=memory.workspace.read(NOTE))

    report = remember(memory, ANNA)

    assert report.replaced == []
