"""Secrets that only their place gives away: next to a key's id, or on the next line."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.contrasts import contrasts
from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.reading import end_of_folds
from strata.transcripts.secret_rules.values import is_hash, is_mixed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.transcripts.secret_rules.view import View

# The public half of a cloud key, and how long the secret half is that comes with it.
_SECRET_HALVES = {
    "secret:aws-access-key": re.compile(r"(?<![\w+/=])[A-Za-z0-9+/]{40}(?![\w+/=])"),
    "secret:aliyun-access-key": re.compile(r"(?<![\w+/=])[A-Za-z0-9]{30}(?![\w+/=])"),
    "secret:tencent-secret-id": re.compile(r"(?<![\w+/=])[A-Za-z0-9]{32}(?![\w+/=])"),
    "secret:volcengine-access-key": re.compile(
        r"(?<![\w+/=])[A-Za-z0-9+/]{40,80}={0,2}"
    ),
}
_NEAR = 240
# Looking for every one of thousands of values would take a minute.
_MOST_REPEATED = 50

_SHORTEST_FOLDED = 12
_NEVER_FOLDED = frozenset({"secret:password", "secret:passcode", "secret:private-key"})


def neighbours(view: View, found: Sequence[Secret]) -> Iterator[Secret]:
    """Yield what in *view* belongs to the secrets *found*, or repeats them."""
    yield from _repeated(view.text, found)
    yield from contrasts(view.text, found)
    for secret in found:
        if pattern := _SECRET_HALVES.get(secret.kind):
            end = min(len(view.text), secret.end + _NEAR)
            for match in pattern.finditer(view.text, secret.end, end):
                if _looks_made(match[0]):
                    yield Secret(*match.span(), "secret:cloud-secret-key")
        if secret.kind.startswith("personal:"):
            continue
        if (
            secret.kind not in _NEVER_FOLDED
            and secret.end - secret.start >= _SHORTEST_FOLDED
        ):
            end = end_of_folds(view.text, secret.end)
            yield Secret(secret.start, end, secret.kind)


def _repeated(text: str, found: Sequence[Secret]) -> Iterator[Secret]:
    kinds = {text[secret.start : secret.end]: secret.kind for secret in found}
    for value, kind in islice(kinds.items(), _MOST_REPEATED):
        if is_mixed(value):
            for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text):
                yield Secret(*match.span(), kind)


def _looks_made(value: str) -> bool:
    digits = any(sign.isdigit() for sign in value)
    return digits and not value.isdigit() and (not is_hash(value) or len(value) == 32)  # noqa: PLR2004
