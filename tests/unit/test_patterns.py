"""Patterns wait for their first use, and are what `re` makes of them."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from strata import patterns
from strata.parsed import FORMS
from strata.patterns import pattern

PACKAGE = Path(patterns.__file__).parent
USES = re.compile(r"\b(?:pattern|cues?)\(")
MODULES = [
    importlib.import_module(
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    )
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.name != "__init__.py" and USES.search(path.read_text("utf-8"))
]


def test_pattern_is_compiled_when_it_is_used() -> None:
    """
    Nothing is asked of its source before, and once is enough.
    """
    asked: list[str] = []

    def source() -> str:
        asked.append("once")
        return r"(?P<day>\d+)"

    day = pattern(source)
    assert asked == []

    found = [match["day"] for match in day.finditer("on 3 and 14")]

    assert found == ["3", "14"]
    assert (day.pattern, day.flags, day.groups) == (r"(?P<day>\d+)", re.UNICODE, 1)
    assert day.fullmatch("x") is None
    assert asked == ["once"]


def test_flags_are_kept() -> None:
    """
    A pattern is compiled with the flags that it was given.
    """
    assert pattern("pnpm", re.IGNORECASE).search("Use PNPM")
    assert not pattern("pnpm").search("Use PNPM")


def test_wrong_pattern_says_so() -> None:
    """
    What is no pattern fails where it is used, each time.
    """
    wrong = pattern("(")

    for _ in range(2):
        with pytest.raises(re.error):
            wrong.search("text")


def test_every_pattern_of_the_package_can_be_compiled() -> None:
    """
    A mistake in a pattern, or in the name of a cue, does not wait for its first use.
    """
    values = [value for module in MODULES for value in vars(module).values()]
    listed = [each for value in values if isinstance(value, tuple) for each in value]
    late = [each for each in (*values, *listed) if type(each).__name__ == "_Pattern"]

    assert len(late) > 150
    for each in late:
        each.search("")


def test_cases_are_ignored_beside_chinese_characters() -> None:
    """
    A pattern with a class of Chinese characters finds what it would find anyway.
    """
    found = pattern(r"(?<=[\u4e00-\u9fff])pnpm|[\u3400-\u9fff]+", re.IGNORECASE)

    assert found.findall("用PNPM, 别用 npm") == ["用", "PNPM", "别用"]


def test_program_that_is_none_is_compiled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    What was kept of a pattern is checked, and `re` has the last word.
    """
    wrong: tuple[object, ...] = (re.UNICODE.value, b"\xff" * 64, 0, {}, (None,))
    monkeypatch.setattr(FORMS, "of", lambda *_: wrong)

    assert pattern("pn?pm").findall("pnpm, ppm") == ["pnpm", "ppm"]
