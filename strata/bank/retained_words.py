"""Whether a clause of what somebody said says what an agent retained of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.bank.finding import Finder
from strata.bank.names import key_of
from strata.bank.reading import PlainReading
from strata.bank.wording import NAME, named_as, unsaid_part
from strata.language.dates.finding import find_dates
from strata.language.simplified import has_han
from strata.notes.retain import missing_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

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
