"""The libraries that run a model, told to keep to this machine."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


def keep_private() -> None:
    """
    Forbid uploads, before onnxruntime or huggingface_hub is imported.

    From 1.29 on, ONNX Runtime for Linux and macOS sends usage data and keeps a device id
    in the user's home. It looks at this variable once, when it is loaded.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"


def open_session(model_file: Path) -> Any:  # Any: onnxruntime ships no types
    """Open *model_file* on one thread; a cold query has nothing for a second one."""
    keep_private()
    import onnxruntime  # noqa: PLC0415 - slow, and only those who embed need it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(
        str(model_file), options, providers=["CPUExecutionProvider"]
    )
