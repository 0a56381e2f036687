"""Headings and head of MEMORY.md are in the language of the owner and of AGENTS.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders_life import new_life

from strata.jobs.connection import agents_md
from strata.jobs.language import page_language, written_language
from strata.notes.long_term import Section, heading_of, in_language, scaffold_language

if TYPE_CHECKING:
    from pathlib import Path

RULE = "From now on always use pnpm, never npm, in acme-dashboard."
CHINESE = [
    "记住，以后所有报告一律用 A4 纸双面打印。",
    "以后给我的周报一律用中文写，不超过一页。",
    "记住，报价一律用欧元，不用美元。",
    "以后会议纪要一律当天发，不要过夜。",
    "记住，我对花生过敏，订餐一律不要花生。",
    "以后代码评审一律先跑测试再看。",
]


def test_page_changes_to_the_language_of_its_owner(tmp_path: Path) -> None:
    """
    Who hardly writes English any more gets Chinese headings, and every line as it was.
    """
    life = new_life(tmp_path)
    life.talk(RULE)
    life.night()
    before, path = life.lines, tmp_path / "workspace" / "MEMORY.md"
    assert scaffold_language(life.page) == "en"
    for note in (tmp_path / "workspace" / "memory").glob("*.md"):
        note.unlink()
    path.write_text(life.page + "\n## Mine\nUser Preferences are mine\n")

    for said in CHINESE:
        life.talk(said)
        life.night()
    life.talk(*CHINESE)
    life.night()

    assert scaffold_language(life.page) == "zh"
    assert all(heading_of(each, "zh") in life.page for each in Section)
    assert set(before) <= set(life.lines)
    assert "\n## Mine\nUser Preferences are mine\n" in life.page
    after = life.page
    life.night()
    assert after == life.page


def test_head_of_another_hand_stays() -> None:
    """
    Headings are only exchanged below a head that Strata wrote, and not in code.
    """
    ours = in_language("", "zh")
    theirs = "# Notes\n\n## User Preferences\n- a\n"

    assert ours == ""
    assert in_language(theirs, "zh") == theirs


def test_new_page_is_in_the_language_of_the_rules(tmp_path: Path) -> None:
    """
    What stands in AGENTS.md and the page that it speaks of are in one language.
    """
    life = new_life(tmp_path)
    life.talk(CHINESE[0])
    agents_md.put_in(life.memory())
    life.day += 1
    life.talk(RULE, "We decided to keep PostgreSQL 16, because reports need ACID.")

    life.night()

    assert "## 记忆" in life.memory().workspace.read("AGENTS.md")
    assert scaffold_language(life.page) == "zh"
    assert page_language(life.memory()) == "zh"


def test_exchange_keeps_every_other_byte() -> None:
    """
    Line ends, a byte order mark and what stands in code are left as they are.
    """
    page = (
        "\ufeff# Long-Term Memory\r\n\r\n"
        "> Only write info here that you'd make mistakes without.\r\n"
        "> Event logs stay in daily files.\r\n"
        "> Hard limit: 80 lines / 5KB. Must compress before adding when over limit.\r\n"
        "\r\n## User Preferences\r\n- a\r\n\r\n```\r\n## Key Decisions\r\n```\r\n"
    )

    spoken = in_language(page, "zh")

    assert spoken.startswith("\ufeff# 长期记忆\r\n\r\n> ")
    assert spoken.endswith(
        "## 用户偏好\r\n- a\r\n\r\n```\r\n## Key Decisions\r\n```\r\n"
    )
    assert in_language(spoken, "en") == page


def test_language_is_that_of_the_latest_lines(tmp_path: Path) -> None:
    """
    Where there are many, what was said before them counts no longer.
    """
    memory = new_life(tmp_path).memory()
    for day, line in (
        (1, "- Use pnpm, never npm.\n" * 400),
        (2, "- 报价用欧元。\n" * 301),
    ):
        note = memory.workspace.root / "memory" / f"2026-11-0{day}.md"
        note.write_text(
            f"# 2026-11-0{day}\n\n## 10:00 session:abcd1234 | 4 messages\n{line}"
        )

    assert written_language(memory) == "zh"
