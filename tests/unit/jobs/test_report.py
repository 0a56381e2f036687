"""The report of a night fits on one screen and speaks the owner's language."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from builders_memory import NIGHT, captured, open_memory

from strata.jobs.distil import DistilReport
from strata.jobs.language import spoken_language
from strata.jobs.report import MOST_LINES, grouped, tidy_report
from strata.jobs.tidy import TidyReport, tidy

if TYPE_CHECKING:
    from pathlib import Path


def record(event: str, text: str, **more: object) -> dict[str, Any]:
    return {"event": event, "id": text[:12], "text": text, **more}


def night(count: int = 1) -> TidyReport:
    """
    A night on which something of everything happened, *count* times.
    """
    sources = [{"day": "2026-11-18"}]
    distilled = DistilReport(changed=True)
    for number in range(count):
        old, new = f"{number} Svelte it is.", f"{number} React now."
        left = {"left": "- x", "sources": sources}
        events = distilled.records
        events["promoted"] += [
            record("promoted", f"{number} Use pnpm."),
            record("promoted", new),
        ]
        events["superseded"].append(
            record("superseded", old, by=new[:12], dimension="consistent", **left)
        )
        events["evicted"].append(
            record("evicted", f"{number} Old habit.", dimension="budget", **left)
        )
        events["waiting"].append(
            record("waiting", f"{number} Maybe Vue.", dimension="consistent")
        )
        # Never in MEMORY.md, so nobody misses it.
        events["superseded"].append(record("superseded", f"{number} Never there."))
    return TidyReport(
        compressed=[(date(2026, 11, 5), "memory/weekly/2026-11-02.md")],
        distilled=distilled,
    )


@pytest.mark.parametrize(
    ("language", "weeks"),
    [
        ("en", "1 day would go into its weekly summary."),
        ("zh", "1 天的笔记会并入 1 份周摘要。"),
    ],
)
def test_dry_run_tells_what_would_be(tmp_path: Path, language: str, weeks: str) -> None:
    """
    Nothing went anywhere, and the page as it stands is not what would become of it.
    """
    memory = open_memory(tmp_path, NIGHT, f"language={language}")

    told = tidy_report(memory, night(), dry_run=True).split("\n")
    nothing_compressed = replace(night(), compressed=[])
    short = tidy_report(memory, nothing_compressed, dry_run=True)

    assert told[-1] == weeks
    assert not any("80" in line for line in told)
    assert "Maybe Vue." in short.split("\n")[-1]


def test_english_report(tmp_path: Path) -> None:
    """
    What was learned, changed, let go and waits, with where it can still be found.
    """
    memory = open_memory(tmp_path, NIGHT, "language=en")

    assert tidy_report(memory, night()).split("\n") == [
        "memory-tidy, Saturday 21 November",
        "What I learned:",
        "- 0 Use pnpm.",
        "What changed:",
        "- 0 Svelte it is. → 0 React now.",
        "What I let go:",
        (
            "- 0 Old habit. (memory was full, and it was worth least; "
            "still in memory/2026-11-18.md)"
        ),
        "What waits for you, with `strata review`:",
        "- 0 Maybe Vue. (it contradicts another statement)",
        (
            "1 day went into its weekly summary; MEMORY.md has 0 of 80 lines, 0.0 of 5 KB; "
            "to take this back: strata undo."
        ),
    ]


def test_change_needs_a_line_that_stands(tmp_path: Path) -> None:
    """
    What took the place of a line once, and has left since, is not told to stand there.
    """
    memory = open_memory(tmp_path, NIGHT, "language=en")
    heir = record("promoted", "0 React now.", line="- 0 React now.")
    memory.journal.append([heir])
    report = night()
    report.distilled.records["promoted"] = []

    told = tidy_report(memory, report).split("\n")

    assert "What changed:" not in told
    line = "- 0 Svelte it is. (what was said later says otherwise; "
    assert any(each.startswith(line) for each in told)


def test_chinese_report(tmp_path: Path) -> None:
    """
    The same in Chinese.
    """
    memory = open_memory(tmp_path, NIGHT, "language=zh")

    assert tidy_report(memory, night()).split("\n") == [
        "memory-tidy，11月21日 周六",
        "新记住的：",
        "- 0 Use pnpm.",
        "有变化的：",
        "- 0 Svelte it is. → 0 React now.",
        "放下的：",
        "- 0 Old habit.（记忆已满，它的价值最低；仍在 memory/2026-11-18.md）",
        "等你决定的，用 `strata review` 查看：",
        "- 0 Maybe Vue.（与已有的说法矛盾，等再次确认）",
        (
            "1 天的笔记并入了 1 份周摘要；MEMORY.md 有 0 行（上限 80），0.0 KB（上限 5）；"
            "要撤销：strata undo。"
        ),
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_busy_night_stays_short(tmp_path: Path, language: str) -> None:
    """
    However much happened, the report has at most fifteen lines and says how much it omits.
    """
    memory = open_memory(tmp_path, NIGHT, f"language={language}")

    lines = tidy_report(memory, night(40)).split("\n")

    assert len(lines) == MOST_LINES
    assert sum("40" in line for line in lines) == 4
    assert sum(line.startswith("- ") for line in lines) == 9


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "memory-tidy: no changes"), ("zh", "memory-tidy：没有变化")],
)
def test_quiet_night(tmp_path: Path, language: str, told: str) -> None:
    """
    A night without changes is one line, in the owner's language.
    """
    memory = open_memory(tmp_path, NIGHT, f"language={language}")

    assert tidy_report(memory, tidy(memory)) == told


def test_real_night_is_told(tmp_path: Path) -> None:
    """
    What tidy promotes is what the report says was learned.
    """
    captured(tmp_path)
    memory = open_memory(tmp_path, NIGHT)

    told = tidy_report(memory, tidy(memory))

    assert "- From now on always use pnpm, never npm, in acme-dashboard." in told


def test_language_is_that_of_most_notes(tmp_path: Path) -> None:
    """
    With `language = auto` the notes decide, and a setting decides over them.
    """
    memory = open_memory(tmp_path)
    notes = memory.workspace.root / "memory"
    notes.mkdir()
    (notes / "2026-11-18.md").write_text(
        "# x\n- 周报用中文写\n- 部署脚本在 deploy.sh\n- Ok\n"
    )

    assert spoken_language(memory) == "zh"
    assert spoken_language(open_memory(tmp_path, NIGHT, "language=en")) == "en"
    assert spoken_language(open_memory(tmp_path / "empty")) == "en"


def test_half_a_masked_value_is_masked(tmp_path: Path) -> None:
    """
    Where a line is cut in the midst of what is masked, its first half is not shown.
    """
    memory = open_memory(tmp_path, NIGHT, "trust.masked=Marigold")
    told = record("promoted", f"{'long ' * 21}Marigold lies.")

    (item,) = grouped(memory, {"promoted": [told]}, "en")["learned"]

    assert "M•••" in item.text
    assert "Mar" not in item.text
