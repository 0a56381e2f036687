"""A secret that is told apart from another: "not X, it is Y", "X is the old one"."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.values import (
    is_hash,
    is_mixed,
    is_numbered_word,
    is_ordinary_word,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NEAR = 160
# Looking around every one of thousands of values would take a minute.
_MOST = 50
_SIGN = r"[A-Za-z0-9_!#$%&*+/=?@^~.-]"
_VALUE = (
    rf"(?:[\"'`“‘「『](?P<quoted>[^\s\"'`”’」』]{{4,64}})[\"'`”’」』]"
    rf"|(?<!{_SIGN})(?P<bare>{_SIGN}{{4,64}}))"
)
_DENIED = re.compile(
    r"(?:\b(?:not|instead of|rather than|in place of|replac(?:es|ed|ing)|used to be"
    r"|formerly"
    r"|(?:i|i'd|i had|you|we) (?:first |had )?(?:wrote|typed))"
    r"(?: (?:it|you|the|an?|my|our|old|wrong|one|is|was))*"
    r"|不是|(?<!说)不再?是|(?:原[来先]|以前|之前)(?:是|[写打填]的?是?)|旧的是)"
    rf"[\s:]*{_VALUE}",
    re.IGNORECASE,
)
_FAULTED = re.compile(
    rf"{_VALUE}[\s,:，–—-]*(?:(?:that|it|i|is|was|were|has|being|been|got|now) )*"
    r"(?:wrong|outdated|stale|void|invalid|expired|revoked|rotated|mistyped|misspel\w+"
    r"|(?:a|my) (?:typo|mistake|slip)|(?:the |my |our )?old (?:one|pass|key|code|token)"
    r"|no (?:longer|good)|not (?:right|valid|any ?more)|doesn'?t work|does not work"
    r"|stopped working|作废|[打写]?错|不对|已?过期|已?失效|不[用能]了|没用了|是旧的|停用)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    rf"[\"'`”’」』]?[\s,，;；]*(?:but|而是|→|->)(?: (?:it'?s|rather))?\s*{_VALUE}",
    re.IGNORECASE,
)
_NOT = re.compile(r"\bnot\b|n't\b|不是", re.IGNORECASE)
_JUST_BEFORE = 24


def contrasts(text: str, found: Sequence[Secret]) -> Iterator[Secret]:
    """Yield what *text* says in the place of one of *found*, or has one stand for."""
    for secret in islice(found, _MOST):
        if secret.kind.startswith("secret:"):
            value = text[secret.start : secret.end]
            for told in _told(text, secret):
                if _is_alike(told, value):
                    yield Secret(*_span(told), secret.kind)


def _told(text: str, secret: Secret) -> Iterator[re.Match[str]]:
    start, end = max(0, secret.start - _NEAR), secret.end + _NEAR
    yield from _DENIED.finditer(text, start, end)
    yield from _FAULTED.finditer(text, start, end)
    if _NOT.search(text, max(0, secret.start - _JUST_BEFORE), secret.start):
        yield from filter(None, [_INSTEAD.match(text, secret.end)])


def _is_alike(told: re.Match[str], value: str) -> bool:
    """Say whether what is *told* may stand for *value*: made up, or a number as long."""
    if told["quoted"]:
        return not is_ordinary_word(told["quoted"])
    other = told["bare"].rstrip(".?")
    if value.isdigit():
        return other.isdigit() and len(other) == len(value)
    return is_mixed(other) and not (is_numbered_word(other) or is_hash(other))


def _span(told: re.Match[str]) -> tuple[int, int]:
    name = "quoted" if told["quoted"] else "bare"
    return told.start(name), told.end(name) - told[name].endswith((".", "?"))
