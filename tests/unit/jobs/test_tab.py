"""The page of OpenClaw's tab follows memory, and holds nothing that may not be seen."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from builders_encryption import KEY, holding, own_memory, use_key
from builders_memory import NIGHT, captured, open_memory
from builders_scopes import CANARIES, open_agent, populate
from killing import Killed, killed_before

from strata.cli.options import show_on_tab
from strata.errors import NotFound
from strata.jobs.deciding.verdict_list import statements
from strata.jobs.encryption import switch_on
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.remember import remember
from strata.jobs.review import review
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy
from strata.jobs.undo import undo
from strata.workspace.own_folder import Installation, OwnFolder

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

MORNING = "2026-11-21T09:00:00+00:00"
PNPM = "always use pnpm"
KEPT = "We keep PostgreSQL 16, because the reports need ACID."
MOST_BYTES = 150_000


def installed(state: Path) -> Path:
    """
    Let Strata be installed in the OpenClaw of *state*, and return where the page is.
    """
    own = OwnFolder(state)
    with own.alone():
        own.save(Installation(program="openclaw", link="strata"))
    return own.root / "tab.html"


def one_agent(root: Path) -> Path:
    """
    An OpenClaw below *root* with one workspace, in which Strata is installed.
    """
    page = installed(root / "state")
    told = {"agents": {"defaults": {"workspace": str(root / "workspace")}}}
    (root / "state" / "openclaw.json").write_text(json.dumps(told))
    return page


def two_agents(root: Path) -> Path:
    """
    One with two agents who have talked, in private and in groups.
    """
    populate(root, era="sqlite")
    return installed(root / "state")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """
    The page on the morning after a night in which two lines were learned.
    """
    file = one_agent(tmp_path)
    captured(tmp_path)
    tidy(shown(open_memory(tmp_path, NIGHT)))
    return file


def shown(memory: Memory) -> Memory:
    """
    The *memory* as a command opens it: what a run changes is shown.
    """
    memory.workspace.shows = show_on_tab
    return memory


def morning(root: Path, *settings: str) -> Memory:
    return shown(open_memory(root, MORNING, *settings))


def waits(memory: Memory, text: str, name: str = "ab" * 6) -> None:
    """
    Let *text* wait for the owner's word in *memory*.
    """
    told = {"event": "waiting", "version": 1, "at": NIGHT, "run": "0" * 12}
    memory.journal.append([{**told, "id": name, "text": text, "dimension": "ask"}])


def test_a_night_is_on_the_page(page: Path) -> None:
    """
    What was learned, how full MEMORY.md is, the run and its time, for the owner alone.
    """
    text = page.read_text()

    assert PNPM in text
    assert KEPT in text
    assert "of 80 lines and" in text
    assert '<time>2026-11-21 03:00</time> <span class="tag">tidy</span>' in text
    assert "Written 2026-11-21 03:00" in text
    assert page.stat().st_mode & 0o777 == 0o600


def test_each_change_is_on_it(page: Path, tmp_path: Path) -> None:
    """
    What is declined, remembered and undone is off and on the page as in memory.
    """
    meant = next(each for each in statements(morning(tmp_path)) if PNPM in each.text)

    review(morning(tmp_path), "decline", [meant.id])
    declined = page.read_text()
    undo(morning(tmp_path))
    undone = page.read_text()

    assert PNPM not in declined
    assert PNPM in undone
    assert '<span class="tag">undo</span>' in undone


def test_what_waits_is_there_and_how_to_answer(page: Path, tmp_path: Path) -> None:
    """
    The command of the chat and that of the dashboard stand beside what waits.
    """
    memory = morning(tmp_path)
    waits(memory, "The <b>office</b> moves to Malmö \u202enow")

    sync(memory)

    text = page.read_text()
    assert "The &lt;b&gt;office&lt;/b&gt; moves to Malmö  now" in text
    assert "/strata review" in text
    assert "strata dashboard</code>" in text


def test_the_page_stays_small(page: Path, tmp_path: Path) -> None:
    """
    However much waits, some of it is shown and the rest is counted.
    """
    memory = morning(tmp_path)
    for number in range(300):
        waits(memory, f"{number} " + "long " * 200, f"{number:012x}")

    sync(memory)

    assert len(page.read_bytes()) < MOST_BYTES
    assert "and 285 more" in page.read_text()


def test_an_unchanged_memory_is_not_written_again(page: Path, tmp_path: Path) -> None:
    """
    A sync that finds nothing leaves the page as it is; the next day has another one.
    """
    sync(morning(tmp_path))
    before = page.stat().st_mtime_ns

    sync(shown(open_memory(tmp_path, "2026-11-21T09:30:00+00:00")))
    same = page.stat().st_mtime_ns
    sync(shown(open_memory(tmp_path, "2026-11-22T09:30:00+00:00")))

    assert same == before
    assert "Written 2026-11-22 09:30" in page.read_text()


def test_without_openclaw_there_is_no_page(tmp_path: Path) -> None:
    """
    Where Strata is not installed, and for a workspace that no agent has, none is written.
    """
    tidy(shown(captured(tmp_path / "apart")))
    page = one_agent(tmp_path)
    (tmp_path / "other").mkdir()
    other = shown(open_memory(tmp_path / "other", NIGHT))
    remember(replace(other, state_folder=tmp_path / "state"), "I drink tea.")

    assert not (tmp_path / "apart" / "state" / "strata").exists()
    assert not page.exists()


def test_what_is_forgotten_is_gone_at_once(page: Path, tmp_path: Path) -> None:
    """
    The page holds it no more, in Strata's folder nothing does, and the rest stays.
    """
    forget(morning(tmp_path), Target(KEPT))

    assert holding(page.parent, "PostgreSQL 16") == []
    assert PNPM in page.read_text()


def test_refused_forgetting_leaves_the_page(page: Path, tmp_path: Path) -> None:
    """
    Where there is no such conversation to forget, the page shows what it did.
    """
    with pytest.raises(NotFound):
        forget(morning(tmp_path), Target(session="ffffffff"))

    assert KEPT in page.read_text()


@pytest.mark.parametrize("change", range(1, 5))
def test_killed_forgetting_leaves_nothing_behind(
    page: Path, tmp_path: Path, change: int
) -> None:
    """
    Wherever it is cut off, what has begun to leave memory has left the page before.
    """
    notes = tmp_path / "workspace"
    before = {file: file.read_bytes() for file in notes.rglob("*.md")}

    try:
        with killed_before(change):
            forget(morning(tmp_path), Target(KEPT))
    except Killed:
        pass

    begun = any(file.read_bytes() != content for file, content in before.items())
    assert not begun or KEPT not in page.read_text()


def test_masked_words_are_masked(page: Path, tmp_path: Path) -> None:
    """
    What the settings mask, or never store, is nowhere on the page in full.
    """
    rules = ("trust.masked=pnpm", "trust.never_store=ACID")

    remember(morning(tmp_path, *rules), "I drink tea.")

    text = page.read_text()
    assert "p•••" in text
    assert "pnpm" not in text.partition("</style>")[2]
    assert "ACID" not in text


def test_encrypted_memory_shows_nothing(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    From the first moment on the page says that memory is encrypted, and nothing of it.
    """
    use_key(monkeypatch, KEY)
    with own_memory(tmp_path / "workspace"):
        switch_on(morning(tmp_path))
        remember(morning(tmp_path), "I drink tea.")

        assert "This memory is encrypted" in page.read_text()
        assert holding(page.parent, "pnpm", "PostgreSQL", "drink tea") == []


