"""
What a Qdrant server costs that keeps many owners' indexes, by owners and by chunks.

    python bench/tenants.py [--most 50000] [--owner 10000] [--questions 300]

There is no server in it: Qdrant's own engine, the one that runs in this process elsewhere,
holds one shard with the settings that Strata gives a shared collection, in a process of
its own for each size. Notes are invented, cut and weighed as always; vectors lie between
real ones. What a network and several nodes add is not measured. Below the table stands
what follows for 1,000 owners and 10 million chunks, by calculation alone.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np  # noqa: E402 - after the number of its threads
import qdrant_edge as engine  # noqa: E402 - the same
from qdrant_client import models  # noqa: E402 - the same
from search import SEED, MixingEncoder, write_notes  # noqa: E402 - after the path

from strata.embedding_models.folder import find_model  # noqa: E402 - the same
from strata.search.indexing import points  # noqa: E402 - the same
from strata.search.indexing.chunking import windows  # noqa: E402 - the same
from strata.search.indexing.paraphrases import Paraphrases  # noqa: E402 - the same
from strata.search.indexing.scanning import scan  # noqa: E402 - the same
from strata.search.stores.server import SCANNED_KILOBYTES, as_sent  # noqa: E402
from strata.search.stores.store import DENSE, SPARSE, batches, payload  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.search.stores.store import Point

DIMENSIONS = 384
AT_ONCE = 256
# So many different chunks are invented; owners share their words, and not their vectors.
POOL = 2000
OWNERS, CHUNKS = 1000, 10_000_000


@dataclass(frozen=True)
class Cell:
    """One size to measure: *owners* with *each* chunks, kept in one of several ways."""

    owners: int
    each: int
    way: str = "as Strata makes it"


@dataclass(frozen=True)
class Found:
    """What was measured: seconds of CPU for 1,000 chunks, megabytes, milliseconds."""

    cell: Cell
    writing: float
    disk: float
    resident: float
    own: float
    words: tuple[float, float]
    vectors: tuple[float, float]
    cpu: float


def main() -> None:
    arguments = _arguments()
    if arguments.cell:
        _measure_here(Cell(*json.loads(arguments.cell)), arguments)
        return
    with tempfile.TemporaryDirectory() as name:
        arguments.vectors = f"{name}/vectors.npy"
        _keep_vectors(Path(arguments.vectors))
        _measure_all(arguments)


def _keep_vectors(file: Path) -> None:
    model = find_model(ROOT)
    if model is None:
        sys.exit("no embedding model; run `strata embed` first")
    np.save(file, MixingEncoder(model).encode([""] * 5 * POOL))


def _measure_all(arguments: argparse.Namespace) -> None:
    most, owner = arguments.most, arguments.owner
    sizes = [Cell(most // each, each) for each in (100, 1000, owner)]
    sizes += [Cell(max(1, each // owner), owner) for each in (2 * owner, most // 2)]
    ways = ["eight bits", "on the disk", "rarity among all"]
    sizes += [Cell(most // 1000, 1000, way) for way in ways]
    half = owner // 2
    sizes += [Cell(2, half), Cell(2, half, "a graph for each")]
    print(
        "owners  chunks each  kept                CPU s to write a 1,000 chunks", end=""
    )
    print("  MB: disk, memory (own)  words ms  vectors ms  CPU ms")
    found = [_measured(cell, arguments) for cell in dict.fromkeys(sizes)]
    _wire(arguments.vectors)
    _many_collections(arguments.vectors)
    _calculate(found)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=50_000, help="chunks at most")
    parser.add_argument("--owner", type=int, default=10_000, help="chunks of an owner")
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--cell", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    parser.add_argument("--vectors", help=argparse.SUPPRESS)
    return parser.parse_args()


def _measured(cell: Cell, arguments: argparse.Namespace) -> Found:
    """Write the shard in one process, and ask it in another."""
    with tempfile.TemporaryDirectory() as folder:
        told: dict[str, Any] = {}
        for _ in range(2):
            command = [sys.executable, "-E", "-s", __file__, "--folder", folder]
            command += ["--questions", str(arguments.questions)]
            command += ["--vectors", arguments.vectors]
            command += ["--cell", json.dumps([cell.owners, cell.each, cell.way])]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            told |= json.loads(done.stdout)
    found = Found(cell, **told)
    print(
        f"{cell.owners:6} {cell.each:12}  {cell.way:18} {found.writing:6.2f}"
        f"  {found.disk:6.0f} {found.resident:6.0f} ({found.own:.0f})"
        f"  {found.words[0]:5.1f} (95 %: {found.words[1]:.1f})"
        f"  {found.vectors[0]:5.1f} ({found.vectors[1]:.1f})  {found.cpu:5.1f}",
        flush=True,
    )
    return found


def _measure_here(cell: Cell, arguments: argparse.Namespace) -> None:
    folder = Path(arguments.folder)
    if not any(folder.iterdir()):
        print(json.dumps({"writing": _write(cell, folder, arguments.vectors)}))
        return
    pool, vectors = _pool(arguments.vectors)
    before = _memory()
    shard = engine.EdgeShard.load(str(folder))
    asked = _ask(shard, cell, pool, vectors, arguments.questions)
    after = _memory()
    used = {name: (after[name] - before[name]) / 1e6 for name in after}
    print(json.dumps(asked | {"disk": _size(folder) / 1e6} | used))


def _memory() -> dict[str, float]:
    """Return how many bytes are in memory, and how many of them no file stands behind."""
    lines = Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()[1:]
    sizes = {line.split()[0]: 1024.0 * int(line.split()[1]) for line in lines}
    return {"resident": sizes["Rss:"], "own": sizes["Anonymous:"]}


def _pool(vectors: str) -> tuple[list[tuple[Point, int]], Any]:  # Any: numpy's
    """Return chunks with the number of their windows, and vectors enough to choose from."""
    with tempfile.TemporaryDirectory() as name:
        workspace = Path(name)
        write_notes(workspace, POOL)
        pieces = [
            piece
            for state in scan(workspace).values()
            for piece in points.prepare(
                state, (workspace / state.path).read_bytes(), Paraphrases()
            ).pieces
        ]
    pool = [(points.point(piece), len(windows(piece.chunk.text))) for piece in pieces]
    return pool, np.load(vectors)


def _write(cell: Cell, folder: Path, file: str) -> float:
    """Fill the shard in *folder*, and return the seconds of CPU for 1,000 chunks."""
    pool, vectors = _pool(file)
    randomly = np.random.default_rng(SEED)
    started = time.process_time()
    shard = engine.EdgeShard.create(str(folder), _config(cell.way))
    for field, tenant in (("generation", True), ("workspace", None)):
        kept = engine.KeywordIndexParams(is_tenant=tenant, enable_hnsw=bool(tenant))
        shard.update(engine.UpdateOperation.create_field_index(field, kept))
    # Owners write by turns, as they live.
    everyone = [(owner, n) for n in range(cell.each) for owner in range(cell.owners)]
    for some in batches(everyone, AT_ONCE):
        rows = [_row(owner, pool[(owner + n) % len(pool)], n) for owner, n in some]
        for row in rows:
            row["vector"][DENSE] = _beside(vectors, row.pop("windows"), randomly)
        made = [engine.Point(**row) for row in rows]
        shard.update(engine.UpdateOperation.upsert_points(made))
    shard.flush()
    shard.optimize()
    shard.flush()
    shard.close()
    return 1000 * (time.process_time() - started) / (cell.owners * cell.each)


def _beside(vectors: Any, windows_: int, randomly: Any) -> list[list[float]]:
    """Draw as many vectors, no two alike."""
    rows = vectors[randomly.integers(len(vectors), size=windows_)]
    rows = rows + randomly.standard_normal(rows.shape) * (0.1 / DIMENSIONS**0.5)
    matrix: list[list[float]] = rows.tolist()
    return matrix


def _row(owner: int, drawn: tuple[Point, int], number: int) -> dict[str, Any]:
    point, windows_ = drawn
    terms = engine.SparseVector(list(point.sparse), list(point.sparse.values()))
    mine = {"generation": _key(owner), "workspace": f"w{owner}", "chunk": point.id}
    name = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{owner} {number}"))
    fields = payload(point.chunk) | mine
    return {
        "id": name,
        "vector": {SPARSE: terms},
        "payload": fields,
        "windows": windows_,
    }


def _key(owner: int) -> str:
    return f"{uuid.uuid5(uuid.NAMESPACE_URL, str(owner))}.0123456789ab"


def _config(way: str) -> Any:  # Any: the engine's
    memory = engine.Memory.Cold if way == "on the disk" else engine.Memory.Cached
    few, many = (16, None) if way == "one graph for all" else (0, 16)
    # In kilobytes of vectors; the smaller one is Qdrant's own.
    scanned = 10_000 if way == "a graph for each" else SCANNED_KILOBYTES
    eight = engine.ScalarQuantizationConfig(engine.ScalarType.Int8, always_ram=True)
    return engine.EdgeConfig(
        vectors={
            DENSE: engine.EdgeVectorParams(
                size=DIMENSIONS,
                distance=engine.Distance.Cosine,
                multivector_config=engine.MultiVectorConfig(
                    engine.MultiVectorComparator.MaxSim
                ),
                datatype=engine.VectorStorageDatatype.Float16,
                quantization_config=eight if way == "eight bits" else None,
                memory=memory,
            )
        },
        sparse_vectors={
            SPARSE: engine.EdgeSparseVectorParams(
                modifier=engine.Modifier.Idf, memory=memory
            )
        },
        hnsw_config=engine.HnswIndexConfig(
            m=few, payload_m=many, ef_construct=100, full_scan_threshold=scanned
        ),
        optimizers=engine.EdgeOptimizersConfig(default_segment_number=2),
    )


def _ask(
    shard: Any, cell: Cell, pool: Sequence[tuple[Point, int]], vectors: Any, many: int
) -> dict[str, Any]:  # Any: the engine's, numpy's
    randomly = np.random.default_rng(SEED + 1)
    words, nearest = [], []
    cpu = 0.0
    for number in range(many + 10):
        point, _ = pool[int(randomly.integers(len(pool)))]
        terms = randomly.choice(list(point.sparse), 8).tolist()
        mine = engine.Filter(
            must=[
                engine.FieldCondition(
                    "generation",
                    match=engine.MatchValue(_key(int(randomly.integers(cell.owners)))),
                )
            ]
        )
        idf = None if cell.way == "rarity among all" else engine.IdfParams(mine)
        asked: list[tuple[Any, str]] = [
            (engine.SparseVector(sorted(set(terms)), [1.0] * len(set(terms))), SPARSE),
            ([vectors[randomly.integers(len(vectors))].tolist()], DENSE),
        ]
        took, started = [], time.process_time()
        for vector, using in asked:
            begun = time.perf_counter()
            found = shard.query(
                engine.QueryRequest(
                    query=engine.Query.Nearest(vector, using=using),
                    filter=mine,
                    limit=60,
                    with_payload=["chunk"],
                    params=engine.SearchParams(idf=idf if using == SPARSE else None),
                )
            )
            took.append(1000 * (time.perf_counter() - begun))
            if not found:
                sys.exit("a question found nothing")
        if number >= 10:
            words.append(took[0])
            nearest.append(took[1])
            cpu += 1000 * (time.process_time() - started)
    return {"words": _spread(words), "vectors": _spread(nearest), "cpu": cpu / many}


def _spread(times: Sequence[float]) -> tuple[float, float]:
    """Return the median and what 95 of 100 stay below."""
    return statistics.median(times), statistics.quantiles(times, n=20)[-1]


def _wire(file: str) -> None:
    """Say how many bytes a chunk takes on its way to the server."""
    pool, vectors = _pool(file)
    randomly = np.random.default_rng(SEED)
    sizes = []
    for point, windows_ in pool[:200]:
        terms = models.SparseVector(
            indices=list(point.sparse), values=list(point.sparse.values())
        )
        dense = as_sent(_beside(vectors, windows_, randomly))
        row = models.PointStruct(
            id=point.id, vector={SPARSE: terms}, payload=payload(point.chunk)
        )
        sizes.append(
            (
                len(row.model_dump_json()),
                len(json.dumps(dense)),
                windows_,
                len(terms.indices),
            )
        )
    text, dense, windows_, terms = (
        statistics.mean(each) for each in zip(*sizes, strict=True)
    )
    print(
        f"a chunk has {terms:.0f} terms and {windows_:.2f} windows on average; sent once, "
        f"it takes {text / 1000:.1f} KB and its vectors {dense / 1000:.1f} KB"
    )


def _many_collections(file: str, many: int = 20, each: int = 100) -> None:
    """Say what a collection for each owner costs, where the owners are small."""
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name) / str(number) for number in range(many)]
        for folder in folders:
            folder.mkdir()
            _write(Cell(1, each), folder, file)
        before = _memory()["resident"]
        shards = [engine.EdgeShard.load(str(folder)) for folder in folders]
        memory = _memory()["resident"] - before
        disk = sum(_size(folder) for folder in folders)
        for shard in shards:
            shard.close()
    print(
        f"{many} shards of {each} chunks instead of one: {disk / many / 1e6:.1f} MB of "
        f"disk and {memory / many / 1e6:.1f} MB of memory for each of them"
    )


def _size(folder: Path) -> int:
    """Return how much of the disk *folder* takes; the log of a shard is not counted."""
    files = (f for f in folder.rglob("*") if f.is_file() and "wal" not in f.parts)
    return sum(file.stat().st_blocks * 512 for file in files)


def _calculate(found: Sequence[Found]) -> None:
    """Say what follows for many owners; nothing here was measured."""
    whole = [
        each
        for each in found
        if each.cell.way == "as Strata makes it"
        and each.cell.each == max(each.cell.each for each in found)
    ]
    small, large = (
        choose(whole, key=lambda each: each.cell.owners) for choose in (min, max)
    )
    more = (large.cell.owners - small.cell.owners) * large.cell.each
    disk, resident, own = (
        (getattr(large, name) - getattr(small, name)) * CHUNKS / more / 1000
        for name in ("disk", "resident", "own")
    )
    print(
        f"\nCALCULATED for {OWNERS:,} owners with {CHUNKS:,} chunks, one copy, from the "
        f"{more:,} chunks by which {large.cell.owners} owners have more than "
        f"{small.cell.owners}:"
    )
    print(f"  disk    {disk:.0f} GB")
    print(
        f"  memory  {resident:.0f} GB with all of it at hand, of which {own:.0f} GB are "
        "the engine's own; the rest is files that the system may drop"
    )
    print(f"  writing {large.writing * CHUNKS / 1000 / 3600:.0f} hours of CPU, once")
    print(f"  asking  {1000 / large.cpu:.0f} questions a second for each core")


if __name__ == "__main__":
    main()
