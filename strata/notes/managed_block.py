"""Blocks of our own in a file that belongs to somebody else."""

from __future__ import annotations

import re

_BEGIN = "<!-- strata:begin (managed by `{by}`; changes in here are replaced) -->"
INSTALL = "strata install"
BEGIN = _BEGIN.format(by=INSTALL)
END = "<!-- strata:end -->"

_REST = r"\r?\n(.*?)^<!-- strata:end -->(?:\r?\n)?"
# Whatever an earlier version wrote into the first line of it.
_ANY = re.compile(rf"^<!-- strata:begin\b[^\r\n]*-->{_REST}", re.MULTILINE | re.DOTALL)


def with_block(text: str, content: str, *, by: str = INSTALL) -> str:
    """
    Return *text* with *content* in our block: in its place, or at the end.

    *by* is the command that manages it; a file may have a block of each of several.
    """
    lines = f"{_BEGIN.format(by=by)}\n{content.strip()}\n{END}\n"
    block = lines.replace("\n", _newline(text))
    if _block(by).search(text):
        return _block(by).sub(lambda _found: block, text, count=1)
    return f"{text}{separator(text)}{block}"


def without_block(text: str, added: str, *, by: str = INSTALL) -> str:
    """Return *text* without our block, and without *added*, which led to it."""
    found = _block(by).search(text)
    if not found:
        return text
    return text[: found.start()].removesuffix(added) + text[found.end() :]


def block_in(text: str, *, by: str = INSTALL) -> str | None:
    """Return what stands in our block, None where there is none."""
    found = _block(by).search(text)
    return found[1].replace("\r\n", "\n").strip() if found else None


def has_block(text: str) -> bool:
    """Say whether any block of ours stands in *text*, whatever manages it."""
    return bool(_ANY.search(text))


def separator(text: str) -> str:
    """Return what comes between *text* and a block at its end: one empty line."""
    newline = _newline(text)
    if not text:
        return ""
    return newline if text.endswith("\n") else newline * 2


def _block(by: str) -> re.Pattern[str]:
    if by == INSTALL:
        return _ANY
    head = re.escape(_BEGIN.format(by=by))
    return re.compile(f"^{head}{_REST}", re.MULTILINE | re.DOTALL)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
