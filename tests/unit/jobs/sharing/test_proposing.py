"""What two agents were told alike is proposed to be shared, once, in the review."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders_shared import copy_in, open_agent, two_agents

from strata.errors import NotAccepted, NotFound
from strata.jobs.deciding.verdict_list import statements
from strata.jobs.digest import digest_lines, news
from strata.jobs.remember import remember
from strata.jobs.review import review
from strata.jobs.sharing.share import share
from strata.jobs.tidy import tidy
from strata.jobs.undo import undo
from strata.jobs.update import refresh
from strata.workspace.digest_file import Told

if TYPE_CHECKING:
    from pathlib import Path

    from strata.history.statements import Statement
    from strata.memory import Memory

NIGHT = "2026-11-21T03:00:00+00:00"
RULE = "Always send invoices as PDF, never as Word files."
SAME = "Invoices must always be sent as PDF, and never as Word files."


def told(root: Path, *, reading: tuple[str, ...] = ("main", "b")) -> Memory:
    """
    The memory of main at night, which was told a rule as the other agent was.
    """
    remember(two_agents(root, reading=reading), RULE)
    remember(open_agent(root, "b"), SAME)
    remember(open_agent(root, "b"), "Lunch is always at noon.")
    return open_agent(root, now=NIGHT)


def offers(memory: Memory) -> list[Statement]:
    """
    What waits to be shared.
    """
    return [
        e for e in statements(memory) if e.wanted == "shared" and e.kind == "waiting"
    ]


def test_one_agent_asks_once(tmp_path: Path) -> None:
    """
    The first of the two asks, in its own words, and not a second time.
    """
    memory = told(tmp_path)

    for _ in range(2):
        tidy(memory)
        tidy(open_agent(tmp_path, "b", NIGHT))

    assert [RULE] == [each.text for each in offers(memory)]
    assert [] == offers(open_agent(tmp_path, "b", NIGHT))
    assert not copy_in(tmp_path)
    (line,) = [e for e in digest_lines([news(memory)], Told()) if RULE in e]
    assert "share with your other agents" in line


def test_accepted(tmp_path: Path) -> None:
    """
    Accepted by its id, the line is shared; `all` does not accept it.
    """
    memory = told(tmp_path)
    tidy(memory)
    (offer,) = offers(memory)

    with pytest.raises(NotFound, match="by its ID alone"):
        review(memory, "accept", ["all"])
    report = review(memory, "accept", [offer.id])

    assert [] == offers(memory)
    assert ("promoted", RULE) == (report.statements[0].kind, report.statements[0].text)
    assert RULE in copy_in(tmp_path)


def test_declined_is_not_asked_again(tmp_path: Path) -> None:
    """
    Declined, nothing is shared, and no night asks again.
    """
    memory = told(tmp_path)
    tidy(memory)
    (offer,) = offers(memory)

    report = review(memory, "decline", [offer.id])
    tidy(memory)

    assert "declined" == report.statements[0].kind
    assert [] == offers(memory)
    assert not copy_in(tmp_path)
    assert RULE in memory.workspace.read("MEMORY.md")


def test_undo_lets_it_wait_again(tmp_path: Path) -> None:
    """
    What was accepted and undone is shared no more, and waits.
    """
    memory = told(tmp_path)
    tidy(memory)
    review(memory, "accept", [offers(memory)[0].id])

    undo(memory)
    refresh(memory, None, say=lambda _line: None)

    assert [RULE] == [each.text for each in offers(memory)]
    assert not copy_in(tmp_path)


@pytest.mark.parametrize("reading", [("b",), ("main",), ()], ids=repr)
def test_only_between_agents_that_read(
    tmp_path: Path, reading: tuple[str, ...]
) -> None:
    """
    No agent is looked into that has no part in what is shared.
    """
    memory = told(tmp_path, reading=reading)

    tidy(memory)

    assert [] == offers(memory)


def test_what_is_shared_already_is_not_asked(tmp_path: Path) -> None:
    """
    Where the other shares it, or this one does, there is nothing to ask.
    """
    memory = told(tmp_path)
    other = open_agent(tmp_path, "b", NIGHT)
    page = other.workspace.read("MEMORY.md").split("\n")
    line = next(n for n, each in enumerate(page, 1) if "PDF" in each)
    share(other, f"MEMORY.md:{line}")

    tidy(memory)

    assert [] == offers(memory)


def test_nothing_but_yes_or_no(tmp_path: Path) -> None:
    """
    The question is no line that could be pinned or reworded.
    """
    memory = told(tmp_path)
    tidy(memory)
    (offer,) = offers(memory)

    with pytest.raises(NotAccepted, match="accept or decline"):
        review(memory, "pin", [offer.id])
