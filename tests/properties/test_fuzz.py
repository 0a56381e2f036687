"""A slice of the fuzzing that `bench/fuzz.py` does at length."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

SHOTS = 60


def fuzz() -> Any:  # a program of the benchmarks, found by its place
    sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
    return importlib.import_module("fuzz")


@pytest.mark.parametrize(
    "target", ["transcript", "note", "settings", "question", "redaction"]
)
def test_spiteful_input_does_no_harm(tmp_path: Path, target: str) -> None:
    """
    No crash, no second of CPU, and nothing read or written outside the workspace.
    """
    program = fuzz()
    folder = program.room(tmp_path)

    for seed in range(SHOTS):
        program.shot(target, seed, folder)

    assert program.untouched(tmp_path)
