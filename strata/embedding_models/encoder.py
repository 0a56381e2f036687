"""Texts become vectors, by the model in a folder and without any network."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Protocol

from strata.embedding_models.folder import CHINESE, ENGLISH, read_model
from strata.errors import ModelUnavailable
from strata.patterns import pattern
from strata.tokens import unspaced_count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from strata.embedding_models.folder import ModelFolder

    Vectors = NDArray[np.float32]

# One long text alone is faster than eight together, for their attention leaves the
# processor's cache; short ones gain from company.
_BATCH_TEXTS = 8
_BATCH_TOKENS = 512
# Texts, tokens, numbers.
_TOKEN_AXES = 3
# Letters of scripts that are neither spaced nor Chinese: Thai, kana, Hangul.
_NOT_CHINESE = pattern("[\u0e00-\u1fff\u3041-\u30fa\u31f0-\u31ff\uac00-\ud7af]")


class Encoder(Protocol):
    """
    A model that turns a text into a vector of length one.

    *fingerprint* changes whenever the vector of a text that it knows would. *languages*
    are codes such as ``en``; an empty tuple means that the model reads every language.
    """

    name: str
    fingerprint: str
    dimensions: int

    @property
    def languages(self) -> tuple[str, ...]: ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row of *dimensions* float32 numbers for each of *texts*."""
        ...


def load_encoder(folder: Path) -> Encoder:
    """Open the model in *folder*; raise `ModelUnavailable` if there is none that works."""
    model = read_model(folder)
    try:
        return OnnxEncoder(model)
    # ONNX Runtime and tokenizers raise bare classes of their own, many of them.
    except Exception as error:  # noqa: BLE001 - see above
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise ModelUnavailable.of(
            "embedding.broken", path=folder, reason=reason
        ) from None


def reads(languages: Sequence[str], text: str) -> bool:
    """
    Tell whether a model that reads *languages* has a say on *text*.

    A model that never saw Chinese puts Chinese texts nowhere in particular: with its
    vote, recall on Chinese notes fell from 0.99 to 0.55.
    """
    if not languages:
        return True
    if not is_foreign(text):
        return ENGLISH in languages
    others = len(_NOT_CHINESE.findall(text))
    return CHINESE in languages and others * 4 < unspaced_count(text)


def is_foreign(text: str) -> bool:
    """Tell whether much of *text* is in scripts without spaces, such as Chinese."""
    unspaced = unspaced_count(text)
    return unspaced * 4 > len(text) - unspaced


class OnnxEncoder:
    """Runs *model* with ONNX Runtime alone: ready in a tenth of a second."""

    def __init__(self, model: ModelFolder) -> None:
        # numpy's OpenBLAS would start a thread for each processor: 50 ms for nothing. And
        # so would the tokenizer, for the one text of a query.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        from tokenizers import Tokenizer  # noqa: PLC0415 - only hybrid search pays for it

        self.name = model.name
        self.fingerprint = model.fingerprint
        self.dimensions = model.dimensions
        self._model = model
        # Any: neither tokenizers nor onnxruntime ships types.
        self._tokenizer: Any = Tokenizer.from_file(str(model.path / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(model.max_tokens)
        self._session = open_session(model.path / "model.onnx")
        self._inputs = {each.name for each in self._session.get_inputs()}
        self._output = _of_tokens(self._session)

    @property
    def languages(self) -> tuple[str, ...]:
        return self._model.languages

    def encode(self, texts: Sequence[str]) -> Vectors:
        import numpy as np  # noqa: PLC0415 - only hybrid search pays for it

        readable = [self._model.readable(text) for text in texts]
        tokens = [each.ids for each in self._tokenizer.encode_batch(readable)]
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for places in _batches([len(ids) for ids in tokens]):
            vectors[places] = self._run([tokens[place] for place in places])
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: Vectors = vectors / np.maximum(lengths, np.float32(1e-12))
        return unit

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
        (hidden,) = self._session.run([self._output], feeds)
        first: Vectors = hidden[:, 0]
        summed: Vectors = (hidden * mask[:, :, None]).sum(axis=1)
        return first if self._model.pooling == "cls" else summed


def _of_tokens(session: Any) -> str:  # Any: onnxruntime ships no types
    """Return which output has a vector for each token; some models pool by themselves."""
    outputs = session.get_outputs()
    return next(str(each.name) for each in outputs if len(each.shape) == _TOKEN_AXES)


def open_session(model_file: Path) -> Any:  # Any: onnxruntime ships no types
    """Open *model_file* on one thread; a single text has nothing for a second one."""
    import onnxruntime  # noqa: PLC0415 - only hybrid search pays for it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # An arena keeps the largest batch's memory for ever.
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(
        str(model_file), options, providers=["CPUExecutionProvider"]
    )


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
