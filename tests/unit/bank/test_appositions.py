"""Two names are one only where somebody says so."""

from __future__ import annotations

import pytest
from builders_bank import marked

from strata.bank.appositions import said_to_be

ROLES = {"sister", "my sister", "landlord", "儿子", "房东", "同事"}
ONE = [
    ("My sister Ana is here.", ("My sister", "Ana")),
    ("Zhang Wei, that's 张伟, is the plumber.", ("Zhang Wei", "张伟")),
    ("Zhang Wei is 张伟 in the mails.", ("Zhang Wei", "张伟")),
    ("Gloria (the Iveco) needs oil.", ("Gloria", "Iveco")),
    ("Ana, my sister, comes on Monday.", ("Ana", "sister")),
    ("My landlord is Dario.", ("landlord", "Dario")),
    ("老彭就是彭建国。", ("老彭", "彭建国")),
    ("儿子杨建平住在杭州。", ("儿子", "杨建平")),
    ("房东叫老周。", ("房东", "老周")),
]
# Who is beside somebody, or belongs to them, is another.
TWO = [
    ("Ana and Dario are here.", ("Ana", "Dario")),
    ("Ana Dario", ("Ana", "Dario")),
    ("Ana's landlord is here.", ("Ana", "landlord")),
    ("My sister Ana's Dario is here.", ("My sister", "Ana")),
    ("Ana met Dario, my friend.", ("Ana", "Dario")),
    ("Ana, Dario and Zoe come.", ("Ana", "Dario", "Zoe")),
    ("My landlord is my sister.", ("landlord", "sister")),
    ("Ana sister", ("Ana", "sister")),
    ("杨建平的同事来了。", ("杨建平", "同事")),
    ("房东是杨建平的儿子。", ("房东", "杨建平")),
]


def pairs(text: str, *names: str) -> list[tuple[str, str]]:
    """
    Which of *names* *text* says to be one.
    """
    return list(said_to_be(text, marked(text, *names), is_role))


def is_role(name: str) -> bool:
    """
    Tell whether *name* is a word for what many are.
    """
    return name.lower() in ROLES


@pytest.mark.parametrize(("text", "names"), ONE)
def test_who_is_said_to_be_somebody_is_that_one(
    text: str, names: tuple[str, str]
) -> None:
    """
    In so many words, in brackets, or as a role beside a name.
    """
    assert pairs(text, *names) == [names]


@pytest.mark.parametrize(("text", "names"), TWO)
def test_who_stands_beside_somebody_is_another(
    text: str, names: tuple[str, ...]
) -> None:
    """
    A list, a possessive and two roles make nobody the same.
    """
    assert pairs(text, *names) == []


def test_person_is_never_a_place() -> None:
    """
    What is of another sort is something else, whatever stands between.
    """
    assert pairs("Victoria is Victoria Station.", "Victoria", "Victoria Station") != []
    assert pairs("Victoria (Leeds).", "Victoria", "Leeds/place") == []
