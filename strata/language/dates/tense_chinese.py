"""Whether a Chinese clause speaks of what was or of what will be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.language.dates.spans import Preference

# What tells when something was arranged, not when it takes place.
SCHEDULED = re.compile(
    r"[订约定改排]|安排|预约|推迟|延(?:期|到|后)|提前|取消|报名|挂(?:了|到|好)?号|抢到"
    r"|买(?:了|好|到)[^,]{0,6}票|答应|说好|通知"
)
_PAST = re.compile(
    r"(?<![为除得算])了(?!解|不|吧)|过(?![期敏来去程渡审节年几会])|刚刚?(?!好)|曾|已经"
    r"|那天|的时候|出(?:了)?事|昨|上周"
)
_NO_PAST = re.compile(
    r"要|快|该|就(?=.{0,4}了)|(?<!的)会(?!议)|将|再|才|别|请|帮|提醒|记得|准备|打算"
    r"|计划"
)
_ABOUT_TO = re.compile(r"(?:要|快|该|会|将)[^,]*了")
_TOWARDS = re.compile(r"^(?:之前|以前|前|截止|为止|之后|以后|起)")
_UNTIL = re.compile(r"[到在于成至等](?:了)?\s*$")
# 周三定的; but 周三开的会 may have been or be still to come.
_TOLD_OF = re.compile(r"^[\u3400-\u9fff]{1,5}的\s*$")
_EITHER = re.compile(r"^[\u3400-\u9fff]{1,4}的[\u3400-\u9fff]")
_DENIED = re.compile(r"(?:[不别]在?|勿)\s*$")
_DENIES = re.compile(r"^\s*(?:[不别勿]|禁止)")
_HANZI = re.compile(r"[\u3400-\u9fff]")
# A clause of so few words has no tense of its own.
_FEW = 2


def says_little(before: str, after: str) -> bool:
    """Say whether a clause holds hardly more than the day."""
    return len(_HANZI.findall(before + after)) <= _FEW and not _TOWARDS.search(after)


def side_of(before: str, after: str) -> Preference | None:
    """Return the side of a day between *before* and *after*, None if that is not sure."""
    if _DENIED.search(before) or _DENIES.search(after):
        return None
    if _TOWARDS.search(after):
        return (
            None if _PAST.search(before) and not SCHEDULED.search(before) else "future"
        )
    if SCHEDULED.search(before):
        sure = _UNTIL.search(before) or _NO_PAST.search(after)
        return "future" if sure or not _PAST.search(after) else None
    return _by_verb(before, after)


def _by_verb(before: str, after: str) -> Preference | None:
    clause = before + after
    past = _PAST.search(clause) is not None
    if _TOLD_OF.search(after):
        return "past"
    if _NO_PAST.search(clause):
        sure = not past or _UNTIL.search(before) or _ABOUT_TO.search(clause)
        return "future" if sure else None
    if past:
        ambiguous = after.startswith("的") or SCHEDULED.search(after)
        return None if ambiguous or _UNTIL.search(before) else "past"
    return None if _EITHER.search(after) else "future"
