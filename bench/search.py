"""
What a question costs: a cold process from start to printed answer, and the index behind it.

    python bench/search.py [--chunks 10000] [--runs 10] [--keep DIR] [--texts 200]

Writes a workspace of invented notes in English and Chinese (the same for the same seed),
indexes it with vectors mixed from real ones, because to embed so much would take hours,
and asks with the real model. Then it measures how many real texts are embedded a
second.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# As installed: modules are compiled once, not at every start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

import numpy as np  # noqa: E402 - after the number of its threads

from strata.embedding_models.encoder import load_encoder  # noqa: E402 - the same
from strata.embedding_models.folder import find_model, read_model  # noqa: E402 - path
from strata.search.indexing.chunking import windows  # noqa: E402 - the same
from strata.search.indexing.index import Index  # noqa: E402 - the same

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray


SEED = 20261120
CHUNKS_A_DAY = 10
WORDS_A_SENTENCE = 5
ENGLISH = "Which database did we choose for the reports of the greenhouse project?"
CHINESE = "我们上次为报表选了哪个数据库？"

_SYLLABLES = "ka lo mi ren tas vol der pin su gra wen hol bar tis cor nel"
SYLLABLES = _SYLLABLES.split()
WORDS = (
    "the a we they user asked server report database project moved because needs keep "
    "change error fixed with from into after before meeting plan review cost"
)
HANZI = (
    "数据库报表项目会议决定服务器迁移测试部署接口配置缓存日志用户权限备份恢复版本发布"
    "周末天气旅行朋友家人电影音乐咖啡餐厅预算合同客户需求设计评审问题方案进度风险"
)


MEASURE = """
import os, resource, sys, time
started = time.perf_counter()
null = os.open(os.devnull, os.O_WRONLY)
child = os.posix_spawn(
    sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)]
)
status = os.waitpid(child, 0)[1]
used = resource.getrusage(resource.RUSAGE_CHILDREN)
wall = time.perf_counter() - started
print(1000 * (used.ru_utime + used.ru_stime), 1000 * wall, used.ru_maxrss / 1024)
sys.exit(os.waitstatus_to_exitcode(status))
"""


@dataclass(frozen=True)
class Cost:
    """What one process used: milliseconds of CPU and of wall time, megabytes at most."""

    cpu: float
    wall: float
    memory: float


class MixingEncoder:
    """
    Stands in for the model, which would take hours for this many texts.

    Each vector lies between two of real sentences, a little beside: directions without
    any structure would be what no text is, and what a graph of neighbours cannot order.
    """

    def __init__(self, model: Path) -> None:
        described = read_model(model)
        self.name = described.name
        self.fingerprint = described.fingerprint
        self.dimensions = described.dimensions
        self.languages = described.languages
        self._random = np.random.default_rng(SEED)
        self._real = load_encoder(model).encode(_sentences())

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a direction for each text, whatever it says."""
        first, second = self._random.integers(len(self._real), size=(2, len(texts)))
        share = self._random.uniform(0.25, 0.6, size=(len(texts), 1))
        beside = self._random.standard_normal((len(texts), self.dimensions))
        rows = (1 - share) * self._real[first] + share * self._real[second]
        rows += beside * (0.3 / self.dimensions**0.5)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows, dtype=np.float32)


def _sentences() -> list[str]:
    """Return what the project's own documents say, line by line."""
    documents = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    documents += sorted((ROOT / "bench").rglob("*.md"))
    documents += sorted((ROOT / "bench" / "scenarios").glob("*en.yaml"))
    lines = {
        line.strip()
        for document in documents
        for line in document.read_text(encoding="utf-8").splitlines()
    }
    return sorted(line for line in lines if len(line.split()) >= WORDS_A_SENTENCE)


def main() -> None:
    arguments = _arguments()
    model = find_model(ROOT)
    if model is None:
        sys.exit("no embedding model; run `strata embed` first")
    with tempfile.TemporaryDirectory() as name:
        workspace = arguments.keep or Path(name)
        _index(workspace, model, arguments.chunks)
        _ask(workspace, arguments.runs)
    _embed(model, arguments.texts)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--keep", type=Path, help="a workspace to make or to use again")
    return parser.parse_args()


def _index(workspace: Path, model: Path, chunks: int) -> None:
    folder = workspace / ".strata" / "index"
    index = Index(folder, workspace, model)
    index.__dict__["encoder"] = MixingEncoder(model)
    if not folder.exists():
        write_notes(workspace, chunks)
        started = time.process_time()
        report = index.update()
        words = time.process_time()
        embedded = index.embed()
        index.update()
        done = time.process_time()
        print(
            f"{report.chunks} chunks of {report.files} files: {words - started:.1f} s of "
            f"CPU for the words, {done - words:.1f} s for {embedded} chunks' vectors"
        )
    found = index.status()
    disk = sum(f.stat().st_blocks * 512 for f in folder.rglob("*") if f.is_file())
    print(
        f"index: {found.chunks} chunks, {found.embedded} embedded, "
        f"{disk / 1e6:.0f} MB on the disk"
    )


