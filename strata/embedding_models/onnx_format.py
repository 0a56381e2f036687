"""
The bytes of an ONNX file, written without the onnx package.

A model built on the user's machine has to match a pinned SHA-256, and protocol buffers
promise no canonical encoding: here every field has one place and one form.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

FLOAT, INT32, INT64 = 1, 6, 7
_ELEMENTS = {"float32": FLOAT, "int32": INT32, "int64": INT64, "int8": 3, "uint8": 2}

# Field numbers and types are those of the public onnx.proto3; 10 is its version that
# goes with operator set 21.
_IR_VERSION = 10
_ATTRIBUTE_FLOAT, _ATTRIBUTE_INT = 1, 2
_SEVEN_BITS = 1 << 7


def tensor(name: str, values: NDArray[np.generic]) -> bytes:
    """Encode an initializer: a named constant array."""
    shape = b"".join(_integer(1, size) for size in values.shape)
    element = _integer(2, _ELEMENTS[values.dtype.name])
    little_endian = values.astype(values.dtype.newbyteorder("<"), copy=False)
    return shape + element + _text(8, name) + _bytes(9, little_endian.tobytes())


def node(
    operator: str,
    inputs: Sequence[str],
    output: str,
    *,
    domain: str,
    attributes: Mapping[str, float],
) -> bytes:
    """Encode one operation; an empty input name leaves an optional input out."""
    fields = [_text(1, name) for name in inputs]
    fields += [_text(2, output), _text(3, output), _text(4, operator)]
    fields += [_bytes(5, _attribute(name, attributes[name])) for name in attributes]
    fields += [_text(7, domain)] if domain else []
    return b"".join(fields)


def value(name: str, element: int, shape: Iterable[int | str]) -> bytes:
    """Encode an input or output of the graph; a text in *shape* is a free size."""
    encoded = (
        _text(2, size) if isinstance(size, str) else _integer(1, size) for size in shape
    )
    sizes = b"".join(_bytes(1, size) for size in encoded)
    kind = _bytes(1, _integer(1, element) + _bytes(2, sizes))
    return _text(1, name) + _bytes(2, kind)


def model(
    *,
    nodes: Iterable[bytes],
    tensors: Iterable[bytes],
    inputs: Iterable[bytes],
    outputs: Iterable[bytes],
    operator_sets: Mapping[str, int],
) -> bytes:
    """Encode a whole model file from its parts."""
    graph = b"".join(
        [
            *(_bytes(1, item) for item in nodes),
            _text(2, "strata"),
            *(_bytes(5, item) for item in tensors),
            *(_bytes(11, item) for item in inputs),
            *(_bytes(12, item) for item in outputs),
        ]
    )
    versions = [
        _bytes(8, (_text(1, domain) if domain else b"") + _integer(2, version))
        for domain, version in operator_sets.items()
    ]
    return b"".join([_integer(1, _IR_VERSION), _bytes(7, graph), *versions])


def _attribute(name: str, number: float) -> bytes:
    if isinstance(number, int):
        return _text(1, name) + _integer(3, number) + _integer(20, _ATTRIBUTE_INT)
    packed = _varint(2 << 3 | 5) + struct.pack("<f", number)
    return _text(1, name) + packed + _integer(20, _ATTRIBUTE_FLOAT)


def _integer(field: int, number: int) -> bytes:
    return _varint(field << 3) + _varint(number)


def _text(field: int, text: str) -> bytes:
    return _bytes(field, text.encode())


def _bytes(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    number %= 1 << 64  # negative numbers are written as two's complement
    encoded = bytearray()
    while number >= _SEVEN_BITS:
        encoded.append(number % _SEVEN_BITS + _SEVEN_BITS)
        number //= _SEVEN_BITS
    encoded.append(number)
    return bytes(encoded)
