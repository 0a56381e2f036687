"""The digits that open a lock or end an alarm."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.redaction.spans import Secret
from strata.transcripts.redaction.tables import Patterns, phrases
from strata.transcripts.redaction.view import Clues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.redaction.view import View

LOCKS = Patterns("told", "locks")
_CLUES = Clues(*phrases("told", "locks"))
# Where a code may begin, with 0 for all digits.
_FORM = re.compile(rb"0(?<!0.)(?:00|0?-0)")
_BEFORE, _AFTER, _LEAD = 110, 60, 48
_SHORT = 3


def unlocking(view: View) -> Iterator[Secret]:
    """Yield the codes in *view*, and the turns of a dial, that open something."""
    if _FORM.search(view.signs) and _CLUES.are_in(view):
        yield from keyed_in(view.lowered, view.signs)


def turns_dial(text: str, start: int, end: int) -> bool:
    """Say whether the turns at *start* to *end* are said to be those of a dial."""
    return LOCKS.turned.search(_sentence(text, start, end)) is not None


def keyed_in(lowered: str, signs: bytes) -> Iterator[Secret]:
    """Yield the digits that open something in a text *lowered*, which is in *signs* too."""
    for form in _FORM.finditer(signs):
        start = form.start()
        start -= lowered[start - 1 : start] in {"*", "#"}
        if (code := LOCKS.code.match(lowered, start)) and _opens(lowered, code):
            yield Secret(*code.span(), "secret:passcode")


def _opens(lowered: str, code: re.Match[str]) -> bool:
    """Say whether the digits of *code* in *lowered* are said to open a lock."""
    digits, before = code[0], lowered[max(0, code.start() - _LEAD) : code.start()]
    framed = LOCKS.framed.fullmatch(digits) is not None
    # Most numbers are told by the word in front of them alone.
    if not (framed or code["opens"] is not None or LOCKS.leads.search(before)):
        return False
    sentence = _sentence(lowered, *code.span())
    if not LOCKS.lock.search(sentence) or LOCKS.numbered.search(before):
        return False
    if framed:
        return True
    keyed = LOCKS.keyed.search(before) is not None
    at_time = LOCKS.at.search(before) or (not keyed and LOCKS.clock.search(sentence))
    if at_time and LOCKS.time.fullmatch(digits):
        return False
    sure = LOCKS.sure_lock.search(sentence) is not None
    if len(digits) == _SHORT and not sure:
        return False
    said = LOCKS.says.search(before) is not None and (sure or "-" in digits)
    return code["opens"] is not None or keyed or said


def _sentence(text: str, start: int, end: int) -> str:
    """Return the sentence around *start* to *end*, and the one in front of it."""
    before = text[max(0, start - _BEFORE) : start].lower()
    after = LOCKS.sentence_end.split(text[end : end + _AFTER].lower(), maxsplit=1)[0]
    ends = [match.end() for match in LOCKS.sentence_end.finditer(before)]
    return f"{before[ends[-2] :] if len(ends) > 1 else before} {after}"
