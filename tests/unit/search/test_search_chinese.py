"""Chinese notes are found by meaning where there is a dictionary, and in either script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Never

import pytest
import small_dictionary
from builders_search import ask, index_of, paths, tiny_model, write_notes

from strata.embedding_models.dictionary import ensure_glosses
from strata.search.answering.abstaining import Asked, Nearest, judge
from strata.search.answering.ranking import Balance, fuse
from strata.search.language.keywords import document_terms, query_terms

if TYPE_CHECKING:
    from pathlib import Path

NOTES = {
    "memory/2026-11-18.md": "# 2026-11-18\n\n- Keep the reports.\n",
    "memory/2026-11-19.md": "# 2026-11-19\n\n- 只保留数据库。\n",
}


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """
    A tiny model without its dictionary, of which there is a package.
    """
    small_dictionary.publish(tmp_path / "site")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return tiny_model(tmp_path / "tiny")


def test_note_is_found_in_the_other_language(tmp_path: Path, model: Path) -> None:
    """
    An English question finds the Chinese note that means what it says.
    """
    ensure_glosses(model)
    workspace = write_notes(tmp_path / "notes", NOTES)
    index = index_of(workspace, model)

    report = index.update(embed=True)
    answer = ask(index, workspace, "only keep database.")

    assert report.embedded == 2
    assert paths(answer)[0] == "memory/2026-11-19.md"


def test_dictionary_that_comes_later_leaves_english_alone(
    tmp_path: Path, model: Path
) -> None:
    """
    Until the next update Chinese is compared by words; then it alone is embedded.
    """
    workspace = write_notes(tmp_path / "notes", NOTES)
    before = index_of(workspace, model)
    assert before.update(embed=True).embedded == 1
    ensure_glosses(model)

    index = index_of(workspace, model)
    given: list[str] = []
    embed = index.encoder.encode

    class Listening:
        def encode(self, texts: list[str]) -> object:
            given.extend(texts)
            return embed(texts)

    assert not index.compares("数据库")
    assert index.compares("database")
    index.__dict__["encoder"] = Listening()
    index.update(embed=True)

    assert given == ["# 2026-11-19\nonly keep database."]
    assert index.compares("数据库")
    assert (index.status().embedded, index.status().pending) == (2, 0)


def test_same_dictionary_embeds_nothing_again(tmp_path: Path, model: Path) -> None:
    """
    A second update has nothing to do, and one that starts anew opens no model.
    """
    ensure_glosses(model)
    workspace = write_notes(tmp_path / "notes", NOTES)
    index_of(workspace, model).update(embed=True)
    index = index_of(workspace, model)

    class Refusing:
        def encode(self, texts: list[str]) -> Never:
            raise AssertionError(texts)

    index.__dict__["encoder"] = Refusing()

    assert index.update(embed=True).embedded == 0
    assert index.update(embed=True, rebuild=True).embedded == 2


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("數據庫遷移", "数据库迁移推迟到三月"),
        ("数据库迁移", "數據庫遷移推遲到三月"),
        ("数据库ＡＢＣ", "ABC"),
        ("后来", "後來"),
    ],
)
def test_scripts_are_one_for_words(question: str, text: str) -> None:
    """
    Traditional and simplified characters, and both widths, are the same term.
    """
    assert set(query_terms(question)) & set(document_terms(text)[0])


def test_question_words_in_traditional_script_are_left_out() -> None:
    """
    They only make the sentence a question there as well.
    """
    assert query_terms("數據庫是什麼") == query_terms("数据库是什么")


def test_note_in_the_other_language_needs_no_words() -> None:
    """
    What a question's words cannot find counts by its meaning, as far as they stand nowhere.
    """
    sparse, dense = [("own", 3.0), ("far", 1.0)], [("other", 0.9), ("own", 0.3)]

    blind = fuse(sparse, dense)
    trusting = fuse(sparse, dense, balance=Balance({"other"}, trust=1.0))

    assert blind["own"] == blind["other"]
    assert trusting["other"] > trusting["own"]


def test_few_chinese_notes_need_no_more_than_there_are() -> None:
    """
    Of a dozen Chinese notes less is asked than of fifty, and of fewer no less than that.
    """
    asked = Asked("宠物医院在哪条路")
    fits = [
        judge(asked, [], Nearest(0.55, glossed=True), (), chunks).margin
        for chunks in (3, 12, 20, 50)
    ]

    assert fits[0] == fits[1] > fits[2] > fits[3]


def test_glossed_cosines_have_thresholds_of_their_own() -> None:
    """
    A cosine that answers an English question is that of strangers among glosses.
    """
    asked = Asked("房贷的利率是多少")

    assert judge(asked, [], Nearest(0.46), (), 50).answered
    assert not judge(asked, [], Nearest(0.46, glossed=True), (), 50).answered
    assert judge(asked, [], Nearest(0.2, 0.46, glossed=True), (), 50).answered
