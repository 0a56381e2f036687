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

# Runs are searched in a copy with one byte per character and one letter for all that keys
# are made of; a fixed string is found about ten times as fast as a class of characters.
_KEY_CHARACTERS = bytes(
    ord("a") if chr(code).isalnum() or chr(code) in "_-" else ord(" ")
    for code in range(128)
) + b" " * 128
_LONG_RUN = re.compile(b"a" * 16 + b"a*")
# Some formats have a part in front of the long one: "SG.", "8585841574:", "….atlasv1.".
_LEAD_CHARACTERS = 40

# A few made-up letters are enough to tell "ghp_xxxxxxxx" or "sk-your-key" from a key.
_MADE_UP = re.compile(r"(?i)x{5}|your|\.\.\.|\*\*\*|0{9}|1234567890?abcdef|placeholder")
_FEWEST_DIFFERENT = 6


def long_runs(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of all runs of 16 or more letters, digits, ``_`` and ``-``."""
    shape = text.encode("ascii", "replace").translate(_KEY_CHARACTERS)
    for match in _LONG_RUN.finditer(shape):
        yield match.span()


def vendor_keys(view: View) -> Iterator[Secret]:
    """Yield the keys in *view* that known services make."""
    for start, end, kind in keys_in(view.text):
        yield Secret(start, end, f"secret:{kind}")


def keys_in(text: str, *, anywhere: bool = False) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and kind of each key in *text*, *anywhere* even within a word."""
    done = 0
    beginnings = _beginnings(anywhere=anywhere)
    for run_start, run_end in long_runs(text):
        lead = _LEAD_CHARACTERS if text[run_start - 1 : run_start] in ".:/~" else 0
        for beginning in beginnings.finditer(text, max(done, run_start - lead), run_end):
            if beginning.start() < done:
                continue
            if key := _keys().match(text, beginning.start()):
                if not _is_made_up(text[beginning.end() : key.end()]):
                    yield key.start(), key.end(), _kinds()[key.lastindex or 0]
                done = key.end()


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
def _beginnings(*, anywhere: bool) -> re.Pattern[str]:
    boundary = "" if anywhere else "(?<![A-Za-z0-9])"
    return re.compile(f"{boundary}(?:{'|'.join(start for _, start, _ in FORMATS)})")


@cache
def _keys() -> re.Pattern[str]:
    return re.compile("|".join(f"({start}{rest})" for _, start, rest in FORMATS))


@cache
def _kinds() -> tuple[str, ...]:
    return ("", *(kind for kind, _, _ in FORMATS))
