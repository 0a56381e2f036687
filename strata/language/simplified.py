"""Chinese in traditional characters is read as if it were written in simplified ones."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from strata.patterns import pattern

# A line of OpenCC's is a traditional character and its simplified ones, the likeliest
# first. Characters alone will do, for nobody reads what comes out; and so does the file,
# for the package takes longer to import than that to read.
_PACKAGE, _TABLE = "opencc", "dictionary/TSCharacters.txt"
_HAN = pattern("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")


def has_han(text: str) -> bool:
    """Tell whether *text* has any Chinese character."""
    return not text.isascii() and _HAN.search(text) is not None


def simplified(text: str) -> str:
    """Return *text* with each traditional character as its simplified one."""
    if text.isascii():
        return text
    # To look up each sign takes longer than to find those that are worth it.
    return _HAN.sub(lambda found: found[0].translate(_table()), text)


@cache
def _table() -> dict[int, str]:
    found = find_spec(_PACKAGE)
    with suppress(OSError):
        if found and found.origin:
            file = Path(found.origin).parent / _TABLE
            pairs = (line.split() for line in file.read_text("utf-8").splitlines())
            return {ord(old): new for old, new, *_ in pairs if len(old) == 1}
    return {}
