"""
Make the weights that tell what a short message does with what was said before it.

    python training/acts.py [--out FILE]

Reads `acts/{en,zh}.jsonl`, each line a list: what the owner's words do (`takes`,
`declines`, `corrects`, `retracts`, or nothing), the agent's words before them, the words,
and the rest of the message. Writes `strata/judges/acts.npz`, the same bytes for the same
data, and prints how well folds that were left out are told. Needs scikit-learn.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
from dialogues import DATA as TALK
from dialogues import ROOT, read
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import KFold

from strata.judges.acts import ACTS, OFFERS, WEIGHTS, act_features
from strata.judges.features import BUCKETS, Remark
from strata.judges.local import Weights, write_weights
from strata.statements.offers import proposes

DATA = ROOT / "training/acts"
# How little the layer is held back.
STRENGTH = 2.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    told = [
        json.loads(line)
        for path in sorted(DATA.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    acts = np.array([each[0] for each in told])
    remarks = [
        Remark(text, lead=lead, rest=rest, before=before, earlier=earlier)
        for _, before, text, rest, lead, earlier in told
    ]
    matrix = matrix_of(remarks)
    said, offers = agents(told)
    lessons = [(act, matrix, acts == act) for act in ACTS]
    lessons.append((OFFERS, matrix_of(said), offers == 1))
    columns, bias, found = [], [], []
    for name, rows, truth in lessons:
        layer = _fit(rows, truth)
        columns.append(layer.coef_[0])
        bias.append(layer.intercept_[0])
        scores = np.zeros(len(truth))
        for known, new in KFold(5, shuffle=True, random_state=0).split(rows):
            left = _fit(rows[known], truth[known])
            scores[new] = left.decision_function(rows[new])
        found.append(f"{name} {roc_auc_score(truth, scores):.3f}")
    whole = np.stack(columns, axis=1)
    scale = np.abs(whole).max(axis=0) / 15
    rounded = np.round(whole / scale).astype(np.int8)
    ones, zeros = np.ones(len(bias), np.float32), np.zeros(len(bias), np.float32)
    digest = hashlib.sha256(rounded.tobytes()).hexdigest()[:12]
    floats = [np.array(each, np.float32) for each in (scale, bias)]
    write_weights(options.out, Weights(rounded, *floats, ones, zeros, digest))
    size = options.out.stat().st_size
    print(
        f"{len(told)} messages, {size:,} bytes, area under the curve {', '.join(found)}"
    )


def agents(told: list[list[str]]) -> tuple[list[Remark], np.ndarray]:
    """
    Return words of agents, and whether they are an offer: somebody took it or declined.

    What an agent says in talk, where it asks and proposes nothing, is none.
    """
    took = [e for e in told if e[0] in {"takes", "declines"} and not _asks(e[1])]
    offers = [Remark(e[1]) for e in took]
    paths = [path for path in sorted(TALK.glob("*/*.jsonl")) if path.stem[:4] != "test"]
    reports = [
        Remark(text)
        for dialogue in (each for path in paths for each in read(path))
        for place, (who, _) in enumerate(dialogue.turns)
        if who == "agent" and place and not _asks(text := dialogue.text(place))
    ]
    chosen = reports[:: len(reports) // 2000]
    return [*offers, *chosen], np.array([1] * len(offers) + [0] * len(chosen))


def _asks(text: str) -> bool:
    return "?" in text or "\uff1f" in text or proposes(text.lower())


def matrix_of(remarks: list[Remark]) -> csr_matrix:
    """Return the features of each remark as a row."""
    columns: list[int] = []
    values: list[float] = []
    ends = [0]
    for each in remarks:
        found = act_features(each)
        columns += found.keys()
        values += found.values()
        ends.append(len(columns))
    shape = (len(remarks), BUCKETS)
    return csr_matrix((values, columns, ends), shape=shape, dtype=np.float64)


def _fit(matrix: csr_matrix, truth: np.ndarray) -> LogisticRegression:
    # Most messages do none of these; a message that does must not be outvoted by them.
    model = LogisticRegression(
        C=STRENGTH, solver="liblinear", random_state=0, class_weight="balanced"
    )
    return model.fit(matrix, truth)


if __name__ == "__main__":
    main()
