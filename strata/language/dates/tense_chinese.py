"""Whether a Chinese clause speaks of what was or of what will be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.language.cues import cue

if TYPE_CHECKING:
    from strata.language.dates.spans import Preference

# What tells when something was arranged, not when it takes place.
SCHEDULED = cue("tense_chinese.scheduled", 0)
_PAST = cue("tense_chinese.past", 0)
_NO_PAST = cue("tense_chinese.no_past", 0)
_ABOUT_TO = cue("tense_chinese.about_to", 0)
_TOWARDS = cue("tense_chinese.towards", 0)
_UNTIL = cue("tense_chinese.until", 0)
# 周三定的; but 周三开的会 may have been or be still to come.
_TOLD_OF = cue("tense_chinese.told_of", 0)
_EITHER = cue("tense_chinese.either", 0)
_DENIED = cue("tense_chinese.denied", 0)
_DENIES = cue("tense_chinese.denies", 0)
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
