"""Whether a clause of what somebody said says what an agent retained of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time
from typing import TYPE_CHECKING

from strata.bank.finding import Finder
from strata.bank.names import key_of
from strata.bank.reading import PlainReading
from strata.bank.wording import NAME, named_as, parts_of, unsaid_part
from strata.language.dates.finding import find_dates
from strata.language.simplified import has_han
from strata.notes.entries import without_frame
from strata.notes.retain import missing_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from strata.models import Retained

_PERSON = "person"


def is_said(retained: Retained, said: Sequence[tuple[str, datetime]]) -> bool:
    """
    Say whether each part of *retained* is what a clause of *said* begins with.

    *said* are messages of one side, and when each was said. Of whom it is tagged with and
    does not name itself, the same clause must be; a day that it does not tell may be left
    out.
    """
    lines = [_without_days(text, retained.text, at) for text, at in said]
    return any(
        not unsaid_part(told, clauses, alone, label=False)
        for told, clauses, alone in _readings(retained, lines)
    )


def rests_on(
    retained: Retained, gone: Iterable[str], left: Iterable[str], day: date
) -> bool:
    """Say whether *gone* entries of *day* say a part of *retained*, and none *left*."""
    at = datetime.combine(day, time())
    # A clause says what it says, also where the next one takes it back.
    before, after = (
        [(told, at) for each in entries for told in _clauses(without_frame(each))]
        for entries in (gone, left)
    )
    parts = (replace(retained, text=each) for each in _clauses(retained.text))
    return any(is_said(each, before) and not is_said(each, after) for each in parts)


def _clauses(text: str) -> list[str]:
    return [text, *parts_of(text)]


def _readings(
    retained: Retained, lines: Sequence[str]
) -> Iterator[tuple[str, Sequence[str], Sequence[bool]]]:
    """Give how it may be read: by its words, and as told of one of its names."""
    missing = missing_names(retained)
    if not missing:
        yield retained.text, lines, [False] * len(lines)
    if len(missing) > 1:
        return
    named = (each.text for each in PlainReading().named([retained.text])[0])
    for name in missing or dict.fromkeys([*retained.names, *named]):
        finder = Finder([key_of(name)])
        told = named_as(retained.text, finder.found)
        if missing:
            told = f"{NAME}{'' if has_han(told) else ' '}{told}"
        # "She" is that one where nobody else could be.
        alone = [
            all(
                each.sort != _PERSON
                or each.text in retained.text
                or any(finder.found(each.text))
                for each in names
            )
            for names in PlainReading().named(lines)
        ]
        yield told, [named_as(each, finder.found) for each in lines], alone


def _without_days(line: str, told: str, at: datetime) -> str:
    """Return *line* without the days that *told* does not tell."""
    for span in reversed(find_dates(line, anchor=at, prefer="future")):
        words = line[span.start : span.end]
        if words.casefold() not in told.casefold():
            line = f"{line[: span.start]}{line[span.end :]}"
    return line
