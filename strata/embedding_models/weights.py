"""Weights as they are published: named arrays in a safetensors file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

Weights = dict[str, "NDArray[np.float32]"]

_LENGTH_BYTES = 8


def read_weights(path: Path) -> Weights:
    """
    Read every float32 array of the safetensors file *path*, by name.

    The file is a little-endian header length, a JSON header and the arrays end to end.
    """
    content = path.read_bytes()
    start = _LENGTH_BYTES + int.from_bytes(content[:_LENGTH_BYTES], "little")
    header = json.loads(content[_LENGTH_BYTES:start])
    return {
        name: _array(content, start, entry["data_offsets"], entry["shape"])
        for name, entry in header.items()
        if entry.get("dtype") == "F32"
    }


def _array(
    content: bytes, start: int, offsets: list[int], shape: list[int]
) -> NDArray[np.float32]:
    first, end = offsets
    count = (end - first) // np.dtype(np.float32).itemsize
    flat = np.frombuffer(content, dtype="<f4", count=count, offset=start + first)
    return flat.reshape(shape).astype(np.float32, copy=False)
