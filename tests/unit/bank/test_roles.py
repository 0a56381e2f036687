"""One name is asked about where nobody can be all that is said of it."""

from __future__ import annotations

import pytest
from builders_bank import Listed, said

from strata.bank.directory import Choices, Directory, directory_of
from strata.bank.finding import Finder
from strata.bank.roles import exclude, roles_said

SAID = [
    ("My sister Anna is here.", ("sister", "sister Anna")),
    ("I rode with our older sister Anna.", ("sister", "sister Anna")),
    ("Anna, my mum, rides.", ("mother", "Anna, my mum")),
    ("My dentist Anna is ill.", ("dentist", "dentist Anna")),
    ("Anna from accounting called.", ("from accounting", "Anna from accounting")),
    ("Anna from Porto called.", ("from porto", "Anna from Porto")),
    ("我妹妹安娜来了。", ("sister", "妹妹安娜")),
    ("同事安娜病了。", ("colleague", "同事安娜")),
]
# What somebody is to another one, or no role at all.
NOT_SAID = [
    "Dario's sister Anna is here.",
    "Anna's sister is here.",
    "Anna, my sister's friend, rides.",
    "My sister and Anna are here.",
    "I had a text from Anna from time to time.",
    "I work with Anna from Monday on.",
    "The sister Anna has is nice.",
    "杨建平的妹妹安娜来了。",
    "我妹妹和安娜来了。",
]


@pytest.mark.parametrize(("text", "expected"), SAID)
def test_role_is_what_somebody_is_to_the_owner(
    text: str, expected: tuple[str, str]
) -> None:
    """
    Beside the name, with the words that tell whom it means.
    """
    found = list(roles_said(text, Finder(["anna", "安娜"])))

    assert [(each.role, each.phrase) for each in found] == [expected]


@pytest.mark.parametrize("text", NOT_SAID)
def test_role_of_somebody_else_is_none(text: str) -> None:
    """
    Nor is what only stands near a name.
    """
    assert list(roles_said(text, Finder(["anna", "安娜"]))) == []


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("sister", "from accounting", True),
        ("sister", "mother", True),
        ("wife", "dentist", True),
        ("sister", "sister", False),
        ("girlfriend", "wife", False),
        ("son", "child", False),
        ("neighbour", "dentist", False),
        ("boss", "colleague", False),
        ("colleague", "from accounting", False),
        ("from shanghai", "from accounting", False),
        ("from shanghai", "from hangzhou", True),
    ],
)
def test_kin_are_nothing_else(one: str, other: str, *, expected: bool) -> None:
    """
    A neighbour may be the dentist, and who was a girlfriend may be the wife.
    """
    assert exclude(one, other) is exclude(other, one) is expected


TWO = [
    said("My sister Anna rides.", "Anna", day=2, talk="a"),
    said("Anna cannot eat nuts.", "Anna", day=2, talk="a"),
    said("Anna from accounting wants the receipts.", "Anna", day=3, talk="b"),
    said("Anna pays on Fridays.", "Anna", day=3, talk="b"),
    said("Anna is ill.", "Anna", day=5, talk="c"),
    said("My sister Anna has moved.", "Anna", day=6, talk="d"),
    said("Anna from accounting has a new phone.", "Anna", day=7, talk="e"),
]
PAIR = ("anna from accounting", "sister anna")


def found(*choices: Choices) -> Directory:
    """
    Who and what these statements tell of.
    """
    return directory_of(TWO, Listed("Anna").common, *choices)


def test_name_of_two_is_asked_about_and_stays_one() -> None:
    """
    With the statements of each side; nobody is made two without the owner's word.
    """
    directory = found()

    (two,) = directory.twofold
    assert (two.name, two.one, two.other) == (
        *("Anna", "sister Anna", "Anna from accounting"),
    )
    assert (two.told_of_one, two.told_of_other) == ((0, 5), (2, 6))
    assert [each.told for each in directory.entities] == [(0, 1, 2, 3, 4, 5, 6)]


def test_two_are_told_by_what_tells_them_apart_in_each_conversation() -> None:
    """
    Where a conversation does not tell, the name means neither.
    """
    directory = found(Choices(apart=frozenset({frozenset(PAIR)})))

    assert [(each.name, each.sort, each.told) for each in directory.entities] == [
        ("sister Anna", "person", (0, 1, 5)),
        ("Anna from accounting", "person", (2, 3, 6)),
    ]
    assert directory.twofold == ()
    (doubt,) = directory.doubts
    assert (doubt.name, doubt.among) == ("anna", PAIR)


def test_who_are_one_are_not_asked_about_again() -> None:
    """
    Also where one of them is called something else beside.
    """
    more = said("My dentist Anna is away.", "Anna", day=9, talk="f")
    one = Choices(one=(PAIR,))

    assert found(one).twofold == ()
    assert len(found(one).entities) == 1
    assert directory_of([*TWO, more], Listed("Anna").common, one).twofold == ()


def test_name_in_full_tells_one_of_the_two() -> None:
    """
    The other one is told by the role.
    """
    told = [
        said("My sister Anna rides.", "Anna", day=2, talk="a"),
        said("Our accountant Anna Kost is ill.", "Anna Kost", day=1, talk="b"),
        said("Anna Kost wants the receipts.", "Anna Kost", day=3, talk="b"),
        said("Anna pays on Fridays.", "Anna", day=3, talk="b"),
    ]

    (two,) = directory_of(told, Listed("Anna").common).twofold

    assert {two.one, two.other} == {"Anna Kost", "sister Anna"}


def test_two_are_told_apart_in_chinese() -> None:
    """
    By the role before the name.
    """
    told = [
        said("我妹妹安娜养马。", "安娜", day=2, talk="a"),
        said("安娜对花生过敏。", "安娜", day=2, talk="a"),
        said("同事安娜管报销。", "安娜", day=3, talk="b"),
        said("安娜周五付款。", "安娜", day=3, talk="b"),
        said("我妹妹安娜搬家了。", "安娜", day=4, talk="c"),
        said("同事安娜换了手机。", "安娜", day=5, talk="d"),
    ]
    common = Listed("安娜").common

    (two,) = directory_of(told, common).twofold
    pair = frozenset((two.one, two.other))
    apart = directory_of(told, common, Choices(apart=frozenset({pair})))

    assert pair == {"妹妹安娜", "同事安娜"}
    assert [(each.name, each.told) for each in apart.entities] == [
        ("妹妹安娜", (0, 1, 4)),
        ("同事安娜", (2, 3, 5)),
    ]


@pytest.mark.parametrize(
    "texts",
    [
        ("My sister Anna rides.", "My sister Anna has moved.", "Anna is ill."),
        ("My neighbour Anna rides.", "My dentist Anna is away.", "Anna is ill."),
        ("My girlfriend Anna rides.", "My wife Anna is away.", "Anna is ill."),
        ("My sister Anna rides.", "Dario's mother Anna is away.", "Anna is ill."),
        (
            "My sister Anna from accounting rides.",
            "Anna from accounting is away.",
            "My sister Anna is ill.",
        ),
    ],
)
def test_who_can_be_one_is_not_asked_about(texts: tuple[str, ...]) -> None:
    """
    What one person can be, one person is.
    """
    told = [said(text, "Anna", day=day) for day, text in enumerate(texts, 2)]

    assert directory_of(told, Listed("Anna").common).twofold == ()
