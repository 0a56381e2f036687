"""
The local judge, learned from labelled talk: a linear layer and a small net, weighed up.

The layer counts hashed n-grams and gives the reasons; the net knows what words are like one
another, and which belong together.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from strata.judges.features import Remark, bucket, features, named_features
from strata.judges.net import Net
from strata.judges.protocol import KINDS
from strata.models import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

WEIGHTS = Path(__file__).with_name("weights.npz")
# Each says how likely one thing is; the last seven, which kind a statement is of.
HEADS = (
    *("keep", "lasts", "until", "meant", "leans", "retracts", "retracted", "opens"),
    *(f"is {kind}" for kind in KINDS.values()),
)


@dataclass(frozen=True, slots=True)
class Weights:
    """
    The learned layer: *layer* is int8 of shape (buckets, heads + 1), one *scale* a column.

    The last column is for what the agent says: whether it found out something to keep.
    *bias* is added to each score; *slope* and *offset* turn a score into a probability
    that means what it says.
    """

    layer: NDArray[np.int8]
    scale: NDArray[np.float32]
    bias: NDArray[np.float32]
    slope: NDArray[np.float32]
    offset: NDArray[np.float32]
    version: str


class LocalJudge:
    """Judges sentences by the *weights* of n-grams, and by a *net* where there is one."""

    def __init__(self, weights: Weights, net: Net | None = None) -> None:
        self._weights = weights
        self._net = net

    def judge(self, remarks: Sequence[Remark]) -> list[Estimate]:
        """Return what each of *remarks* is; the same words always give the same."""
        if not remarks:
            return []
        scores = np.stack([self.scores(features(each)) for each in remarks])
        scores = scores[:, : len(HEADS)]
        if self._net:
            scores = self._net.scores(remarks, scores)
        return [_estimate(each) for each in scores]

    def findings(self, remarks: Sequence[Remark]) -> list[float]:
        """
        Return how likely each of *remarks* of the agent tells what it found out.

        Here *before* and *reply* are the owner's words, *earlier* and *after* its own.
        """
        scores = [self.scores(features(each))[-1:] for each in remarks]
        return [each for score in scores for each in _likely(score)]

    def scores(self, found: Mapping[int, float]) -> NDArray[np.float32]:
        """Return the score of each column, calibrated, for the features *found*."""
        own = self._weights
        rows = own.layer[np.fromiter(found, np.int64, len(found))].astype(np.float32)
        values = np.fromiter(found.values(), np.float32, len(found))
        raw = (values @ rows) * own.scale + own.bias
        calibrated: NDArray[np.float32] = raw * own.slope + own.offset
        return calibrated

    def reasons(self, remark: Remark, head: str, most: int = 3) -> list[str]:
        """Return the words of *remark* that spoke loudest for *head*."""
        place = HEADS.index(head)
        column = self._weights.layer[:, place]
        weighed = sorted(
            (
                (value * float(column[bucket(name)]), name)
                for name, value in _words(remark)
            ),
            reverse=True,
        )
        chosen: list[str] = []
        for weight, name in weighed:
            words = name[1:].replace("_", " ")
            if weight > 0 and not any(
                words in each or each in words for each in chosen
            ):
                chosen.append(words)
            if len(chosen) == most:
                break
        return chosen


@lru_cache(maxsize=1)
def local_judge() -> LocalJudge:
    """Return the judge that comes with Strata."""
    return LocalJudge(read_weights(WEIGHTS), Net())


def read_weights(path: Path) -> Weights:
    """Read the weights that `training/train.py` wrote to *path*."""
    with np.load(path, allow_pickle=False) as stored:
        return Weights(
            np.ascontiguousarray(stored["layer"]),
            stored["scale"],
            stored["bias"],
            stored["slope"],
            stored["offset"],
            json.loads(str(stored["about"]))["version"],
        )


def write_weights(path: Path, weights: Weights) -> None:
    """Write *weights* so that `read_weights` finds them, the same bytes each time."""
    np.savez_compressed(
        path,
        layer=weights.layer,
        scale=weights.scale,
        bias=weights.bias,
        slope=weights.slope,
        offset=weights.offset,
        about=np.array(json.dumps({"version": weights.version})),
    )


def _likely(scores: NDArray[np.float32]) -> list[float]:
    """Return how likely each of *scores* makes what it stands for."""
    sure = 1.0 / (1.0 + np.exp(-np.clip(scores, -30, 30)))
    return [round(float(each), 3) for each in sure]


def _estimate(scores: NDArray[np.float32]) -> Estimate:
    said = dict(zip(HEADS, _likely(scores), strict=True))
    kind = max(KINDS.values(), key=lambda each: said[f"is {each}"])
    return Estimate(
        kind,
        # What holds at all is worth a note.
        max(said["keep"], said["lasts"], said["until"]),
        said["lasts"],
        said["until"],
        said["meant"],
        said["leans"],
        said["retracts"],
        said["retracted"],
        said["opens"],
    )


def _words(remark: Remark) -> Iterable[tuple[str, float]]:
    """Give the features of *remark* that a person can read: its own words."""
    return (
        (name, value)
        for name, value in named_features(remark).items()
        if name[0] == "w"
    )
