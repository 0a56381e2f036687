"""What Strata tells its owner: sentences by key, from `messages/*.toml` by language."""

from __future__ import annotations

import re
import sys
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Any, Self

from strata.bundle import BUNDLE
from strata.parsed import toml_table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    # A sentence, or a table of its forms: "one" and "other", by the value `count`.
    Template = str | Mapping[str, str]

FOLDER = BUNDLE / "messages"
# Every key is in this language; another may lack some.
FALLBACK = "en"
# Tells the language of the owner for whom something is done; English where nobody knows.
SPOKEN: ContextVar[Callable[[], str]] = ContextVar("SPOKEN", default=lambda: FALLBACK)
_HEAD = re.compile(r"^\[([^\[\]\n]+)\]$", re.MULTILINE)


class Notice(str):
    """
    A sentence as data: a *key* such as ``sync.no-conversation``, and what it speaks of.

    It reads as its English, for logs and programs; `said` words it for a person. Values
    may be notices, errors that carry one, and lists of them.
    """

    __slots__ = ("key", "values")
    key: str
    values: dict[str, Any]  # Any: whatever a sentence can speak of

    def __new__(cls, key: str, /, **values: Any) -> Self:  # Any: see above
        """Return the sentence *key* with *values* in its places."""
        notice = super().__new__(cls, text(FALLBACK, key, **values))
        notice.key, notice.values = key, values
        return notice

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        # A copy that leaves the process, or goes into a document, is mere text.
        return str, (str(self),)

    def said(self, language: str) -> str:
        """Return the sentence in *language*."""
        return text(language, self.key, **self.values)


def languages() -> list[str]:
    """Return the languages in which the owner can be spoken to."""
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


def worded(told: object, language: str = "") -> str:
    """Return *told*, a notice or an error that carries one, in the owner's *language*."""
    return str(_value(told, language or SPOKEN.get()()))


def text(language: str, key: str, /, **values: Any) -> str:  # Any: see `Notice`
    """Return the sentence *key* in *language*, or in English where it is missing."""
    table, _, name = key.rpartition(".")
    template = table_of(language, table).get(name)
    if template is None:
        template = table_of(FALLBACK, table)[name]
    if not isinstance(template, str):
        template = template["one" if values.get("count") == 1 else "other"]
    return template.format(**{k: _value(v, language) for k, v in values.items()})


def on_one_line(text: str) -> str:
    """Return *text* without line ends, or other characters that a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def to_people(line: object) -> None:
    """Say something that is neither the result nor an error, on stderr."""
    sys.stderr.write(f"strata: {worded(line)}\n")


def minute(moment: str) -> str:
    """Return *moment*, in ISO 8601, to the minute, as people read it."""
    return moment[:16].replace("T", " ")


def html_language(language: str) -> str:
    """Return what a page says that it is in."""
    return "zh-CN" if language == "zh" else language


class Voice:
    """Says the sentences of one *table* in one *language*, for a presenter."""

    def __init__(self, table: str, language: str) -> None:
        self.language = language
        self._table = table

    def __call__(self, key: str, /, **values: Any) -> str:  # Any: see `Notice`
        """Return the sentence *key*."""
        return text(self.language, f"{self._table}.{key}", **values)

    def __contains__(self, key: str) -> bool:
        languages = (self.language, FALLBACK)
        return any(key in table_of(each, self._table) for each in languages)


@cache
def table_of(language: str, name: str) -> Mapping[str, Template]:
    """Return one table; the others are not parsed, so that a command pays for its own."""
    return toml_table(_sources(language).get(name, ""))


@cache
def _sources(language: str) -> Mapping[str, str]:
    file = FOLDER / f"{language}.toml"
    if not file.is_file():
        return {}
    _, *parts = _HEAD.split(file.read_text(encoding="utf-8"))
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _value(value: object, language: str) -> object:
    if isinstance(value, Notice):
        return value.said(language)
    if isinstance(value, BaseException):
        told = value.args[0] if value.args else ""
        return told.said(language) if isinstance(told, Notice) else str(value)
    if isinstance(value, (list, tuple)):
        comma = text(language, "words.comma")
        return comma.join(str(_value(each, language)) for each in value)
    return value
