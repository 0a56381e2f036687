"""What opens something is told by the talk around it, also where no rule has its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from strata.transcripts.announced import Announced
from strata.transcripts.redaction import redact
from strata.transcripts.redaction.learned import tokens_of

if TYPE_CHECKING:
    from strata.models import Role

# Built here, so that no secret stands in the source.
WORD, DIGITS = "Marram" + "tussock58", "73" + "90"


def heard(*lines: str, allowed: str = "") -> list[str]:
    announced = Announced(allowing := lambda value: value == allowed)
    told = []
    for line in lines:
        role: Role = "user" if line.startswith("U: ") else "assistant"
        told.append(redact(announced.redacted(role, line[3:]), allowing))
        announced.hear(role, line[3:])
    return told


@pytest.mark.parametrize(
    "lines",
    [
        ("U: netflix wants me to log in again on the telly, its " + WORD + " all one",),
        ("A: What do I type to sign in to the portal?", "U: " + WORD),
        ("U: the alarm panel at mums house takes " + DIGITS + " then the tick",),
        ("U: 咱家路由器换了 现在是 " + WORD + " 你发给我妹",),
        ("U: 单元门按 " + DIGITS + " 就开了 让师傅自己上来",),
        ("U: make me a new one for the library card", "A: How about " + WORD + "?"),
    ],
)
def test_what_opens_something_goes(lines: tuple[str, ...]) -> None:
    """
    It need not be called a password, and the agent's own counts as well.
    """
    told = "\n".join(heard(*lines))

    assert WORD not in told
    assert DIGITS not in told
    assert "⟦secret:" in told


@pytest.mark.parametrize(
    "line",
    [
        "U: order 4471902 left the warehouse, it should be here thursday",
        "U: we keep PostgreSQL 16 on db-3, port 5432, and restart web01 at night",
        "U: 会议改到下午三点半，会议室 1204",
        "U: the sleeve is 38 stitches, then decrease 2 every 6 rows",
        "A: The flight is BA1478, gate B42, boarding at 17:35.",
    ],
)
def test_ordinary_talk_stays(line: str) -> None:
    """
    Numbers and names of everyday life are no secrets.
    """
    assert heard(line) == [line[3:]]


def test_what_its_owner_allowed_stays() -> None:
    """
    A value that the owner took back is not masked again.
    """
    line = "U: netflix wants me to log in again on the telly, its " + WORD + " all one"

    assert heard(line, allowed=WORD) == [line[3:]]


def test_a_placeholder_is_one_token() -> None:
    """
    What is masked already is not looked into again.
    """
    shapes = [(each.text, each.shape) for each in tokens_of("x ⟦secret:token⟧ (y)")]

    assert shapes == [
        ("x", "w"),
        ("⟦secret:token⟧", "p"),
        ("(", "p"),
        ("y", "w"),
        (")", "p"),
    ]
