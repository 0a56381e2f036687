"""The manifest says what was written last, however often it was asked before."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from strata.models import Tier
from strata.search.indexing.manifest import EMBEDDED, PENDING, Manifest, Row
from strata.search.indexing.scanning import FileState

if TYPE_CHECKING:
    from pathlib import Path

NOTE = "memory/2026-11-20.md"
ROW = Row("a", NOTE, 1, 2, Tier.DAILY, date(2026, 11, 20), 7, PENDING)


def told(manifest: Manifest) -> tuple[int, bool, bool, str, dict[str, Row]]:
    """
    What a question asks of *manifest*.
    """
    return (
        manifest.count(),
        manifest.has(PENDING),
        manifest.has(EMBEDDED),
        manifest.meta("model"),
        manifest.rows(["a", "unknown"]),
    )


def test_answers_follow_what_is_written(tmp_path: Path) -> None:
    """
    Chunks, their states and the model are those of the last write.
    """
    manifest = Manifest(tmp_path / "manifest.sqlite")
    embedded = ROW._replace(vector=EMBEDDED)

    assert told(manifest) == (0, False, False, "", {})
    manifest.begin([NOTE], [ROW])
    assert told(manifest) == (1, True, False, "", {"a": ROW})
    manifest.mark({"a": EMBEDDED})
    assert told(manifest) == (1, False, True, "", {"a": embedded})
    manifest.keep_meta(model="m")
    assert told(manifest) == (1, False, True, "m", {"a": embedded})
    manifest.finish(["a"], [(FileState(NOTE, 1, 1), None)])
    assert told(manifest) == (0, False, False, "m", {})
    manifest.close()


def test_many_rows_are_all_found(tmp_path: Path) -> None:
    """
    More rows than are remembered are found, the same ones again as well.
    """
    manifest = Manifest(tmp_path / "manifest.sqlite")
    rows = {f"{number:05}": ROW._replace(id=f"{number:05}") for number in range(9000)}
    manifest.begin([NOTE], rows.values())

    assert manifest.rows(list(rows)) == rows
    assert manifest.rows([*rows, *rows]) == rows
    manifest.close()


def test_chunk_that_is_written_again_waits_for_its_vector(tmp_path: Path) -> None:
    """
    What a cut-off update left is written anew, without the vectors that it had.
    """
    manifest = Manifest(tmp_path / "manifest.sqlite")
    manifest.begin([NOTE], [ROW])
    manifest.mark({"a": EMBEDDED})

    manifest.begin([NOTE], [ROW])

    assert manifest.rows(["a"]) == {"a": ROW}
