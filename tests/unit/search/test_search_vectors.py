"""Vectors are kept by text and model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from strata.search.stores.vectors import VectorCache

if TYPE_CHECKING:
    from pathlib import Path

VECTOR = np.array([0.6, -0.8, 0.0], dtype=np.float32)


def test_kept_vector_is_found(tmp_path: Path) -> None:
    """
    A vector comes back to three digits, and only under its own key.
    """
    cache = VectorCache(tmp_path / "vectors.sqlite", "model")
    cache.keep({b"one": VECTOR})

    found = cache.find([b"one", b"two"])

    assert list(found) == [b"one"]
    np.testing.assert_allclose(found[b"one"], VECTOR, atol=5e-4)


def test_models_do_not_mix(tmp_path: Path) -> None:
    """
    Another model's vectors of the same text are not found.
    """
    VectorCache(tmp_path / "vectors.sqlite", "one").keep({b"text": VECTOR})

    assert VectorCache(tmp_path / "vectors.sqlite", "two").find([b"text"]) == {}


def test_damaged_file_is_made_anew(tmp_path: Path) -> None:
    """
    A file that is no database is replaced, for it was only a cache.
    """
    file = tmp_path / "vectors.sqlite"
    file.write_bytes(b"garbage " * 1000)
    cache = VectorCache(file, "model")

    cache.keep({b"one": VECTOR})

    assert list(cache.find([b"one"])) == [b"one"]


def test_many_keys_are_asked_at_once(tmp_path: Path) -> None:
    """
    More keys than SQLite takes in one query are found all the same.
    """
    cache = VectorCache(tmp_path / "vectors.sqlite", "model")
    keys = [str(number).encode() for number in range(1200)]
    cache.keep(dict.fromkeys(keys, VECTOR))

    assert len(cache.find(keys)) == 1200


def test_forgotten_vectors_are_gone(tmp_path: Path) -> None:
    """
    Vectors of texts that are nowhere any more can be dropped, of this model alone.
    """
    file = tmp_path / "vectors.sqlite"
    cache, other = VectorCache(file, "one"), VectorCache(file, "two")
    for each in (cache, other):
        each.keep({b"old": VECTOR, b"new": VECTOR})

    cache.forget_others([b"new"])

    assert list(cache.find([b"old", b"new"])) == [b"new"]
    assert len(other.find([b"old", b"new"])) == 2
