"""One block of our own in a file that belongs to somebody else."""

from __future__ import annotations

import re

BEGIN = (
    "<!-- strata:begin (managed by `strata install`; changes in here are replaced) -->"
)
END = "<!-- strata:end -->"

_BLOCK = re.compile(
    r"^<!-- strata:begin\b[^\r\n]*-->\r?\n(.*?)^<!-- strata:end -->(?:\r?\n)?",
    re.MULTILINE | re.DOTALL,
)


def with_block(text: str, content: str) -> str:
    """Return *text* with *content* in our block: in its place, or at the end."""
    lines = f"{BEGIN}\n{content.strip()}\n{END}\n"
    block = lines.replace("\n", _newline(text))
    if _BLOCK.search(text):
        return _BLOCK.sub(lambda _found: block, text, count=1)
    return f"{text}{separator(text)}{block}"


def without_block(text: str, added: str) -> str:
    """Return *text* without our block, and without *added*, which led to it."""
    found = _BLOCK.search(text)
    if not found:
        return text
    return text[: found.start()].removesuffix(added) + text[found.end() :]


def block_in(text: str) -> str | None:
    """Return what stands in our block, None where there is none."""
    found = _BLOCK.search(text)
    return found[1].replace("\r\n", "\n").strip() if found else None


def separator(text: str) -> str:
    """Return what comes between *text* and a block at its end: one empty line."""
    newline = _newline(text)
    if not text:
        return ""
    return newline if text.endswith("\n") else newline * 2


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
