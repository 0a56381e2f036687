"""A re-ranker as small as can be: every word of a pair has a weight of its own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

if TYPE_CHECKING:
    from pathlib import Path

NAME = "Xenova/ms-marco-MiniLM-L-6-v2"
WEIGHTS = {
    "[PAD]": 0.0,
    "[UNK]": 0.0,
    "[CLS]": 0.0,
    "[SEP]": 0.0,
    "kayak": 3.0,
    "old": -3.0,
    "red": 1.0,
    "红色": 2.0,
}


def write_reranker(folder: Path) -> Path:
    """
    Write the files that fastembed reads for `NAME` into *folder*.
    """
    (folder / "onnx").mkdir(parents=True)
    onnx.save(_graph(), str(folder / "onnx" / "model.onnx"))
    _tokenizer().save(str(folder / "tokenizer.json"))
    settings = {"model_max_length": 64, "pad_token": "[PAD]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    (folder / "special_tokens_map.json").write_text('{"pad_token": "[PAD]"}')
    (folder / "config.json").write_text('{"pad_token_id": 0}')
    return folder


def _graph() -> onnx.ModelProto:
    weights = np.array([[weight] for weight in WEIGHTS.values()], dtype=np.float32)
    nodes = [
        helper.make_node("Gather", ["weights", "input_ids"], ["each"]),
        helper.make_node("ReduceSum", ["each", "axis"], ["logits"], keepdims=0),
    ]
    graph = helper.make_graph(
        nodes,
        "reranker",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["b", "s"])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["b", 1])],
        [
            numpy_helper.from_array(weights, "weights"),
            numpy_helper.from_array(np.array([1], dtype=np.int64), "axis"),
        ],
    )
    opsets = [helper.make_opsetid("", 21)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def _tokenizer() -> Tokenizer:
    vocabulary = {word: number for number, word in enumerate(WEIGHTS)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(handle_chinese_chars=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return tokenizer
