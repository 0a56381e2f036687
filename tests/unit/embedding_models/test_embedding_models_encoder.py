"""A model in a folder turns texts into vectors."""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from builders_search import tiny_model

from strata.embedding_models.encoder import load_encoder, reads
from strata.embedding_models.folder import find_model
from strata.errors import ModelUnavailable

if TYPE_CHECKING:
    from strata.embedding_models.encoder import Encoder

TEXTS = [
    "Keep PostgreSQL 16 as the only database.",
    "",
    "use pnpm never npm " * 20,
    "Fastify",
    *(f"reports need transactions {number}" for number in range(20)),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    A model with random weights.
    """
    return tiny_model(tmp_path_factory.mktemp("model") / "tiny")


@pytest.fixture(scope="module")
def encoder(folder: Path) -> Encoder:
    """
    The model, opened directly.
    """
    return load_encoder(folder)


def test_vectors_have_length_one(encoder: Encoder) -> None:
    """
    Each text gets one vector of length one.
    """
    vectors = encoder.encode(TEXTS)

    assert vectors.shape == (len(TEXTS), encoder.dimensions)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_company_does_not_matter(encoder: Encoder) -> None:
    """
    A text has the same vector alone and among others.
    """
    together = encoder.encode(TEXTS)

    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])

    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_nothing_gives_nothing(encoder: Encoder) -> None:
    """
    No texts, no vectors.
    """
    assert encoder.encode([]).shape == (0, encoder.dimensions)


def test_long_text_is_cut(encoder: Encoder) -> None:
    """
    A text beyond the model's limit is embedded by its beginning.
    """
    long = "keep the database " * 2000

    np.testing.assert_allclose(
        encoder.encode([long]), encoder.encode([long + "and more"]), atol=1e-6
    )


def test_query_path_stays_light(folder: Path) -> None:
    """
    Embedding a question imports neither fastembed nor a hub client.
    """
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[2]);"
        "from strata.embedding_models.encoder import load_encoder;"
        "load_encoder(Path(sys.argv[1])).encode(['x']);"
        "print({'fastembed', 'huggingface_hub', 'qdrant_client'} & set(sys.modules))"
    )

    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder), str(root)],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == "set()\n"


def test_missing_model_is_told(tmp_path: Path) -> None:
    """
    A folder without a model raises an error that says what to do.
    """
    with pytest.raises(ModelUnavailable, match="strata embed"):
        load_encoder(tmp_path)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_damaged_model_is_told(name: str, tmp_path: Path) -> None:
    """
    A file that cannot be read raises the same error, in one line.
    """
    folder = tiny_model(tmp_path / "tiny")
    (folder / name).write_bytes(b"garbage")

    with pytest.raises(ModelUnavailable, match="strata embed") as caught:
        load_encoder(folder).encode(["text"])

    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("languages", "text", "expected"),
    [
        (("en",), "Which database?", True),
        (("en",), "数据库迁移推迟到三月", False),
        (("en",), "Upgrade PostgreSQL (升级)", True),
        (("zh", "en"), "数据库迁移推迟到三月", True),
        (("zh",), "Which database?", False),
        ((), "数据库", True),
    ],
)
def test_model_speaks_of_what_it_reads(
    languages: tuple[str, ...], text: str, *, expected: bool
) -> None:
    """
    A model has no say on a text in a language that it never saw.
    """
    assert reads(languages, text) is expected


@pytest.mark.model
def test_model_is_opened_without_traces(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """
    Neither a network is needed, nor is anything left in the temporary folder.
    """
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = find_model(Path(__file__).parents[3])
    if folder is None:
        pytest.skip("the embedding model is not there; scripts/test fetches it")

    def refuse(*_arguments: Any, **_named: Any) -> None:  # Any: whatever is tried
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)

    assert load_encoder(folder).encode(TEXTS).shape[0] == len(TEXTS)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.model
def test_meaning_is_near() -> None:
    """
    A question is nearer to its answer than to something else.
    """
    folder = find_model(Path(__file__).parents[3])
    if folder is None:
        pytest.skip("the embedding model is not there; scripts/test fetches it")

    question, answer, other = load_encoder(folder).encode(
        [
            "How do I get back into my account?",
            "Reset the password by the link in the mail.",
            "The cat sleeps on the sofa.",
        ]
    )

    assert question @ answer > 0.3 > question @ other
