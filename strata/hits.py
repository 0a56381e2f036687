"""The nouns of recall: what is searched, and what is found."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date


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
    place, as far as that is known; nothing did where it was *taken_back*. What names
    something to use, and the owner said once, is *unconfirmed*. What only a
    wording of the question found that found nothing good enough is *unsure*. *projects*
    are those that its lines are about, as far as that is known.
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
    taken_back: bool = False
    unconfirmed: bool = False
    unsure: bool = False
    projects: tuple[str, ...] = ()

    @property
    def citation(self) -> str:
        """The file and lines, as the answer names them: ``MEMORY.md#L3-L3``."""
        return f"{self.path}#L{self.start_line}-L{self.end_line}"


@dataclass(frozen=True, slots=True)
class Weighed:
    """
    One candidate as it was ranked.

    Ranks count from 1 and are 0 where the channel did not propose it. *recency*, *time*,
    *order*, *tier_weight* and *project* are the factors that the fused score was
    multiplied with; *fate* says what became of it.
    """

    path: str
    start_line: int
    end_line: int
    word_rank: int
    word_score: float
    meaning_rank: int
    meaning_score: float
    fused: float
    recency: float
    time: float
    order: float
    tier_weight: float
    project: float
    score: float
    fate: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """
    How an answer came about.

    *absent* are terms that stand in no note; *covered* is the share of the question's
    words in one passage. *margin* is by how much the answer was good enough.
    """

    terms: Mapping[str, float]
    absent: tuple[str, ...]
    times: tuple[tuple[date | None, date | None], ...]
    nearest: float
    covered: float
    margin: float
    candidates: tuple[Weighed, ...]


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
