"""Whether a text can be compared by its meaning with what an index holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.search.indexing.manifest import FOREIGN, PENDING, WITH_VECTORS

if TYPE_CHECKING:
    from strata.embedding_models.folder import ModelFolder
    from strata.search.indexing.manifest import Manifest
    from strata.search.indexing.session import Shelf

# So many chunks wait for a question, which opens the model for itself anyway: that takes
# 0.2 s, and each of them 10 to 30 ms.
WHILE_ASKED = 4


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
