"""
Make the weights that tell what a newer statement of an owner is to an older one.

    python training/relations.py [--out FILE] [--folds N]

Reads pairs that were labelled (`relations/*.jsonl`, `bench/merging/`), what somebody took
back in the talk of `statements/`, and, as pairs that have nothing to do with each other,
lines of one person that share a word. Writes `strata/judges/succession.npz`, the same bytes
for the same data; with `--folds` it prints instead what weights tell of people they have
not learned from. Needs scikit-learn.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from dialogues import DATA as TALK
from dialogues import ROOT, read
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from strata.judges.features import BUCKETS, bucket
from strata.judges.local import Weights, write_weights
from strata.judges.succession import (
    ENDS,
    ENDS_FROM,
    HEADS,
    SAME_FROM,
    SAYS_AGAIN,
    WEIGHTS,
    pair_features,
)
from strata.statements.relations import Relation, folded_terms, relation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

DATA = ROOT / "training/relations"
# How little each layer is held back, and how much a pair of each source counts.
STRENGTHS = {ENDS: 0.15, SAYS_AGAIN: 0.6}
COUNTS = {
    "pairs": 0.1,
    "months": 2.0,
    "lines": 1.0,
    "merging": 1.0,
    "taken back": 0.2,
    "beside": 0.3,
}
# Made-up pairs end in ways that talk hardly knows, but say the same as it does.
_SAME_COUNTS = COUNTS | {"pairs": 1.0}
# So many pairs that only share a word are taken of each person.
_BESIDE = 25
# A statement is compared with so many before it that share a word, as in the bank.
_NEAREST = 12
_KINDS = {"updates": ENDS, "contradicts": ENDS}


class Pair(NamedTuple):
    """An older and a newer statement of a *person*: ``ends``, ``same`` or ``different``."""

    older: str
    newer: str
    truth: str
    person: str
    source: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--folds", type=int, default=0, help="people left out in turn")
    options = parser.parse_args()
    # What is labelled comes before the same two as a pair that only shares a word.
    told = {(each.older, each.newer): each for each in reversed([*all_pairs()])}
    pairs = [each for each in reversed(told.values()) if _share(each)]
    matrix = matrix_of(pairs)
    if options.folds:
        judge_folds(pairs, matrix, options.folds)
        return
    layers = [fit(matrix, pairs, head, range(len(pairs))) for head in HEADS]
    whole = np.stack([each.coef_[0] for each in layers], axis=1)
    scale = np.abs(whole).max(axis=0) / 127
    rounded = np.round(whole / scale).astype(np.int8)
    bias = np.array([each.intercept_[0] for each in layers], np.float32)
    ones, zeros = np.ones(len(bias), np.float32), np.zeros(len(bias), np.float32)
    digest = hashlib.sha256(rounded.tobytes()).hexdigest()[:12]
    write_weights(
        options.out,
        Weights(rounded, scale.astype(np.float32), bias, ones, zeros, digest),
    )
    print(f"{len(pairs)} pairs, {options.out.stat().st_size:,} bytes")


def all_pairs() -> Iterator[Pair]:
    """Give every pair, of which some share no word."""
    for path in sorted(DATA.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            told = json.loads(line)
            words = told["older"], told["newer"], told["relation"]
            yield Pair(*words, told["person"], path.stem.partition("_")[0])
    merging = ROOT / "bench/merging/pairs.jsonl"
    for line in merging.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        truth = _KINDS.get(told["class"], told["class"])
        yield Pair(told["older"], told["newer"], truth, told["id"], "merging")
    yield from _of_talk()
    yield from _of_lines()


def _of_talk() -> Iterator[Pair]:
    """Give what was taken back within a talk, and what one person said beside."""
    said: dict[str, list[str]] = {}
    for path in sorted(TALK.glob("*/[!ts]*.jsonl")) + sorted(
        TALK.glob("*/talk_*.jsonl")
    ):
        for dialogue in read(path):
            person = f"{path.parent.name}/{path.stem}/{dialogue.person}"
            gone: list[str] = []
            for who, parts in dialogue.turns:
                if who != "owner":
                    continue
                message = " ".join(text for _, text in parts)
                if any("!" in label for label, _ in parts):
                    yield from (
                        Pair(each, message, ENDS, person, "taken back") for each in gone
                    )
                gone += [text for label, text in parts if "#" in label]
                if path.stem.startswith("month"):
                    kept = [text for label, text in parts if label[:1] in set("pdfcn")]
                    said.setdefault(person, []).append(" ".join(kept))
    for person, messages in said.items():
        yield from _beside([each for each in messages if each], person)


def _of_lines() -> Iterator[Pair]:
    for path in sorted((ROOT / "training/bearing").glob("*.json")):
        lines = json.loads(path.read_text(encoding="utf-8"))["memory"]
        lines.sort(key=lambda line: line["day"])
        yield from _beside([each["text"] for each in lines], path.stem)


def _beside(said: Sequence[str], person: str) -> Iterator[Pair]:
    """Give some of what *person* said after one another of which both share a word."""
    about: dict[str, list[int]] = {}
    found = set()
    for place, text in enumerate(said):
        for term in sorted(folded_terms(text)):
            near = about.setdefault(term, [])
            found |= {(each, place) for each in near[-_NEAREST:]}
            near.append(place)
    chosen = sorted(found)
    random.Random(person).shuffle(chosen)  # noqa: S311 - the same each time, no secret
    for one, other in chosen[:_BESIDE]:
        yield Pair(said[one], said[other], "different", person, "beside")


def _share(pair: Pair) -> bool:
    """Say whether both share a word: others are never compared."""
    return not folded_terms(pair.older).isdisjoint(folded_terms(pair.newer))


@cache
def told_by_itself(pair: Pair) -> Relation:
    """Return what `relation` makes of *pair*, without any layer."""
    return relation(pair.older, pair.newer)


def matrix_of(pairs: Sequence[Pair]) -> csr_matrix:
    """Return the features of each pair as a row."""
    columns: list[int] = []
    values: list[float] = []
    ends = [0]
    for pair in pairs:
        named = pair_features(pair.older, pair.newer)
        found = {bucket(name): value for name, value in named.items()}
        columns += found.keys()
        values += found.values()
        ends.append(len(columns))
    shape = (len(pairs), BUCKETS)
    return csr_matrix((values, columns, ends), shape=shape, dtype=np.float64)


def fit(
    matrix: csr_matrix, pairs: Sequence[Pair], head: str, known: Iterable[int]
) -> LogisticRegression:
    """Return a layer that tells *head*, learned from the *known* rows."""
    # What `relation` tells by itself nobody asks the layer.
    rows = [row for row in known if told_by_itself(pairs[row]) is Relation.DIFFERENT]
    truth = [pairs[row].truth == head for row in rows]
    weights = COUNTS if head == ENDS else _SAME_COUNTS
    counts = [weights[pairs[row].source] for row in rows]
    model = LogisticRegression(C=STRENGTHS[head], solver="liblinear", random_state=0)
    return model.fit(matrix[rows], truth, sample_weight=counts)


def judge_folds(pairs: Sequence[Pair], matrix: csr_matrix, folds: int) -> None:
    """Print for each source how well pairs of people who were left out are told."""
    people = [each.person for each in pairs]
    scores = np.zeros((len(pairs), len(HEADS)))
    for known, new in GroupKFold(folds).split(matrix, groups=people):
        for place, head in enumerate(HEADS):
            layer = fit(matrix, pairs, head, known)
            scores[new, place] = layer.decision_function(matrix[new])
    related = np.array([told_by_itself(each) for each in pairs])
    open_ = related == Relation.DIFFERENT
    ends = np.isin(related, (Relation.UPDATES, Relation.CONTRADICTS))
    ends |= open_ & (scores[:, 0] >= ENDS_FROM)
    same = (related == Relation.SAME) | (open_ & ~ends & (scores[:, 1] >= SAME_FROM))
    sources = np.array([each.source for each in pairs])
    truths = np.array([each.truth for each in pairs])
    for source in COUNTS:
        of = sources == source
        told = []
        for head, said in zip(HEADS, (ends, same), strict=True):
            right = (of & said & (truths == head)).sum()
            all_of = (of & (truths == head)).sum()
            told.append(f"{head}: {right} of {(of & said).sum()} right, of {all_of}")
        print(f"{source:12} {of.sum():5} pairs   " + "   ".join(told))
        if source in {"months", "lines"}:
            _print_cuts(scores[of & open_, 0], truths[of & open_] == ENDS)


def _print_cuts(scores: np.ndarray, truth: np.ndarray) -> None:
    for cut in np.arange(-1.0, 1.01, 0.25):
        said = scores >= cut
        print(f"    from {cut:5.2f}: {(said & truth).sum()} of {said.sum()} right")


if __name__ == "__main__":
    main()
