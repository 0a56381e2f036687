"""
What of memory bears on a message: what an agent should know before it answers.

Message and line are compared by their words and by the vectors of the embedding model, of
which a small net reads more than their angle: that a table is booked somewhere where one
eats, and that an allergy is about eating. It learned from what people ask of an agent who
remembers them (`training/bearing.py`).
"""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from strata.search.language.keywords import content_terms
from strata.search.language.terms import Finder
from strata.tokens import unspaced_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

WEIGHTS = Path(__file__).with_name("bearing.npz")
# So many lines are weighed at most, the nearest by words and angle.
MOST = 16
# Something is shown where the best line is so likely needed, and then beside it what is
# not much less likely; so many lines at most (training/bearing.py).
CUT, SHARE, MOST_SHOWN = 0.22, 0.1, 5
_WORDS_BESIDE = 0.35
_SECOND_BEST, _FOURTH_BEST = 1, 3


def features(message: str, lines: Sequence[str], near: Floats) -> Floats:
    """
    Return what words and angles say of *message* and each of *lines*: one row a line.

    *near* holds the cosine of each line with the message. Words count by their rarity
    among *lines*.
    """
    weights = content_terms(message)
    # All at once: a term that no line has is looked for only once.
    said = Finder(weights).by_line("\n".join(each.replace("\n", " ") for each in lines))
    counts = Counter(term for terms in said for term in terms)
    asked = {
        term: weight * math.log((len(lines) + 1) / (counts[term] + 0.5))
        for term, weight in weights.items()
    }
    whole = sum(asked.values()) or 1.0
    shared = [[asked[term] for term in terms] for terms in said]
    words = np.array([sum(each) for each in shared], np.float32)
    angles, best = np.sort(near)[::-1], np.sort(words)[::-1]
    foreign = [unspaced_count(each) * 4 > len(each) for each in (message, *lines)]
    count = len(lines)

    def of_all(value: float) -> Floats:
        return np.full(count, value, np.float32)

    columns = [
        near,
        np.log1p(_ranks(near)),
        of_all(angles[0]),
        angles[0] - near,
        of_all(angles[0] - angles[min(_SECOND_BEST, count - 1)]),
        of_all(angles[0] - angles[min(_FOURTH_BEST, count - 1)]),
        words,
        words / whole,
        np.log1p(_ranks(words)),
        of_all(best[0]),
        best[0] - words,
        [len(each) for each in shared],
        [max(each, default=0.0) for each in shared],
        of_all(whole),
        of_all(len(asked)),
        of_all(math.log1p(len(message))),
        of_all(float("?" in message or "？" in message)),
        [math.log1p(len(each)) for each in lines],
        of_all(foreign[0]),
        [float(each != foreign[0]) for each in foreign[1:]],
    ]
    return np.stack([np.asarray(each, np.float32) for each in columns], axis=1)


def nearest(table: Floats) -> NDArray[np.int64]:
    """Return which rows of *table* are weighed at all, the most promising first."""
    near, words = table[:, 0], table[:, 6]
    best = max(float(words.max(initial=0.0)), 1e-6)
    order: NDArray[np.int64] = np.argsort(
        -(near + _WORDS_BESIDE * words / best), kind="stable"
    )
    return order[:MOST]


def together(chances: Sequence[float] | Floats, cut: float = CUT) -> list[int]:
    """
    Return which of the lines with these *chances* to be needed are shown, best first.

    None are, unless one is as likely as *cut*: whether anything is needed can be told more
    surely than which of two lines it is, and then both may come.
    """
    order = sorted(range(len(chances)), key=lambda at: -chances[at])[:MOST_SHOWN]
    best = max(chances, default=0.0)
    return [at for at in order if best >= cut and chances[at] >= SHARE * best]


class Net:
    """Several small nets, whose mean counts, as `training/bearing.py` writes them."""

    def __init__(self, arrays: dict[str, NDArray[np.float32]]) -> None:
        self._arrays = {name: each.astype(np.float32) for name, each in arrays.items()}
        self._count = sum(name.startswith("mean.") for name in arrays)

    def chances(self, message: Floats, lines: Floats, table: Floats) -> Floats:
        """
        Return how likely each line is needed, from 0 to 1.

        *message* is its vector, *lines* one a row, *table* their `features`.
        """
        found = [
            self._logits(str(number), message, lines, table)
            for number in range(self._count)
        ]
        mean = np.mean(found, axis=0)
        chances: Floats = 1 / (1 + np.exp(-mean))
        return chances

    def _logits(
        self, number: str, message: Floats, lines: Floats, table: Floats
    ) -> Floats:
        held = self._arrays

        def layer(name: str, values: Floats) -> Floats:
            made: Floats = (
                values @ held[f"{name}.{number}"].T + held[f"{name}.bias.{number}"]
            )
            return made

        asked = np.tanh(layer("message", message * SCALE))
        said = np.tanh(layer("line", lines * SCALE))
        scaled = (table - held[f"mean.{number}"]) / held[f"deviation.{number}"]
        both = np.broadcast_to(asked, said.shape)
        joined = np.concatenate([scaled, asked * said, both, said], axis=1)
        hidden = np.maximum(layer("hidden", joined), 0)
        return layer("out", hidden)[:, 0]


# A vector of length one has small numbers; a layer is learned sooner from larger ones.
SCALE = np.float32(12)


def weigh(message: str, asked: Floats, lines: Sequence[str], vectors: Floats) -> Floats:
    """
    Return how likely each of *lines* is needed to answer *message*, from 0 to 1.

    *asked* is its vector, *vectors* are theirs, one a row.
    """
    table = features(message, lines, vectors @ asked)
    return net().chances(asked, vectors, table)


@cache
def net() -> Net:
    """Return the net that comes with Strata."""
    with np.load(WEIGHTS) as arrays:
        return Net(dict(arrays))


def _ranks(values: Floats) -> Floats:
    ranks = np.empty(len(values), np.float32)
    ranks[np.argsort(-values, kind="stable")] = np.arange(len(values))
    return ranks
