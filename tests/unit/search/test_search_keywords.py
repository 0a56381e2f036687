"""Keywords work for questions, for names and numbers, and for Chinese."""

from __future__ import annotations

import pytest

from strata.search.language.days import document_days, query_days
from strata.search.language.keywords import (
    document_terms,
    document_vector,
    query_terms,
    query_vector,
)
from strata.search.language.terms import Finder


def found(question: str, text: str) -> set[str]:
    """
    The terms of *question* that *text* is indexed under.
    """
    return set(query_terms(question)) & set(document_terms(text)[0])


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which databases did we choose?", "We chose the database."),
        ("Why are we migrating?", "Migrated the users."),
        ("what about better-sqlite3", "Upgraded better-sqlite3 today."),
        ("sqlite3", "Upgraded better-sqlite3 today."),
        ("version 2026.4.10", "Runs OpenClaw 2026.4.10 now."),
        ("memorySearch.query.hybrid", "set memorySearch.query.hybrid to on"),
        ("hybrid", "set memorySearch.query.hybrid to on"),
        ("search", "the field memorySearch"),
        ("uuid v7", "keys are UUIDv7 now"),
        ("v6", "the address is IPv6 only"),
        ("snake case", "call snake_case()"),
        ("E_CONN", "failed with E_CONN again"),
        ("openclaw.json", "edit ~/.openclaw/openclaw.json"),
        ("anna@example.org", "write to anna@example.org"),
        ("1000", "it costs 1,000 euros"),
        ("cafe", "at the Café"),
        ("ＡＢＣ１２", "code ABC12"),
        ("C++ or C#", "a C++ project"),
        ("数据库什么时候迁移？", "数据库迁移推迟到三月"),
        ("猫", "家里有一只猫"),
        ("用 React 写的页面", "页面用React写成"),
        ("東京", "来週東京へ行く"),
        ("서버", "서버를 옮겼다"),
    ],
)
def test_question_meets_text(question: str, text: str) -> None:
    """
    What is asked in one form is found in another.
    """
    assert found(question, text)


def test_name_is_found_whole() -> None:
    """
    The whole of a name counts beside its parts.
    """
    terms = query_terms("better-sqlite3")

    assert terms["better-sqlite3"] == 1.0
    assert terms["sqlite3"] < 1.0


def test_question_words_are_left_out() -> None:
    """
    Words that only make a question are no terms, in either language.
    """
    assert set(query_terms("What did we decide about the database?")) == {
        "decid",
        "databas",
    }
    assert "什么" not in query_terms("数据库是什么")


def test_question_of_question_words_keeps_them() -> None:
    """
    Where nothing else is left, the question words are looked for.
    """
    assert query_terms("to be or not to be")
    assert query_terms("是什么")


@pytest.mark.parametrize("text", ["", "?!", "。。。", "\ud800", "😀"])
def test_text_without_words_has_no_terms(text: str) -> None:
    """
    Marks, pictures and broken characters give no terms and no error.
    """
    assert query_terms(text) == {}
    assert document_vector(text) == {}


def test_more_is_heavier_but_not_twice() -> None:
    """
    A term that stands twice counts more than once, and less than two.
    """
    (once,) = document_vector("tea").values()
    (twice,) = document_vector("tea tea").values()

    assert once < twice < 2 * once


def test_longer_text_is_lighter() -> None:
    """
    The same word counts less in a long text.
    """
    tea = next(iter(query_vector(query_terms("tea"))))

    short = document_vector("tea")[tea]
    long = document_vector("tea " + "milk and sugar " * 100)[tea]

    assert long < short


def test_endless_word_is_cheap() -> None:
    """
    A word of a million letters is one short term.
    """
    counts, _ = document_terms("x" * 1_000_000)

    assert [len(term) for term in counts] == [64]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("on 2026-11-20", {"@11-20", "@2026-11"}),
        ("on November 20, 2026", {"@11-20", "@2026-11"}),
        ("on 20 Nov 2026", {"@11-20", "@2026-11"}),
        ("2026年11月20日", {"@11-20", "@2026-11"}),
        ("5月6号", {"@05-06"}),
        ("in may", {"@05"}),
        ("in October", {"@10"}),
        ("2025年1月", {"@2025-01"}),
    ],
)
def test_date_is_found_in_any_form(text: str, terms: set[str]) -> None:
    """
    A date in a question becomes the terms that any way to write it is indexed under.
    """
    assert set(query_days(text)) == terms


@pytest.mark.parametrize(
    "text",
    ["version 2026.4.10", "may I ask", "the march on", "13月", "99/99", "decide"],
)
def test_other_words_are_no_dates(text: str) -> None:
    """
    Versions, verbs and impossible months are no dates.
    """
    assert list(query_days(text)) == []


def test_document_is_found_by_month() -> None:
    """
    A day in a note is found when only its month is asked for.
    """
    assert set(query_days("in November")) <= set(document_days("# 2026-11-20"))


@pytest.mark.parametrize(
    "text",
    [
        "We chose the database on 2026-11-20.",
        "better-sqlite3 and memorySearch.query in ~/.openclaw/openclaw.json",
        "数据库迁移推迟到三月，先修复支付接口。",
        "Crème brûlée, ＡＢＣ, C++ and E_CONN",
    ],
)
def test_finder_sees_what_the_index_sees(text: str) -> None:
    """
    The quick look at a line finds the terms that the line was indexed under.
    """
    terms = set(document_terms(text)[0])

    assert Finder(terms).present(text) == terms
