"""Secrets that only their place gives away: next to a key's id, or on the next line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.values import is_hash, is_identifier

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.transcripts.secret_rules.view import View

# The public half of a cloud key, and how long the secret half is that comes with it.
_SECRET_HALVES = {
    "secret:aws-access-key": re.compile(r"(?<![\w+/=])[A-Za-z0-9+/]{40}(?![\w+/=])"),
    "secret:aliyun-access-key": re.compile(r"(?<![\w+/=])[A-Za-z0-9]{30}(?![\w+/=])"),
    "secret:tencent-secret-id": re.compile(r"(?<![\w+/=])[A-Za-z0-9]{32}(?![\w+/=])"),
    "secret:volcengine-access-key": re.compile(r"(?<![\w+/=])[A-Za-z0-9+/]{40,80}={0,2}"),
}
_NEAR = 240

# A value that the terminal or its author folded: what stands on the next line alone.
_FOLDED = re.compile(
    r"""(?P<mark>["'`]?[ \t]{0,4}[\\+]?[ \t]{0,4})\r?\n[ \t>|]{0,40}["'`]?"""
    r"""(?P<rest>[A-Za-z0-9+/=_.-]{4,400})(?=["'`]?[ \t]{0,4}[\\+,;]?[ \t]{0,4}(?:\r?\n|\Z)|["'`,;])"""
)
_MOST_FOLDS = 40
_FOLDED_LENGTH = 16


def neighbours(view: View, found: Iterable[Secret]) -> Iterator[Secret]:
    """Yield what in *view* belongs to the secrets *found*."""
    for secret in found:
        if pattern := _SECRET_HALVES.get(secret.kind):
            end = min(len(view.text), secret.end + _NEAR)
            for match in pattern.finditer(view.text, secret.end, end):
                if _looks_made(match[0]):
                    yield Secret(*match.span(), "secret:cloud-secret-key")
        if secret.kind.startswith("secret:") and (end := _end_of_folds(view.text, secret)):
            yield Secret(secret.start, end, secret.kind)


def _looks_made(value: str) -> bool:
    digits = any(sign.isdigit() for sign in value)
    return digits and not value.isdigit() and (not is_hash(value) or len(value) == 32)  # noqa: PLR2004


def _end_of_folds(text: str, secret: Secret) -> int:
    end = 0
    for _ in range(_MOST_FOLDS):
        match = _FOLDED.match(text, end or secret.end)
        if not match or not _goes_on(text, secret, match):
            break
        end = match.end("rest")
    return end


def _goes_on(text: str, secret: Secret, match: re.Match[str]) -> bool:
    rest = match["rest"]
    if match["mark"].strip(" \t\"'`") or text[match.start() - 1] in "-_":
        return True
    if secret.end - secret.start < _FOLDED_LENGTH or is_identifier(rest) and "_" in rest:
        return False
    letters = any(sign.isalpha() for sign in rest)
    return letters and any(sign.isdigit() for sign in rest) and "=" not in rest.rstrip("=")
