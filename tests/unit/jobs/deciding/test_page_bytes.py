"""The bytes of MEMORY.md are words, on an old page from the next night on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders_life import Life, new_life
from builders_rules import write_rules
from killing import Killed, killed_before

from strata.history.decisions import decisions
from strata.jobs.review import review
from strata.jobs.tidy import tidy
from strata.memory import Memory
from strata.notes.long_term import bare_lines, size_of
from strata.notes.marks import source_days, unmarked
from strata.statements.triggers import beyond

if TYPE_CHECKING:
    from pathlib import Path

RULE = "From now on always use pnpm, never npm, in acme-dashboard."
OTHER = "From now on always write the commit messages in English."


def aged(life: Life, marks: str) -> None:
    """
    Let the page and the journal be those of a version that wrote *marks* behind lines.
    """
    (line,) = life.lines
    for name in ("MEMORY.md", ".strata/journal.jsonl"):
        path = life.root / "workspace" / name
        path.write_text(path.read_text().replace(line, f"{line}{marks}"))


def test_old_page_is_rewritten(tmp_path: Path) -> None:
    """
    The next night takes the marks of an earlier version off; nobody's hand was in it.
    """
    life = new_life(tmp_path)
    life.talk(RULE)
    life.night()
    after = life.page
    aged(life, " <!-- importance: 8 --> <!-- trigger: pnpm, acme-dashboard -->")
    assert after != life.page

    report = life.night()

    assert after == life.page
    assert life.events("declined") == []
    assert report.distilled.of("expired") == []
    life.night()
    assert [1, 1] == [len(life.events(event)) for event in ("promoted", "merged")]


def test_old_page_is_rewritten_after_a_crash(tmp_path: Path) -> None:
    """
    Killed between the journal and the page, the night after finds no change by hand.
    """
    for step in range(1, 30):
        life = new_life(tmp_path / str(step))
        life.talk(RULE)
        life.night()
        after = life.page
        aged(life, " <!-- importance: 8 -->")
        try:
            with killed_before(step):
                tidy(life.memory(hours=17))
        except Killed:
            life.night()
            assert after == life.page
            assert life.events("declined") == []
        else:
            assert after == life.page
            return
    raise AssertionError("a night takes fewer steps")


def test_line_changed_by_hand_keeps_its_marks(tmp_path: Path) -> None:
    """
    What somebody made of a line of an earlier version stands as they left it.
    """
    life = new_life(tmp_path)
    life.talk(RULE)
    life.night()
    aged(life, " <!-- importance: 8 -->")
    page = life.root / "workspace" / "MEMORY.md"
    page.write_text(page.read_text().replace("npm, in", "NPM, in"))
    before = life.page

    life.night()

    assert before == life.page


def test_pinned_line_of_an_old_page_stays_pinned(tmp_path: Path) -> None:
    """
    The mark leaves the page, and the journal goes on knowing that the line is kept.
    """
    life = new_life(tmp_path)
    life.talk(RULE)
    life.night()
    after, (record,) = life.page, life.events("promoted")
    review(life.memory(), "pin", [record["id"]])
    aged(life, " <!-- importance: 8 --> <!-- keep -->")

    life.night()

    assert after == life.page
    assert decisions(life.memory().journal).pinned == {record["id"]}


def test_pinned_line_outlives_a_page_that_others_fill(tmp_path: Path) -> None:
    """
    Where lines of other hands leave no room, what is pinned stays and the rest leaves.
    """
    life = new_life(tmp_path)
    life.talk(RULE)
    life.talk(OTHER)
    life.night()
    pinned = next(each for each in life.events("promoted") if "pnpm" in each["text"])
    review(life.memory(), "pin", [pinned["id"]])
    page = life.root / "workspace" / "MEMORY.md"
    page.write_text(life.page + "".join(f"- mine {n}\n" for n in range(80)))

    life.night()

    assert f"- {pinned['text']}" in map(unmarked, life.lines)
    assert not any("commit" in line for line in life.lines)
    assert 80 == sum(line.startswith("- mine") for line in life.lines)


def test_crowded_page_is_words(tmp_path: Path) -> None:
    """
    A fifth of it at most are marks: what is worth least names no source first.
    """
    last = write_rules(tmp_path, count=40)
    memory = Memory.open(
        workspace=str(tmp_path), state_dir=str(tmp_path), now=f"{last}T23:00:00+00:00"
    )

    tidy(memory, compress=False, archive=False)

    text = memory.workspace.read("MEMORY.md")
    lines = [line for line in bare_lines(text) if line.startswith("- ")]
    words = size_of("\n".join(map(unmarked, bare_lines(text))))
    assert len(lines) == 40
    assert words >= 0.8 * size_of(text)
    assert 0 < sum(bool(source_days(line)) for line in lines) < len(lines)


def test_trigger_says_what_the_line_does_not() -> None:
    """
    A phrase is of use where one of its words is not in the line already.
    """
    line = "Use pnpm, never npm, in acme-dashboard."

    assert beyond(line, ["npm install", "pnpm", "the npm"]) == ("npm install",)
    assert beyond("以后装包一律用 pnpm", ["装包", "依赖"]) == ("依赖",)
