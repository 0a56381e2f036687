"""Small conversations in memory, as extraction gets to see them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from strata.judges.entries import extract_facts
from strata.models import Evidence, Fact, Message, Origin
from strata.notes.entries import worded

if TYPE_CHECKING:
    from strata.models import Role

ZONE = ZoneInfo("Asia/Shanghai")
# A Friday, 10:00 in ZONE.
NOON = datetime(2026, 11, 20, 2, 0, tzinfo=UTC)

_ROLES: dict[str, tuple[Role, Origin]] = {
    "U": ("user", Origin.OWNER),
    "A": ("assistant", Origin.AGENT),
    "R": ("assistant", Origin.AGENT),
    "S": ("user", Origin.SYSTEM),
    "T": ("tool", Origin.UNTRUSTED),
}


@dataclass(frozen=True)
class Course:
    """
    When something was said, by turns the owner and the agent, and after what came a reset.
    """

    times: list[float]
    resets: frozenset[int] = frozenset()

    @property
    def roles(self) -> bytes:
        return (b"ua" * len(self.times))[: len(self.times)]


def talk(*lines: str) -> list[Message]:
    """
    Messages from lines such as ``U: hello``.

    U is the owner, A the agent, R the agent reading memory back, S the machinery in a
    user turn, T a tool, whose words nobody sees.
    """
    messages: list[Message] = []
    for index, line in enumerate(lines):
        mark, _, text = line.partition(": ")
        role, origin = _ROLES[mark[0]]
        messages.append(
            Message(
                id=f"m{index}",
                number=index + 1,
                role=role,
                text="" if role == "tool" else text,
                time=NOON + timedelta(minutes=index),
                origin=origin,
                tool="exec" if role == "tool" else "",
                recalled=mark[0] == "R",
            )
        )
    return messages


def facts(*lines: str) -> list[Fact]:
    """
    What extraction keeps of a conversation.
    """
    return extract_facts(talk(*lines), timezone=ZONE)


def texts(*lines: str) -> list[str]:
    """
    The lines that extraction writes about a conversation.
    """
    return [worded(fact.entry) for fact in facts(*lines)]


def claim(text: str, *quotes: str) -> Fact:
    """
    A fact that says *text* and cites *quotes* of the owner.
    """
    evidence = tuple(Evidence("m1", quote, NOON, Origin.OWNER) for quote in quotes)
    return Fact(text, None, "en", evidence)