def write_notes(workspace: Path, chunks: int) -> None:
    """Invent as many *chunks*, ten to a day, and write them into *workspace*."""
    (workspace / "memory").mkdir(parents=True, exist_ok=True)
    randomly = random.Random(SEED)  # noqa: S311 - invented notes are no secret
    days = -(-chunks // CHUNKS_A_DAY)
    for number in range(days):
        day = date(2026, 11, 20) - timedelta(days=number)
        blocks = [_block(randomly, hour) for hour in range(8, 8 + CHUNKS_A_DAY)]
        text = f"# {day}\n\n" + "\n".join(blocks)
        (workspace / "memory" / f"{day}.md").write_text(text, encoding="utf-8")


def _block(randomly: random.Random, hour: int) -> str:
    """Invent about a kilobyte of bullets, one block in four in Chinese."""
    chinese = randomly.random() < 0.25
    line = _chinese_line if chinese else _english_line
    lines = [f"- {line(randomly)}" for _ in range(4 if chinese else 8)]
    number = f"{randomly.getrandbits(32):08x}"
    return f"## {hour:02}:15 session:{number} | 12 messages\n" + "\n".join(lines) + "\n"


def _english_line(randomly: random.Random) -> str:
    # Words are about as unevenly frequent as in speech.
    ranks = [int(8000 * randomly.random() ** 3) for _ in range(18)]
    words = [_word(rank) for rank in ranks]
    known = ["database", "reports", "greenhouse", "project", "choose", "use", "server"]
    words[randomly.randrange(18)] = randomly.choice(known)
    return " ".join(words).capitalize() + f" {randomly.randrange(9999)}."


def _word(rank: int) -> str:
    size = len(SYLLABLES)
    return (
        SYLLABLES[rank % size]
        + SYLLABLES[rank // size % size]
        + SYLLABLES[rank // size // size % size]
    )


def _chinese_line(randomly: random.Random) -> str:
    return "".join(randomly.choice(HANZI) for _ in range(60)) + "。"


def _ask(workspace: Path, runs: int) -> None:
    for title, question, environment in [
        ("hybrid", ENGLISH, {}),
        ("keywords", ENGLISH, {"STRATA_EMBEDDING_MODEL": "none"}),
        ("Chinese", CHINESE, {}),
        ("last week", ENGLISH, {"SINCE": "2026-11-13"}),
    ]:
        costs = [_cost(workspace, question, environment) for _ in range(runs + 1)][1:]
        print(
            f"query, {title:10} CPU {_median(costs, 'cpu'):4.0f} ms, wall "
            f"{_median(costs, 'wall'):4.0f} ms, memory {_median(costs, 'memory'):4.0f} MB"
        )


def _cost(workspace: Path, question: str, environment: dict[str, str]) -> Cost:
    extra = ["--since", environment["SINCE"]] if "SINCE" in environment else []
    command = [
        *(sys.executable, "-m", "strata", "--workspace", str(workspace)),
        *("--state-dir", str(workspace), "query", "--json", *extra, question),
    ]
    # A small process starts it, because a child's peak memory begins with its parent's.
    done = subprocess.run(
        [sys.executable, "-S", "-c", MEASURE, *command],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    cpu, wall, memory = map(float, done.stdout.split())
    return Cost(cpu, wall, memory)


def _median(costs: list[Cost], name: str) -> float:
    values: list[float] = [getattr(cost, name) for cost in costs]
    return statistics.median(values)


def _embed(model: Path, count: int) -> None:
    randomly = random.Random(SEED)  # noqa: S311 - invented notes are no secret
    blocks = ["\n".join(_real_lines(randomly)) for _ in range(count)]
    texts = [window for block in blocks for window in windows(block)]
    encoder = load_encoder(model)
    encoder.encode(texts[:8])
    started = time.process_time()
    for start in range(0, len(texts), 128):
        encoder.encode(texts[start : start + 128])
    seconds = time.process_time() - started
    print(
        f"embedding: {len(texts) / seconds:.0f} windows or "
        f"{count / seconds:.1f} chunks a second of CPU"
    )


def _real_lines(randomly: random.Random) -> Iterator[str]:
    words = WORDS.split()
    for _ in range(12):
        yield " ".join(randomly.choice(words) for _ in range(24)) + "."


if __name__ == "__main__":
    main()
