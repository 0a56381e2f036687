"""The owner's own statement, made fit for memory, or refused with what to do about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.errors import NotAccepted
from strata.language.calendar import (
    DAY_CHINESE,
    SIDE_CHINESE,
    WEEK_CHINESE,
    WEEKDAY_OR_SHORT,
)
from strata.messages import Notice
from strata.notes.entries import one_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from strata.sensitivity import Rules

LONGEST = 300

# What is no date by itself, unless `with_dates` has written one behind it.
_RELATIVE = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|recently|lately|soon|(?:next|last|this)"
    rf" (?:week(?:end)?|month|year|quarter|time|{WEEKDAY_OR_SHORT})"
    r"|the other day|in (?:a few|\d+) (?:days|weeks|months)|(?:days|weeks|months) ago)\b"
    r"|今[天晚]|明[天晚早]|昨[天晚]|前天|后天|最近|刚才|刚刚|过几天|前几天|回头"
    rf"|{SIDE_CHINESE}个?(?:{WEEK_CHINESE}|月|季度|次)(?:末|{DAY_CHINESE})?|[去今明]年",
    re.IGNORECASE,
)
_DATED = re.compile(r"(?:['’]s)?\s?[(\uff08]20\d\d")
_RECURRING = re.compile(r"\b(?:every|each|daily|by default)\b|每|总是", re.IGNORECASE)


def fit_for_memory(
    text: str, now: datetime, never: Rules, allowed: Callable[[str], bool]
) -> str:
    """
    Return *text* as one line with absolute dates, as it is meant at *now*.

    Raise `NotAccepted` where it holds a secret that is not *allowed*, or what the rules
    *never* keep, is too long, says nothing by itself, or names a time that only its
    speaker knows.
    """
    from strata.language.wording import with_dates  # noqa: PLC0415 - patterns

    line = one_line(text.strip().strip('"“”「」'))
    _refuse_secret(line, allowed)
    if never.holds(line):
        raise NotAccepted(
            Notice("accept.never-store"),
        )
    if not line:
        raise NotAccepted(
            Notice("accept.nothing"),
        )
    if len(line) > LONGEST:
        raise NotAccepted(
            Notice("accept.too-long", count=len(line), most=LONGEST),
        )
    dated = with_dates(line, now)
    _refuse_relative(dated)
    _refuse_leaning(dated)
    return dated


def _refuse_secret(line: str, allowed: Callable[[str], bool]) -> None:
    from strata.transcripts.redaction import find_secrets  # noqa: PLC0415 - patterns

    if secrets := find_secrets(line, allowed):
        kind = secrets[0].kind.partition(":")[2] or secrets[0].kind
        raise NotAccepted(
            Notice("accept.secret", kind=kind),
        )


def _refuse_relative(line: str) -> None:
    for found in _RELATIVE.finditer(line):
        if not (_DATED.match(line, found.end()) or _RECURRING.search(line)):
            raise NotAccepted(
                Notice("accept.no-day", words=found[0]),
            )


def _refuse_leaning(line: str) -> None:
    from strata.judges.verdicts import says_enough  # noqa: PLC0415 - patterns

    if not says_enough(line):
        raise NotAccepted(
            Notice("accept.leans"),
        )
