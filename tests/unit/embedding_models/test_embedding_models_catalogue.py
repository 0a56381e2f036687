"""Other models than the default one are fetched, tested, and used as they were trained."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
import tiny_bilingual
from builders_search import tiny_model
from fake_hub import serving_hub, silent_hub

from strata.bundle import BUNDLE
from strata.embedding_models.catalogue import BILINGUAL, CATALOGUE, DEFAULT_MODEL
from strata.embedding_models.checking import examined
from strata.embedding_models.download import build_model, ensure_model, probe_model
from strata.embedding_models.encoder import load_encoder
from strata.embedding_models.folder import (
    DEFAULT_LEVELS,
    DEFAULT_NAME,
    find_model,
    models_folder,
    read_model,
)
from strata.embedding_models.sources import Patience
from strata.errors import ModelUnavailable

if TYPE_CHECKING:
    from pathlib import Path

    from strata.embedding_models.catalogue import EmbeddingModel, Pooling

LONG = Patience(answer=120, progress=120, report=600)
SHORT = Patience(answer=3, progress=10, total=60)


def fetched(
    root: Path, parts: Path, model: EmbeddingModel, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """
    What `ensure_model` puts below *root* from a hub that serves *parts*.
    """
    with serving_hub(
        parts, tiny_bilingual.REPOSITORY, tiny_bilingual.REVISION
    ) as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        return ensure_model(root, say=print, model=model, patience=LONG)


def placed(folder: Path, model: EmbeddingModel) -> Path:
    """
    The folder of *model*, whose parts lie in *folder*, built and put to the test.
    """
    build_model(model, folder, folder.parent / "built", source="hub")
    probe_model(model, folder.parent / "built")
    return folder.parent / "built"


@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_published_network_is_fetched_and_used_as_it_is(
    pooling: Pooling, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    What comes from a hub is pooled as it was trained, and says so of itself.
    """
    published = tiny_bilingual.publish(tmp_path / "parts", pooling=pooling)

    folder = fetched(tmp_path, tmp_path / "parts", published, monkeypatch)

    model = read_model(folder)
    assert (model.pooling, model.dimensions, model.source) == (pooling, 48, "hub")
    assert (model.question("x"), model.passage("x")) == ("query: x", "passage: x")
    one, other = load_encoder(folder).encode(["核桃", "walnuts"])
    assert one @ other > 0.9
    assert np.linalg.norm(one) == pytest.approx(1)


