"""Keys that a talk names by their form alone, so that none stands in the repository."""

from __future__ import annotations

import random
import re
import string
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_KEY = re.compile(r"\{key:(?P<start>[^:{}]*):(?P<length>\d+)\}")
_SIGNS = string.ascii_letters + string.digits


def filler(seed: str) -> Callable[[str], str]:
    """Return what puts a key in place of ``{key:PREFIX:LENGTH}``, the same each time."""
    numbers = random.Random(seed)  # noqa: S311 - made up
    keys: dict[str, str] = {}

    def key(found: re.Match[str]) -> str:
        return found["start"] + "".join(numbers.choices(_SIGNS, k=int(found["length"])))

    return lambda text: _KEY.sub(lambda m: keys.setdefault(m[0], key(m)), text)
