"""Which sentences of English there are in what a Chinese owner reads."""

from __future__ import annotations

import re

# What is no sentence: commands, quotations, options, paths and addresses.
_CODE = re.compile(
    r"`[^`\n]*`|'[^'\n]*'|“[^”\n]*”|\"[^\"\n]*\"|--?[a-z][\w-]*|[\w.~⟦-]*[/#:._][^\s，。；]*"
)
_ENGLISH = re.compile(r"[A-Za-z][a-z’']*(?:,? [A-Za-z][a-z’']*){3,}")


def english_in(told: str) -> list[str]:
    """
    Runs of four or more English words, outside what is quoted or a name.
    """
    return _ENGLISH.findall(_CODE.sub("·", told))
