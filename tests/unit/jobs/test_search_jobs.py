"""The jobs around the index: query, update, refresh, and what they say of it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import pytest
from builders_search import paths, write_notes

from strata.errors import ModelUnavailable
from strata.jobs.query import Wish, query
from strata.jobs.update import embed, index_state, model_state, refresh, update
from strata.memory import Memory
from strata.models import Tier
from strata.search.indexing.reports import IndexStatus

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """
    A memory with the usual notes and no model, on 2026-11-20 in Shanghai.
    """
    workspace = write_notes(tmp_path / "workspace")
    return Memory.open(
        workspace=str(workspace),
        state_dir=str(tmp_path),
        now="2026-11-20T20:00:00+08:00",
        overrides=["embedding.model=none", "timezone=Asia/Shanghai"],
    )


def test_query_takes_limit_and_tier(memory: Memory) -> None:
    """
    At most as many hits as wanted come back, of the tier wanted.
    """
    assert len(query(memory, "database", Wish(limit=1)).hits) == 1
    hits = query(memory, "database", Wish(limit=5, tier=Tier.LONG_TERM)).hits
    assert {hit.tier for hit in hits} == {Tier.LONG_TERM}


def test_budget_lets_as_many_through_as_are_wanted(memory: Memory) -> None:
    """
    Who asks for so many hits gets no more, however large the budget.
    """
    many = query(memory, "database backup 数据库", Wish(budget=3000))
    one = query(memory, "database backup 数据库", Wish(limit=1, budget=3000))

    assert len(many.hits) > 1
    assert paths(one) == paths(many)[:1]


def test_today_knows_what_memory_knows(memory: Memory) -> None:
    """
    As of today the answer is that of now, as of an earlier day without MEMORY.md.
    """
    now = query(memory, "pnpm in acme-dashboard", Wish(5))
    today = query(memory, "pnpm in acme-dashboard", Wish(5, as_of=date(2026, 11, 20)))
    before = query(memory, "pnpm in acme-dashboard", Wish(5, as_of=date(2026, 11, 19)))

    assert paths(now)[0] == "MEMORY.md"
    assert paths(today) == paths(now)
    assert "MEMORY.md" not in paths(before)


def test_query_takes_local_days(memory: Memory) -> None:
    """
    A moment stands for the day that it falls on where the user lives.
    """
    # In Shanghai it is already the 20th.
    since = datetime(2026, 11, 19, 17, tzinfo=UTC)

    answer = query(memory, "backup 数据库", Wish(limit=5, since=since))

    assert paths(answer) == ["memory/2026-11-20.md"]


def test_update_reports_what_it_did(memory: Memory) -> None:
    """
    The first update takes in every file, and the state of the index says so.
    """
    before = index_state(memory)

    report = update(memory)

    assert before == "empty"
    assert (report.files, report.embedded) == (5, 0)
    assert index_state(memory).startswith("7 chunks of 5 files, 0 embedded")


def test_state_tells_what_waits_for_no_vector(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A chunk in a language that the model does not read is no unfinished work.
    """
    held = IndexStatus(files=5, chunks=13, embedded=12, pending=0, stale=0)
    monkeypatch.setattr(type(memory.index), "status", lambda _, **_compare: held)

    assert index_state(memory) == (
        "13 chunks of 5 files, 12 embedded, "
        "1 found by words alone, which the model does not read"
    )


def test_state_can_be_told_without_a_look_at_the_files(memory: Memory) -> None:
    """
    What the index holds is the same; what has changed since is not told.
    """
    memory.index.update(embed=False)
    held = index_state(memory)
    for path in ("MEMORY.md", "memory/2026-11-19.md"):
        memory.workspace.update(path, lambda text: f"{text}\n- More.\n")

    assert f"{held}, 2 files changed since" == index_state(memory)
    assert held == index_state(memory, compare=False)


def test_refresh_never_fails(memory: Memory) -> None:
    """
    An index that cannot be written is said, and the notes that were written stay.
    """
    (memory.workspace.root / ".strata").write_text("in the way")
    said: list[str] = []

    refresh(memory, ["MEMORY.md"], say=said.append)

    assert len(said) == 1
    assert said[0].startswith("the search index is behind: ")


def test_refresh_of_nothing_does_nothing(memory: Memory) -> None:
    """
    Where nothing was written no index is made.
    """
    refresh(memory, [], say=pytest.fail)

    assert not memory.workspace.layout.index_folder.exists()


def test_unknown_model_is_told(memory: Memory) -> None:
    """
    A model that is not there is named, and `embed` says where it should lie.
    """
    assert model_state(memory).startswith("none")
    with pytest.raises(ModelUnavailable, match="none does not exist"):
        embed(memory, say=pytest.fail)


def test_what_was_undone_supersedes_nothing(memory: Memory) -> None:
    """
    A night that was taken back is none for a query either.
    """
    old = "User asked for a backup every night at 02:30."
    change = {"event": "superseded", "id": "a", "text": old, "by": "b", "run": "night"}
    memory.journal.append([{**change, "at": "2026-11-20T03:00:00+08:00"}])
    before = query(memory, "backup every night", Wish(1)).hits
    memory.journal.append([{"event": "undone", "run": "morning", "undoes": "night"}])
    after = query(memory, "backup every night", Wish(1)).hits

    assert [hit.superseded for hit in before + after] == [date(2026, 11, 20), False]
