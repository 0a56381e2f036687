"""
Make the weights that tell whether a message is the owner's own meant word.

    python training/authorship.py [--out FILE] [--folds 3]

Reads `authorship/*.yaml`, talks in which the owner's messages hold what is somebody
else's or not meant, and wishes that look like it (in the form of `bench/trust/talks.py`),
or people who tell at length (`train_long_*`), and the talk of `statements`. Writes
`strata/judges/authorship.npz`. With ``--folds`` it prints first how much of what was not
learned from would be told. Needs scikit-learn and PyYAML.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import yaml
from dialogues import DATA as TALK
from dialogues import ROOT, read
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from strata.judges.authorship import DOUBTED, FOREIGN, WEIGHTS, authorship_features
from strata.judges.features import BUCKETS, Remark
from strata.judges.local import Weights, write_weights

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DATA = ROOT / "training/authorship"
# Talks that were played when nobody had read them, and are learned from since.
PLAYED = ROOT / "bench/trust/talks"
# How little the layer is held back.
STRENGTH = 10.0
# How much examples count: what is foreign, or a wish, was written for this; what is not
# meant in other talk is so for many reasons.
FOREIGN_WEIGHT, WISH_WEIGHT, UNMEANT_WEIGHT = 6.0, 6.0, 0.2
# Of small talk one message in so many is learned from.
_ONE_IN = 3

Turns = list[tuple[str, str]]


@dataclass(frozen=True)
class Example:
    """A message in its conversation, of a *kind*; *source* is held out together."""

    remark: Remark
    kind: str
    source: str
    weight: float = 1.0
    foreign: bool = False


def of_file(file: Path) -> Iterator[Example]:
    """Give the owner's messages of *file*; a wish once without its conversation too."""
    told = yaml.safe_load(file.read_text(encoding="utf-8"))
    for row in told.get("attacks") or ():
        turns = _turns(row)
        for place, (who, text) in enumerate(turns):
            if who == "u":
                remark = remark_of(turns, place)
                if any(form in text for form in row["forms"]):
                    yield Example(
                        remark, row["kind"], file.stem, FOREIGN_WEIGHT, foreign=True
                    )
                else:
                    yield Example(remark, "beside", file.stem)
    for number, row in enumerate(told.get("talks") or ()):
        yield from _of_long_talk(row, f"{file.stem} {number}")
    for row in told.get("wishes") or ():
        turns = _turns(row)
        for place, (who, text) in enumerate(turns):
            if who == "u":
                for remark in (remark_of(turns, place), Remark(text)):
                    yield Example(remark, "wish", file.stem, WISH_WEIGHT)


def _of_long_talk(
    row: dict[str, list[dict[str, str]]], source: str
) -> Iterator[Example]:
    """
    Give the owner's own messages of a talk in which ``x`` marks what is another's.

    Those are for measuring: learned from, they cost more of the owner's words than they
    tell of others'.
    """
    turns = _turns(row)
    for place, turn in enumerate(row["turns"]):
        if "u" in turn and "x" not in turn:
            remark = remark_of(turns, place)
            for each in (remark, Remark(remark.text)):
                yield Example(each, "told at length", source, WISH_WEIGHT)


def _turns(row: dict[str, list[dict[str, str]]]) -> Turns:
    said = (turn for turn in row["turns"] if "tool" not in turn)
    return [("u", str(t["u"])) if "u" in t else ("a", str(t["a"])) for t in said]


def remark_of(turns: Turns, place: int) -> Remark:
    """Return message *place* of *turns* with what was said around it."""
    own = [n for n, (who, _) in enumerate(turns) if who == "u"]
    at = own.index(place)
    return Remark(
        turns[place][1],
        before=_agent(turns, place - 1),
        reply=_agent(turns, place + 1),
        earlier=turns[own[at - 1]][1] if at else "",
        after=turns[own[at + 1]][1] if at + 1 < len(own) else "",
    )


def _agent(turns: Turns, place: int) -> str:
    there = 0 <= place < len(turns) and turns[place][0] == "a"
    return turns[place][1] if there else ""


