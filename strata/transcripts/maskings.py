"""What redaction took out of a message, so that its owner can see it was wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.models import Masking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Protocol

    class Allowing(Protocol):
        """Says which values may stay, and by which hash it knows a value."""

        def __call__(self, value: str, /) -> bool: ...

        def digest(self, value: str, /) -> str: ...

        @property
        def state(self) -> str: ...


_PLACEHOLDER = re.compile(r"⟦(?P<kind>(?:secret|personal):[a-z0-9-]{1,40})⟧")
_BY_THE_OWNER = "personal:never-stored"
_AROUND = 60
_TOKEN = re.compile(r"\S+")
# What may be (a part of) another secret, which nobody has recognised: no ordinary word.
_NO_WORD = re.compile(r"[\d@#$%^&*_=+/\\|~<>{}\[\]]|[a-z][A-Z]|[!-~]{25}")
_LEFT_OUT = "…"


def maskings(
    original: str, redacted: str, digest: Callable[[str], str]
) -> tuple[Masking, ...]:
    """Return what stands in *original* where *redacted* has placeholders of its own."""
    if "⟦" not in redacted or original == redacted:
        return ()
    return tuple(
        Masking(found["kind"], _words(redacted, found), digest(value))
        for found, value in _values(original, redacted)
        if found["kind"] != _BY_THE_OWNER and not value.startswith("⟦")
    )


def _values(original: str, redacted: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yield each placeholder with its value; stop where they can no longer be paired."""
    placeholders = list(_PLACEHOLDER.finditer(redacted))
    ends = [each.start() for each in placeholders[1:]] + [len(redacted)]
    at = placeholders[0].start() if placeholders else 0
    if original[:at] != redacted[:at]:
        return
    for found, end in zip(placeholders, ends, strict=True):
        between = redacted[found.end() : end]
        if end == len(redacted):
            stop = len(original) - len(between)
            whole = stop > at and original.endswith(between)
        else:
            stop = original.find(between, at + 1)
            whole = bool(between) and stop > at
        if not whole:
            return
        yield found, original[at:stop]
        at = stop + len(between)


def _words(redacted: str, found: re.Match[str]) -> str:
    """Return the ordinary words around a placeholder: they must tell no other secret."""
    start, end = max(0, found.start() - _AROUND), found.end() + _AROUND
    before = redacted[start : found.start()].partition(" ") if start else ("", "", "")
    left = before[2] if start and before[1] else redacted[start : found.start()]
    right = redacted[found.end() : end]
    if end < len(redacted) and " " in right:
        right = right.rpartition(" ")[0]
    return f"{_ordinary(left)}{found[0]}{_ordinary(right)}"


def _ordinary(text: str) -> str:
    pieces: list[str] = []
    done = 0
    for found in _PLACEHOLDER.finditer(text):
        pieces += (_plain(text[done : found.start()]), found[0])
        done = found.end()
    return "".join((*pieces, _plain(text[done:])))


def _plain(text: str) -> str:
    return _TOKEN.sub(
        lambda token: _LEFT_OUT if _NO_WORD.search(token[0]) else token[0], text
    )
