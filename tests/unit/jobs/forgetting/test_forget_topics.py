"""A word that stands in the topic of an entry alone takes the topic, not the entry."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from builders import Conversation, tree
from builders_memory import open_memory, statements_of

from strata.history.evidence import digest_of, entry_id
from strata.jobs.forgetting.forget import forget, plan
from strata.jobs.forgetting.target import Target
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy
from strata.notes.markdown import unbulleted

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

SESSION = "61871d67-1111-4222-8333-444444444444"
FORGOTTEN = "2026-11-21T09:00:00+00:00"
NIGHT = datetime.fromisoformat("2026-11-22T03:00:00+00:00")
ARCHIVED, WEEKLY = "memory/archive/2026/2026-11-08.md", "memory/weekly/2026-11-02.md"
WISH = "From now on we always take blue for that"
BOUGHT = "We bought the Miele oven for the bakery in Leiden."


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """
    A wish that leans on what was said before it, in a day, a week and MEMORY.md.
    """
    talk = Conversation(
        tmp_path / "state", id=SESSION, at=datetime(2026, 11, 8, 10, 0, tzinfo=UTC)
    )
    talk.user(BOUGHT).agent("Nice. Which colour should the front have?")
    talk.user(f"{WISH}.").agent("Ok.").save()
    memory = open_memory(tmp_path)
    sync(memory)
    tidy(replace(memory, now=datetime.fromisoformat("2026-11-21T03:00:00+00:00")))
    return open_memory(tmp_path, FORGOTTEN)


def holding(memory: Memory, word: str) -> list[str]:
    files = tree(memory.workspace.root).items()
    return [path for path, content in files if word.encode() in content]


@pytest.mark.parametrize("target", [Target("Miele oven"), Target(entity="Miele")])
def test_entry_stays_without_its_topic(memory: Memory, target: Target) -> None:
    """
    The statement stands where it stood, in each place; the word is nowhere.
    """
    assert WISH in memory.workspace.read(WEEKLY)

    receipt = forget(memory, target)

    assert receipt.proof.holds
    assert holding(memory, "Miele") == []
    assert statements_of(memory) == [WISH]
    assert f"- [preference] {WISH}\n" in memory.workspace.read(ARCHIVED)
    assert f"[preference] {WISH} (src: 2026-11-08)" in memory.workspace.read(WEEKLY)


def test_journal_knows_the_entry_by_what_is_left(memory: Memory) -> None:
    """
    Its ids are those of the words that stay, and it rests on the owner's own alone.
    """
    forget(memory, Target(entity="Miele"))

    line = next(
        each
        for each in memory.workspace.read(ARCHIVED).splitlines()
        if each.endswith(WISH)
    )
    [captured] = memory.journal.records("captured")
    [told] = captured["entries"]
    [promoted] = memory.journal.records("promoted")
    first = told["evidence"][0]["message"]
    assert told["id"] == entry_id(SESSION, first, unbulleted(line))
    assert promoted["sources"][0]["entry_id"] == told["id"]
    assert promoted["line"] in memory.workspace.read("MEMORY.md")
    hashes = [each["sha256"] for each in told["evidence"]]
    assert hashes[0] == digest_of(f"{WISH}.")
    assert digest_of(BOUGHT) not in hashes


def test_nights_change_nothing_and_bring_nothing_back(memory: Memory) -> None:
    """
    The line is Strata's still; captured again, the entry has no topic of that word.
    """
    forget(memory, Target(entity="Miele"))
    before = tree(memory.workspace.root, without=".strata")

    later = replace(memory, now=NIGHT)
    sync(later, since=datetime(2026, 1, 1, tzinfo=UTC))
    tidy(later)

    assert tree(memory.workspace.root, without=".strata") == before
    assert not list(memory.journal.records("adopted", "reworded", "deleted"))


def test_statement_that_holds_the_word_goes(memory: Memory) -> None:
    """
    So does a whole entry that is named with its topic.
    """
    page = (
        "# Own\n\n- Miele is loud (about: the Miele oven)\n- It is red (about: a bus)\n"
    )
    memory.workspace.update("memory/own.md", lambda _: page)

    forget(memory, Target(entity="Miele"))
    forget(memory, Target("It is red (about: a bus)"))

    assert "loud" not in str(tree(memory.workspace.root))
    assert "red" not in str(tree(memory.workspace.root, without=".strata"))


def test_chinese_topic_goes_alone(tmp_path: Path) -> None:
    """
    Where the word stands beside the topic as well, nothing of the line is kept.
    """
    memory = open_memory(tmp_path, FORGOTTEN)
    hinted = "- 周五送来（所指：烤箱） <!-- trigger: 烤箱 -->"
    page = f"# 我的\n\n- 就用它（所指：新烤箱）\n{hinted}\n"
    memory.workspace.update("memory/own.md", lambda _: page)

    forget(memory, Target(entity="烤箱"))

    assert memory.workspace.read("memory/own.md") == "# 我的\n\n- 就用它\n"


def test_preview_shows_the_topic_alone(memory: Memory) -> None:
    """
    What stays is no part of what would go.
    """
    planned = plan(memory, Target(entity="Miele"))

    shown = [said.raw for _, lines in planned.lines for said in lines]
    assert not any(WISH in raw for raw in shown)
    assert any(raw.startswith("(about: We bought the Miele oven") for raw in shown)
    assert json.dumps(shown).count("Which colour") == len(
        {document.file for document, _ in planned.lines}
    )
