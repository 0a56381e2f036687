"""Secrets that only their place gives away: beside another, or told apart from one."""

from __future__ import annotations

import re
from itertools import chain, islice
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
_HALVES = {row["kind"]: re.compile(row["form"]) for row in rows("formats", "half")}
_SHORTEST_FOLDED = 12
_NEVER_FOLDED = frozenset({"secret:password", "secret:passcode", "secret:private-key"})


def neighbours(view: View, found: Sequence[Secret]) -> Iterator[Secret]:
    """Yield what in *view* belongs to the secrets *found*, or repeats them."""
    text = view.text
    for secret in islice(found, _MOST):
        if secret.kind.startswith("secret:"):
            yield from _contrasts(text, secret)
    for value, kind in islice(
        {text[s.start : s.end]: s.kind for s in found}.items(), _MOST
    ):
        if is_mixed(value):
            for again in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text):
                yield Secret(*again.span(), kind)
    for secret in found:
        yield from _other_half(text, secret)
        whole = secret.kind.startswith("personal:") or secret.kind in _NEVER_FOLDED
        if not whole and secret.end - secret.start >= _SHORTEST_FOLDED:
            yield Secret(secret.start, end_of_folds(text, secret.end), secret.kind)


def _other_half(text: str, secret: Secret) -> Iterator[Secret]:
    """Yield the secret half that goes with the public half of a cloud key."""
    if half := _HALVES.get(secret.kind):
        for match in half.finditer(text, secret.end, secret.end + _HALVES_NEAR):
            if _looks_made(match[0]):
                yield Secret(*match.span(), "secret:cloud-secret-key")


def _looks_made(value: str) -> bool:
    digits = any(sign.isdigit() for sign in value)
    return digits and not value.isdigit() and (not is_hash(value) or len(value) == 32)  # noqa: PLR2004


def _contrasts(text: str, secret: Secret) -> Iterator[Secret]:
    """Yield what *text* says in the place of *secret*, or has it stand for."""
    start, end = max(0, secret.start - _NEAR), secret.end + _NEAR
    told = chain(
        CONTRASTS.denied.finditer(text, start, end),
        CONTRASTS.faulted.finditer(text, start, end),
    )
    if CONTRASTS.denies.search(text, max(0, secret.start - _JUST_BEFORE), secret.start):
        told = chain(told, filter(None, [CONTRASTS.instead.match(text, secret.end)]))
    for other in told:
        name = "quoted" if other["quoted"] else "bare"
        value = other[name].rstrip(".?")
        if _is_alike(value, name, text[secret.start : secret.end]):
            yield Secret(other.start(name), other.start(name) + len(value), secret.kind)


def _is_alike(other: str, name: str, value: str) -> bool:
    """Say whether *other* may stand for *value*: made up, or a number as long."""
    if name == "quoted":
        return not is_ordinary_word(other)
    if value.isdigit():
        return other.isdigit() and len(other) == len(value)
    return is_mixed(other) and not (is_a("numbered_word", other) or is_hash(other))
