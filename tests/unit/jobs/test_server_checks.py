"""The doctor looks at the Qdrant server that keeps the index."""

from __future__ import annotations

import platform
import shutil
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any

import pytest
from builders_search import write_notes
from fake_qdrant import KEY, FakeQdrant, served

from strata.jobs.checks.findings import Level
from strata.jobs.checks.server import check_server
from strata.jobs.doctor import examine
from strata.memory import Memory
from strata.search.stores import looking, patience
from strata.search.stores.server import new_client
from strata.workspace import own_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeQdrant]:
    """
    A running server that wants a key, which the environment has.
    """
    monkeypatch.setenv("QDRANT_API_KEY", KEY)
    monkeypatch.setattr(patience, "_WRITE_SECONDS", 0.3)
    with served() as fake:
        yield fake


def memory_on(
    server: FakeQdrant | None, tmp_path: Path, *more: str, state: str = "state"
) -> Memory:
    """
    A memory whose index is on *server*, or here.
    """
    folder = tmp_path / state
    (folder / "agents" / "main" / "sessions").mkdir(parents=True, exist_ok=True)
    place = [f"qdrant.url={server.url}"] if server else []
    return Memory.open(
        workspace=str(write_notes(tmp_path / "workspace")),
        state_dir=str(folder),
        overrides=["timezone=UTC", "embedding.model=none", *place, *more],
    )


def looked(memory: Memory) -> list[tuple[Level, str]]:
    return [(each.level, str(each.says)) for each in check_server(memory)]


def test_name_on_the_server_is_one_installations(
    server: FakeQdrant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Containers of one name and folder have names of their own; a laptop keeps its name.
    """

    def tenant(state: str) -> str:
        remote = memory_on(server, tmp_path, state=state).qdrant
        assert remote
        return remote.tenant

    first, second = tenant("first"), tenant("second")
    monkeypatch.setattr(platform, "node", lambda: "another-name")
    renamed = tenant("first")
    shutil.copytree(tmp_path / "first", tmp_path / "copied")
    (tmp_path / "machine-id").write_text("0123456789abcdef\n")
    monkeypatch.setattr(own_folder, "_MACHINE_FILE", tmp_path / "machine-id")
    copied = tenant("copied")

    assert renamed == first
    assert len({first, second, copied}) == 3


def test_no_server_is_not_looked_for(tmp_path: Path) -> None:
    """
    Where this machine keeps the index there is nothing to say.
    """
    assert looked(memory_on(None, tmp_path)) == []


@pytest.mark.parametrize("own", ["true", "false"])
def test_fine_server_is_told_with_what_it_holds(
    server: FakeQdrant, tmp_path: Path, own: str
) -> None:
    """
    Before the first chunk, and after.
    """
    memory = memory_on(server, tmp_path, f"qdrant.own_collection={own}")
    before = looked(memory)

    memory.index.update()

    assert before == [
        (
            Level.OK,
            "answers as Qdrant 1.19.2; its collection is made with the first chunk",
        )
    ]
    ((level, says),) = looked(memory)
    assert level is Level.OK
    assert says.startswith("answers as Qdrant 1.19.2, with 8 points in the collection")
    assert memory.qdrant
    assert memory.qdrant.tenant in says
    assert any("_" in name.removeprefix("strata_384_") for name in server.made) is (
        own == "true"
    )


@pytest.mark.parametrize(
    ("url", "overheard"),
    [
        ("http://qdrant.example:6333", True),
        ("http://192.168.1.9:6333", True),
        ("https://qdrant.example:6333", False),
        ("http://127.0.0.1:6333", False),
        ("http://qdrant:6333", False),
    ],
)
def test_key_that_goes_in_clear_is_noted(
    server: FakeQdrant,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    url: str,
    *,
    overheard: bool,
) -> None:
    """
    Over the network, but not to this machine or a container beside.
    """
    monkeypatch.setattr(
        looking, "new_client", lambda _url, key: new_client(server.url, key)
    )
    at = memory_on(None, tmp_path, f"qdrant.url={url}")

    found = {each for level, each in looked(at) if level is Level.NOTE}

    assert any("http://" in each for each in found) is overheard


def test_server_that_is_away_is_a_problem(server: FakeQdrant, tmp_path: Path) -> None:
    """
    With the setting and the key to look at, among all that the doctor says.
    """
    memory = memory_on(server, tmp_path)
    server.down = True

    (found,) = [each for each in examine(memory) if each.name == "Qdrant server"]

    assert found.level is Level.PROBLEM
    assert "QDRANT_API_KEY" in found.says
    assert found.remedy == "see to the server; meanwhile the files are searched"


@pytest.mark.parametrize(
    ("version", "level"),
    [("1.9.7", Level.PROBLEM), ("1.18.0", Level.NOTE), ("1.20.0-dev", Level.OK)],
)
def test_old_server_is_told(
    server: FakeQdrant, tmp_path: Path, version: str, level: Level
) -> None:
    """
    One that cannot do it at all, and one that counts rarity among everybody.
    """
    server.version = version

    ((found, says),) = looked(memory_on(server, tmp_path))

    assert found is level
    assert version in says


def test_wrong_clock_is_told(server: FakeQdrant, tmp_path: Path) -> None:
    """
    An hour is too much, and a second is nothing.
    """
    for ahead, told in ((timedelta(hours=1), True), (timedelta(seconds=2), False)):
        server.headers = {"date": format_datetime(datetime.now(UTC) + ahead)}

        says = [says for _, says in looked(memory_on(server, tmp_path))]

        assert any("a clock that is" in each for each in says) is told


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"vectors": {"dense": {"size": 64, "distance": "Cosine"}}}, "another size"),
        ({"vectors": {"dense": {"size": 384, "distance": "Cosine"}}}, "each window"),
        ({"sparse_vectors": {"bm25": {}}}, "how rare they are"),
        ({"hnsw_config": {"m": 16}}, "one graph for all"),
        ({"indexed": {}}, "whose each chunk is"),
    ],
    ids=["size", "windows", "rarity", "graph", "tenants"],
)
def test_foreign_collection_is_told(
    server: FakeQdrant, tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    """
    What somebody made in another way, or by hand, is named with its remedy.
    """
    memory = memory_on(server, tmp_path)
    memory.index.update()
    (name,) = server.made
    if "indexed" in change:
        server.indexed[name].clear()
    else:
        made = server.made[name].model_dump(mode="json", exclude_none=True)
        server.made[name] = type(server.made[name]).model_validate(made | change)

    _, found = check_server(memory)

    assert says in found.says
    assert found.remedy
    assert (found.level is Level.NOTE) is ("graph" in says)
