"""A graph of windows finds what the scan finds, and follows every change."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders_search import (
    ask,
    identity,
    index_of,
    point,
    tiny_model,
    write_notes,
)

from strata.search.stores.edge import EdgeStore
from strata.search.stores.store import Scope
from strata.search.stores.window_graph import WindowGraph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.search.indexing.index import Index
    from strata.search.stores.store import Matrix, Store

SIZE = 16
COUNT = 300
ROOT = Path(__file__).parents[3]
QUESTION = "Which database do we keep?"


def rows(count: int, seed: int) -> Matrix:
    """
    *count* directions around one of thirty, as texts on thirty topics would have.
    """
    randomly = random.Random(seed)  # noqa: S311 - vectors, not secrets
    topic = random.Random(seed % 30)  # noqa: S311 - the same
    centre = [topic.gauss(0, 1) for _ in range(SIZE)]
    found = [[x + randomly.gauss(0, 0.5) for x in centre] for _ in range(count)]
    return [[x / sum(y * y for y in row) ** 0.5 for x in row] for row in found]


def windows(number: int) -> Matrix:
    """
    The vectors of the chunk with that number: one to seven windows.
    """
    return rows(1 + number % 7, number)


def filled(store: Store, numbers: range) -> None:
    store.upsert([point(n, {1: 1.0}) for n in numbers])
    store.add_vectors({identity(n): windows(n) for n in numbers})


def with_graph(store: EdgeStore, folder: Path, numbers: range) -> None:
    """
    Give *store* a graph of the chunks with these numbers.
    """
    graph = WindowGraph.create(folder / "new", SIZE)
    graph.add({identity(n): windows(n) for n in numbers})
    graph.order()
    graph.close()
    store.adopt_graph(graph.folder)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EdgeStore]:
    """
    A store of three hundred chunks with a graph of them.
    """
    opened = EdgeStore(tmp_path / "points", SIZE)
    filled(opened, range(COUNT))
    with_graph(opened, tmp_path, range(COUNT))
    yield opened
    opened.close()


def nearest(store: Store, number: int, limit: int = 10) -> list[str]:
    """
    The chunks that are nearest to the first window of the chunk with that number.
    """
    found = store.search({}, windows(number)[0], Scope(), limit)
    return [each for each, _ in found.dense]


def test_graph_finds_what_a_scan_finds(store: EdgeStore, tmp_path: Path) -> None:
    """
    The ten nearest of a graph are those of every comparison, with the same scores.
    """
    plain = EdgeStore(tmp_path / "plain", SIZE)
    filled(plain, range(COUNT))
    alike = 0
    for number in range(0, COUNT, 10):
        question = rows(1, 1000 + number)[0]
        chosen = store.search({}, question, Scope(), 10).dense
        exact = dict(plain.search({}, question, Scope(), 10).dense)
        alike += len(exact.keys() & dict(chosen).keys())
        for each, score in chosen:
            assert score == pytest.approx(exact.get(each, score), abs=2e-3)

    plain.close()
    assert alike >= 0.98 * 300


def test_many_windows_of_few_chunks(tmp_path: Path) -> None:
    """
    Where the nearest windows all belong to few chunks, as many chunks are found.
    """
    store = EdgeStore(tmp_path / "points", SIZE)
    store.upsert([point(n, {1: 1.0}) for n in range(30)])
    near = {identity(n): rows(100 if n < 2 else 1, 30 * n) for n in range(30)}
    store.add_vectors(near)
    graph = WindowGraph.create(tmp_path / "new", SIZE)
    graph.add(near)
    graph.order()
    graph.close()
    store.adopt_graph(graph.folder)

    found = store.search({}, rows(1, 0)[0], Scope(), 12).dense

    store.close()
    assert len(found) == 12


def test_what_comes_later_is_found_at_once(store: EdgeStore) -> None:
    """
    A chunk that is added after the graph was built is found before the next one is.
    """
    filled(store, range(COUNT, COUNT + 5))

    assert nearest(store, COUNT + 3)[0] == identity(COUNT + 3)


def test_deleted_chunk_takes_its_windows_along(
    store: EdgeStore, tmp_path: Path
) -> None:
    """
    No window of a deleted chunk stays in the graph.
    """
    store.delete([identity(7)])
    store.settle(optimize=False)

    assert identity(7) not in nearest(store, 7, limit=20)
    store.close()
    graph = WindowGraph(tmp_path / "points" / "graph")
    assert identity(7) not in graph.nearest(windows(7)[0], COUNT)
    graph.close()


def test_narrow_scope_is_compared_whole(store: EdgeStore) -> None:
    """
    A scope of known chunks is searched as it is without a graph.
    """
    scope = Scope(ids=frozenset(identity(n) for n in (3, 50, 200)))

    found = store.search({}, windows(50)[0], scope, 10).dense

    assert {each for each, _ in found} == set(scope.ids or ())


def test_graph_is_there_when_the_store_opens_again(
    store: EdgeStore, tmp_path: Path
) -> None:
    """
    A store that was closed opens with its graph, and clearing it removes the graph.
    """
    store.close()
    again = EdgeStore(tmp_path / "points", SIZE)

    assert nearest(again, 42)[0] == identity(42)
    assert WindowGraph.is_in(tmp_path / "points" / "graph")

    again.clear()
    assert not (tmp_path / "points" / "graph").exists()
    again.close()


def test_damaged_graph_is_left_out(store: EdgeStore, tmp_path: Path) -> None:
    """
    A graph that cannot be read goes; the points are scanned.
    """
    store.close()
    settings = tmp_path / "points" / "graph" / "edge_config.json"
    settings.write_bytes(b"\x00garbage")
    again = EdgeStore(tmp_path / "points", SIZE)

    assert nearest(again, 42)[0] == identity(42)
    assert not settings.exists()
    again.close()


def test_graph_is_wanted_where_it_is_worth_it(
    store: EdgeStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    From many chunks on one is wanted; another, when many windows stand beside it.
    """
    bare = EdgeStore(tmp_path / "bare", SIZE)
    assert not bare.wants_graph(7999)
    assert bare.wants_graph(8000)
    bare.close()

    assert not store.wants_graph(COUNT)
    monkeypatch.setattr("strata.search.stores.edge._SCANNED_WINDOWS", 100)
    filled(store, range(COUNT, COUNT + 100))
    assert store.wants_graph(COUNT + 100)


