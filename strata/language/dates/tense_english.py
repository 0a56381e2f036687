"""Whether an English clause speaks of what was or of what will be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.language.cues import cue, words

if TYPE_CHECKING:
    from strata.language.dates.spans import Preference

# What tells when something was arranged, not when it takes place.
SCHEDULED = cue("tense_english.scheduled")
# The same, where it says to which day.
_SHIFTED = cue("tense_english.shifted")
_REPORTED = cue("tense_english.reported")
# "On Monday he told me" says when he did.
_TOLD_ON = cue("tense_english.told_on")
# An order has this form too.
_PAST = cue("tense_english.past")
_PARTICIPLE = cue("tense_english.participle", 0)
_NO_PAST = cue("tense_english.no_past")
_AHEAD = cue("tense_english.ahead")
_TOWARDS = cue("tense_english.towards")
# "It has rained from Friday" began on the last one; "we have moved it from Friday" did not.
_FROM = cue("tense_english.from")
_HAS_BEEN = cue("tense_english.has_been")
_SINCE = cue("tense_english.since")
_AS_SUBJECT = cue("tense_english.as_subject")
_WORD = re.compile(r"[a-z]{3,}", re.IGNORECASE)
_FILLERS = frozenset(words("tense_english.small_words"))
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
