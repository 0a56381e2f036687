"""What somebody types to get in, told without calling it a password."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

from strata.transcripts.redaction.likeness import Likeness, likeness
from strata.transcripts.redaction.spans import Secret, Verdicts
from strata.transcripts.redaction.tables import Patterns, phrases
from strata.transcripts.redaction.view import Clues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.redaction.spans import Verdict
    from strata.transcripts.redaction.view import View

ENTERING = Patterns("told", "entering")
CLUES_TO_ENTERING = Clues(*phrases("told", "entering"))
# How far a clue reaches, and how much around a value is read.
_BEFORE, _AFTER, _LEAD, _SHORTEST, _LONGEST = 100, 80, 64, 6, 60
# A digit beside a letter or a sign: most texts have few, so the rest is read from there.
# Short ones, such as 4G and Q3, are passed over.
_TURN = re.compile(rb"0(?!(?<= .)[a0]{0,4} |(?<= a.) )(?:(?<=a.)|(?<=a-.)|(?=-?a))")
_IN_CODE = b"="
_KINDS = {
    "0": "0",
    "a": string.ascii_letters + "!#$%@^&*~+",
    "-": "-_.'",
    "=": "=/\\(){}[]",
}
_CLASSES = bytes(
    next((ord(kind) for kind, signs in _KINDS.items() if chr(code) in signs), ord(" "))
    for code in range(256)
)
_PUNCTUATION = "'()[]{}.*_"


def entering(view: View) -> Iterator[Secret]:
    """Yield what is typed in *view* to log on, to get in or to open something."""
    if _TURN.search(view.signs.translate(_CLASSES)) and CLUES_TO_ENTERING.are_in(view):
        yield from typed_in(view.text, view.signs)


def typed_in(text: str, signs: bytes) -> Iterator[Secret]:
    """Yield what *text*, which is the same in *signs*, says that somebody types."""
    done, verdicts, classes = 0, Verdicts(_judge), signs.translate(_CLASSES) + b" "
    for turn in _TURN.finditer(classes):
        at = turn.start()
        if at < done:
            continue
        done = classes.index(b" ", at)
        first = max(0, at - _LONGEST)
        seen = classes[max(first, classes.rfind(b" ", first, at) + 1) : done]
        if len(seen) >= _SHORTEST and _IN_CODE not in seen:
            start, done = _ends(text, at)
            yield from verdicts.on(text, start, done)[1]


def _ends(text: str, at: int) -> tuple[int, int]:
    """Say where what is written around *at* begins and ends."""
    # Backwards, up to the blank before it.
    before = ENTERING.rest.match(text[max(0, at - _LONGEST) : at][::-1])
    after = ENTERING.rest.match(text, at)
    return at - (before.end() if before else 0), after.end() if after else at + 1


def _judge(text: str, start: int, end: int) -> Verdict:
    value = text[start:end].strip(_PUNCTUATION)
    begin = text.index(value, start)
    secret = Secret(begin, begin + len(value), "secret:password")
    return end, (secret,) if _is_typed(text, secret, likeness(value)) else ()


def _is_typed(text: str, value: Secret, alike: Likeness) -> bool:
    if alike is Likeness.NONE:
        return False
    before = text[max(0, value.start - _BEFORE) : value.start].lower()
    after = text[value.end : value.end + _AFTER].lower()
    return _is_told(alike, before[-_LEAD:], after) and (
        CLUES_TO_ENTERING.are_in_text(before) or CLUES_TO_ENTERING.are_in_text(after)
    )


def _is_told(alike: Likeness, before: str, after: str) -> bool:
    """Say whether what is said *before* and *after* is enough for a value so *alike*."""
    if ENTERING.named.search(before) or ENTERING.admits.match(after):
        return True
    if alike is Likeness.LOOSE or ENTERING.called.search(before):
        return False
    if alike is Likeness.PART and ENTERING.used.search(before):
        return ENTERING.does.match(after) is not None
    if (
        alike is Likeness.SURE
        or ENTERING.typed.search(before)
        or ENTERING.does.match(after)
    ):
        return True
    return alike is Likeness.SIGNED and ENTERING.said.search(before) is not None
