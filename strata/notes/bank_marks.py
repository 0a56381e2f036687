"""How a page of the bank is known, and where on it the owner's own words begin."""

from __future__ import annotations

import re

# In the front matter of every page that Strata writes.
MARK = "made_by: strata"
# Above what a hand wrote, whatever the language of the heading.
YOURS = "<!-- strata:yours -->"
_FRONT = re.compile(r"\A---\r?\n(.*?)\r?\n---\r?\n", re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(.)")
_YOURS = re.compile(rf"^{re.escape(YOURS)}[ \t]*\r?(?:\n|\Z)", re.MULTILINE)


def is_page(text: str) -> bool:
    """Tell whether *text* is a page that Strata writes."""
    if not text.startswith("---"):
        return False
    found = _FRONT.match(text)
    return bool(found and MARK in found[1].splitlines())


def yours_in(text: str) -> str:
    """Return what stands on a page below what Strata writes, byte for byte."""
    found = _YOURS.search(text) if is_page(text) else None
    return text[found.end() :] if found else ""


def yours_from(text: str) -> int:
    """Return how many lines of a page are Strata's; all, where nothing is the owner's."""
    found = _YOURS.search(text)
    return text.count("\n", 0, found.end()) if found else text.count("\n") + 1


def names_on(text: str) -> list[str]:
    """Return the name and the aliases that a page has in its front matter."""
    found = _FRONT.match(text)
    rows = found[1].splitlines() if found else []
    told = "\n".join(row for row in rows if row.startswith(("name: ", "aliases: ")))
    return [_ESCAPED.sub(r"\1", each) for each in _QUOTED.findall(told)]
