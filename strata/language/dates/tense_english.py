"""Whether an English clause speaks of what was or of what will be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.language.dates.spans import Preference

# What tells when something was arranged, not when it takes place.
SCHEDULED = re.compile(
    r"\b(?:(?:was|were|got|had)\s(?:just\s)?)?(?:booked|rebooked|reserved|ordered"
    r"|scheduled"
    r"|rescheduled|arranged|planned|invited|promised|postponed|pencil\w+|signed up"
    r"|agreed"
    r"|confirmed)\b",
    re.IGNORECASE,
)
# The same, where it says to which day.
_SHIFTED = re.compile(
    r"\b(?:(?:was|were|got|had)\s(?:just\s)?)?(?:moved|pushed|put (?:off|back)|extended"
    r"|delayed|shifted|brought forward|bumped|set|changed)\b",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:said|told|asked|wrote|replied|answered|mentioned|thought|hoped|wanted|knew"
    r"|meant|supposed|decided|expected|heard|texted|emailed|rang|called|announced)\b",
    re.IGNORECASE,
)
# "On Monday he told me" says when he did.
_TOLD_ON = re.compile(r"^\W*on\s+$", re.IGNORECASE)
_SUBJECT = (
    r"(?:i|we|he|she|it|they|you|who|which|that|nobody|no one|everyone|everybody"
    r"|somebody"
    r"|someone|everything|nothing)(?:\s(?:\w+ly|just|also|only|even|all|both|still))?"
)
_SAME_FORM = (
    r"(?:(?!need|feed|speed|exceed|proceed|succeed|indeed)\w{2,}ed|sent|made|found|done"
    r"|built|bought|paid|held|kept|lost|met|left|taught|brought|caught|sold|spent|slept"
    r"|felt|led|lent|burnt)"
)
# An order has this form too.
_LIKE_AN_ORDER = r"(?:cut|put|read|hit|shut)"
_PAST = re.compile(
    r"\b(?:was|were|wasn't|weren't|did|didn't|went|came|saw|gave|took|fell|broke|spoke"
    r"|drove|flew|ate|drank|began|knew|threw|grew|chose|woke|wore|ran|sang|swam|stood"
    r"|yesterday|ago|last (?:week|month|night|time))\b"
    r"|(?<!better )\bhad\b|(?<!'ve )(?<!have )(?<!has )(?<!'s )\bgot\b(?! to\b| a\b)"
    rf"|\b{_SUBJECT}\s(?:{_SAME_FORM}|{_LIKE_AN_ORDER})\b",
    re.IGNORECASE,
)
_PARTICIPLE = re.compile(
    rf"(?:^\W*|\b(?:[Tt]he|[Mm]y|[Oo]ur|your|[Hh]is|[Hh]er|[Tt]heir|[Aa])\s(?:[\w'-]+\s){{1,3}}?"
    rf"|^\W*(?:[A-Z][\w'-]+"
    rf"\s){{1,2}})(?i:{_SAME_FORM})\b"
)
_NO_PAST = re.compile(
    r"\b(?:is|are|am|be|being|been|get|getting|have|has|need|needs|want|wants|please"
    r"|can"
    r"|will|must|should|let|make|see|keep)\b|'(?:s|re|ve|ll|m)\b",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    r"\b(?:will|won't|shall|must|should|ought|can|could|would|may|might|going to|gonna"
    r"|needs?|have to|has to|let's|let me|please|remind|due|deadline|arriv(?:es?|ing)"
    r"|deliver(?:y|ies|s)?|appointment|expected|wants?|plans?|next|upcoming|get|book"
    r"|order|reserve)\b|'(?:ll|d)\b",
    re.IGNORECASE,
)
_TOWARDS = re.compile(
    r"\b(?:for|until|till|'til|by|before|to|from|through|due(?: on| by)?"
    r"|starting(?: on)?"
    r"|as of|after|towards?)\s+(?:on\s+|the\s+)?$",
    re.IGNORECASE,
)
# "It has rained from Friday" began on the last one; "we have moved it from Friday" did not.
_FROM = re.compile(
    r"\b(?:from|as of|starting(?: on)?)\s+(?:on\s+|the\s+)?$", re.IGNORECASE
)
_HAS_BEEN = re.compile(
    rf"(?:\b(?:has|have|had)|'(?:ve|s))\s(?:(?:\w+ly|not|just|already|also)\s)?"
    rf"(?:been|gone|{_SAME_FORM})\b",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\bsince\s+$", re.IGNORECASE)
_AS_SUBJECT = re.compile(r"^\s+(?:was|were|would)\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z]{3,}", re.IGNORECASE)
_SMALL_WORDS = "the and but noon half past quarter about around before after for until"
_FILLERS = frozenset(_SMALL_WORDS.split())
# A clause of so few words has no tense of its own.
_FEW = 2


def says_little(before: str, after: str) -> bool:
    """Say whether a clause holds hardly more than the day."""
    clause = before + " " + after
    words = [word for word in _WORD.findall(clause) if word.lower() not in _FILLERS]
    verbless = not _NO_PAST.search(clause) and not _TOWARDS.search(before)
    return verbless and len(words) <= _FEW


def side_of(before: str, after: str) -> Preference | None:
    """Return the side of a day between *before* and *after*, None if that is not sure."""
    if _SINCE.search(before):
        return "past"
    clause = before + " " + after
    towards = _TOWARDS.search(before) is not None
    lasting = _FROM.search(before) and _HAS_BEEN.search(before)
    if lasting or (_REPORTED.search(before) and _AS_SUBJECT.search(after)):
        return None
    arranged = _REPORTED.search(clause) or SCHEDULED.search(clause)
    if _is_past(_SHIFTED.sub(" ", clause) if towards else clause):
        return None if towards or _AHEAD.search(clause) else "past"
    if _REPORTED.search(clause) and _TOLD_ON.search(before):
        return "past"
    if arranged and not towards and not _AHEAD.search(clause):
        return None
    return "future"


def _is_past(clause: str) -> bool:
    """Look for a verb in the past tense that is no arranging and no reporting."""
    bare = SCHEDULED.sub(" ", _REPORTED.sub(" ", clause))
    if _PAST.search(bare):
        return True
    return _PARTICIPLE.search(bare) is not None and not _NO_PAST.search(bare)