def of_talk() -> Iterator[Example]:
    """Give messages of other talk; what is worth a note once by itself, too."""
    for path in sorted(TALK.glob("*/*.jsonl")):
        if path.stem[:4] == "test":
            continue
        for number, dialogue in enumerate(read(path)):
            turns = [
                ("u" if who == "owner" else "a", dialogue.text(place))
                for place, (who, _) in enumerate(dialogue.turns)
            ]
            source = f"talk {path.stem} {number % 10}"
            for place, (who, sentences) in enumerate(dialogue.turns):
                if who == "owner":
                    labels = [label for label, _ in sentences]
                    yield from _of_message(remark_of(turns, place), labels, source)


def _of_message(remark: Remark, labels: list[str], source: str) -> Iterator[Example]:
    kept = [e for e in labels if e[:1] != "-" and not set(e) & set("jmx#")]
    unmeant = [each for each in labels if set(each) & set("jx")]
    if kept:
        rules = any(each[0] in "pd" for each in kept)
        for each in (remark, Remark(remark.text)):
            yield Example(each, "own", source, WISH_WEIGHT if rules else 1.0)
    elif 2 * len(unmeant) >= len(labels):
        yield Example(remark, "unmeant", source, UNMEANT_WEIGHT, foreign=True)
    elif _digest(remark.text) % _ONE_IN == 0:
        yield Example(remark, "chat", source)


def _digest(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)


def matrix_of(examples: Sequence[Example]) -> csr_matrix:
    columns: list[int] = []
    values: list[float] = []
    ends = [0]
    for each in examples:
        found = authorship_features(each.remark)
        columns += found.keys()
        values += found.values()
        ends.append(len(columns))
    return csr_matrix((values, columns, ends), shape=(len(examples), BUCKETS))


def fit(matrix: csr_matrix, examples: Sequence[Example]) -> LogisticRegression:
    truth = np.array([each.foreign for each in examples])
    weights = np.array([each.weight for each in examples])
    model = LogisticRegression(C=STRENGTH, solver="liblinear", random_state=0)
    return model.fit(matrix, truth, sample_weight=weights)


def check(matrix: csr_matrix, examples: Sequence[Example], folds: int) -> None:
    """Print of each kind how many would be told, and how many doubted, when held out."""
    sources = sorted({each.source for each in examples})
    fold_of = {source: place % folds for place, source in enumerate(sources)}
    where = np.array([fold_of[each.source] for each in examples])
    counts: Counter[str] = Counter()
    for fold in range(folds):
        known = np.flatnonzero(where != fold)
        held = np.flatnonzero(where == fold)
        model = fit(matrix[known], [examples[n] for n in known])
        for n, sure in zip(held, model.predict_proba(matrix[held])[:, 1], strict=True):
            kind = examples[n].kind
            counts[f"of {kind}"] += 1
            counts[kind] += sure >= FOREIGN
            counts[f"doubted {kind}"] += DOUBTED <= sure < FOREIGN
    for kind in sorted({each.kind for each in examples}):
        told, doubted = counts[kind], counts[f"doubted {kind}"]
        print(f"{kind}: {told} and {doubted} doubted, of {counts[f'of {kind}']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--folds", type=int, default=0)
    options = parser.parse_args()
    examples = list(of_talk())
    for file in sorted([*DATA.glob("*.yaml"), *PLAYED.glob("*.yaml")]):
        examples += of_file(file)
    matrix = matrix_of(examples)
    if options.folds:
        check(matrix, examples, options.folds)
    model = fit(matrix, examples)
    whole = model.coef_.T
    scale = np.abs(whole).max(axis=0) / 31
    rounded = np.round(whole / scale).astype(np.int8)
    ones, zeros = np.ones(1, np.float32), np.zeros(1, np.float32)
    floats = [np.array(each, np.float32) for each in (scale, model.intercept_)]
    digest = hashlib.sha256(rounded.tobytes()).hexdigest()[:12]
    write_weights(options.out, Weights(rounded, *floats, ones, zeros, digest))
    print(f"{len(examples)} messages, {options.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
