"""Does this machine compute with a model what it should?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.embedding_models.runtime import open_session
from strata.errors import ModelUnavailable
from strata.messages import Notice

if TYPE_CHECKING:
    from pathlib import Path

    from strata.embedding_models.catalogue import EmbeddingModel

PROBE_TEXT = "Keep PostgreSQL 16 as the only database."

# Kernels for 8-bit products differ between processors by about a thousandth.
_LOWEST_COSINE = 0.99


def probe_model(model: EmbeddingModel, folder: Path) -> None:
    """
    Embed one sentence with the model in *folder*.

    Raise `ModelUnavailable` if it cannot be opened here or gives another vector than
    float32 arithmetic did: the file was checked, so it is then this machine's runtime.
    """
    try:
        vector = _embed(folder)[: len(model.probe_vector)]
    # ONNX Runtime and tokenizers raise bare classes of their own, many of them.
    except Exception as error:  # noqa: BLE001 - see above
        raise ModelUnavailable(Notice("embedding.cannot-run", error=error)) from None
    if _cosine(vector, model.probe_vector) < _LOWEST_COSINE:
        raise ModelUnavailable(Notice("embedding.wrong-vectors"))


def _embed(folder: Path) -> list[float]:
    # Slow to import, and needed only where a model was fetched.
    import numpy as np  # noqa: PLC0415
    from tokenizers import Tokenizer  # noqa: PLC0415

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    ids = np.array([tokenizer.encode(PROBE_TEXT).ids], dtype=np.int64)
    inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    hidden = open_session(folder / "model.onnx").run(None, inputs)[0]
    vector: list[float] = hidden[0].mean(axis=0).tolist()
    return vector


def _cosine(left: list[float], right: tuple[float, ...]) -> float:
    product = sum(a * b for a, b in zip(left, right, strict=True))
    lengths = sum(a * a for a in left) * sum(b * b for b in right)
    return product / float(lengths**0.5) if lengths else 0.0
