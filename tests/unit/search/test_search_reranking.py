"""A cross-encoder has the last word on the order, where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders_search import TODAY, index_of, write_notes
from tiny_reranker import NAME, write_reranker

from strata.embedding_models.download import ensure_reranker
from strata.embedding_models.folder import reranker_folder
from strata.embedding_models.sources import Patience
from strata.search.answering.finding import Question, find
from strata.search.answering.ranking import Ranking
from strata.search.answering.reranking import Reranker
from strata.search.stores.store import Scope

if TYPE_CHECKING:
    from pathlib import Path

NOTES = {
    "memory/2026-11-18.md": "- The boat boat boat is an old boat.\n",
    "memory/2026-11-19.md": "- The boat is a red kayak.\n",
}


def days(folder: Path, reranker: Reranker | None) -> list[int]:
    """
    The days of the notes that answer, in their order.
    """
    write_notes(folder, NOTES)
    ranking = Ranking(TODAY, 30, reranker=reranker)
    question = Question("boat", 5, Scope())
    answer = find(index_of(folder), folder, question, ranking)
    return [hit.day.day for hit in answer.hits if hit.day]


def test_texts_get_what_the_model_says(tmp_path: Path) -> None:
    """
    Each text is scored from 0 to 1 by the model in the folder, in either language.
    """
    reranker = Reranker(NAME, write_reranker(tmp_path / "model"), pytest.fail)

    scores = reranker.scores("boat", ["red kayak", "old boat", "红色", "boat", "x"])

    assert scores == pytest.approx([0.982, 0.0474, 0.8808, 0.5, 0.5], abs=0.001)


def test_model_has_the_last_word(tmp_path: Path) -> None:
    """
    With the re-ranker its order counts, without one that of words.
    """
    reranker = Reranker(NAME, write_reranker(tmp_path / "model"), pytest.fail)

    assert days(tmp_path / "notes", None) == [18, 19]
    assert days(tmp_path / "notes", reranker) == [19, 18]


def test_missing_model_is_said_once(tmp_path: Path) -> None:
    """
    Where the model is not there, hits stay as they are, and one line says what to do.
    """
    said: list[str] = []
    reranker = Reranker(NAME, tmp_path / "nowhere", said.append)

    first, second = (
        days(tmp_path / "notes", reranker),
        days(tmp_path / "notes", reranker),
    )

    assert first == second == [18, 19]
    assert len(said) == 1
    assert "is not there; fetch it with `strata embed`" in said[0]


def test_damaged_model_is_said(tmp_path: Path) -> None:
    """
    A file that is no model costs a line, and no answer.
    """
    said: list[str] = []
    folder = write_reranker(tmp_path / "model")
    (folder / "onnx" / "model.onnx").write_bytes(b"no model")

    assert Reranker(NAME, folder, said.append).scores("boat", ["x"]) is None
    assert len(said) == 1
    assert "cannot be opened" in said[0]


def test_slow_model_is_not_waited_for(tmp_path: Path) -> None:
    """
    What is not read within the deadline leaves the order as it was.
    """
    said: list[str] = []
    folder = write_reranker(tmp_path / "model")
    reranker = Reranker(NAME, folder, said.append, deadline_seconds=-1)

    assert reranker.scores("boat", ["x"]) is None
    assert said == ["the re-ranker takes too long; hits stay as they were ranked"]


def test_hub_out_of_reach_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Where the re-ranker cannot be fetched, a line says why, and nothing is left behind.
    """
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    said: list[str] = []

    there = ensure_reranker(
        tmp_path, NAME, say=said.append, patience=Patience(answer=120, total=240)
    )

    assert not there
    assert "cannot be had" in said[-1]
    assert not any(reranker_folder(tmp_path, NAME).parent.iterdir())


def test_reranker_that_is_there_is_not_fetched(tmp_path: Path) -> None:
    """
    What lies in its folder is taken as it is.
    """
    write_reranker(reranker_folder(tmp_path, NAME))

    assert ensure_reranker(tmp_path, NAME, say=pytest.fail)
