"""
Make the local judge's weights from the labelled talk.

    python training/train.py [--out FILE] [--folds N]

Reads `statements/{en,zh}/*.jsonl` but for the test people, and writes
`strata/judges/weights.npz`: the same bytes for the same data. Needs scikit-learn
(`pip install scikit-learn`), which Strata itself does not.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from dialogues import Sentence, agents, load
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from strata.judges.features import BUCKETS, Remark, features
from strata.judges.local import HEADS, WEIGHTS, Weights, write_weights
from strata.judges.protocol import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

# How little the layer is held back; chosen on people who were left out in turn.
STRENGTH = 8.0
_LETTERS = {name: letter for letter, name in KINDS.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--folds", type=int, default=3)
    options = parser.parse_args()
    began = time.process_time()
    told = list(load())
    weights = train(told, list(agents()), folds=options.folds)
    write_weights(options.out, weights)
    size = options.out.stat().st_size
    print(f"{len(told)} sentences, {size:,} bytes, {time.process_time() - began:.0f} s")


def train(
    told: Sequence[Sentence],
    found: Sequence[Sentence],
    *,
    folds: int,
    unseen: dict[str, NDArray[np.float64]] | None = None,
) -> Weights:
    """
    Return the layer that *told* teaches, calibrated on people left out in turn.

    What an agent *found* out teaches one more column. *unseen* gets what is said of the
    people left out, by head.
    """
    # A note keeps an entry without its conversation: that must be judged as well.
    told = [*told, *(replace(each, remark=Remark(each.remark.text)) for each in told)]
    owners, agents = _Lesson.read(told, folds), _Lesson.read(found, folds)
    columns = [owners.learn(head) for head in HEADS] + [agents.learn("keep")]
    if unseen is not None:
        unseen |= {
            head: each.scores for head, each in zip(HEADS, columns, strict=False)
        }
    whole = np.stack([each.layer for each in columns], axis=1)
    # Fifteen steps on either side tell as much as more would, and take half the room.
    scale = np.abs(whole).max(axis=0) / 15
    rounded = np.round(whole / scale).astype(np.int8)
    digest = hashlib.sha256(rounded.tobytes()).hexdigest()[:12]
    lines = np.array([[each.bias, each.slope, each.offset] for each in columns])
    as_float = [np.array(each, np.float32) for each in (scale, *lines.T)]
    return Weights(rounded, *as_float, version=digest)


@dataclass(frozen=True)
class _Learned:
    """One column: its *layer*, its calibration, and its *scores* of people left out."""

    layer: NDArray[np.float64]
    bias: float
    slope: float
    offset: float
    scores: NDArray[np.float64]


@dataclass(frozen=True)
class _Lesson:
    """What columns learn from: the features of *told*, who said it, how often to fold."""

    told: Sequence[Sentence]
    matrix: csr_matrix
    groups: NDArray[np.str_]
    folds: int

    @classmethod
    def read(cls, told: Sequence[Sentence], folds: int) -> _Lesson:
        groups = np.array([each.person for each in told])
        return cls(told, matrix_of(told), groups, folds)

    def learn(self, head: str) -> _Learned:
        truth = truths(self.told, head)
        layer = _fit(self.matrix, truth)
        scores = np.zeros(len(self.told))
        split = GroupKFold(self.folds).split(self.matrix, truth, self.groups)
        for known, new in split:
            fitted = _fit(self.matrix[known], truth[known])
            scores[new] = fitted.decision_function(self.matrix[new])
        # From scores of unseen people to how often they are right.
        line = LogisticRegression(C=1e6).fit(scores[:, None], truth)
        slope, offset = line.coef_[0, 0], line.intercept_[0]
        return _Learned(
            layer.coef_[0],
            layer.intercept_[0],
            slope,
            offset,
            scores * slope + offset,
        )


def matrix_of(told: Sequence[Sentence]) -> csr_matrix:
    """Return the features of each sentence as a row."""
    columns: list[int] = []
    values: list[float] = []
    ends = [0]
    for each in told:
        found = features(each.remark)
        columns += found.keys()
        values += found.values()
        ends.append(len(columns))
    shape = (len(told), BUCKETS)
    return csr_matrix((values, columns, ends), shape=shape, dtype=np.float64)


def truths(told: Sequence[Sentence], head: str) -> NDArray[np.bool_]:
    """Return for each sentence whether *head* should say yes."""
    return np.array([_truth(each, head) for each in told])


def _truth(sentence: Sentence, head: str) -> bool:
    label = sentence.label
    if head.startswith("is "):
        return label.kind == _LETTERS[head.removeprefix("is ")]
    return {
        "keep": label.keep,
        "lasts": label.lasts,
        "until": "~" in label.marks and label.keep,
        "meant": label.meant,
        "leans": "^" in label.marks,
        "retracts": "!" in label.marks,
        "retracted": "#" in label.marks,
        "opens": "$" in label.marks,
    }[head]


def _fit(matrix: csr_matrix, truth: NDArray[np.bool_]) -> LogisticRegression:
    model = LogisticRegression(C=STRENGTH, solver="liblinear", random_state=0, tol=0.01)
    return model.fit(matrix, truth)


if __name__ == "__main__":
    main()
