"""The nouns of recall: what is searched, and what is found."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from datetime import date

    from strata.search.answering.explaining import Explanation


class Tier(StrEnum):
    """Which kind of memory file a chunk stands in."""

    LONG_TERM = "long-term"
    WEEKLY = "weekly"
    DAILY = "daily"
    BANK = "bank"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a memory file that is found as one: lines *start_line* to *end_line*."""

    path: str
    start_line: int
    end_line: int
    text: str
    tier: Tier
    day: date | None
    context: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """
    A chunk that answers a query, with the words that stand in the file right now.

    *superseded* says since when its value is out of date, and *successor* what took its
    place, as far as that is known.
    """

    path: str
    start_line: int
    end_line: int
    score: float
    snippet: str
    tier: Tier
    day: date | None
    superseded: date | bool = False
    successor: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """
    What a query found; *closest* names the nearest where nothing is good enough.

    *index* is "behind" where chunks wait for their vectors, and "down" where the index
    could not be opened and the files were read instead. *told_of* names the person of whom
    the notes tell what was asked about another.
    """

    mode: Literal["hybrid", "keyword"]
    hits: tuple[Hit, ...]
    answerable: bool
    closest: tuple[Hit, ...] = field(default=())
    index: Literal["current", "behind", "down"] = "current"
    explanation: Explanation | None = None
    told_of: str = ""
