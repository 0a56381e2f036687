"""From the published parts of a model to the folder that is opened."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from strata.embedding_models.folder import ModelFolder, mismatches, write_description
from strata.embedding_models.watching import FetchFailed

if TYPE_CHECKING:
    from pathlib import Path

    from strata.embedding_models.catalogue import EmbeddingModel


def build_model(
    model: EmbeddingModel, parts: Path, folder: Path, *, source: str
) -> None:
    """
    Check the *parts* of *model* and make its *folder* from them.

    Raise `FetchFailed` if a part, or what was built from it, is not what was pinned.
    """
    _refuse(mismatches(parts, dict(model.parts)), "other bytes than expected")
    folder.mkdir()
    for name in model.files:
        if name in model.parts:
            shutil.copyfile(parts / name, folder / name)
    (folder / "model.onnx").write_bytes(_graph(parts))
    _refuse(mismatches(folder, dict(model.files)), "could not be built")
    write_description(_described(model, folder, source))
    _settle(folder)


def _graph(parts: Path) -> bytes:
    # numpy is slow to import, and only those who fetch a model need it here.
    from strata.embedding_models.bert import bert_graph  # noqa: PLC0415
    from strata.embedding_models.weights import read_weights  # noqa: PLC0415

    return bert_graph(read_weights(parts / "model.safetensors"))


def _described(model: EmbeddingModel, folder: Path, source: str) -> ModelFolder:
    return ModelFolder(
        path=folder,
        name=model.name,
        fastembed_name=model.fastembed_name,
        dimensions=model.dimensions,
        max_tokens=model.max_tokens,
        languages=model.languages,
        source=source,
        files=dict(model.files),
    )


def _refuse(wrong: list[str], what: str) -> None:
    if wrong:
        raise FetchFailed(f"{', '.join(wrong)}: {what}")


def _settle(folder: Path) -> None:
    """Have the disk keep every byte before the folder gets its name."""
    for path in folder.iterdir():
        with path.open("rb+") as file:
            os.fsync(file.fileno())
