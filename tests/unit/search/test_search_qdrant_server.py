"""The index on a Qdrant server, of which a fake speaks the HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders_search import TODAY, ask, identity, paths, point, write_notes
from fake_qdrant import KEY, FakeQdrant, served

from strata.errors import StoreUnreachable
from strata.search.indexing.index import Index
from strata.search.stores import qdrant
from strata.search.stores.qdrant import QdrantStore
from strata.search.stores.store import Remote, Scope

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.filterwarnings("ignore:Api key is used with an insecure")


@pytest.fixture
def server() -> Iterator[FakeQdrant]:
    """
    A running server that wants a key.
    """
    with served() as fake:
        yield fake


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Nobody waits half a minute for a server that is gone on purpose.
    """
    monkeypatch.setattr(qdrant, "_READ_SECONDS", 0.5)
    monkeypatch.setattr(qdrant, "_WRITE_SECONDS", 1.0)
    monkeypatch.setattr(qdrant, "_FIRST_PAUSE_SECONDS", 0.01)


def remote(server: FakeQdrant, tenant: str = "a", key: str = KEY) -> Remote:
    return Remote(server.url, key, tenant)


def index_on(server: FakeQdrant | None, workspace: Path, said: list[str]) -> Index:
    """
    The index of *workspace* on *server*, or in its own folder.
    """
    place = remote(server, workspace.name) if server else None
    folder = workspace / ".strata" / "index"
    return Index(folder, workspace, None, remote=place, say=said.append)


def test_tenants_share_a_collection(server: FakeQdrant) -> None:
    """
    Two workspaces with the same chunk keep a point each, and neither sees the other's.
    """
    first = QdrantStore.on_server(remote(server, "a"), 4)
    second = QdrantStore.on_server(remote(server, "b"), 4)
    for store in (first, second):
        store.upsert([point(1, {1: 1.0}), point(2, {2: 1.0})])
    first.add_vectors({identity(1): [[1.0, 0.0, 0.0, 0.0]]})
    second.delete([identity(1)])

    found = first.search({1: 1.0}, [1.0, 0.0, 0.0, 0.0], Scope(since=TODAY), 10)

    assert [number for number, _ in found.sparse] == [identity(1)]
    assert [number for number, _ in found.dense] == [identity(1)]
    assert second.search({1: 1.0}, None, Scope(), 10).sparse == []
    second.clear()
    assert (first.count(), second.count()) == (2, 0)
    assert server.engine.get_collections().collections[0].name == "strata_4"
    assert server.indexed == ["workspace", "tier", "date"]


def test_many_points_go_in_batches(server: FakeQdrant) -> None:
    """
    No request holds more than a few hundred points.
    """
    store = QdrantStore.on_server(remote(server), 4)

    store.upsert([point(number, {1: 1.0}) for number in range(600)])

    assert server.calls.count("PUT points") == 3
    assert store.count() == 600


def test_restarting_server_is_waited_for(server: FakeQdrant) -> None:
    """
    What fails for a moment is tried again.
    """
    store = QdrantStore.on_server(remote(server), 4)
    server.failures = 3

    store.upsert([point(1, {1: 1.0})])

    assert store.count() == 1


def test_wrong_key_is_told_at_once(server: FakeQdrant) -> None:
    """
    An answer that will not change is not waited for, and says what to look at.
    """
    with pytest.raises(StoreUnreachable, match="QDRANT_API_KEY"):
        QdrantStore.on_server(remote(server, key="wrong"), 4)


def test_answers_are_those_of_the_own_engine(
    server: FakeQdrant, tmp_path: Path
) -> None:
    """
    The index finds the same on a server as in its folder.
    """
    write_notes(tmp_path / "one")
    write_notes(tmp_path / "two")
    near, far = (
        index_on(None, tmp_path / "one", []),
        index_on(server, tmp_path / "two", []),
    )
    near.update()
    far.update()

    for text in ("which database do we keep?", "数据库迁移", "better-sqlite3"):
        own = ask(near, tmp_path / "one", text)
        other = ask(far, tmp_path / "two", text)
        assert paths(own) == paths(other)
        assert other.index == "current"


def test_server_that_went_away_costs_nothing(
    server: FakeQdrant, tmp_path: Path
) -> None:
    """
    While it is gone the files are searched; what was written meanwhile is there later.
    """
    said: list[str] = []
    index = index_on(server, write_notes(tmp_path), said)
    index.update()
    server.down = True
    note = "# 2026-11-18\n\n- The heliostat was calibrated to 41 degrees.\n"
    (tmp_path / "memory" / "2026-11-18.md").write_text(note, encoding="utf-8")

    gone = ask(index, tmp_path, "heliostat degrees")
    server.down = False
    back = ask(index, tmp_path, "heliostat degrees")

    assert paths(gone) == paths(back) == ["memory/2026-11-18.md"]
    assert (gone.index, back.index) == ("down", "current")
    assert "the files were searched instead" in said[0]


def test_index_moves_in_either_direction(server: FakeQdrant, tmp_path: Path) -> None:
    """
    With the setting gone or back, the index is made anew where it belongs now.
    """
    said: list[str] = []
    write_notes(tmp_path)
    index_on(None, tmp_path, said).update()

    moved = ask(index_on(server, tmp_path, said), tmp_path, "database")
    points = server.engine.count("strata_384").count
    home = ask(index_on(None, tmp_path, said), tmp_path, "database")
    again = index_on(server, tmp_path, said)
    again.update()

    assert paths(moved) == paths(home) != []
    assert points == server.engine.count("strata_384").count > 0
    assert all("another place" in line for line in said)
