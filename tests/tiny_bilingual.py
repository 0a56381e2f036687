"""A model as small as can be that reads both languages, of the form that hubs publish."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from tiny_model import sha256
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from strata.embedding_models import onnx_format
from strata.embedding_models.catalogue import EmbeddingModel
from strata.embedding_models.checking import known_pairs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from strata.embedding_models.catalogue import Pooling

    Array = NDArray[np.float32] | NDArray[np.int64]

REPOSITORY = "someone/bilingual"
REVISION = "89abcdef0123456789abcdef0123456789abcdef"
WEIGHTS = "onnx/model_int8.onnx"
SIZE = 48
_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]


def publish(
    folder: Path, *, pooling: Pooling = "cls", name: str = "bilingual"
) -> EmbeddingModel:
    """
    Write a model that was trained for *pooling* into *folder*, and describe it.

    It has learned by heart what the known pairs mean, word by word.
    """
    (folder / "onnx").mkdir(parents=True)
    texts = [
        (number, text)
        for language in ("en", "zh")
        for number, pair in enumerate(known_pairs(language))
        for text in pair
    ]
    tokenizer = _tokenizer(texts)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({"model_type": "tiny"}))
    (folder / WEIGHTS).write_bytes(_graph(_table(tokenizer, texts), pooling))
    pins = {
        part: sha256((folder / part).read_bytes())
        for part in (WEIGHTS, "tokenizer.json")
    }
    return EmbeddingModel(
        name=name,
        dimensions=SIZE,
        max_tokens=64,
        languages=(),
        repository=REPOSITORY,
        revision=REVISION,
        parts=pins,
        parts_megabytes=1,
        files={
            "model.onnx": pins[WEIGHTS],
            "tokenizer.json": pins["tokenizer.json"],
        },
        weights=WEIGHTS,
        pooling=pooling,
        asking="query: ",
        telling="passage: ",
    )


def _tokenizer(texts: Sequence[tuple[int, str]]) -> Tokenizer:
    normalizer, splitter = (
        normalizers.BertNormalizer(),
        pre_tokenizers.BertPreTokenizer(),
    )
    words = {
        word
        for text in ["query: passage:", *(text for _, text in texts)]
        for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(text))
    }
    vocabulary = {word: at for at, word in enumerate([*_SPECIAL, *sorted(words)])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = splitter
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return tokenizer


def _table(
    tokenizer: Tokenizer, texts: Sequence[tuple[int, str]]
) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """
    Return a vector for each token: what the pairs in which it stands are about.
    """
    random = np.random.default_rng(5)
    meanings = random.normal(0, 1, (1 + max(at for at, _ in texts), SIZE))
    table = np.zeros((tokenizer.get_vocab_size(), SIZE))
    seen = {
        (at, token)
        for at, text in texts
        for token in tokenizer.encode(text, add_special_tokens=False).ids
    }
    common = Counter(token for _, token in seen)
    for at, token in seen:
        table[token] += meanings[at] / common[token] ** 2
    # Nothing is without a vector.
    table[2] = 0.01
    return table.astype(np.float32)


def _graph(
    table: np.ndarray[tuple[int, int], np.dtype[np.float32]], pooling: Pooling
) -> bytes:
    """
    Return the network: what a text means stands in its first token, or in all of them.

    The rest of what is trained for the first token is noise, louder than what it means.
    """
    noise = np.random.default_rng(6).normal(0, 40, table.shape).astype(np.float32)
    constants: dict[str, Array] = {
        "table": table,
        "noise": noise,
        "one": np.array([1], np.int64),
        "two": np.array([2], np.int64),
        "end": np.array([1 << 30], np.int64),
    }
    steps = [
        ("Gather", ("table", "input_ids"), "tokens", {}),
        ("Cast", ("attention_mask",), "mask", {"to": onnx_format.FLOAT}),
        ("Unsqueeze", ("mask", "two"), "column", {}),
    ]
    if pooling == "mean":
        steps += [("Mul", ("tokens", "column"), "last_hidden_state", {})]
    else:
        steps += [
            ("Mul", ("tokens", "column"), "kept", {}),
            ("ReduceSum", ("kept", "one"), "meaning", {"keepdims": 1}),
            ("Gather", ("noise", "input_ids"), "loud", {}),
            ("Slice", ("loud", "one", "end", "one"), "rest", {}),
            ("Concat", ("meaning", "rest"), "last_hidden_state", {"axis": 1}),
        ]
    shape = ("batch", "sequence")
    # Some pool by themselves as well, and say that first.
    steps += [("ReduceMax", ("last_hidden_state", "one"), "pooled", {"keepdims": 0})]
    return onnx_format.model(
        nodes=[
            onnx_format.node(operator, inputs, output, domain="", attributes=attributes)
            for operator, inputs, output, attributes in steps
        ],
        tensors=[onnx_format.tensor(name, each) for name, each in constants.items()],
        inputs=[
            onnx_format.value(name, onnx_format.INT64, shape)
            for name in ("input_ids", "attention_mask")
        ],
        outputs=[
            onnx_format.value("pooled", onnx_format.FLOAT, ("batch", SIZE)),
            onnx_format.value("last_hidden_state", onnx_format.FLOAT, (*shape, SIZE)),
        ],
        operator_sets={"": 21},
    )
