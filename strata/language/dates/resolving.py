"""What the words of a date mean on a given day, in whatever language they are said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from strata.language.calendar import (
    COUNTS,
    hanzi_number,
    month_number,
    weekday_number,
)
from strata.language.cues import filled
from strata.language.dates import spans

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.language.dates.spans import Preference, Span

# A few days are a week, whatever a few weeks are.
_FEW_DAYS = 7
_LOOK = 40


@dataclass(frozen=True, slots=True)
class Read:
    """What a rule found, with the tables of its language, as of *today*."""

    match: re.Match[str]
    tables: dict[str, Any]  # what TOML may hold
    today: date
    prefer: Preference

    def __getitem__(self, name: str) -> str:
        """Return what the group *name* holds, in lower case; nothing is ""."""
        return (self.match.groupdict().get(name) or "").lower()

    def number(self, name: str) -> int:
        """Return the number that the group writes, in figures or not; nothing is one."""
        word = self[name]
        known = self.tables["numbers"] | COUNTS
        return known[word] if word in known else hanzi_number(word) if word else 1

    def several(self, name: str, unit: str) -> int:
        """Return the number of days, weeks or months that "a few" of them are."""
        few = self.tables["few"].get(self[name])
        if few is None:
            return self.number(name)
        return _FEW_DAYS if unit == "day" else int(few)

    @property
    def unit(self) -> str:
        word = self["unit"]
        for unit, words in self.tables["units"].items():
            if word in words.split() or word.removesuffix("s") in words.split():
                return str(unit)
        return ""

    @property
    def side(self) -> int:
        """How many weeks, months or years away it is."""
        return int(self.tables["sides"][self["side"]])

    @property
    def part(self) -> str:
        word = self["part"].split()[0]
        parts = self.tables["parts"].items()
        return str(next(part for part, words in parts if word in words.split()))

    @property
    def year(self) -> int | None:
        """The year that is written, or is told by its distance: 去年."""
        word = self["year"]
        if word.isdigit():
            return int(word)
        return self.today.year + self.tables["sides"][word] if word else None

    @property
    def month(self) -> int:
        word = self["month"]
        return (
            month_number(word)
            if word.isalpha() and word.isascii()
            else hanzi_number(word)
        )

    @property
    def weekday(self) -> int:
        return weekday_number(self["weekday"])

    def follows(self, words: str) -> bool:
        """Say whether the *words* of the language stand right before what was found."""
        start = self.match.start()
        before = self.match.string[max(0, start - _LOOK) : start]
        pattern = filled(f"{{{{{words}}}}}", self.tables["words"])
        return re.search(pattern, before, re.IGNORECASE) is not None

    @property
    def any_year(self) -> int:
        """The year that is written, or that lies on a side of this one."""
        return self.year or self.today.year + (self.side if self["side"] else 0)

    @property
    def named_month(self) -> Span:
        return spans.named_month(self.year, self.month, self.today, self.prefer)

    @property
    def period(self) -> Span:
        return spans.period(self.unit, self.side, self.today)

    def latest(self, months: Callable[[int], Span]) -> Span:
        """Return *months* of this year, or of the last one where they are still to come."""
        this = months(self.today.year)
        return this if this[0] <= self.today else months(self.today.year - 1)


def _nothing(read: Read) -> None:
    """Keep looser rules off what comes back, or is no one day."""
    del read


def _day(read: Read) -> Span | None:
    days = (read.number("day"), read.number("last") if read["last"] else None)
    span = spans.numbered_days(read.year, read.month, days, read.today, read.prefer)
    if not read["weekday"]:
        return span
    return spans.on_weekday(span, read.weekday, None if read.year else read.today)


def _month(read: Read) -> Span | None:
    side = read["side"]
    if side == "this" and read["month"][:3] in ("may", "mar"):
        return None
    if not read["year"] and side in ("next", "last", "this"):
        return spans.month_beside(read.month, read.side, read.today)
    span = read.named_month
    return spans.single(span[1]) if read["end"] or "end" in side else span


def _named_month(read: Read) -> Span:
    return read.named_month


def _weekday(read: Read) -> Span | None:
    side, today = read["side"], read.today
    if read["weekend"]:
        away = read.side if side else 0
        return spans.weekend(today + timedelta(days=7 * away))
    nearest = read.tables.get("nearest", {})
    if read["later"] or side in nearest:
        away = 7 if read["later"] else nearest[side]
        return spans.single(spans.coming(read.weekday, today) + timedelta(days=away))
    if not side:
        return spans.bare_weekday(read.weekday, today, read.prefer)
    return spans.day_of_week(read.weekday, today, read.side)


def _weekday_of_week(read: Read) -> Span:
    return spans.day_of_week(read.weekday, read.today, read.side)


def _numbered_weekday(read: Read) -> Span | None:
    return spans.numbered_weekday(
        read.number("day"), read.weekday, read.today, read.prefer
    )


def _counted_weekday(read: Read) -> Span:
    first = spans.coming(read.weekday, read.named_month[0])
    return spans.single(first + timedelta(days=7 * (read.number("count") - 1)))


def _days_of_month(read: Read) -> Span | None:
    first, last = read.number("day"), read.number("last")
    return spans.days_of_month(first, last, read.today, read.prefer)


def _numbered_day(read: Read) -> Span | None:
    """Leave out "13 March to the 17th": that is no day of this month."""
    if read.follows("reaches"):
        return None
    day = read.number("day")
    return spans.days_of_month(day, day, read.today, read.prefer)


def _day_of_month(read: Read) -> Span:
    begin = read.period[0].replace(day=read.number("day"))
    return begin, max(begin, begin.replace(day=read.number("last"))), "day"


def _period(read: Read) -> Span:
    return read.period


def _period_end(read: Read) -> Span:
    return spans.single(read.period[1])


def _before_last(read: Read) -> Span:
    return spans.period(read.unit, -2, read.today)


def _distance(read: Read) -> Span:
    count = read.number("count")
    return spans.distance(read.unit, -count if read["ago"] else count, read.today)


def _ahead(read: Read) -> Span | None:
    """Leave out "five songs in four days": there the words tell how long it takes."""
    return None if read.follows("amount") else _distance(read)


def _part_of_month(read: Read) -> Span:
    return spans.part_of_month(read.named_month, read.part)


def _part_of_side_month(read: Read) -> Span:
    month = spans.period("month", read.side, read.today)
    return spans.part_of_month(month, read.part)


def _start_of_week(read: Read) -> Span:
    return spans.single(spans.period("week", read.side, read.today)[0])


def _months(read: Read) -> Span:
    """Return the months from one to another, of which either may tell the year."""
    first, last = month_number(read["first"]), month_number(read["last"])
    over = first > last
    until = int(read["until"]) if read["until"] else None
    if read.year and not until:
        until = read.year + over
    end = spans.named_month(until, last, read.today, read.prefer)
    year = read.year or end[0].year - over
    return spans.month(year, first)[0], end[1], "stretch"


def _part_of_year(read: Read) -> Span:
    """Return the months that people mean by the beginning, middle or end of a year."""
    first, last = {"begin": (1, 3), "middle": (5, 8), "end": (11, 12)}[read.part]
    return spans.months(read.any_year, first, last)


def _season(read: Read) -> Span:
    """Return the spring (0), summer, autumn or winter that begins in a year."""
    first = 3 + 3 * int(read.tables["seasons"][read["season"]])
    if read["year"]:
        return spans.months(read.any_year, first, first + 2)
    span = read.latest(lambda year: spans.months(year, first, first + 2))
    # Asked in autumn, last summer is the one that has just gone by.
    over = read["side"] == "last" and span[1] < read.today
    step = (read.side if read["side"] else 0) + over
    return spans.months(span[0].year + step, first, first + 2)


def _quarter(read: Read) -> Span:
    last = 3 * read.number("number" if read["number"] else "ordinal")
    if read["year"]:
        return spans.months(read.any_year, last - 2, last)
    return read.latest(lambda year: spans.months(year, last - 2, last))


def _side_quarter(read: Read) -> Span:
    last = 3 * ((read.today.month + 2) // 3 + read.side)
    return spans.months(read.today.year, last - 2, last)


def _half(read: Read) -> Span:
    last = 6 * read.number("number")
    if read["year"] or read["side"]:
        return spans.months(read.any_year, last - 5, last)
    return read.latest(lambda year: spans.months(year, last - 5, last))


def _whole_year(read: Read) -> Span:
    return spans.whole_year(int(read["year"]))


def _so_many(read: Read) -> Span:
    return spans.up_to(read.today, read.several("count", read.unit), read.unit)


def _days_before(read: Read) -> Span:
    first = read.today - timedelta(days=read.several("count", "day"))
    return first, read.today - timedelta(days=1), "stretch"


def _between(read: Read) -> Span:
    """Return all that "two or three days ago" may mean."""
    first, last = (
        spans.distance(read.unit, -read.number(name), read.today)
        for name in ("most", "least")
    )
    return first[0], last[1], "stretch"


def _half_ago(read: Read) -> Span:
    today = read.today
    if read.unit == "year":
        return spans.month(today.year, today.month - 6)
    return today - timedelta(days=18), today - timedelta(days=12), "stretch"


def _this_day(read: Read) -> Span:
    """Return the same day of an earlier year; of a 29 February the day before."""
    years = -read.side if read["side"] else read.number("count")
    year, number = read.today.year - years, read.today.month
    last = spans.month(year, number)[1]
    return spans.single(date(year, number, min(read.today.day, last.day)))


def _weekdays(read: Read) -> Span:
    """Return the days from one weekday to another of the week that is meant."""
    first, last = (timedelta(days=weekday_number(read[name])) for name in "ab")
    away = read.side if read["side"] else 0
    monday = spans.week(read.today)[0] + timedelta(days=7 * away)
    if not read["side"] and monday + first > read.today:
        monday -= timedelta(days=7)
    return monday + first, monday + last, "stretch"


def _week_of(read: Read) -> Span:
    return spans.week(read.named_month[0].replace(day=read.number("day")))


#: What a rule may mean.
MEANINGS: dict[str, Callable[[Read], Span | None]] = {
    each.__name__.removeprefix("_"): each
    for each in (
        _nothing, _day, _month, _named_month, _weekday, _weekday_of_week, _numbered_weekday,
        _counted_weekday, _days_of_month, _numbered_day, _day_of_month, _period,
        _period_end, _before_last, _distance, _ahead, _part_of_month, _part_of_side_month,
        _start_of_week, _months, _part_of_year, _season, _quarter, _side_quarter,
        _half, _whole_year, _so_many, _days_before, _between, _half_ago, _this_day,
        _weekdays, _week_of,
    )
}  # fmt: skip
