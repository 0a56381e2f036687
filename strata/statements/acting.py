"""What a statement would make an agent use or turn to: hosts, payees, numbers, commands."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

# Names of files and of software end otherwise, or are not all in lower case.
_TOP = (
    "com|net|org|info|biz|io|dev|app|cloud|shop|site|online|xyz|top|club|example|internal"
    "|local|lan|onion|edu|gov|eu|uk|ie|de|fr|es|nl|ch|se|dk|fi|gr|us|ca|mx|br|au|nz|jp|kr"
    "|cn|hk|tw|sg|za|ru|ai|tech|link|live|store"
)
_END = r"\s,;)\]}>\u3000-\u303f\u4e00-\u9fff\uff00-\uffef"
_HOST = pattern(
    rf"https?://[^{_END}]+|(?<![A-Za-z0-9.+_-])[A-Za-z0-9.+_-]{{1,64}}@(?![\d.])[A-Za-z0-9.-]*"
    rf"|(?<![A-Za-z0-9_.@-])(?:[a-z0-9-]{{1,63}}\.){{1,6}}(?:{_TOP})(?![A-Za-z0-9_.-])"
    rf"(?:[:/][^{_END}]*)?|(?<![\d.])\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?![\d.])"
)
# A number by itself is an amount, a year or a part; one to call begins as these do.
_NUMBER = pattern(
    r"(?<![A-Za-z0-9.\u27e6-])(?<!\d )(?:\+\d|0\d(?!\d?-\d\d-\d{4}))"
    r"(?:[ ()-]{0,2}\d){6,16}(?![A-Za-z0-9-])"
)
_COMMAND = pattern(
    r"\b(?:curl|wget|sudo|chmod|chown|scp|iex)\s+(?=\S*[-./:\d])[^\s,;]+|\bssh\s+\S+@\S+"
    r"|(?<!\w)--(?:no|skip|force|insecure|disable|allow|trust)[\w-]*",
    re.IGNORECASE,
)
_TOLD, _PAYEE, _ADDRESS = cue("acting.told"), cue("acting.payee"), cue("acting.address")
_NEGATED = cue("acting.negated")
# A line is shorter; what was pasted into one names much.
_LONGEST, _JUST_BEFORE = 1000, 24


@lru_cache(maxsize=4096)
def targets(text: str) -> frozenset[str]:
    """Return what *text* would have an agent use, each in one spelling."""
    return frozenset(_found(text[:_LONGEST]))


def _found(text: str) -> Iterator[str]:
    for each in _HOST.finditer(text):
        yield each[0].lower().rstrip("./:")
    for each in _COMMAND.finditer(text):
        if not _NEGATED.search(
            text[max(0, each.start() - _JUST_BEFORE) : each.start()]
        ):
            yield each[0].lower()
    for form in (_NUMBER, _TOLD):
        for each in form.finditer(text):
            yield re.sub(r"\D", "", each[0])
    for form in (_PAYEE, _ADDRESS):
        for each in form.finditer(text):
            yield (each["name"] or each["zhname"]).strip().lower()
