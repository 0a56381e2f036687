"""A memory file as its lines, numbered as editors and citations number them."""

from __future__ import annotations

import re

# Ideographs, kana, hangul and the scripts that, like them, put no space between words.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_UNSPACED = re.compile(f"[{UNSPACED}]")
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


def token_count(text: str) -> int:
    """Estimate the tokens of *text*: a CJK character is one, four others are one."""
    unspaced = unspaced_count(text)
    return (
        unspaced + (len(text) - unspaced + _LETTERS_PER_TOKEN - 1) // _LETTERS_PER_TOKEN
    )


def unspaced_count(text: str) -> int:
    """Count the characters of scripts without spaces between words, such as Chinese."""
    return 0 if text.isascii() else len(_UNSPACED.findall(text))