def test_each_agent_has_a_part(tmp_path: Path) -> None:
    """
    One stays when another is written, and goes with its agent.
    """
    page = two_agents(tmp_path)
    for agent in ("main", "b"):
        sync(shown(open_agent(tmp_path, agent)))
    written = page.read_text()
    configuration = tmp_path / "state" / "openclaw.json"
    told = json.loads(configuration.read_text())
    del told["agents"]["entries"]["b"]
    configuration.write_text(json.dumps(told))

    remember(shown(open_agent(tmp_path)), "I drink tea.")

    assert "Agent main</h2>" in written
    assert "Agent b</h2>" in written
    assert "Agent b</h2>" not in page.read_text()


def test_groups_are_not_on_it(tmp_path: Path) -> None:
    """
    What was said in a group is in the group's memory, and never on the owner's page.
    """
    page = two_agents(tmp_path)

    sync(shown(open_agent(tmp_path)))
    tidy(shown(open_agent(tmp_path, "main", NIGHT)))

    text = page.read_text()
    assert ["main"] == [name for name, place in CANARIES.items() if place in text]


def test_it_speaks_the_owners_language(page: Path, tmp_path: Path) -> None:
    """
    In Chinese all of the frame and of the part is Chinese.
    """
    remember(morning(tmp_path, "language=zh"), "我每天早上只喝绿茶，不喝咖啡。")

    text = page.read_text()
    assert '<html lang="zh-CN">' in text
    assert "<h1>记忆</h1>" in text
    assert "等你点头" in text


def test_run_is_done_whatever_becomes_of_the_page(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Where the page cannot be written, for whatever reason, what the run did stays done.
    """
    page.unlink()

    def fail(_memory: object) -> None:
        raise OSError(5, "the disk is broken")

    monkeypatch.setattr("strata.jobs.tab_page.show", fail)

    remember(morning(tmp_path), "The office is in Graz now.")

    assert "Graz" in morning(tmp_path).workspace.read("MEMORY.md")
    assert not page.exists()
