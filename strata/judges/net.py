"""
A small net: what the words of a sentence are together, and beside what was said around it.

Words are sums of what their letters stand for; two gated convolutions read the sentence,
which then looks at the words around it for what it needs. It was taught by a language model
of some size (`training/teach.py`), and takes a third of a millisecond a sentence in numpy.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from strata.judges.features import flags_of, last_question, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from strata.judges.features import Remark

    Floats = NDArray[np.float32]
    Whole = NDArray[np.int64]

NET = Path(__file__).with_name("net.npz")
# The sentence, and seven parts of what was said around it.
PARTS = 8
_ATTENTIONS = 4
_CONVOLUTIONS = ("c1", "c2")
# A remark takes half a megabyte while it is read, and a message may have hundreds.
_MOST = 16
_FAR = 1e4
_STEEPEST = 10
_SHORTEST_THREE, _SHORTEST_FOUR = 2, 3


def parts_of(remark: Remark) -> list[tuple[str, ...]]:
    """Return the words of *remark* and of what was said around it, part by part."""
    return [
        words_of(remark.text)[:64],
        words_of(remark.lead[-160:])[-20:],
        words_of(remark.rest[:160])[:20],
        words_of(remark.before[-300:])[-28:],
        words_of(remark.reply[:160])[:24],
        words_of(remark.earlier[-160:])[-16:],
        words_of(remark.after[:160])[:16],
        words_of(last_question(remark.before))[-24:],
    ]


def is_hanzi(word: str) -> bool:
    """Say whether *word* is a Chinese character."""
    return "\u3400" <= word[0] <= "\u9fff"


def hashes(words: Sequence[str]) -> list[Whole]:
    """Return for each of *words* the numbers of what it is made of."""
    return [_pieces(*pair) for pair in zip(words, [*words[1:], ""], strict=False)]


def key_of(word: str) -> int:
    """Return the number by which a Latin word is known; Chinese ones have none."""
    return 0 if is_hanzi(word) else crc32(word.encode())


@lru_cache(maxsize=8192)
def _pieces(word: str, following: str) -> Whole:
    """Return the hashes of *word* itself, its letters, and it with the next one."""
    names = ["w" + word]
    if is_hanzi(word):
        names += ["g" + word + following] if following else []
    else:
        if word[0].isalpha():
            framed = f"<{word}>"
            for size, shortest in ((3, _SHORTEST_THREE), (4, _SHORTEST_FOUR)):
                if len(word) > shortest:
                    ends = range(size, len(framed) + 1)
                    names += ["c" + framed[end - size : end] for end in ends]
        names += [f"g{word}_{following}"] if following else []
    hashed = [crc32(name.encode("utf-8", "surrogatepass")) for name in names]
    return np.array(hashed, np.int64)


@dataclass(frozen=True, slots=True)
class _Words:
    """All words of some remarks: of which *remark* and *part*, where, their vectors."""

    remark: Whole
    part: Whole
    place: Whole
    vectors: Floats

    def of(self, chosen: NDArray[np.bool_]) -> _Words:
        return _Words(
            self.remark[chosen],
            self.part[chosen],
            self.place[chosen],
            self.vectors[chosen],
        )


class Net:
    """The net in the file *path*; whole numbers of 8 bits with a scale a row."""

    def __init__(self, path: Path = NET) -> None:
        with np.load(path, allow_pickle=False) as stored:
            about = json.loads(str(stored["about"]))
            self._blend: Floats = stored["blend"]
            self._table = stored["q:e"]
            self._scales = stored["s:e"].astype(np.float32)
            self._known = stored["words"]
            self._known_table = stored["q:static"]
            self._known_scales = stored["s:static"].astype(np.float32)
            self._weights: dict[str, Floats] = {
                name: _restored(stored["q:" + name], stored["s:" + name], shape)
                for name, shape in about["shapes"].items()
            }
        for name in _CONVOLUTIONS:
            # Three neighbours stand beside one another in a row of what is seen.
            weight = self._weights[name + ".weight"].transpose(2, 1, 0)
            self._weights[name + ".weight"] = weight.reshape(-1, weight.shape[2])
        self._flags = {name: place for place, name in enumerate(about["flags"])}

    def scores(self, remarks: Sequence[Remark], counted: Floats) -> Floats:
        """Return *counted*, the scores of n-grams of *remarks*, with its own in them."""
        own = self.read(remarks)
        both: Floats = counted * self._blend[0] + own * self._blend[1] + self._blend[2]
        return both

    def read(self, remarks: Sequence[Remark]) -> Floats:
        """Return what the net by itself says of *remarks*, shaped (remarks, heads)."""
        starts = range(0, len(remarks), _MOST)
        return np.concatenate([self._read(remarks[at : at + _MOST]) for at in starts])

    def _read(self, remarks: Sequence[Remark]) -> Floats:
        count, words = len(remarks), self._words(remarks)
        own, around = words.of(words.part == 0), words.of(words.part > 0)
        summary = self._summary(own, count)
        told = [
            summary,
            self._asked(summary, around, count),
            self._averages(around, count),
            self._linear("fl", np.stack([self._flagged(each) for each in remarks])),
        ]
        everything = np.concatenate(told, axis=1)
        hidden = np.maximum(self._linear("m1", everything), 0)
        found: Floats = self._linear("m2", hidden) + self._linear("lin", everything)
        return found

    def _words(self, remarks: Sequence[Remark]) -> _Words:
        pieces: list[Whole] = []
        keys: list[int] = []
        places: list[tuple[int, int, int]] = []
        for number, remark in enumerate(remarks):
            for part, words in enumerate(parts_of(remark)):
                pieces += hashes(words)
                keys += map(key_of, words)
                places += ((number, part, place) for place in range(len(words)))
        vectors = self._vectors(pieces, np.array(keys, np.uint32))
        number_of, part_of, place_of = np.array(places, np.int64).reshape(-1, 3).T
        return _Words(number_of, part_of, place_of, vectors)

    def _vectors(self, pieces: Sequence[Whole], keys: NDArray[np.uint32]) -> Floats:
        if not pieces:
            return np.zeros((0, self._table.shape[1]), np.float32)
        sizes = np.array([len(each) for each in pieces])
        rows = np.concatenate(pieces) & (len(self._table) - 1)
        found = self._table[rows] * self._scales[rows, None]
        vectors: Floats = np.add.reduceat(
            found, np.concatenate([[0], np.cumsum(sizes)[:-1]]), axis=0
        )
        vectors /= np.sqrt(sizes, dtype=np.float32)[:, None]
        at = np.minimum(np.searchsorted(self._known, keys), len(self._known) - 1)
        known = (self._known[at] == keys) & (keys > 0)
        at = at[known]
        vectors[known] += self._known_table[at] * self._known_scales[at, None]
        return vectors

    def _summary(self, own: _Words, count: int) -> Floats:
        """Return what the sentence itself says: its strongest words, and four views."""
        lengths = np.bincount(own.remark, minlength=count)
        width = int(lengths.max()) + 2
        state = np.zeros((count, width, own.vectors.shape[1]), np.float32)
        state[own.remark, own.place + 1] = own.vectors
        state[:, 0], state[np.arange(count), lengths + 1] = self._weights["end"]
        inside = (np.arange(width)[None] <= (lengths + 1)[:, None])[..., None]
        first = self._gated("c1", state) * inside
        state = first + self._gated("c2", first) * inside
        outside = ((inside - 1.0) * _FAR).astype(np.float32)
        seen = _shares(self._linear("att", state) + outside)
        views = state.reshape(count, width, _ATTENTIONS, -1)
        looked = np.einsum("nlgc,nlg->ngc", views, seen).reshape(count, -1)
        return np.concatenate([(state + outside).max(axis=1), looked], axis=1)

    def _asked(self, summary: Floats, around: _Words, count: int) -> Floats:
        """Return what the sentence finds where it looks at the words around it."""
        marked = around.vectors + self._weights["seg"][around.part]
        offered = np.maximum(self._linear("proj", marked), 0)
        wanted = self._linear("q", summary)[around.remark]
        fit = (offered * wanted).sum(axis=1) / offered.shape[1] ** 0.5
        weight = np.exp(np.clip(fit, -_STEEPEST, _STEEPEST))
        whole = np.bincount(around.remark, weight, minlength=count) + 1.0
        share = (weight / whole[around.remark])[:, None].astype(np.float32)
        return _sums(offered * share, around.remark, count)

    def _averages(self, around: _Words, count: int) -> Floats:
        """Return what each part around the sentence is about."""
        key = around.remark * PARTS + around.part
        sizes = np.maximum(np.bincount(key, minlength=count * PARTS), 1)
        sums = _sums(around.vectors, key, count * PARTS) / np.sqrt(sizes)[:, None]
        parts = sums.reshape(count, PARTS, -1).transpose(1, 0, 2)
        about = np.matmul(parts, self._weights["sp"]).transpose(1, 0, 2)
        averages: Floats = about[:, 1:].reshape(count, -1).astype(np.float32)
        return averages

    def _flagged(self, remark: Remark) -> Floats:
        row = np.zeros(len(self._flags), np.float32)
        for flag in flags_of(remark):
            if flag in self._flags:
                row[self._flags[flag]] = 1
        return row

    def _linear(self, name: str, given: Floats) -> Floats:
        weight, bias = self._weights[name + ".weight"], self._weights[name + ".bias"]
        found: Floats = given @ weight.T + bias
        return found

    def _gated(self, name: str, state: Floats) -> Floats:
        """Look at three neighbours; one half of what is seen opens and closes the other."""
        weight, bias = self._weights[name + ".weight"], self._weights[name + ".bias"]
        count, width, size = state.shape
        framed = np.zeros((count, width + 2, size), np.float32)
        framed[:, 1:-1] = state
        near = np.concatenate([framed[:, :-2], framed[:, 1:-1], framed[:, 2:]], axis=2)
        flat = near.reshape(count * width, 3 * size)
        seen = flat @ weight + bias
        half = seen.shape[1] // 2
        opened = seen[:, :half] / (1 + np.exp(-np.clip(seen[:, half:], -30, 30)))
        gated: Floats = opened.reshape(count, width, half)
        return gated


def _restored(
    whole: NDArray[np.int8], scales: NDArray[np.float16], shape: Sequence[int]
) -> Floats:
    floats: Floats = whole.astype(np.float32) * scales.astype(np.float32)[:, None]
    return floats.reshape(shape)


def _shares(scores: Floats) -> Floats:
    grown = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Floats = grown / grown.sum(axis=1, keepdims=True)
    return shares


def _sums(values: Floats, place: Whole, size: int) -> Floats:
    """Sum the rows of *values* that have one *place*; places come in order."""
    sums = np.zeros((size, values.shape[1]), np.float32)
    if len(place):
        starts = np.flatnonzero(np.concatenate([[True], place[1:] != place[:-1]]))
        sums[place[starts]] = np.add.reduceat(values, starts, axis=0)
    return sums
