"""Chinese in traditional characters is read as if it were written in simplified ones."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from strata.patterns import pattern

# Two lines, a traditional character above its simplified one: the first choice of OpenCC's
# TSCharacters (Apache-2.0). Characters alone will do, for nobody reads what comes out.
_TABLE = Path(__file__).with_suffix(".txt")
_HAN = pattern("[\u3400-\u9fff\uf900-\ufaff]")


def has_han(text: str) -> bool:
    """Tell whether *text* has any Chinese character."""
    return not text.isascii() and _HAN.search(text) is not None


def simplified(text: str) -> str:
    """Return *text* with each traditional character as its simplified one."""
    return text.translate(_table()) if has_han(text) else text


@cache
def _table() -> dict[int, str]:
    traditional, simple = _TABLE.read_text(encoding="utf-8").split()
    return dict(zip(map(ord, traditional), simple, strict=True))
