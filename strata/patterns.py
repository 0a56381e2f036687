"""Patterns that are compiled when they are first used: a run needs few of them."""

from __future__ import annotations

import re
from array import array
from typing import TYPE_CHECKING, Any, cast

from strata.parsed import FORMS

if TYPE_CHECKING:
    from collections.abc import Callable

# They have no cases, of which `re` would ask each of thousands: 2 ms.
_HANZI = (r"[\u3400-\u9fff]", r"[\u4e00-\u9fff]")
_ATTRIBUTES = [name for name in dir(re.Pattern) if not name.startswith("_")]


def pattern(source: str | Callable[[], str], flags: int = 0) -> re.Pattern[str]:
    """
    Return the pattern *source*, or what gives it, to be compiled by whoever uses it first.

    All patterns together take a quarter of a second, and one message needs a third of them.
    It is no argument for the functions of `re`.
    """
    # It has every attribute of a pattern, but no class can inherit from that.
    return cast("re.Pattern[str]", _Pattern(source, flags))


class _Pattern:
    def __init__(self, source: str | Callable[[], str], flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:  # Any: whatever a pattern has
        if name.startswith("__"):
            raise AttributeError(name)
        source = self._source if isinstance(self._source, str) else self._source()
        if self._flags & re.IGNORECASE:
            for each in _HANZI:
                source = source.replace(each, f"(?-i:{each})")
        compiled = _compiled(source, self._flags)
        # From now on each is found here, as quickly as in the pattern itself.
        for each in _ATTRIBUTES:
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)


def _compiled(source: str, flags: int) -> re.Pattern[str]:
    """Compile *source*, or take what that came to the last time: a tenth of the time."""
    try:
        # CPython's own, of which `re` is made.
        import _sre  # type: ignore[import-not-found]  # noqa: PLC0415

        whole, code, *names = FORMS.of(f"{int(flags)} {source}", _code)
        # Any: an inner part of Python; it refuses a program that is none.
        build: Any = _sre.compile
        made: re.Pattern[str] = build(source, whole, array("I", code).tolist(), *names)
    except (ImportError, AttributeError, TypeError, ValueError, RuntimeError):
        return re.compile(source, flags)
    return made


def _code(flags_and_source: str) -> tuple[int, bytes, int, dict[str, int], Any]:
    """Do what `re` does, up to the program of a pattern."""
    from re import _compiler, _parser  # type: ignore[attr-defined]  # noqa: PLC0415

    flags, _, source = flags_and_source.partition(" ")
    parsed = _parser.parse(source, int(flags))
    code: list[int] = _compiler._code(parsed, int(flags))  # noqa: SLF001 - as `re` calls it
    state = parsed.state
    names = [None] * state.groups
    for name, number in state.groupdict.items():
        names[number] = name
    place = (state.groups - 1, dict(state.groupdict), tuple(names))
    return int(int(flags) | state.flags), array("I", code).tobytes(), *place
