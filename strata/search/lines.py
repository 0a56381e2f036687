"""A memory file as its lines, numbered as editors and citations number them."""

from __future__ import annotations

import re
import zlib

# From Thai on: the scripts that put no space between words, and a few that do. One range,
# because a pattern that names each script takes 3 ms to compile.
UNSPACED = "[^\\x00-\u0dff]"
_UNSPACED = re.compile(UNSPACED)
_LETTERS_PER_TOKEN = 4


def decode(content: bytes) -> str:
    """Read *content* as UTF-8; what is not UTF-8 becomes U+FFFD, never an error."""
    return content.decode("utf-8-sig", errors="replace")


def split_lines(text: str) -> list[str]:
    """
    Split *text* at line feeds alone and drop the carriage returns before them.

    `str.splitlines` would also split at form feeds and U+2028, and every number after
    one would differ from the editor's.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def checksum(text: str) -> int:
    """Return a number by which a changed text is noticed."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def token_count(text: str) -> int:
    """Estimate the tokens of *text*: a CJK character is one, four others are one."""
    unspaced = unspaced_count(text)
    return (
        unspaced + (len(text) - unspaced + _LETTERS_PER_TOKEN - 1) // _LETTERS_PER_TOKEN
    )


def unspaced_count(text: str) -> int:
    """Count the characters of scripts without spaces between words, such as Chinese."""
    return 0 if text.isascii() else len(_UNSPACED.findall(text))