@pytest.mark.parametrize(("trained", "told"), [("cls", "mean"), ("mean", "cls")])
def test_wrong_pooling_is_noticed(
    trained: Pooling, told: Pooling, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A catalogue that is wrong about a model leaves nothing behind but one line.
    """
    published = tiny_bilingual.publish(tmp_path / "parts", pooling=trained)
    wrong = replace(published, pooling=told)

    with pytest.raises(ModelUnavailable, match="failed its test and is not used"):
        fetched(tmp_path, tmp_path / "parts", wrong, monkeypatch)

    assert find_model(tmp_path, published.name) is None
    assert [e.name for e in models_folder(tmp_path).iterdir()] == [".lock"]


def test_words_without_meaning_do_not_pass(tmp_path: Path) -> None:
    """
    A network with random weights is no model of meaning.
    """
    random = read_model(tiny_model(tmp_path / "random"))

    found, other = examined(replace(random, native=()))

    assert found.share < 0.5
    assert not found.is_good(other)


def test_default_model_would_pass_and_not_by_the_other_pooling() -> None:
    """
    The test tells the wrong pooling of a real model, and the levels are those it finds.
    """
    folder = find_model(BUNDLE)
    if folder is None:
        pytest.skip("the embedding model is not there; scripts/test fetches it")
    model = read_model(folder)

    found, other = examined(model)

    assert found.share == 1
    assert found.levels == pytest.approx(DEFAULT_LEVELS, abs=0.005)
    assert found.is_good(other)
    assert not other.is_good(found)


def test_cosines_of_all_models_mean_the_same(tmp_path: Path) -> None:
    """
    What is as near as answers are on average is so on the scale of the default model.
    """
    published = tiny_bilingual.publish(tmp_path / "parts")
    model = read_model(placed(tmp_path / "parts", published))
    squeezed = replace(model, levels=(0.7, 0.9))

    assert model.levels == pytest.approx((0.009, 0.993), abs=0.01)
    assert squeezed.level(0.7) == pytest.approx(DEFAULT_LEVELS[0])
    assert squeezed.level(0.9) == pytest.approx(DEFAULT_LEVELS[1])
    assert squeezed.level(5.0) == 1
    assert replace(model, levels=None).level(0.3) == 0.3


@pytest.mark.parametrize(
    "change",
    [{"pooling": "mean"}, {"asking": ""}, {"telling": ""}, {"max_tokens": 9}],
)
def test_everything_that_decides_a_vector_is_in_the_fingerprint(
    change: dict[str, object], tmp_path: Path
) -> None:
    """
    Another pooling or prefix is another model.
    """
    published = tiny_bilingual.publish(tmp_path / "parts")
    model = read_model(placed(tmp_path / "parts", published))

    # The fields are those of `ModelFolder`; mypy cannot see into a dictionary.
    assert replace(model, **change).fingerprint != model.fingerprint  # type: ignore[arg-type]


def test_half_a_download_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Where the line dies nothing is left, and what is there goes on.
    """
    published = tiny_bilingual.publish(tmp_path / "parts")
    old = tiny_bilingual.publish(tmp_path / "old", name="old")
    kept = fetched(tmp_path, tmp_path / "old", old, monkeypatch)
    address = tiny_bilingual.REPOSITORY, tiny_bilingual.REVISION
    with serving_hub(tmp_path / "parts", *address, most=5000) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub)

        with pytest.raises(ModelUnavailable, match="search goes on as it was"):
            ensure_model(tmp_path, say=print, model=published, patience=SHORT)

    assert sorted(e.name for e in models_folder(tmp_path).iterdir()) == [".lock", "old"]
    assert read_model(kept).name == "old"


def test_other_bytes_than_pinned_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A hub that serves another tokenizer gives no model.
    """
    published = tiny_bilingual.publish(tmp_path / "parts")
    tokenizer = tmp_path / "parts" / "tokenizer.json"
    tokenizer.write_bytes(tokenizer.read_bytes() + b" ")

    with pytest.raises(ModelUnavailable, match="other bytes than"):
        fetched(tmp_path, tmp_path / "parts", published, monkeypatch)

    assert find_model(tmp_path, published.name) is None


def test_silent_hub_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    No second source is asked for what stands on the hub alone.
    """
    published = tiny_bilingual.publish(tmp_path / "parts")
    said: list[str] = []
    with silent_hub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub)

        with pytest.raises(ModelUnavailable, match="no answer for 3 seconds"):
            ensure_model(tmp_path, say=said.append, model=published, patience=SHORT)

    assert len(said) == 2


def test_model_with_another_pooling_than_in_the_catalogue_is_fetched_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A release that puts a prefix right does not go on with what the last one made.
    """
    published = tiny_bilingual.publish(tmp_path / "parts")
    before = replace(published, telling="")
    fetched(tmp_path, tmp_path / "parts", before, monkeypatch)

    folder = fetched(tmp_path, tmp_path / "parts", published, monkeypatch)

    assert read_model(folder).telling == "passage: "


def test_catalogue_pins_every_byte() -> None:
    """
    Each model has a revision and a SHA-256 for the network and the tokenizer.
    """
    assert CATALOGUE[DEFAULT_NAME] is DEFAULT_MODEL
    assert BILINGUAL.name in CATALOGUE
    for model in CATALOGUE.values():
        pins = [*model.parts.values(), *model.files.values()]
        assert {len(pin) for pin in pins} == {64}
        assert len(model.revision) == 40
        assert {"model.onnx", "tokenizer.json"} <= model.files.keys()
        assert model.weights in model.parts
