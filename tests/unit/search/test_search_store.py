"""Every store finds the same."""

from __future__ import annotations

import random
from contextlib import ExitStack, closing, contextmanager
from datetime import date
from typing import TYPE_CHECKING

import pytest
from builders_search import identity, point
from builders_server import KINDS, server_of

from strata.models import Tier
from strata.search.indexing.scan_search import best_by_words
from strata.search.stores.edge import EdgeStore
from strata.search.stores.qdrant import QdrantStore
from strata.search.stores.store import Scope, Store, StoreDamaged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Opener = Callable[[Path], Store]

pytestmark = pytest.mark.filterwarnings("ignore:Api key is used with an insecure")

OPENERS: dict[str, Opener] = {
    "edge": lambda folder: EdgeStore(folder, 4),
    "qdrant": lambda folder: QdrantStore.in_folder(folder, 4),
}


@contextmanager
def opened(kind: str, folder: Path) -> Iterator[Store]:
    """
    An empty store of *kind*, in *folder* or on a server that others use too.
    """
    if kind in OPENERS:
        with closing(OPENERS[kind](folder)) as store:
            yield store
        return
    with server_of(kind) as server:
        neighbour = server.store("b")
        neighbour.upsert([point(n, {1: 1.0, 2: 1.0}) for n in range(9)])
        neighbour.add_vectors({identity(1): [[0.0, 1.0, 0.0, 0.0]]})
        with closing(server.store("a")) as store:
            yield store


@pytest.fixture(params=[*OPENERS, *KINDS])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """
    An empty store of each kind.
    """
    with opened(request.param, tmp_path / "points") as store:
        yield store


def ids(ranked: list[tuple[str, float]]) -> list[str]:
    return [number for number, _ in ranked]


def test_rare_term_wins(store: Store) -> None:
    """
    A term that few points have counts more than one that all have.
    """
    store.upsert([point(n, {1: 1.0, 2: 1.0} if n == 3 else {1: 1.2}) for n in range(6)])

    found = store.search({1: 1.0, 2: 1.0}, None, Scope(), 10)

    assert ids(found.sparse)[0] == identity(3)
    assert found.dense == []


def test_best_window_counts(store: Store) -> None:
    """
    A point is as near as the nearest of its windows.
    """
    store.upsert([point(1, {1: 1.0}), point(2, {1: 1.0}), point(3, {1: 1.0})])
    store.add_vectors(
        {
            identity(1): [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]],
            identity(2): [[0.6, 0.8, 0.0, 0.0]],
        }
    )

    found = store.search({}, [0.0, 1.0, 0.0, 0.0], Scope(), 10)

    assert ids(found.dense) == [identity(1), identity(2)]
    assert found.dense[0][1] == pytest.approx(1.0, abs=1e-3)
    assert found.dense[1][1] == pytest.approx(0.8, abs=1e-3)


def test_scope_limits_the_search(store: Store) -> None:
    """
    Only points of the tier and of the days asked for are found; both ends count.
    """
    days = [date(2026, 11, 18), date(2026, 11, 19), date(2026, 11, 20), None]
    tiers = [Tier.DAILY, Tier.WEEKLY, Tier.DAILY, Tier.LONG_TERM]
    pairs = zip(days, tiers, strict=True)
    store.upsert([point(n, {1: 1.0}, day=d, tier=t) for n, (d, t) in enumerate(pairs)])

    def within(scope: Scope) -> set[str]:
        return set(ids(store.search({1: 1.0}, None, scope, 10).sparse))

    assert within(Scope()) == {identity(n) for n in range(4)}
    assert within(Scope(tier=Tier.DAILY)) == {identity(0), identity(2)}
    assert within(Scope(since=days[1])) == {identity(1), identity(2)}
    assert within(Scope(until=days[1])) == {identity(0), identity(1)}
    assert within(Scope(Tier.DAILY, days[1], days[2])) == {identity(2)}


def test_upsert_replaces_and_delete_removes(store: Store) -> None:
    """
    A point is there once, as it was written last, until it is deleted.
    """
    store.upsert([point(1, {1: 1.0}), point(2, {1: 1.0})])
    store.upsert([point(1, {2: 1.0})])
    store.delete([identity(2), identity(9)])
    store.delete([])

    assert store.count() == 1
    assert store.search({1: 1.0}, None, Scope(), 10).sparse == []
    assert ids(store.search({2: 1.0}, None, Scope(), 10).sparse) == [identity(1)]