KILLED = """
import sys
sys.path[:0] = [{root!r}, {tests!r}]
from pathlib import Path
from test_search_graph import COUNT, SIZE, EdgeStore, filled
store = EdgeStore(Path(sys.argv[1]), SIZE)
print("open", flush=True)
for start in range(COUNT, 100_000, 20):
    filled(store, range(start, start + 20))
    store.settle(optimize=False)
    print(start, flush=True)
"""


def test_killed_writer_leaves_a_graph_that_works(
    store: EdgeStore, tmp_path: Path
) -> None:
    """
    What was put on the disk before a writer is killed is found in the graph.
    """
    store.close()
    script = KILLED.format(root=str(ROOT), tests=str(Path(__file__).parent))
    writer = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "points")],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "tests")},
    )
    assert writer.stdout
    done = [writer.stdout.readline() for _ in range(5)]
    writer.send_signal(signal.SIGKILL)
    writer.communicate()

    again = EdgeStore(tmp_path / "points", SIZE)

    assert WindowGraph.is_in(tmp_path / "points" / "graph")
    for number in (3, COUNT + 5, int(done[-1]) + 10):
        assert nearest(again, number)[0] == identity(number)
    again.close()


@pytest.fixture
def large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Path, Callable[[], Index]]:
    """
    A workspace that counts as large, and what opens its index.
    """
    monkeypatch.setattr("strata.search.stores.edge._GRAPH_FROM_CHUNKS", 3)
    workspace = write_notes(tmp_path / "workspace")
    model = tiny_model(tmp_path / "tiny")
    return workspace, lambda: index_of(workspace, model)


def graph_of(workspace: Path) -> Path:
    return workspace / ".strata/index/points/graph"


def test_large_index_gets_a_graph(
    large: tuple[Path, Callable[[], Index]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    An update gives a large index its graph, and answers stay what they were.
    """
    monkeypatch.setattr("strata.search.indexing.comparing.WHILE_ASKED", 0)
    workspace, opened = large
    opened().update()
    before = ask(opened(), workspace, QUESTION)
    assert not WindowGraph.is_in(graph_of(workspace))

    opened().update(embed=True)
    after = ask(opened(), workspace, QUESTION)

    assert WindowGraph.is_in(graph_of(workspace))
    assert after.mode == "hybrid"
    assert before.hits[0].path == after.hits[0].path


def test_what_changes_meanwhile_is_in_the_graph(
    large: tuple[Path, Callable[[], Index]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    While a graph is built others ask and write, and what they wrote is in it.
    """
    workspace, opened = large
    order = WindowGraph.order

    def meddle(graph: WindowGraph) -> None:
        monkeypatch.setattr(WindowGraph, "order", order)
        (workspace / "memory/2026-10-03.md").write_text("# A day\n\n- Valkey it is.\n")
        next(workspace.rglob("2026-*.md")).unlink()
        assert ask(opened(), workspace, QUESTION).hits
        opened().embed()
        order(graph)

    monkeypatch.setattr(WindowGraph, "order", meddle)
    opened().update(embed=True)

    with opened().shelf.opened(1) as session:
        embedded = session.manifest.embedded()
    graph = WindowGraph(graph_of(workspace))
    near = graph.nearest([1.0, *[0.0] * (opened().shelf.dimensions - 1)], 100)
    graph.close()
    assert set(near) == embedded


def test_process_that_stays_builds_no_graph(
    large: tuple[Path, Callable[[], Index]],
) -> None:
    """
    Whoever asks a process that keeps the index open does not wait for a graph.
    """
    workspace, opened = large
    kept = opened()
    kept.keep_open(watch=False)

    kept.update(embed=True)

    assert not WindowGraph.is_in(graph_of(workspace))
    assert ask(kept, workspace, QUESTION).mode == "hybrid"


def test_rebuild_throws_a_half_built_graph_away(
    large: tuple[Path, Callable[[], Index]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    No vector of a text that is gone comes back with a graph that was being built.
    """
    workspace, opened = large
    order = WindowGraph.order

    def forget(graph: WindowGraph) -> None:
        monkeypatch.setattr(WindowGraph, "order", order)
        order(graph)
        shelf = opened().shelf
        with shelf.locked(1):
            shelf.wipe()
        assert not shelf.graph_folder.exists()

    monkeypatch.setattr(WindowGraph, "order", forget)
    opened().update(embed=True)

    assert not WindowGraph.is_in(graph_of(workspace))
    opened().update(embed=True)
    assert WindowGraph.is_in(graph_of(workspace))
