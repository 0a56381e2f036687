"""From the published parts of a model to the folder that is opened, and works here."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from strata.embedding_models.encoder import OnnxEncoder
from strata.embedding_models.folder import mismatches, read_model, write_description
from strata.embedding_models.watching import FetchFailed
from strata.errors import ModelUnavailable
from strata.messages import Notice

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from strata.embedding_models.catalogue import EmbeddingModel

PROBE_TEXT = "Keep PostgreSQL 16 as the only database."

# Kernels for 8-bit products differ between processors by about a thousandth.
_LOWEST_COSINE = 0.99


def build_model(
    model: EmbeddingModel, parts: Path, folder: Path, *, source: str
) -> None:
    """
    Check the *parts* of *model* and make its *folder* from them.

    Raise `FetchFailed` if a part, or what was built from it, is not what was pinned.
    """
    # numpy is slow to import, and only those who fetch a model need it here.
    from strata.embedding_models.bert import bert_graph, read_weights  # noqa: PLC0415

    _refuse(parts, model.parts, "other bytes than expected")
    folder.mkdir()
    for name in model.files.keys() & model.parts.keys():
        shutil.copyfile(parts / name, folder / name)
    graph = bert_graph(read_weights(parts / "model.safetensors"))
    (folder / "model.onnx").write_bytes(graph)
    _refuse(folder, model.files, "could not be built")
    write_description(model, folder, source)
    # The disk keeps every byte before the folder gets its name.
    for path in folder.iterdir():
        with path.open("rb+") as file:
            os.fsync(file.fileno())


def probe_model(model: EmbeddingModel, folder: Path) -> None:
    """
    Embed one sentence with the model in *folder*.

    Raise `ModelUnavailable` if it cannot be opened here or gives another vector than
    float32 arithmetic did: the file was checked, so it is then this machine's runtime.
    """
    expected = model.probe_vector
    try:
        vector = OnnxEncoder(read_model(folder)).encode([PROBE_TEXT])[0].tolist()
    # ONNX Runtime and tokenizers raise bare classes of their own, many of them.
    except Exception as error:  # noqa: BLE001 - see above
        raise ModelUnavailable(Notice("embedding.cannot-run", error=error)) from None
    if _cosine(vector[: len(expected)], expected) < _LOWEST_COSINE:
        raise ModelUnavailable(Notice("embedding.wrong-vectors"))


def _refuse(folder: Path, pins: Mapping[str, str], what: str) -> None:
    if wrong := mismatches(folder, pins):
        raise FetchFailed(f"{', '.join(wrong)}: {what}")


def _cosine(left: list[float], right: tuple[float, ...]) -> float:
    product = sum(a * b for a, b in zip(left, right, strict=True))
    lengths = sum(a * a for a in left) * sum(b * b for b in right)
    return product / float(lengths**0.5) if lengths else 0.0
