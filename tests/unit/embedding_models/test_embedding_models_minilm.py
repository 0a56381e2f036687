"""The model that Strata ships by default, as it lies in the bundle."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from strata.embedding_models.catalogue import DEFAULT_MODEL
from strata.embedding_models.encoder import open_session
from strata.embedding_models.folder import DEFAULT_NAME, find_model, verify_model

ROOT = Path(__file__).parents[3]
REFERENCE = Path(__file__).parents[2] / "data" / "all-MiniLM-L6-v2.reference.jsonl"

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(
        find_model(ROOT) is None, reason="no model: run scripts/install first"
    ),
]

OFFLINE = """
import socket, sys
def refuse(*arguments, **named): raise AssertionError("the network was used")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
import strata.embedding_models
from fastembed import TextEmbedding
name, folder = sys.argv[1:]
model = TextEmbedding(name, specific_model_path=folder, cache_dir=folder, threads=1)
(vector,) = model.embed(["Keep PostgreSQL 16 as the only database."])
print(*vector[:16].tolist())
"""


@pytest.fixture(scope="module")
def folder() -> Path:
    """
    The folder of the default model.
    """
    found = find_model(ROOT)
    assert found is not None
    return found


def test_default_model_is_in_the_catalogue() -> None:
    """
    The name that is looked for is the name that is fetched.
    """
    assert DEFAULT_MODEL.name == DEFAULT_NAME


def test_files_are_the_pinned_ones(folder: Path) -> None:
    """
    Every byte on this machine is the one in the catalogue, whatever built it.
    """
    assert dict(DEFAULT_MODEL.files) == verify_model(folder).files


def test_vectors_are_those_of_the_published_weights(folder: Path) -> None:
    """
    On twenty texts, 8-bit weights point where float32 ones did: cosine at least 0.998.
    """
    from tokenizers import Tokenizer  # noqa: PLC0415 - after the skip mark

    lines = REFERENCE.read_text(encoding="utf-8").splitlines()
    known = [json.loads(line) for line in lines]
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(DEFAULT_MODEL.max_tokens)
    session = open_session(folder / "model.onnx")

    cosines = []
    for each in known:
        ids = np.array([tokenizer.encode(each["text"]).ids])
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        vector = session.run(None, feeds)[0][0].mean(axis=0)
        expected = np.array(each["vector"])
        start = (vector / np.linalg.norm(vector))[: len(expected)]
        lengths = np.linalg.norm(start) * np.linalg.norm(expected)
        cosines.append(float(start @ expected / lengths))

    assert len(known) == 20
    assert min(cosines) > 0.997
    assert np.mean(cosines) > 0.999


def test_fastembed_opens_it_without_network_or_traces(
    folder: Path, tmp_path: Path
) -> None:
    """
    Fastembed opens the folder offline, and nobody's home gains a file.
    """
    command = [sys.executable, "-c", OFFLINE, DEFAULT_MODEL.fastembed_name, str(folder)]
    environment = {
        "HOME": str(tmp_path),
        "TMPDIR": str(tmp_path),
        "HF_HUB_OFFLINE": "1",
    }

    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )

    vector = [float(number) for number in done.stdout.split()]
    assert np.allclose(vector, DEFAULT_MODEL.probe_vector, atol=0.01)
    assert list(tmp_path.iterdir()) == []
