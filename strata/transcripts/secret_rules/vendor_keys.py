"""Keys and tokens that can be told by their own format."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.vendor_formats import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.view import View

# Some formats have a part in front of the long one: "SG.", "8585841574:", "….atlasv1.".
_LEAD_CHARACTERS = 40

# A few made-up letters are enough to tell "ghp_xxxxxxxx" or "sk-your-key" from a key.
_MADE_UP = re.compile(
    r"(?i)x{5}|your|\.\.\.|\*\*\*|0{9}|1234567890?abcdef|placeholder|iosfodnn7"
)
_FEWEST_DIFFERENT = 6


def vendor_keys(view: View) -> Iterator[Secret]:
    """Yield the keys in *view* that known services make."""
    for start, end, kind in keys_in(view):
        yield Secret(start, end, f"secret:{kind}")


def keys_in(view: View) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and kind of each key in *view*."""
    text, done = view.text, 0
    for run_start, run_end in view.runs:
        lead = _LEAD_CHARACTERS if text[run_start - 1 : run_start] in ".:/~" else 0
        first = max(done, run_start - lead)
        # A beginning such as that of a signed token ends with the dot behind the run.
        for beginning in _beginnings().finditer(text, first, run_end + 1):
            if beginning.start() < done:
                continue
            if key := _keys().match(text, beginning.start()):
                body = text[beginning.end() : key.end()]
                if not _is_made_up(body if len(body) > _FEWEST_DIFFERENT else key[0]):
                    yield key.start(), key.end(), _kinds()[key.lastindex or 0]
                done = key.end()


def may_begin_key(text: str) -> bool:
    """Say whether a key of a known format begins somewhere in *text*."""
    return _beginnings().search(text) is not None


def whole_key(text: str) -> bool:
    """Say whether *text* is one complete key and nothing else."""
    return _keys().fullmatch(text) is not None


def _is_made_up(body: str) -> bool:
    return (
        len(set(body[:64].lower())) < _FEWEST_DIFFERENT
        or _MADE_UP.search(body[:64]) is not None
    )


# Compiled when first needed: most commands never redact, and compiling takes a while.
@cache
def _beginnings() -> re.Pattern[str]:
    return re.compile(
        f"(?<![A-Za-z0-9])(?:{'|'.join(start for _, start, _ in FORMATS)})"
    )


@cache
def _keys() -> re.Pattern[str]:
    return re.compile("|".join(f"({start}{rest})" for _, start, rest in FORMATS))


@cache
def _kinds() -> tuple[str, ...]:
    return ("", *(kind for kind, _, _ in FORMATS))
