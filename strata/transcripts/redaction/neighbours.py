"""Secrets that only their place gives away: beside another, or told apart from one."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from strata.transcripts.redaction.spans import Secret
from strata.transcripts.redaction.tables import Patterns, rows
from strata.transcripts.redaction.values import (
    end_of_folds,
    is_a,
    is_hash,
    is_mixed,
    is_ordinary_word,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.transcripts.redaction.view import View

CONTRASTS = Patterns("told", "contrasts")
_NEAR, _JUST_BEFORE, _HALVES_NEAR = 160, 24, 240
# Looking around every one of thousands of values would take a minute.
_MOST = 50
_SECRET_HALVES = {
    row["kind"]: re.compile(row["form"]) for row in rows("formats", "half")
}
_SHORTEST_FOLDED = 12
_NEVER_FOLDED = frozenset({"secret:password", "secret:passcode", "secret:private-key"})


def neighbours(view: View, found: Sequence[Secret]) -> Iterator[Secret]:
    """Yield what in *view* belongs to the secrets *found*, or repeats them."""
    text = view.text
    yield from _repeated(text, found)
    yield from _contrasts(text, found)
    for secret in found:
        if half := _SECRET_HALVES.get(secret.kind):
            for match in half.finditer(text, secret.end, secret.end + _HALVES_NEAR):
                if _looks_made(match[0]):
                    yield Secret(*match.span(), "secret:cloud-secret-key")
        whole = secret.kind.startswith("personal:") or secret.kind in _NEVER_FOLDED
        if not whole and secret.end - secret.start >= _SHORTEST_FOLDED:
            yield Secret(secret.start, end_of_folds(text, secret.end), secret.kind)


def _repeated(text: str, found: Sequence[Secret]) -> Iterator[Secret]:
    kinds = {text[secret.start : secret.end]: secret.kind for secret in found}
    for value, kind in islice(kinds.items(), _MOST):
        if is_mixed(value):
            for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text):
                yield Secret(*match.span(), kind)


def _looks_made(value: str) -> bool:
    digits = any(sign.isdigit() for sign in value)
    return digits and not value.isdigit() and (not is_hash(value) or len(value) == 32)  # noqa: PLR2004


def _contrasts(text: str, found: Sequence[Secret]) -> Iterator[Secret]:
    """Yield what *text* says in the place of one of *found*, or has one stand for."""
    for secret in islice(found, _MOST):
        if secret.kind.startswith("secret:"):
            value = text[secret.start : secret.end]
            for told in _told(text, secret):
                if _is_alike(told, value):
                    yield Secret(*_span(told), secret.kind)


def _told(text: str, secret: Secret) -> Iterator[re.Match[str]]:
    start, end = max(0, secret.start - _NEAR), secret.end + _NEAR
    yield from CONTRASTS.denied.finditer(text, start, end)
    yield from CONTRASTS.faulted.finditer(text, start, end)
    if CONTRASTS.denies.search(text, max(0, secret.start - _JUST_BEFORE), secret.start):
        yield from filter(None, [CONTRASTS.instead.match(text, secret.end)])


def _is_alike(told: re.Match[str], value: str) -> bool:
    """Say whether what is *told* may stand for *value*: made up, or a number as long."""
    if told["quoted"]:
        return not is_ordinary_word(told["quoted"])
    other = told["bare"].rstrip(".?")
    if value.isdigit():
        return other.isdigit() and len(other) == len(value)
    return is_mixed(other) and not (is_a("numbered_word", other) or is_hash(other))


def _span(told: re.Match[str]) -> tuple[int, int]:
    name = "quoted" if told["quoted"] else "bare"
    return told.start(name), told.end(name) - told[name].endswith((".", "?"))
