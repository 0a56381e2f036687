"""
What agents write below a heading "Retain" of a daily note, line by line.

    - W @Anna: Anna moved to Porto.
    - B I moved the invoices to the new folder.
    - O(c=0.8) @Electron: The user does not like Electron.
    - S A day of moving house.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from strata.models import Retained, Tag
from strata.notes.daily import items
from strata.notes.entries import one_line
from strata.notes.headings import RETAIN
from strata.notes.words import LANGUAGES, words_in
from strata.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.notes.daily import Item

# What the world is like, what the agent did, what the owner thinks, and a summary.
WORLD, DONE, OPINION, SUMMARY = KINDS = ("W", "B", "O", "S")
# So many lines of a note are read: whoever writes more retains nothing.
MOST = 50
# Why a line is not read.
LETTER, SURE, NAMES, TEXT, MANY = WHYS = ("letter", "sure", "names", "text", "many")

# "O'Brien" and "W-2" are no kinds.
_LETTER = pattern(r"([A-Z\uff21-\uff3a])(?=[\s(\uff08@\uff20:\uff1a]|$)", re.IGNORECASE)
_SURE = pattern(
    r"\s*[(\uff08]\s*[c\uff43]\s*[=\uff1d]([^()\uff08\uff09]{0,40})[)\uff09]",
    re.IGNORECASE,
)
_CHANCE = pattern(r"\s*([01](?:\.\d{1,6})?|\.\d{1,6})\s*")
_AT = pattern(r"[@\uff20]")
# As many as are tagged, up to the colon, which is not that of a time.
_NAMES = pattern(r"(?:[@\uff20][^@\uff20:\uff1a]{1,80}){1,8}[:\uff1a](?!\d)")
_HANZI = pattern(r"[\u3400-\u9fff]")
_AROUND = " \t,;\uff0c\uff1b\u3001"
_TAGS = {WORLD: Tag.FINDING, DONE: Tag.FINDING, OPINION: Tag.PREFERENCE}


def retained_in(note: str) -> Iterator[tuple[Item, Retained | str]]:
    """Yield every line below "Retain" in *note*: what it says, or why it is not read."""
    # Few notes have any, and to look at each line takes longer.
    found = items(note) if RETAIN in note.casefold() else iter(())
    return ((each, read_retained(each)) for each in found if each.retained)


def read_retained(item: Item) -> Retained | str:
    """Return what *item* says, or which of `WHYS` it is that it is not read for."""
    return MANY if item.retained > MOST else parse_retained(item.said)


def parse_retained(said: str) -> Retained | str:
    """
    Return what the line *said*, without its bullet, tells; or which of `WHYS` is why not.

    Letters, brackets, colons and signs may be as wide as hanzi.
    """
    found = _LETTER.match(said)
    kind = unicodedata.normalize("NFKC", found[1]).upper() if found else ""
    if found is None or kind not in KINDS:
        return LETTER
    rest, sure = said[found.end() :], 1.0
    if bracket := _SURE.match(rest):
        chance = _CHANCE.fullmatch(unicodedata.normalize("NFKC", bracket[1]))
        sure, rest = float(chance[1]) if chance else -1.0, rest[bracket.end() :]
    if not 0 <= sure <= 1:
        return SURE
    rest, names = rest.lstrip(), list[str]()
    if _AT.match(rest):
        tagged = _NAMES.match(rest)
        names = _names(tagged[0][:-1]) if tagged else []
        if tagged is None or not names:
            return NAMES
        rest = rest[tagged.end() :]
    text = one_line(rest.lstrip(" \t:\uff1a"))
    if not any(map(str.isalnum, text)):
        return TEXT
    return Retained(kind, text, tuple(filter(_is_another, names)), sure)


def tag_of(retained: Retained) -> Tag:
    """Return the tag that an entry would have that says what *retained* does."""
    return _TAGS.get(retained.kind, Tag.FINDING)


def said_by_retained(retained: Retained) -> str:
    """Return what *retained* says, with whom it is tagged with and does not name itself."""
    return _told_of(missing_names(retained), retained.text)


def missing_names(retained: Retained) -> list[str]:
    """Return whom *retained* is tagged with and does not name in its text."""
    text = retained.text.casefold()
    return [each for each in retained.names if each.casefold() not in text]


def shown_retained(retained: Retained) -> str:
    """Return *retained* as a page shows it, its names tagged."""
    return _told_of([f"@{each}" for each in retained.names], retained.text)


def _told_of(names: list[str], text: str) -> str:
    if not names:
        return text
    between, after = ("、", "\uff1a") if _HANZI.search(text) else (", ", ": ")
    return f"{between.join(names)}{after}{text}"


def _names(tagged: str) -> list[str]:
    """Return the names in *tagged*, none where one of them is empty."""
    names = [one_line(each.strip(_AROUND)) for each in _AT.split(tagged)[1:]]
    return names if all(any(map(str.isalnum, each)) for each in names) else []


def _is_another(name: str) -> bool:
    """Say whether *name* is not just a word for the owner."""
    own = (words_in(each).owner for each in LANGUAGES)
    return not any(name.casefold() in each for each in own)
