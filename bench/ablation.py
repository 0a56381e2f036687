"""
What each part of a search adds, on the public conversations beside the checkout.

    python bench/ablation.py [--set NAME …] [--part NAME …] [--shared DIR]

Asks every question once with all parts, and once more without each of them (setting
`search.without`), in one run over the same index. Prints recall@5 / nDCG@10 of each set
with all parts, and for each part by how much leaving it out changes them.
"""

from __future__ import annotations

import argparse
import json
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from recall import Unit, all_units, answer_row, score_runs  # noqa: E402 - after the path

from strata.embedding_models.folder import find_model  # noqa: E402 - the same
from strata.search.indexing.index import Index  # noqa: E402 - the same
from strata.settings import SEARCH_PARTS  # noqa: E402 - the same

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

MEASURES = ("recall@5", "ndcg@10")
Scores = dict[str, dict[str, float]]


class Remembering:
    """An encoder that embeds each question once, however often it is asked."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._encoder = index.encoder
        self._known: dict[str, NDArray[np.float32]] = {}

    def encode(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        for text in texts:
            if text not in self._known:
                self._known[text] = self._encoder.encode([text])[0]
        return [self._known[text] for text in texts]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", action="append", help="only this set of questions")
    parser.add_argument("--part", action="append", help="only this part of a search")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    arguments = parser.parse_args()
    variants = ["", *(arguments.part or SEARCH_PARTS)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with tarfile.open(arguments.shared / "bench" / "dev.tar.xz") as archive:
            archive.extractall(folder, filter="data")
        units = all_units(folder, arguments.set)
        _answer_all(units, folder, variants)
        groups = sorted({unit.group for unit in units})
        scores = {
            part: score_runs(
                arguments.shared / "bench", folder, _runs(folder, part), groups, "range"
            )
            for part in variants
        }
    _print_table(groups, scores)


def _answer_all(units: Sequence[Unit], folder: Path, variants: Sequence[str]) -> None:
    for unit in units:
        index = Index(
            folder / "index" / unit.folder.name, unit.workspace, find_model(ROOT)
        )
        index.update(embed=True)
        index.keep_open(watch=False)
        # The attribute is computed once, and this takes its place.
        index.__dict__["encoder"] = Remembering(index)
        for part in variants:
            without = frozenset({part} if part else ())
            with _runs(folder, part).open("a", encoding="utf-8") as file:
                for question in unit.questions:
                    row = answer_row(index, unit, question, without)
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
        print(f"{unit.group}/{unit.folder.name}", file=sys.stderr, flush=True)


def _runs(folder: Path, part: str) -> Path:
    return folder / f"without-{part}.jsonl"


def _print_table(groups: Sequence[str], scores: dict[str, Scores]) -> None:
    print("| without | " + " | ".join(groups) + " |")
    print("|---" * (len(groups) + 1) + "|")
    whole = scores.pop("")
    cells = [" / ".join(f"{whole[group][m]:.3f}" for m in MEASURES) for group in groups]
    print("| (all parts) | " + " | ".join(cells) + " |")
    for part, found in scores.items():
        cells = [
            " / ".join(f"{found[group][m] - whole[group][m]:+.3f}" for m in MEASURES)
            for group in groups
        ]
        print(f"| `{part}` | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
