"""How many tokens a text has, near enough for budgets and caps."""

from __future__ import annotations

import re

# From Thai on: the scripts that put no space between words, and a few that do. One range,
# because a pattern that names each script takes 3 ms to compile.
UNSPACED = "[^\\x00-\u0dff]"
_UNSPACED = re.compile(UNSPACED)
_LETTERS_PER_TOKEN = 4


def token_count(text: str) -> int:
    """Estimate the tokens of *text*: a CJK character is one, four others are one."""
    unspaced = unspaced_count(text)
    return (
        unspaced + (len(text) - unspaced + _LETTERS_PER_TOKEN - 1) // _LETTERS_PER_TOKEN
    )


def unspaced_count(text: str) -> int:
    """Count the characters of scripts without spaces between words, such as Chinese."""
    return 0 if text.isascii() else len(_UNSPACED.findall(text))
