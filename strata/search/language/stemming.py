"""English words without their endings."""

from __future__ import annotations

import importlib
import sys
from functools import lru_cache
from importlib.util import find_spec
from types import ModuleType
from typing import Any

_PACKAGE = "snowballstemmer"


def stem(word: str) -> str:
    """Return the stem of *word*, which is in lower case and ASCII letters alone."""
    stemmed: str = _stemmer().stemWord(word)
    return stemmed


@lru_cache(maxsize=1)
def _stemmer() -> Any:  # Any: snowballstemmer ships no types
    """
    Load the English stemmer alone.

    The package itself imports those of 38 languages, 10 ms of every question; so an empty
    package stands in for it meanwhile.
    """
    found = find_spec(_PACKAGE)
    if found is None or _PACKAGE in sys.modules:
        return importlib.import_module(_PACKAGE).stemmer("english")
    front = ModuleType(_PACKAGE)
    front.__path__ = list(found.submodule_search_locations or [])
    sys.modules[_PACKAGE] = front
    try:
        return importlib.import_module(f"{_PACKAGE}.english_stemmer").EnglishStemmer()
    finally:
        del sys.modules[_PACKAGE]
