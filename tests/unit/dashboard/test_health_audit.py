"""The audit log on a page: who, what, which file, and whether it is whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from builders_dashboard import Browser, browser
from builders_memory import NIGHT, captured, open_memory

from strata.jobs.audit_log import log_of
from strata.jobs.tidy import tidy

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

MORNING = "2026-11-21T09:00:00+00:00"


def window(root: Path, *settings: str) -> Browser:
    """
    The dashboard of a memory that was tidied once; it has shown Today, which comes first.
    """
    captured(root)
    tidy(open_memory(root, NIGHT))
    return browser(lambda: open_memory(root, MORNING, *settings))


def told(memory: Memory) -> list[tuple[str, str, str]]:
    """
    Who did what to which first file, the newest last.
    """
    return [
        (each["who"], each["what"], (each.get("wrote") or each["read"])[0])
        for each in log_of(memory).records()
    ]


def test_what_is_shown_is_witnessed_by_its_screen(tmp_path: Path) -> None:
    """
    Whoever sees the lines of MEMORY.md in the dashboard has read it, says the log.
    """
    window(tmp_path)

    assert ("dashboard", "today", "MEMORY.md") == told(open_memory(tmp_path))[-1]


def test_what_is_done_is_witnessed_by_its_act(tmp_path: Path) -> None:
    """
    A line that was declined in the dashboard was written by it, and a setting changed.
    """
    found = window(tmp_path)
    found.send("always use pnpm", action="decline")
    found.open("/health/settings")
    found.send('value="digest"', value="false")

    log = told(open_memory(tmp_path))
    assert ("dashboard", "review", "MEMORY.md") in log
    assert ("dashboard", "health/settings", ".strata/config.toml") == log[-1]


def test_nothing_is_witnessed_where_the_log_is_off(tmp_path: Path) -> None:
    """
    The setting counts for the dashboard as for every command, and the page says so.
    """
    found = window(tmp_path, "audit=false")

    found.open("/health/audit")

    assert [] == told(open_memory(tmp_path))
    assert "The log is switched off" in found.page


def test_records_stand_newest_first_on_pages(tmp_path: Path) -> None:
    """
    A page has a hundred; the next begins where it ends, and the last leads nowhere.
    """
    found = window(tmp_path)
    log = log_of(open_memory(tmp_path))
    for number in range(1, 151):
        log.append("cli", f"query-{number}", "read", ["MEMORY.md#L1-L1"])

    found.open("/health/audit")
    first = re.findall(r"query-(\d+)", found.page)
    older = re.search(r'href="(/health/audit\?before=\d+)"', found.page)
    assert older is not None
    found.open(older[1])
    second = re.findall(r"query-(\d+)", found.page)

    assert [str(number) for number in range(150, 0, -1)] == first + second
    assert len(first) == 100
    assert "before=" not in found.page


def test_a_name_is_shown_while_its_file_is_there(tmp_path: Path) -> None:
    """
    The log holds a hash; the owner reads the name, as with `strata audit log`.
    """
    found = window(tmp_path)
    memory = open_memory(tmp_path)
    memory.workspace.update("memory/bank/people/ada.md", lambda _text: "# Ada\n")
    for path in ("memory/bank/people/ada.md", "memory/bank/people/gone.md"):
        log_of(memory).append("agent", "bank", "read", [path])

    found.open("/health/audit")

    assert "memory/bank/people/ada.md" in found.page
    assert re.search(r"memory/bank/people/\?[0-9a-f]{12}", found.page)
    assert "gone.md" not in found.page


def test_a_whole_log_is_said_to_be_whole(tmp_path: Path) -> None:
    """
    The look through it names the last hash, which can be kept and asked for.
    """
    found = window(tmp_path)
    found.open("/health/audit?verify=1")

    kept = re.search(r"with the hash ([0-9a-f]{64})", found.page)
    assert "the log is whole" in found.page
    assert kept is not None
    assert "the log is whole" in found.open(f"/health/audit?verify=1&head={kept[1]}")
    assert "no record has the hash 0000" in found.open(
        f"/health/audit?verify=1&head={'0' * 64}"
    )


def test_a_log_that_was_changed_is_told_of(tmp_path: Path) -> None:
    """
    Whoever changed a record is found out, and what it says is never markup.
    """
    found = window(tmp_path)
    file = log_of(open_memory(tmp_path)).folder / "log.jsonl"
    text = file.read_text().replace('"who":"dashboard"', '"who":"<b>nobody</b>"')
    file.write_text(f"{text}[1]\n{{}}\n")

    found.open("/health/audit?verify=1&before=<i>")

    assert found.status == 200
    assert "the log was changed" in found.page
    assert "&lt;b&gt;nobody" in found.page
    assert "<b>nobody" not in found.page
