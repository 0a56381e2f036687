"""Health: what is wrong and how to mend it, figures, and what the language model costs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from builders_dashboard import Browser, browser
from builders_memory import NIGHT, captured, open_memory

from strata.jobs.checks.findings import Level, named
from strata.jobs.doctor import examine
from strata.jobs.status import status
from strata.jobs.status_rows import rows_of
from strata.jobs.tidy import tidy
from strata.messages import Voice, worded
from strata.model.ledger import Call, Ledger
from strata.workspace.journal import Journal

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

MORNING = "2026-11-21T09:00:00+00:00"
LATER = "2026-12-21T09:00:00+00:00"


def window(root: Path, now: str = MORNING, *settings: str) -> Browser:
    """
    The dashboard of the memory below *root*, at *now*, on the page on health.
    """
    found = browser(lambda: open_memory(root, now, *settings))
    found.open("/health")
    return found


def words_of(page: str) -> str:
    """
    What *page* says, on one line.
    """
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def spent(memory: Memory, purpose: str, at: str, tokens: int) -> None:
    """
    A call in the ledger for *purpose* at *at*.
    """
    file = memory.workspace.layout.model_ledger_file
    moment = open_memory(memory.workspace.root.parent, at).now
    call = Call(moment, purpose, "openai", "llama3", tokens, 0, 900, "ok")
    Ledger(Journal(file)).record(call)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_findings_are_those_of_the_command(tmp_path: Path, language: str) -> None:
    """
    Each thing that doctor finds is there in the owner's language, with its remedy.
    """
    captured(tmp_path)

    window_ = window(tmp_path, LATER, f"language={language}")

    told = words_of(window_.page).replace("&#39;", "'").replace("&#34;", '"')
    memory = open_memory(tmp_path, LATER, f"language={language}")
    for each in examine(memory, ask_gateway=False):
        assert named(each.name, language) in told
        # What is typed stands apart.
        words = worded(each.says, language).split("`")
        assert all(part.strip() in told for part in words)
        if each.level is not Level.OK:
            assert worded(each.remedy, language).split("`")[0].strip() in told


def test_problems_come_first(tmp_path: Path) -> None:
    """
    What needs somebody stands above what is only worth knowing, and that above the rest.
    """
    captured(tmp_path)

    page = window(tmp_path, LATER).page

    kinds = re.findall(r'class="finding (\w+)"', page)
    assert ["problem", "note", "ok"] == list(dict.fromkeys(kinds))
    assert kinds == sorted(kinds, key=["problem", "note", "ok"].index)


def test_figures_are_those_of_status(tmp_path: Path) -> None:
    """
    A quick look leaves out what takes reading every note; a closer one shows all.
    """
    memory = captured(tmp_path)
    quick = window(tmp_path)
    closer = window(tmp_path)
    closer.open("/health?closer=1")

    say = Voice("status", "en")
    for page, thorough in ((quick.page, False), (closer.page, True)):
        told = words_of(page)
        found = status(open_memory(tmp_path, MORNING), thorough=thorough)
        labels = [say(label) for label, _ in rows_of(found, say)]
        assert labels == re.findall(r"<dt>(.*?)</dt>", page)
        assert memory.workspace.root.as_posix() in told
    assert "1 up to date" in words_of(closer.page)
    assert "1 up to date" not in words_of(quick.page)


def test_what_is_safe_is_mended(tmp_path: Path) -> None:
    """
    The button does what `strata doctor --fix` does, and the page says what was mended.
    """
    memory = captured(tmp_path)
    memory.index.update(embed=False)
    memory.workspace.update("memory/2026-11-20.md", lambda text: f"{text}\n- More.\n")
    found = window(tmp_path)
    assert memory.index.status().stale == 1

    found.send("Mend what is safe")

    assert found.status == 200
    assert "index: mended" in found.page
    assert open_memory(tmp_path).index.status().stale == 0


def test_nothing_to_mend_is_said(tmp_path: Path) -> None:
    """
    Who presses the button twice learns that all was done.
    """
    captured(tmp_path)
    found = window(tmp_path)
    found.send("Mend what is safe")

    found.send("Mend what is safe")

    assert "nothing had to be mended" in found.page


def test_no_model_is_said_plainly(tmp_path: Path) -> None:
    """
    Where no model is asked there is no table, and one sentence says so.
    """
    captured(tmp_path)

    page = window(tmp_path).page

    assert "No language model is asked" in page
    assert "<table>" not in page


def test_cost_is_told_by_purpose(tmp_path: Path) -> None:
    """
    Calls and tokens of today and this month stand beside what they were for, and in sum.
    """
    memory = captured(tmp_path)
    spent(memory, "extract_facts", "2026-11-20T03:00:00+00:00", 1200)
    spent(memory, "extract_facts", "2026-11-21T03:00:00+00:00", 800)
    spent(memory, "of_a_plugin", "2026-11-21T03:00:00+00:00", 60)
    spent(memory, "extract_facts", "2026-10-21T03:00:00+00:00", 7777)

    told = words_of(window(tmp_path, MORNING, "model.max_tokens_per_day=1000").page)

    assert "finding what is worth keeping 1 800 2 2,000" in told
    assert "of_a_plugin 1 60 1 60" in told
    assert "Together 2 860 3 2,060" in told
    assert "860 of 1,000 tokens today" in told


def test_last_runs_are_there(tmp_path: Path) -> None:
    """
    What ran, when, and how many files it changed.
    """
    captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))

    assert "2026-11-21 03:00 tidy" in words_of(window(tmp_path).page)


def test_in_a_scope_the_machine_is_the_owners(tmp_path: Path) -> None:
    """
    A group's memory has figures of its own; settings and what doctor finds are the owner's.
    """
    captured(tmp_path)
    scope = f"group:telegram-{'0' * 20}"
    found = browser(lambda: open_memory(tmp_path, MORNING).within(scope))
    found.open("/health")

    told = words_of(found.page)
    assert found.status == 200
    assert f"scope {scope}" in told
    assert "conversations can be read" in told
    found.open("/health/settings")
    found.send('value="digest"', value="false")
    file = tmp_path / "workspace" / ".strata" / "config.toml"
    assert "digest = false\n" == file.read_text()
