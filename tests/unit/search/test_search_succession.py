"""Another embedding model takes over while the old one goes on answering."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import tiny_bilingual
import tiny_model
from builders_search import ask, index_of, named, write_notes

from strata.embedding_models.download import build_model, probe_model
from strata.embedding_models.encoder import load_encoder
from strata.search.indexing.manifest import EMBEDDED, GLOSSED, MIXED
from strata.search.stores.vectors import VectorCache

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from strata.embedding_models.catalogue import EmbeddingModel
    from strata.embedding_models.encoder import Vectors

QUESTION = "which database do we keep?"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """
    A model of 64 numbers in a bundle.
    """
    tiny = tiny_model.publish(tmp_path / "tiny")
    return _placed(tmp_path, tmp_path / "tiny", tiny.model)


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """
    One of 48 numbers beside it, with another pooling, and prefixes.
    """
    return _placed(
        tmp_path, tmp_path / "parts", tiny_bilingual.publish(tmp_path / "parts")
    )


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return write_notes(tmp_path / "notes")


def _placed(root: Path, parts: Path, model: EmbeddingModel) -> Path:
    folder = root / ".models" / model.name
    folder.parent.mkdir(exist_ok=True)
    build_model(model, parts, folder, source="hub")
    if not model.probe_vector:
        probe_model(model, folder)
    return folder


def test_old_model_answers_until_the_new_one_has_everything(
    workspace: Path, old: Path, new: Path
) -> None:
    """
    A question finds by the old vectors, whichever model is wanted; `update` changes over.
    """
    index_of(workspace, old).update(embed=True)

    waiting = index_of(workspace, new)
    before = ask(waiting, workspace, QUESTION)
    names = named(waiting), waiting.coming.name if waiting.coming else ""
    progress: list[tuple[int, int]] = []
    report = waiting.update(embed=True, progress=lambda *far: progress.append(far))
    after = index_of(workspace, new)

    assert (before.mode, before.index) == ("hybrid", "current")
    assert names == ("tiny", "bilingual")
    assert (progress[0][1], report.embedded) == (7, 7)
    assert (named(after), after.coming) == ("bilingual", None)
    assert ask(after, workspace, QUESTION).mode == "hybrid"
    assert after.status().pending == 0


def test_old_index_stands_while_the_new_model_works(
    workspace: Path, old: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    In the middle of the work another process asks, and is answered by meaning.
    """
    index_of(workspace, old).update(embed=True)
    modes: list[str] = []
    keep = VectorCache.keep

    def keep_and_ask(cache: VectorCache, vectors: dict[bytes, Vectors]) -> None:
        keep(cache, vectors)
        modes.append(ask(index_of(workspace, new), workspace, QUESTION).mode)

    monkeypatch.setattr(VectorCache, "keep", keep_and_ask)
    index_of(workspace, new).update(embed=True)

    assert modes == ["hybrid"]


def test_change_that_was_cut_off_is_taken_up(
    workspace: Path, old: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    What was computed stays, and the old model answers until the rest is.
    """
    index_of(workspace, old).update(embed=True)
    monkeypatch.setattr("strata.search.indexing.succession.STEP_CHUNKS", 2)

    def killed(done: int, _of: int) -> None:
        if done > 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index_of(workspace, new).update(embed=True, progress=killed)
    between = index_of(workspace, new)
    given: list[str] = []
    monkeypatch.setattr(
        "strata.search.indexing.succession.load_encoder",
        lambda folder: Listening(folder, given),
    )
    between_name = named(between)
    between.update(embed=True)

    assert between_name == "tiny"
    assert 0 < len(given) < 7
    assert named(index_of(workspace, new)) == "bilingual"


def test_questions_and_notes_get_their_prefixes(workspace: Path, new: Path) -> None:
    """
    Each text is embedded as the model was trained to read it.
    """
    index = index_of(workspace, new)
    given: list[str] = []
    index.__dict__["encoder"] = Listening(new, given)

    index.update(embed=True)
    notes = list(given)
    given.clear()
    ask(index, workspace, QUESTION)

    assert {text[:9] for text in notes} == {"passage: "}
    assert given == [f"query: {QUESTION}"]


def test_rebuild_takes_the_model_that_is_wanted(
    workspace: Path, old: Path, new: Path
) -> None:
    """
    Where the index is thrown away there is nothing to go on with.
    """
    index_of(workspace, old).update(embed=True)

    index_of(workspace, new).update(embed=True, rebuild=True)

    assert named(index_of(workspace, old)) == "bilingual"


def test_process_that_stays_leaves_it_to_others(
    workspace: Path, old: Path, new: Path
) -> None:
    """
    Whoever answers questions has no time to embed everything.
    """
    index_of(workspace, old).update(embed=True)
    serving = index_of(workspace, new)
    serving.keep_open(watch=False)

    serving.update(embed=True)
    mode = ask(serving, workspace, QUESTION).mode
    serving.shelf.close()

    assert (named(serving), mode) == ("tiny", "hybrid")


@pytest.mark.parametrize(
    ("note", "question"),
    [
        (
            "奶奶对核桃过敏，一点点都不行。",
            "Which food must the old lady never be given?",
        ),
        (
            "Grandma is allergic to walnuts, even traces of them.",
            "老人家绝对不能吃什么？",
        ),
        ("奶奶对核桃过敏，一点点都不行。", "老人家绝对不能吃什么？"),
    ],
)
def test_note_is_found_in_either_language(
    tmp_path: Path, new: Path, note: str, question: str
) -> None:
    """
    By a model that reads both there is no need of a dictionary, and no doubt.
    """
    text = f"# 2026-11-19\n\n- {note}\n"
    workspace = write_notes(tmp_path / "one", {"memory/2026-11-19.md": text})
    index = index_of(workspace, new)
    index.update(embed=True)

    answer = ask(index, workspace, question)

    assert (answer.mode, answer.answerable) == ("hybrid", True)
    assert note in answer.hits[0].snippet


def test_chunks_know_their_language_without_a_dictionary(
    workspace: Path, new: Path
) -> None:
    """
    What a question has words in common with is told from what is in the other language.
    """
    index = index_of(workspace, new)
    index.update(embed=True)

    counted: list[int] = []
    index.shelf.peek(
        lambda found: counted.extend(map(found.count, (EMBEDDED, GLOSSED, MIXED))), None
    )

    assert counted == [5, 1, 1]
    assert not index.model or not index.model.glosses


class Listening:
    """
    The model in *folder*, which writes down what it is *given*.
    """

    def __init__(self, folder: Path, given: list[str]) -> None:
        self._encoder, self._given = load_encoder(folder), given

    def encode(self, texts: Sequence[str]) -> Vectors:
        self._given.extend(texts)
        return self._encoder.encode(texts)
