"""
What takes long to parse, kept in its parsed form where Python keeps its compiled code.

Nothing rests on it: what is missing, of another Python or Strata, or damaged is parsed
anew.
"""

from __future__ import annotations

import atexit
import marshal
import os
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.bundle import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

_CODE = Path(cache_from_source(__file__))
FILE = _CODE.with_name(f"parsed-forms.{sys.implementation.cache_tag}.pyc")
# Patterns and tables that have changed since stay until there are so many.
_MOST = 5000
# What parses is of one Strata, and what `marshal` writes of one Python.
_MADE_BY = f"{VERSION} {sys.version}"


class Forms:
    """The forms in *file*, each by what it was parsed from, and by what."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: dict[str, bytes] | None = None
        self._new: dict[str, bytes] = {}

    def of(
        self, source: str, parse: Callable[[str], Any]
    ) -> Any:  # Any: what *parse* gives
        """Return what *parse*, a function of the module's top, makes of *source*."""
        key = f"{parse.__qualname__}\0{source}"
        if self._known is None:
            self._known = self._read()
        with suppress(KeyError, ValueError, EOFError, TypeError):
            return marshal.loads(self._known[key])  # noqa: S302 - as Python trusts its own
        form = parse(source)
        if not self._new and not sys.dont_write_bytecode:
            atexit.register(self.keep)
        with suppress(ValueError):  # it has a date, say
            self._new[key] = marshal.dumps(form)
        return form

    def keep(self) -> None:
        """Write what was parsed anew to the file, where that can be written."""
        forms = self._read() | self._new
        forms = forms if len(forms) <= _MOST else self._new
        part = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        with suppress(OSError):
            try:
                # It is loaded as it stands, so nobody else has to read or write it.
                descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                with open(descriptor, "wb") as file:  # noqa: PTH123 - has no path
                    marshal.dump((_MADE_BY, forms), file)
                part.replace(self._file)
            finally:
                part.unlink(missing_ok=True)

    def _read(self) -> dict[str, bytes]:
        with suppress(OSError, ValueError, EOFError, TypeError):
            made_by, forms = marshal.loads(self._file.read_bytes())  # noqa: S302 - the same
            if made_by == _MADE_BY:
                return dict(forms)
        return {}


FORMS = Forms(FILE)


def toml_table(text: str) -> dict[str, Any]:  # Any: what TOML may hold
    """Return what the TOML *text*, one of our own, says."""
    form: dict[str, Any] = FORMS.of(text, _toml)
    return form


def _toml(text: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - 3 ms

    return tomllib.loads(text)
