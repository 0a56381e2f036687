"""The time that a question names: the words for it, and the notes that it prefers."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from strata.hits import Tier
from strata.search.indexing.candidates import Candidates
from strata.search.language.keywords import content_terms
from strata.search.stores.store import Found, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from strata.language.dates.asked import Stretch
    from strata.search.indexing.manifest import Row

# Whether it is worth 30 ms to look closer: most questions name no time. The calendar, which
# knows the names, would take 5 of them.
_HINT = re.compile(
    r"\d|day|week|month|year|night|morrow|ago\b|quarter|half|[Qq][1-4]|since"
    r"|\b(?:spring|summer|autumn|fall|winter|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b"
    r"|\b(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|[天日号月年周晚早]|星期|礼拜|[今明昨]儿|季度"
)
# What was done, said and decided is what every note is about.
_WHAT_WAS = re.compile(
    r"\b(?:happen(?:ed|ing|s)?|going|went|discuss(?:ed)?|talk(?:ed)?|work(?:ed|ing)?|decided?"
    r"|learn(?:ed|t)?|summar(?:y|i[sz]e)|recap|review|notes?|memor(?:y|ies)|events?|done|made"
    r"|finish(?:ed)?|accomplish(?:ed)?|remember(?:ed)?|news|activit(?:y|ies)|progress)\b"
    r"|发生|做了?|干了?|聊了?|谈了?|讨论|说了?|决定|完成|进展|总结|回顾|记录|记得|事情?|过|忙"
    r"|工作|笔记|内容|情况|些|怎样|期间|之间|以来|自|至|起|之前|以前|之后|以后|里|间",
    re.IGNORECASE,
)
# What is longer was pasted: its dates are not asked for, and a page of them takes minutes.
_LONGEST = 2000
_SIX_DAYS = timedelta(days=6)
_DAY_WEIGHT = 1.0
# From so many days on the weekly summaries tell more than single notes.
_LONG_DAYS = 4
_NEAREST = 3


@dataclass(frozen=True, slots=True)
class Times:
    """
    What a question says about time.

    *terms* are the days that words relative to today stand for, as notes write them.
    *alone* is true where the question asks for nothing but what was in that time, and
    *subject* is the question without the words for it.
    """

    stretches: tuple[Stretch, ...] = ()
    terms: Mapping[str, float] = field(default_factory=dict)
    alone: bool = False
    subject: str = ""

    def scopes(self, within: Scope) -> list[Scope]:
        """Return the parts of *within* that the question names."""
        return [
            Scope(
                tier=within.tier,
                since=max(
                    filter(None, (within.since, each.first and each.first - _SIX_DAYS)),
                    default=None,
                ),
                until=min(filter(None, (within.until, each.last)), default=None),
            )
            for each in self.stretches
        ]

    def distance(self, day: date) -> int:
        """Return how many days *day* lies from those that the question names."""
        return min(
            max(
                (each.first - day).days if each.first else 0,
                (day - each.last).days if each.last else 0,
                0,
            )
            for each in self.stretches
        )

    def hold(self, day: date | None, tier: Tier) -> bool:
        """Tell whether a note of *tier* for *day* is of a time that the question names."""
        if day is None:
            return False
        last = day + _SIX_DAYS if tier is Tier.WEEKLY else day
        # A question asks this of two hundred notes, and `any` would take twice as long.
        for each in self.stretches:  # noqa: SIM110
            if each.meets(day, last):
                return True
        return False


def times_of(text: str, today: date) -> Times:
    """Read the question *text*, asked on *today*."""
    if len(text) > _LONGEST or not _HINT.search(text):
        return Times(subject=text)
    from strata.language.dates.asked import asked_days  # noqa: PLC0415 - 30 ms of patterns

    asked = asked_days(text, today)
    relative = asked.stretches if asked.relative else ()
    terms = {
        term: _DAY_WEIGHT for stretch in relative for term in _terms(stretch, today)
    }
    subject = text
    for start, end in asked.words:
        subject = subject[:start] + " " * (end - start) + subject[end:]
    alone = asked.stretches and not content_terms(_WHAT_WAS.sub(" ", subject))
    return Times(asked.stretches, terms, bool(alone), subject)


def _terms(stretch: Stretch, today: date) -> list[str]:
    """Return another day than today as the terms that notes with its date in them have."""
    if stretch.first is None or stretch.first != stretch.last or stretch.first == today:
        return []
    return [f"@{stretch.first:%m-%d}", f"@{stretch.first:%Y-%m}"]


class Dated(Protocol):
    """Chunks by the days that their notes are named for."""

    def days(self) -> list[tuple[date, Tier]]:
        """Return every day that a note is named for, with the note's tier."""
        ...

    def rows_of_day(self, day: date, tier: Tier) -> list[Row]:
        """Return the chunks of the notes of *tier* that are named for *day*."""
        ...


def notes_of(
    chunks: Dated, times: Times, scope: Scope, limit: int
) -> tuple[Candidates, bool]:
    """
    Return *limit* chunks of the days that *times* names, within *scope*, best first.

    Where there are none, those of the nearest days, and false.
    """
    notes = [note for note in chunks.days() if scope.holds(*note)]
    named = [(day, tier) for day, tier in notes if times.hold(day, tier)]
    near = sorted(notes, key=lambda note: (times.distance(note[0]), note[0]))[:_NEAREST]
    rows = [row for note in named or near for row in chunks.rows_of_day(*note)]
    chosen = (_spread(rows, times) if named else rows)[:limit]
    ranked = [(row.id, 1 - at / limit) for at, row in enumerate(chosen)]
    found = Candidates(Found(ranked, []), {row.id: row for row in chosen})
    return found, bool(named)


def _spread(rows: Iterable[Row], times: Times) -> list[Row]:
    """Order *rows* so that a few of them speak of every day."""
    weekly = any(
        not (each.first and each.last) or (each.last - each.first).days >= _LONG_DAYS
        for each in times.stretches
    )
    earlier: Counter[str] = Counter()
    keyed: list[tuple[tuple[bool, int, str, int], Row]] = []
    for row in sorted(rows, key=lambda row: (row.path, row.start_line)):
        first = (row.tier is Tier.WEEKLY) == weekly
        keyed.append(((not first, earlier[row.path], row.path, row.start_line), row))
        earlier[row.path] += 1
    return [row for _, row in sorted(keyed, key=lambda pair: pair[0])]
