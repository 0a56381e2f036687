"""Whether the words that a fact cites support it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from strata.language.calendar import NAMES, calendar
from strata.language.dates import find_dates
from strata.language.polarity import negation_mismatch
from strata.models import Frame
from strata.notes.entries import without_speaker, worded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date, tzinfo

    from strata.models import Evidence, Fact

_ISO_DAY = re.compile(r"20\d\d-\d\d(?:-\d\d)?(?:\s?to\s?20\d\d-\d\d-\d\d)?")
_BRACKETED = re.compile(rf"\s?[(\uff08](?:{_ISO_DAY.pattern}|20\d\d)[)\uff09]")
_ABSOLUTE = re.compile(r"20\d\d-\d\d(?:-\d\d)?|(?<=[(\uff08])20\d\d(?=[)\uff09])")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_IDENTIFIER = re.compile(
    r"(?:https?://|(?<![\w.])(?:~|\.{0,2})/)[^\s()\u3000-\u9fff]+|[\w.+-]+@[\w.-]+\w"
    r"|[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)+",
    re.ASCII,
)
_LATIN = re.compile(r"[A-Za-z][A-Za-z'-]*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;(\"“]\s*)$")
_CALENDAR = NAMES | frozenset(
    ["user", "owner", "agent", "assistant", "i", "i'm", "i'll", "i've", "i'd"]
)
_CHINESE_NAME = re.compile(
    r"[老小阿][\u4e00-\u9fff]|(?:(?!的)[\u4e00-\u9fff]){1,2}(?:姐(?!姐)|哥(?!哥)|总"
    r"|工(?![单作具程资人期地艺业会序])|老师|经理|医生|师傅|主任|教授)"
)
_NUMBER_WORDS = {
    word: str(number)
    for language in ("en", "zh")
    for number, word in enumerate(calendar(language).numbers)
} | {"once": "1", "twice": "2", "两": "2", "noon": "12"}


def unsupported(fact: Fact, *, timezone: tzinfo) -> str | None:
    """
    Return why *fact* says more than the words it cites, or None if it does not.

    Numbers, identifiers, names, dates and negations of its text must stand in the quotes
    of its evidence. An absolute date is also supported if the quoted words, said when
    they were said in *timezone*, mean it.
    """
    if not any(evidence.quote.strip() for evidence in fact.evidence):
        return "it cites no words"
    quoted = " . ".join(_normal(evidence.quote) for evidence in fact.evidence)
    # Nobody has to have said what a note says about who speaks.
    told = replace(fact.entry, frame=Frame.NONE, text=without_speaker(fact.text))
    line = worded(told)
    bare = _without_dates(line)
    wrong_date = _unknown_date(line, fact, quoted, timezone)
    if wrong_date:
        return f"the date {wrong_date} is not in the words"
    said = _normal(bare)
    if said not in quoted:
        for kind, token in _missing(bare, quoted):
            return f"the {kind} {token!r} is not in the words"
    return negation_mismatch(said, quoted)


def strange_date(
    text: str, evidence: Sequence[Evidence], timezone: tzinfo
) -> tuple[str | None, str]:
    """
    Return the first date in *text* that *evidence* does not mean, and *text* undated.

    Dates in whatever words count, as of the day on which the evidence was said.
    """
    known = _spans(evidence, timezone)
    quoted = " . ".join(_normal(each.quote) for each in evidence)
    anchor = evidence[0].said_at.astimezone(timezone)
    strange: str | None = None
    undated = text
    for span in reversed(list(find_dates(text, anchor=anchor, prefer="future"))):
        words = text[span.start : span.end]
        past = find_dates(words, anchor=anchor, prefer="past")
        meant = {(each.first, each.last) for each in (span, *past)}
        if not meant & known and _normal(words) not in quoted:
            strange = words
        undated = f"{undated[: span.start]} {undated[span.end :]}"
    return strange, undated


def _normal(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).lower()
    for mark, plain in (
        ("’", "'"),
        ("–", "-"),
        ("—", "-"),
        ("−", "-"),
        ("`", ""),
        ("*", ""),
    ):
        folded = folded.replace(mark, plain)
    return " ".join(folded.split())


def _without_dates(text: str) -> str:
    """Drop the absolute dates; they are checked apart."""
    return _ISO_DAY.sub(" ", _BRACKETED.sub("", text))


def _unknown_date(line: str, fact: Fact, quoted: str, timezone: tzinfo) -> str | None:
    meant = _meant(fact.evidence, timezone)
    for match in _ABSOLUTE.finditer(line):
        if match[0] not in quoted and match[0] not in meant:
            return match[0]
    return None


def _meant(evidence: Sequence[Evidence], timezone: tzinfo) -> set[str]:
    """Return every day and month that the quoted words can mean."""
    days: set[str] = set()
    for cited in evidence:
        anchor = cited.said_at.astimezone(timezone)
        for prefer in ("past", "future"):
            for span in find_dates(cited.quote, anchor=anchor, prefer=prefer):
                days.update(_written(span.first, span.last))
    return days


def _spans(evidence: Sequence[Evidence], timezone: tzinfo) -> set[tuple[date, date]]:
    """Return the first and the last day of what the quoted words can mean."""
    found: set[tuple[date, date]] = set()
    for cited in evidence:
        anchor = cited.said_at.astimezone(timezone)
        for prefer in ("past", "future"):
            for span in find_dates(cited.quote, anchor=anchor, prefer=prefer):
                found.add((span.first, span.last))
                if span.grain in {"day", "stretch"}:
                    found |= {(span.first, span.first), (span.last, span.last)}
    return found


def _written(first: date, last: date) -> Iterator[str]:
    for day in (first, last, first + timedelta(days=(last - first).days // 2)):
        yield day.isoformat()
        yield f"{day:%Y-%m}"
        yield f"{day:%Y}"


def _missing(text: str, quoted: str) -> Iterator[tuple[str, str]]:
    for match in _IDENTIFIER.finditer(text):
        token = match[0].rstrip(".,;:")
        if not _is_quoted(token, quoted):
            yield "identifier", token
    known = _numbers_in(quoted)
    for match in _NUMBER.finditer(unicodedata.normalize("NFKC", text)):
        if match[0].replace(",", "") not in known and not _is_counted(match[0], quoted):
            yield "number", match[0]
    for name in _names(text):
        if _normal(name) not in quoted and _normal(_singular(name)) not in quoted:
            yield "name", name


def _is_quoted(identifier: str, quoted: str) -> bool:
    """Say whether *identifier* was said; "read-only" may be two words."""
    said = _normal(identifier)
    return said in quoted or (
        said.replace("-", "").isalpha() and said.replace("-", " ") in quoted
    )


def _is_counted(number: str, quoted: str) -> bool:
    """Say whether *number* was said in another way: 21:30 as 晚上九点半."""
    from strata.statements.grounding.figures import figures_in, is_said  # noqa: PLC0415 - dictionaries

    figures = figures_in(quoted)
    clock = re.fullmatch(r"(\d{1,2}):(\d\d)", number)
    key = f"time:{clock[1]}:{clock[2]}" if clock else f"number:{number}:"
    return is_said(key, figures)


def _singular(name: str) -> str:
    return name.removesuffix("s") if name[:-1].isupper() else name


def _numbers_in(quoted: str) -> set[str]:
    found = {match[0].replace(",", "") for match in _NUMBER.finditer(quoted)}
    # "0411 and 0412" in a range or a version is a number of its own.
    found |= {part for number in found for part in re.split(r"[.:]", number)}
    words = re.findall(r"[a-z]+|[零一二两三四五六七八九十]+", quoted)
    return found | {_NUMBER_WORDS[word] for word in words if word in _NUMBER_WORDS}


def _names(text: str) -> Iterator[str]:
    """Give the words written like names: capitals inside a sentence, 老王, 李总."""
    for match in _LATIN.finditer(text):
        word = match[0].removesuffix("'s").removesuffix("'")
        first = _SENTENCE_START.search(text, 0, match.start()) is not None
        named = word[0].isupper() and not (first and word[1:].islower())
        is_day = (
            word.lower().removesuffix("s") in _CALENDAR or word.lower() in _CALENDAR
        )
        if named and not is_day and len(word) > 1:
            yield word
    for match in _CHINESE_NAME.finditer(text):
        yield match[0]
