"""A small workspace with notes in two languages, and its index."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from tiny_model import publish

from strata.embedding_models.download import build_model
from strata.hits import Chunk
from strata.models import Tier
from strata.search.answering.finding import Question, find
from strata.search.answering.ranking import Ranking
from strata.search.indexing.index import Index
from strata.search.stores.store import Point, Scope

if TYPE_CHECKING:
    from pathlib import Path

    from strata.models import Answer

TODAY = date(2026, 11, 20)

NOTES = {
    "MEMORY.md": """\
# Long-Term Memory

## User Preferences
- Use pnpm, never npm, in acme-dashboard. (src: 2026-11-20)
- 用户喜欢简短的回答。 (src: 2026-11-18)

## Key Decisions
- Keep PostgreSQL 16 as the only database. (src: 2026-11-19)
""",
    "memory/2026-11-19.md": """\
# 2026-11-19

## 10:12 session:0a1b2c3d | 6 messages
- [decision] Keep PostgreSQL 16 as the only database, because the reports need ACID.
- User asked for a backup every night at 02:30.

## 15:40 session:9f8e7d6c | 4 messages
- Upgraded better-sqlite3 to 12.4.1; error E_CONN is gone.
""",
    "memory/2026-11-20.md": """\
# 2026-11-20

## 09:05 session:11223344 | 8 messages
- [决策] 数据库迁移推迟到三月，先修复支付接口。
- [任务] 报表服务已部署到测试环境。
""",
    "memory/weekly/2026-11-09.md": """\
# Week of 2026-11-09

### 2026-11-11
[preference] Answer in the language of the question. (src: 2026-11-11)
""",
    "memory/bank/world.md": "# World\n\nThe greenhouse stands behind the office.\n",
}


def write_notes(workspace: Path, notes: dict[str, str] | None = None) -> Path:
    """
    Write *notes*, or the usual ones, into *workspace*.
    """
    for path, text in (NOTES if notes is None else notes).items():
        file = workspace / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    return workspace


def index_of(
    workspace: Path, model: Path | None = None, said: list[str] | None = None
) -> Index:
    """
    The index of *workspace*; what it says goes to *said*.
    """
    lines = [] if said is None else said
    return Index(workspace / ".strata" / "index", workspace, model, say=lines.append)


def tiny_model(folder: Path, *, seed: int = 7) -> Path:
    """
    A model with random weights below *folder*; the seed decides its vectors.
    """
    folder.mkdir(parents=True)
    tiny = publish(folder / "parts", seed=seed)
    build_model(tiny.model, tiny.parts, folder / "model", source="wheel")
    return folder / "model"


def ask(index: Index, workspace: Path, text: str, scope: Scope | None = None) -> Answer:
    """
    The answer of *index* to *text*, asked on 2026-11-20.
    """
    question = Question(text, 10, scope or Scope())
    return find(index, workspace, question, Ranking(TODAY, 30))


def paths(answer: Answer) -> list[str]:
    """
    Where the hits of *answer* stand, best first.
    """
    return [hit.path for hit in answer.hits]


def point(number: int, sparse: dict[int, float], **fields: object) -> Point:
    """
    A point of a store with the id that *number* gives.
    """
    chunk = Chunk("memory/2026-11-20.md", 3, 5, "", Tier.DAILY, TODAY)
    # The fields are those of `Chunk`; mypy cannot see into a dictionary.
    return Point(identity(number), replace(chunk, **fields), sparse)  # type: ignore[arg-type]


def identity(number: int) -> str:
    """
    The UUID that *number* gives.
    """
    return f"00000000-0000-4000-8000-{number:010d}00"


def named(index: Index) -> str:
    """
    The name of the embedding model by which *index* answers.
    """
    return index.model.name if index.model else ""
