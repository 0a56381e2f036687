"""What of a text, and of what an index holds, can be compared by its meaning."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from strata.embedding_models.folder import DEFAULT_NAME
from strata.search.indexing.chunking import sentences
from strata.search.indexing.manifest import FOREIGN, PENDING, WITH_VECTORS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.embedding_models.folder import ModelFolder
    from strata.search.indexing.manifest import Manifest
    from strata.search.indexing.session import Shelf
    from strata.search.stores.vectors import Vector

# So many chunks wait for a question, which opens the model for itself anyway: that takes
# 0.2 s, and each of them 10 to 30 ms.
WHILE_ASKED = 4
# While all vectors are written anew, a question does without those of sentences.
_PATIENCE_SECONDS = 0.1


def has_vectors(shelf: Shelf, model: ModelFolder | None) -> bool:
    """Tell whether there is a *model*, and chunks that it has embedded or soon will."""
    return model is not None and shelf.peek(
        lambda manifest: (
            manifest.meta("model") in {"", model.fingerprint}
            and (
                manifest.has(*WITH_VECTORS)
                or 0 < manifest.count(PENDING) <= WHILE_ASKED
            )
        ),
        otherwise=False,
    )


def compares(shelf: Shelf, model: ModelFolder | None, text: str) -> bool:
    """Tell whether *text* can be compared by its meaning with what is on *shelf*."""
    from strata.embedding_models.encoder import reads  # noqa: PLC0415 - few have a model

    if model is None or not has_vectors(shelf, model):
        return False
    if text.isascii():
        # The dictionary stays closed.
        return reads(model.native, text)
    # Chinese that was left to its words, before there was a dictionary, would be behind
    # whatever has a vector.
    return reads(model.languages, text) and (
        not model.glosses or shelf.peek(_reads_all, otherwise=False)
    )


def _reads_all(manifest: Manifest) -> bool:
    return bool(manifest.meta("glosses") or not manifest.has(FOREIGN))


def weighable(model: ModelFolder | None, text: str) -> list[str]:
    """
    Return the sentences of *text* that have vectors of their own.

    What weighs them has learned from one *model*, and of Chinese it tells too little.
    """
    from strata.embedding_models.encoder import is_foreign  # noqa: PLC0415 - as above

    if model is None or model.name != DEFAULT_NAME:
        return []
    return [each for each in sentences(text) if not is_foreign(each)]


def vectors_of(
    shelf: Shelf, model: ModelFolder | None, texts: Sequence[str]
) -> dict[str, Vector]:
    """Return the vectors that *shelf* has of *texts*; none where it cannot say now."""
    from strata.search.indexing.points import text_key  # noqa: PLC0415 - few questions
    from strata.search.stores.vectors import VectorCache  # noqa: PLC0415 - the same

    if not (model and texts and shelf.vectors_file.exists()):
        return {}
    cache = VectorCache(shelf.vectors_file, model.fingerprint, _PATIENCE_SECONDS)
    keys = {text_key(text): text for text in texts}
    try:
        return {keys[key]: found for key, found in cache.find(list(keys)).items()}
    except (sqlite3.Error, OSError):
        return {}
