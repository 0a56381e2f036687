"""Texts become vectors, by the model in a folder and without any network."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Protocol

from strata.embedding_models.folder import read_model
from strata.errors import ModelUnavailable
from strata.messages import Notice
from strata.tokens import unspaced_count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from strata.embedding_models.folder import ModelFolder

    Vectors = NDArray[np.float32]

# fastembed costs 0.35 s of imports, so few chunks go to the same model file directly.
BULK_CHUNKS = 64
# One long text alone is faster than eight together, for their attention leaves the
# processor's cache; short ones gain from company.
_BATCH_TEXTS = 8
_BATCH_TOKENS = 512


class Encoder(Protocol):
    """
    A model that turns a text into a vector of length one.

    *fingerprint* changes whenever the vectors would. *languages* are codes such as
    ``en``; an empty tuple means that the model reads every language.
    """

    name: str
    fingerprint: str
    dimensions: int
    languages: tuple[str, ...]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row of *dimensions* float32 numbers for each of *texts*."""
        ...


def load_encoder(folder: Path, *, bulk: bool = False) -> Encoder:
    """
    Open the model in *folder*; *bulk* picks the way that is meant for many texts.

    Raise `ModelUnavailable` if there is none, or it is damaged.
    """
    # numpy's OpenBLAS would start a thread for each processor: 50 ms that nothing uses.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    model = read_model(folder)
    return FastembedEncoder(model) if bulk else OnnxEncoder(model)


def reads(languages: Sequence[str], text: str) -> bool:
    """
    Tell whether a model that reads *languages* has a say on *text*.

    A model that never saw Chinese puts Chinese texts nowhere in particular: with its
    vote, recall on Chinese notes fell from 0.99 to 0.55.
    """
    if not languages:
        return True
    unspaced = unspaced_count(text)
    foreign = unspaced * 4 > len(text) - unspaced
    return ("zh" if foreign else "en") in languages


class OnnxEncoder:
    """Runs the model file with ONNX Runtime alone: ready in a tenth of a second."""

    def __init__(self, model: ModelFolder) -> None:
        self.name = model.name
        self.fingerprint = model.fingerprint
        self.dimensions = model.dimensions
        self.languages = model.languages
        self._tokenizer = _tokenizer(model)
        self._session = _session(model)
        self._inputs = {each.name for each in self._session.get_inputs()}

    def encode(self, texts: Sequence[str]) -> Vectors:
        import numpy as np  # noqa: PLC0415 - only hybrid search pays for it

        tokens = [
            encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))
        ]
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for places in _batches([len(ids) for ids in tokens]):
            vectors[places] = self._run([tokens[place] for place in places])
        return vectors

    def _run(self, batch: Sequence[Sequence[int]]) -> Vectors:
        import numpy as np  # noqa: PLC0415 - only hybrid search pays for it

        width = max(len(ids) for ids in batch)
        numbers = np.zeros((len(batch), width), dtype=np.int64)
        mask = np.zeros((len(batch), width), dtype=np.int64)
        for row, ids in enumerate(batch):
            numbers[row, : len(ids)] = ids
            mask[row, : len(ids)] = 1
        feeds = {"input_ids": numbers, "attention_mask": mask}
        if "token_type_ids" in self._inputs:
            feeds["token_type_ids"] = np.zeros_like(numbers)
        hidden = self._session.run(None, feeds)[0]
        return _unit((hidden * mask[:, :, None]).sum(axis=1))


class FastembedEncoder:
    """Runs the same folder through fastembed, which knows how other models are pooled."""

    def __init__(self, model: ModelFolder) -> None:
        self.name = model.name
        self.fingerprint = model.fingerprint
        self.dimensions = model.dimensions
        self.languages = model.languages
        self._model = _fastembed(model)

    def encode(self, texts: Sequence[str]) -> Vectors:
        import numpy as np  # noqa: PLC0415 - only hybrid search pays for it

        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        # Letters stand for tokens here: fastembed does not show its own.
        for places in _batches([len(text) // 4 + 2 for text in texts]):
            batch = [texts[place] for place in places]
            rows = list(self._model.embed(batch, batch_size=len(batch)))
            vectors[places] = _unit(np.stack(rows).astype(np.float32))
        return vectors


def _batches(sizes: Sequence[int]) -> Iterator[list[int]]:
    """Group places by size, so that little of a batch is padding."""
    batch: list[int] = []
    for place in sorted(range(len(sizes)), key=lambda place: sizes[place]):
        full = len(batch) == _BATCH_TEXTS
        if batch and (full or (len(batch) + 1) * sizes[place] > _BATCH_TOKENS):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _unit(vectors: Vectors) -> Vectors:
    import numpy as np  # noqa: PLC0415 - only hybrid search pays for it

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = vectors / np.maximum(lengths, np.float32(1e-12))
    return unit


def _tokenizer(model: ModelFolder) -> Any:  # Any: tokenizers ships no types
    from tokenizers import Tokenizer  # noqa: PLC0415 - only hybrid search pays for it

    # Threads would be started for the one text of a query.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        tokenizer = Tokenizer.from_file(str(model.path / "tokenizer.json"))
    # The Rust library raises nothing more precise.
    except Exception as error:  # noqa: BLE001
        raise ModelUnavailable(
            Notice("embedding.broken", path=model.path, reason=error)
        ) from None
    tokenizer.no_padding()
    tokenizer.enable_truncation(model.max_tokens)
    return tokenizer


def _session(model: ModelFolder) -> Any:  # Any: onnxruntime ships no types
    import onnxruntime  # noqa: PLC0415 - only hybrid search pays for it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # An arena keeps the largest batch's memory for ever.
    options.enable_cpu_mem_arena = False
    try:
        return onnxruntime.InferenceSession(
            str(model.path / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
    # ONNX Runtime's own exceptions share no base but this one.
    except Exception as error:  # noqa: BLE001
        reason = str(error).splitlines()[0]
        raise ModelUnavailable(
            Notice("embedding.broken", path=model.path, reason=reason)
        ) from None


def _fastembed(model: ModelFolder) -> Any:  # Any: fastembed's types need its extras
    # Asked for a model that it has, fastembed would still call the hub: 39 s offline.
    os.environ["HF_HUB_OFFLINE"] = "1"
    from fastembed import TextEmbedding  # noqa: PLC0415 - 0.35 s

    try:
        # Without a folder it makes one of its own in the system's temporary folder.
        return TextEmbedding(
            model.fastembed_name,
            cache_dir=str(model.path),
            specific_model_path=str(model.path),
            threads=1,
        )
    except (ValueError, OSError, RuntimeError) as error:
        raise ModelUnavailable(
            Notice("embedding.broken", path=model.path, reason=error)
        ) from None