def test_points_tell_their_terms(store: Store) -> None:
    """
    A store knows which terms its points have; a point of marks alone has none.
    """
    store.upsert([point(1, {1: 1.0, 2: 0.5}), point(2, {2: 1.0, 9: 1.0}), point(3, {})])

    assert store.terms_of([identity(1), identity(3)]) == {1, 2}
    assert store.terms_of([identity(1), identity(2)]) == {1, 2, 9}
    assert store.terms_of([]) == set()


def test_point_without_terms_is_kept(store: Store) -> None:
    """
    A chunk of nothing but marks is counted and never found.
    """
    store.upsert([point(1, {})])

    assert store.count() == 1
    assert store.search({1: 1.0}, None, Scope(), 10).sparse == []


def test_all_stores_agree(tmp_path: Path) -> None:
    """
    The stores and a plain search of the files give the same ten points in the same order,
    and the same scores.
    """
    randomly = random.Random(7)  # noqa: S311 - points, not secrets
    points = [
        point(n, {randomly.randrange(200): randomly.random() + 0.5 for _ in range(30)})
        for n in range(400)
    ]
    with ExitStack() as stack:
        stores = [
            stack.enter_context(opened(name, tmp_path / name))
            for name in (*OPENERS, *KINDS)
        ]
        for each in stores:
            each.upsert(points)
            each.settle(optimize=True)
        for _ in range(20):
            query = {randomly.randrange(200): 1.0 for _ in range(5)}

            found = [each.search(query, None, Scope(), 10).sparse for each in stores]
            plain = best_by_words(points, query, Scope(), 10)

            assert [ids(ranked) for ranked in found] == [ids(plain)] * len(stores)
            scores = [score for _, score in plain]
            for ranked in found:
                assert [s for _, s in ranked] == pytest.approx(scores, rel=1e-3)


@pytest.mark.parametrize("name", ["edge", "qdrant"])
def test_closed_store_opens_again(name: str, tmp_path: Path) -> None:
    """
    What was written is there after the store was closed.
    """
    first = OPENERS[name](tmp_path / "points")
    first.upsert([point(1, {1: 1.0})])
    first.add_vectors({identity(1): [[1.0, 0.0, 0.0, 0.0]]})
    first.settle(optimize=False)
    first.close()

    again = OPENERS[name](tmp_path / "points")

    found = again.search({1: 1.0}, [1.0, 0.0, 0.0, 0.0], Scope(), 10)
    again.close()
    assert ids(found.sparse) == ids(found.dense) == [identity(1)]


def test_log_stays_small(tmp_path: Path) -> None:
    """
    The log of an Edge shard takes a few megabytes and not a hundred.
    """
    store = EdgeStore(tmp_path, 4)
    for start in range(0, 2000, 500):
        store.upsert(
            [point(start + n, dict.fromkeys(range(200), 1.0)) for n in range(500)]
        )
        store.settle(optimize=False)
    store.close()

    log = sum(file.stat().st_size for file in (tmp_path / "wal").iterdir())
    assert log < 8_000_000


def test_putting_in_order_takes_one_lot_at_a_time(tmp_path: Path) -> None:
    """
    What is in order is not put in order again with what comes later, which takes memory.
    """
    chance, lot, windows, size = random.Random(3), 200, 16, 1024  # noqa: S311 - nothing secret
    vectors = {
        identity(n): [[chance.gauss(0, 1) for _ in range(size)]] * windows
        for n in range(3 * lot)
    }
    store = EdgeStore(tmp_path, size)
    for start in range(0, 3 * lot, lot):
        numbers = range(start, start + lot)
        store.upsert([point(n, {n: 1.0}) for n in numbers])
        store.add_vectors({identity(n): vectors[identity(n)] for n in numbers})
        store.settle(optimize=True)
        ordered = {each.name for each in (tmp_path / "segments").iterdir()}
        if not start:
            first = ordered

    asked = identity(lot // 2)
    found = store.search({lot // 2: 1.0}, vectors[asked][0], Scope(), 3)
    store.close()
    assert ids(found.sparse)[0] == ids(found.dense)[0] == asked
    assert len(ordered) > len(first)
    assert first & ordered


def test_damaged_shard_is_told(tmp_path: Path) -> None:
    """
    A shard that cannot be read raises one error, whatever the engine says.
    """
    EdgeStore(tmp_path, 4).close()
    (tmp_path / "edge_config.json").write_bytes(b"\x00garbage")

    with pytest.raises(StoreDamaged):
        EdgeStore(tmp_path, 4)
