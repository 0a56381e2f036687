"""ONNX Runtime, opened for one text at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


def open_session(model_file: Path) -> Any:  # Any: onnxruntime ships no types
    """Open *model_file* on one thread; a single text has nothing for a second one."""
    import onnxruntime  # noqa: PLC0415 - slow, and only those who embed need it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(
        str(model_file), options, providers=["CPUExecutionProvider"]
    )
