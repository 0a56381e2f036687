"""
How well two statements are told apart, merged, and set against each other.

    python bench/merging.py [--split dev] [--verbose] [--model DIR]

Each line of `merging/pairs.jsonl` is an older and a newer statement and what they are to
each other; a third is held out from tuning. Printed for each split, without and with the
embedding model (its cosine is handed over as *similarity*): merge precision (of the pairs
called the same, how many are), recall and precision of each class, accuracy, and the CPU
time in which 500 candidates are compared with 60 lines and with each other.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
CLASSES = ("same", "different", "contradicts", "updates")
CANDIDATES, LINES = 500, 60


class Pair(NamedTuple):
    """Two statements, what they are to each other, and on which side of the split."""

    id: str
    truth: str
    split: str
    older: str
    newer: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=("dev", "held"))
    parser.add_argument("--verbose", action="store_true", help="name what went wrong")
    parser.add_argument("--model", type=Path, default=ROOT / ".models")
    options = parser.parse_args()
    pairs = read_pairs(ROOT / "bench/merging/pairs.jsonl")
    cosines = _cosines(options.model, pairs)
    for split in (options.split,) if options.split else ("dev", "held"):
        chosen = [pair for pair in pairs if pair.split == split]
        _report(f"{split}, words alone", chosen, {}, verbose=options.verbose)
        if cosines:
            _report(f"{split}, with vectors", chosen, cosines, verbose=False)
    _report_speed([text for pair in pairs for text in (pair.older, pair.newer)])


def read_pairs(path: Path) -> list[Pair]:
    with path.open(encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    return [
        Pair(each["id"], each["class"], each["split"], each["older"], each["newer"])
        for each in found
    ]


def _cosines(folder: Path, pairs: Sequence[Pair]) -> dict[str, float]:
    """Return the cosine of each pair of which the model reads both statements."""
    from strata.embedding_models.encoder import load_encoder, reads  # noqa: PLC0415 - this checkout

    models = [path.parent for path in sorted(folder.glob("**/tokenizer.json"))]
    if not models:
        print("no embedding model: words alone are measured")
        return {}
    encoder = load_encoder(models[0])
    readable = [
        pair
        for pair in pairs
        if reads(encoder.languages, pair.older) and reads(encoder.languages, pair.newer)
    ]
    older = encoder.encode([pair.older for pair in readable])
    newer = encoder.encode([pair.newer for pair in readable])
    products = (older * newer).sum(axis=1)
    return {
        pair.id: float(product)
        for pair, product in zip(readable, products, strict=True)
    }


def _report(
    title: str, pairs: Sequence[Pair], cosines: dict[str, float], *, verbose: bool
) -> None:
    from strata.statements.relations import relation  # noqa: PLC0415 - this checkout

    told = [
        (pair, relation(pair.older, pair.newer, similarity=cosines.get(pair.id)).value)
        for pair in pairs
    ]
    right = sum(pair.truth == said for pair, said in told)
    print(f"{title}: {len(told)} pairs, accuracy {right / len(told):.3f}")
    for name in CLASSES:
        called = [pair for pair, said in told if said == name]
        true = [said for pair, said in told if pair.truth == name]
        good = sum(pair.truth == name for pair in called)
        print(
            f"  {name:12} precision {good}/{len(called)} = {good / max(1, len(called)):.3f}"
            f"   recall {good}/{len(true)} = {good / max(1, len(true)):.3f}"
        )
    confused = Counter((pair.truth, said) for pair, said in told if pair.truth != said)
    print("  confused:", ", ".join(f"{a}→{b} {n}" for (a, b), n in confused.items()))
    if verbose:
        for pair, said in told:
            if pair.truth != said:
                print(f"    {pair.id} told {said}: {pair.older} | {pair.newer}")


def _report_speed(texts: Sequence[str]) -> None:
    """Compare all that share a term, as tidy does, on numbered variants of the pairs."""
    from strata.statements.relations import (  # noqa: PLC0415 - this checkout
        folded_terms,
        relation,
    )

    varied = [f"{texts[n % len(texts)]} ({n})" for n in range(CANDIDATES + LINES)]
    begin = time.process_time()
    about = [folded_terms(text) for text in varied]
    compared = 0
    for (one, terms), (other, others) in combinations(enumerate(about), 2):
        if terms & others and one < CANDIDATES:
            compared += 1
            relation(varied[one], varied[other])
    seconds = time.process_time() - begin
    print(
        f"speed: {CANDIDATES} candidates against {LINES} lines and each other,"
        f" {compared} pairs with a term in common: {seconds:.2f} s of CPU"
    )


if __name__ == "__main__":
    main()
