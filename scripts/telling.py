"""What is told before there is an environment, in the language of the machine."""

from __future__ import annotations

import os
import tomllib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "messages"
_TABLE = "environment"
_FALLBACK = "en"


def tell(key: str, **values: object) -> str:
    """Return the sentence *key* with *values* in its places."""
    return _sentences()[key].format(**values)


@cache
def _sentences() -> dict[str, str]:
    chosen = FOLDER / f"{language()}.toml"
    file = chosen if chosen.is_file() else FOLDER / f"{_FALLBACK}.toml"
    table: dict[str, str] = tomllib.loads(file.read_text(encoding="utf-8"))[_TABLE]
    return table


def language() -> str:
    """Return the language of the machine, found as by scripts/install and `strata`."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    told = next((os.environ[name] for name in names if os.environ.get(name)), "")
    return told.partition("_")[0].partition(".")[0].lower() or _FALLBACK
