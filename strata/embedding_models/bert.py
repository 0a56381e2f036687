"""Published weights become BERT's forward pass, an ONNX graph with 8-bit weights."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from strata.embedding_models import onnx_format

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Weights = dict[str, NDArray[np.float32]]

# 21 has LayerNormalization and Gelu as single operators; MatMulNBits and
# MultiHeadAttention are ONNX Runtime's own.
_OPERATOR_SETS = {"": 21, "com.microsoft": 1}
_MICROSOFT = "com.microsoft"

_HEAD_SIZE = 32
_EPSILON = 1e-12
_ZERO_POINT = 128

# The header's length opens a safetensors file.
_LENGTH_BYTES = 8
# Small enough that one large weight spoils few others; cosine to float32 is 0.9995.
_BLOCK_SIZE = 32
_LARGEST = np.float32(127)

# Activations are rounded to 8 bits, block by block, before they are multiplied. Each row
# is rounded on its own, so a text's vector does not depend on the rest of its batch.
_EIGHT_BIT_PRODUCTS = 4


def read_weights(path: Path) -> Weights:
    """
    Read every float32 array of the safetensors file *path*, by name.

    The file is a little-endian header length, a JSON header and the arrays end to end.
    """
    content = path.read_bytes()
    start = _LENGTH_BYTES + int.from_bytes(content[:_LENGTH_BYTES], "little")
    header = json.loads(content[_LENGTH_BYTES:start])
    numbers = np.frombuffer(content[start:], dtype="<f4").astype(np.float32, copy=False)
    return {
        name: numbers[slice(*(at // 4 for at in entry["data_offsets"]))].reshape(
            entry["shape"]
        )
        for name, entry in header.items()
        if entry.get("dtype") == "F32"
    }


def quantize(
    weights: NDArray[np.float32], block_size: int
) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """
    Round *weights* (rows, columns) to 8 bits; columns are a multiple of *block_size*.

    The whole numbers from -127 to 127 are shaped (rows, blocks, block size), the scales
    that turn them back (rows, blocks). Only exact IEEE operations are used, so every
    platform gives the same bytes.
    """
    rows, columns = weights.shape
    blocks = weights.reshape(rows, columns // block_size, block_size)
    scales = np.abs(blocks).max(axis=2) / _LARGEST
    scales[scales == 0] = 1
    return np.rint(blocks / scales[:, :, None]).astype(np.int8), scales


def bert_graph(weights: Weights) -> bytes:
    """
    Encode a sentence-transformers BERT as an ONNX file.

    Inputs are `input_ids` and `attention_mask` (int64, batch x sequence); the output is
    `last_hidden_state` (float32, batch x sequence x hidden size), not pooled.
    """
    graph = _Graph()
    hidden = _embeddings(graph, weights)
    mask = graph.add("Cast", "attention_mask", to=onnx_format.INT32)
    layers = {name.split(".")[2] for name in weights if name.startswith("encoder.")}
    for layer in range(len(layers)):
        hidden = _layer(graph, weights, f"encoder.layer.{layer}", hidden, mask)
    graph.add("Identity", hidden, output="last_hidden_state")
    size = len(weights["embeddings.LayerNorm.weight"])
    return graph.encode(size)


@dataclass(slots=True)
class _Graph:
    """A graph under construction: operations in order, and the constants they use."""

    nodes: list[bytes] = field(default_factory=list)
    tensors: list[bytes] = field(default_factory=list)

    def constant(self, name: str, values: NDArray[np.generic]) -> str:
        self.tensors.append(onnx_format.tensor(name, values))
        return name

    def add(
        self,
        operator: str,
        *inputs: str,
        output: str = "",
        domain: str = "",
        **attributes: float,
    ) -> str:
        output = output or f"{operator}_{len(self.nodes)}"
        encoded = onnx_format.node(
            operator, inputs, output, domain=domain, attributes=attributes
        )
        self.nodes.append(encoded)
        return output

    def encode(self, hidden_size: int) -> bytes:
        shape = ("batch", "sequence")
        output = onnx_format.value(
            "last_hidden_state", onnx_format.FLOAT, (*shape, hidden_size)
        )
        return onnx_format.model(
            nodes=self.nodes,
            tensors=self.tensors,
            inputs=[
                onnx_format.value("input_ids", onnx_format.INT64, shape),
                onnx_format.value("attention_mask", onnx_format.INT64, shape),
            ],
            outputs=[output],
            operator_sets=_OPERATOR_SETS,
        )


def _embeddings(graph: _Graph, weights: Weights) -> str:
    """Add up the vectors of each token and of its position, and normalise the sum."""
    table = weights["embeddings.word_embeddings.weight"]
    values, scales = quantize(table, table.shape[1])
    values_name = graph.constant("tokens.values", values[:, 0, :])
    scales_name = graph.constant("tokens.scales", scales)
    rounded = graph.add("Gather", values_name, "input_ids")
    scale = graph.add("Gather", scales_name, "input_ids")
    token = graph.add("Mul", graph.add("Cast", rounded, to=onnx_format.FLOAT), scale)
    summed = graph.add("Add", token, _positions(graph, weights))
    return _normalize(graph, weights, "embeddings.LayerNorm", summed)


def _positions(graph: _Graph, weights: Weights) -> str:
    # One text is one segment, so its segment vector is the same for every token.
    segment = weights["embeddings.token_type_embeddings.weight"][0]
    table = weights["embeddings.position_embeddings.weight"] + segment
    positions = graph.constant("positions", table)
    first = graph.constant("first", np.zeros(1, np.int64))
    length = graph.add("Shape", "input_ids", start=1, end=2)
    return graph.add("Slice", positions, first, length, first)


def _layer(graph: _Graph, weights: Weights, name: str, hidden: str, mask: str) -> str:
    """Let each token look at the others, then think about it by itself."""
    attended = _attention(graph, weights, f"{name}.attention.self", hidden, mask)
    projected = _dense(graph, weights, f"{name}.attention.output.dense", attended)
    summed = graph.add("Add", projected, hidden)
    hidden = _normalize(graph, weights, f"{name}.attention.output.LayerNorm", summed)

    wide = _dense(graph, weights, f"{name}.intermediate.dense", hidden)
    narrow = _dense(graph, weights, f"{name}.output.dense", graph.add("Gelu", wide))
    summed = graph.add("Add", narrow, hidden)
    return _normalize(graph, weights, f"{name}.output.LayerNorm", summed)


def _attention(
    graph: _Graph, weights: Weights, name: str, hidden: str, mask: str
) -> str:
    query, key, value = (
        _dense(graph, weights, f"{name}.{part}", hidden)
        for part in ("query", "key", "value")
    )
    heads = len(weights[f"{name}.query.bias"]) // _HEAD_SIZE
    inputs = (query, key, value, "", mask)
    return graph.add("MultiHeadAttention", *inputs, domain=_MICROSOFT, num_heads=heads)


def _dense(graph: _Graph, weights: Weights, name: str, hidden: str) -> str:
    outputs, inputs = weights[f"{name}.weight"].shape
    values, scales = quantize(weights[f"{name}.weight"], _BLOCK_SIZE)
    shifted = (values.astype(np.int16) + _ZERO_POINT).astype(np.uint8)
    product = graph.add(
        "MatMulNBits",
        hidden,
        graph.constant(f"{name}.values", shifted),
        graph.constant(f"{name}.scales", scales.reshape(-1)),
        domain=_MICROSOFT,
        K=inputs,
        N=outputs,
        bits=8,
        block_size=_BLOCK_SIZE,
        accuracy_level=_EIGHT_BIT_PRODUCTS,
    )
    bias = graph.constant(f"{name}.bias", weights[f"{name}.bias"])
    return graph.add("Add", product, bias)


def _normalize(graph: _Graph, weights: Weights, name: str, hidden: str) -> str:
    scale = graph.constant(f"{name}.scale", weights[f"{name}.weight"])
    bias = graph.constant(f"{name}.bias", weights[f"{name}.bias"])
    inputs = (hidden, scale, bias)
    return graph.add("LayerNormalization", *inputs, axis=-1, epsilon=_EPSILON)
