"""The digits that open a lock or end an alarm."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.redaction.spans import Secret
from strata.transcripts.redaction.tables import Patterns, phrases, words
from strata.transcripts.redaction.view import Clues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.redaction.view import View

LOCKS = Patterns("told", "locks")
CLUES_TO_LOCKS = Clues(*phrases("told", "locks"))
# Where a code may begin, with 0 for all digits.
_FORM = re.compile(rb"0(?<!0.)(?:00|0?-0)")
_LEADS = words("told", "leads")
_LEADS_IN_CHINESE = frozenset("按输敲填拨转入到上是位设的成为改换用了锁屏机")
_BEFORE, _AFTER, _LEAD = 110, 60, 48
_SHORT = 3


def unlocking(view: View) -> Iterator[Secret]:
    """Yield the codes in *view*, and the turns of a dial, that open something."""
    if _FORM.search(view.signs) and CLUES_TO_LOCKS.are_in(view):
        yield from keyed_in(view.lowered, view.signs)


def turns_dial(text: str, start: int, end: int) -> bool:
    """Say whether the turns at *start* to *end* are said to be those of a dial."""
    return LOCKS.turned.search(_sentence(text, start, end)) is not None


def keyed_in(lowered: str, signs: bytes) -> Iterator[Secret]:
    """Yield the digits that open something in a text *lowered*, which is in *signs* too."""
    for form in _FORM.finditer(signs):
        start = form.start()
        start -= lowered[start - 1 : start] in {"*", "#"}
        code = LOCKS.code.match(lowered, start)
        if not code:
            continue
        sure = code["opens"] is not None or LOCKS.framed.fullmatch(code[0]) is not None
        if (sure or _is_led_to(lowered, start)) and _opens(lowered, code):
            yield Secret(*code.span(), "secret:passcode")


def _is_led_to(lowered: str, start: int) -> bool:
    """Take a glance at what stands before *start*: most numbers are told by that alone."""
    last = lowered[max(0, start - _LEAD) : start].rstrip(" ,:：")
    if not last[-1:].isascii():
        return last[-1:] in _LEADS_IN_CHINESE
    word = last.rpartition(" ")[2].rpartition("\n")[2].lstrip("\"'(*>")
    return word in _LEADS or len(word) == 1


def _opens(lowered: str, code: re.Match[str]) -> bool:
    """Say whether the digits of *code* in *lowered* are said to open a lock."""
    digits, before = code[0], lowered[max(0, code.start() - _LEAD) : code.start()]
    sentence = _sentence(lowered, *code.span())
    if not LOCKS.lock.search(sentence) or LOCKS.numbered.search(before):
        return False
    if LOCKS.framed.fullmatch(digits):
        return True
    keyed = LOCKS.keyed.search(before) is not None
    if LOCKS.time.fullmatch(digits) and _is_time(before, sentence, keyed=keyed):
        return False
    sure = LOCKS.sure_lock.search(sentence) is not None
    if len(digits) == _SHORT and not sure:
        return False
    said = LOCKS.says.search(before) is not None and (sure or "-" in digits)
    return code["opens"] is not None or keyed or said


def _is_time(before: str, sentence: str, *, keyed: bool) -> bool:
    if LOCKS.at.search(before):
        return True
    return not keyed and LOCKS.clock.search(sentence) is not None


def _sentence(text: str, start: int, end: int) -> str:
    """Return the sentence around *start* to *end*, and the one in front of it."""
    before = text[max(0, start - _BEFORE) : start].lower()
    after = LOCKS.sentence_end.split(text[end : end + _AFTER].lower(), maxsplit=1)[0]
    ends = [match.end() for match in LOCKS.sentence_end.finditer(before)]
    return f"{before[ends[-2] :] if len(ends) > 1 else before} {after}"
