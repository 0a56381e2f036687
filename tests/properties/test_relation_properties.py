"""What holds of any two statements."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from strata.statements.relations import (
    Relation,
    folded_terms,
    relation,
    richer,
)

STATEMENTS = (
    "Use pnpm, never npm, in acme-dashboard.",
    "The staging database is on port 5433.",
    "We moved the frontend from Svelte to React.",
    "Maria owns billing.",
    "Standup is at 9:30.",
    "I am allergic to penicillin.",
    "Keep logs for 30 days, because audits ask for them.",
    "Lena Hofer is our designer; her email is lena@hofer.de.",
    "Never deploy on Fridays.",
    "If the build fails, ask me first.",
    "店铺仓库里用pnpm,不要用npm。",
    "预发数据库的端口是5433。",
    "前端从Svelte换成React了。",
    "老陈负责采购。",
    "站会每天九点半。",
    "我对青霉素过敏。",
    "日志保留30天,因为审计要查。",
    "周五不要部署。",
    "周报每周五发给客户。",
)
NAMES = (
    "Maria", "Tom", "Lena", "Ines", "Farid", "Müller", "Möller", "Zoe", "Bruno", "Kestrel",
    "Borealis",
)  # fmt: skip
FRAMES = (
    "{} owns the billing service.",
    "Send the invoices to {}.",
    "The contact at the client is {}.",
    "{} is allergic to nuts.",
    "账单由{}负责。",
    "发票先发给{}看。",
)
COUNTED = (
    "The upload limit is {} MB.",
    "Keep backups for {} days.",
    "The staging server listens on port {}.",
    "Answer in at most {} words.",
    "Use version {} of the client library.",
    "备份保留{}天。",
    "上传上限是{}MB。",
    "回答不超过{}字。",
)
AFFIRMED = (
    ("Deploy on Fridays.", "Do not deploy on Fridays."),
    ("Use semicolons in TypeScript.", "Never use semicolons in TypeScript."),
    ("Tom eats fish.", "Tom doesn't eat fish."),
    ("Answer with emojis.", "Answer without emojis."),
    ("The cache is encrypted.", "The cache is not encrypted."),
    ("Turn on notifications.", "Turn off notifications."),
    ("周五部署。", "周五不要部署。"),
    ("回复用表情符号。", "回复不用表情符号。"),
    ("小李吃鱼。", "小李不吃鱼。"),
    ("打开通知。", "关闭通知。"),
)
WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}

statements = st.sampled_from(STATEMENTS)


@given(st.text(max_size=200))
def test_statement_is_the_same_as_itself(text: str) -> None:
    """
    Whatever is said twice in the same words is the same.
    """
    assert Relation.SAME == relation(text, text)


@given(statements, st.sampled_from(["", ".", "!", "。", " "]), st.booleans())
def test_case_width_and_final_mark_do_not_matter(
    text: str,
    mark: str,
    wide: bool,  # noqa: FBT001 - hypothesis passes what it draws
) -> None:
    """
    Capitals, full-width letters and the mark at the end change no statement.
    """
    other = text.rstrip(".。").upper() + mark
    if wide:
        other = other.translate(WIDE)

    assert Relation.SAME == relation(text, other) == relation(other, text)


@given(statements, statements)
def test_sameness_has_no_direction(one: str, other: str) -> None:
    """
    If one is the same as the other, the other is the same as the one.
    """
    forth, back = relation(one, other), relation(other, one)

    assert (forth == Relation.SAME) == (back == Relation.SAME)
    assert richer(one, other) in {one, other}


@given(st.sampled_from(COUNTED), st.integers(2, 99999), st.integers(2, 99999))
def test_another_number_is_never_the_same(frame: str, one: int, other: int) -> None:
    """
    Two statements that differ in a number say two things.
    """
    relations = relation(frame.format(one), frame.format(other))

    assert (one == other) == (relations == Relation.SAME)


@given(st.sampled_from(FRAMES), st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_another_name_is_never_the_same(frame: str, one: str, other: str) -> None:
    """
    Two statements that differ in a name say two things.
    """
    relations = relation(frame.format(one), frame.format(other))

    assert (one == other) == (relations == Relation.SAME)


@given(st.sampled_from(AFFIRMED), st.booleans())
def test_negation_is_never_the_same(
    pair: tuple[str, str],
    swap: bool,  # noqa: FBT001 - hypothesis passes what it draws
) -> None:
    """
    A statement and its denial are at odds, in either order.
    """
    one, other = reversed(pair) if swap else pair

    assert relation(one, other) in {Relation.CONTRADICTS, Relation.UPDATES}


@given(st.text(max_size=80), st.text(max_size=80))
def test_statements_without_a_common_term_differ(one: str, other: str) -> None:
    """
    What `folded_terms` keeps apart need not be compared.
    """
    if not folded_terms(one) & folded_terms(other):
        assert Relation.DIFFERENT == relation(one, other)


@given(statements, statements)
def test_terms_bring_together_all_that_are_related(one: str, other: str) -> None:
    """
    Statements that are not different share a term.
    """
    if relation(one, other) != Relation.DIFFERENT:
        assert folded_terms(one) & folded_terms(other)
