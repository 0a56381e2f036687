"""Every setting, what it means and where it comes from; the safe ones can be changed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.bundle import BUNDLE
from strata.errors import UsageError
from strata.messages import FALLBACK, Notice, languages
from strata.parsed import toml_table
from strata.settings import (
    Settings,
    Source,
    least_of,
    load_settings,
    names,
    sources,
    value_of,
    variable_of,
)
from strata.workspace.settings_file import change_setting

if TYPE_CHECKING:
    from strata.memory import Memory
    from strata.workspace.settings_file import Value

# What is wrong in these is seen at once and put back as easily: none of them decides who
# reads memory, what is kept of others, or whether a trace stays.
SAFE = frozenset(
    {
        *("language", "digest", "bank", "tidy.mode", "recall.tokens"),
        *("capture.user_messages", "capture.quiet_minutes"),
        *("search.results", "search.half_life_days"),
        *("model.max_calls_per_run", "model.max_seconds_per_run"),
        *("model.max_tokens_per_day", "model.timeout_seconds", "model.window_chars"),
    }
)
# Why the others are changed by hand, by their name or else by their table.
_WHY = {
    "timezone": "days",
    "capture.groups": "others",
    "git": "trace",
    "audit": "trace",
    "embedding": "fetched",
    "search.reranker": "fetched",
    "model": "reach",
    "qdrant": "reach",
    "search.native": "tools",
    "search": "parts",
    "machines": "reach",
    "shared": "readers",
    "trust": "trust",
    "encryption": "encryption",
    "schedule": "schedule",
}
FILE = ".strata/config.toml"
_DOCUMENT = BUNDLE / "docs" / "settings.toml"
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


@dataclass(frozen=True, slots=True)
class Setting:
    """
    One setting: its *value*, its *default*, and where the value comes from.

    *why_not* says why it is changed by hand alone, *held* what wins over the file.
    """

    name: str
    means: str
    value: object
    default: object
    source: Source
    why_not: str = ""
    held: str = ""

    @property
    def choices(self) -> tuple[str, ...]:
        """The texts of which it is one, none where it is a number or any text."""
        if isinstance(self.default, bool):
            return ("true", "false")
        told = {"language": ("auto", *languages()), "tidy.mode": ("auto", "ask")}
        return told.get(self.name, ())

    @property
    def least(self) -> int:
        """The least that it may be, where it is a number."""
        return least_of(self.name)


def settings_of(memory: Memory, language: str) -> list[Setting]:
    """Return every setting of *memory*, with what it means in *language*."""
    owner = memory.private
    file, defaults = owner.workspace.layout.settings_file, Settings()
    meanings = toml_table(_DOCUMENT.read_text(encoding="utf-8"))
    found = sources(file, overrides=owner.overrides)
    return [
        Setting(
            name=name,
            means=_plain(meanings[name].get(language) or meanings[name][FALLBACK]),
            value=value_of(owner.settings, name),
            default=value_of(defaults, name),
            source=found[name],
            why_not=_why_not(name),
            held=_held(name, found[name]),
        )
        for name in names()
    ]


def change(memory: Memory, name: str, text: str) -> Value:
    """
    Give the setting *name* the value that *text* stands for, and return that.

    Raise a `StrataError`, and write nothing, where it has none like that, where it is
    changed by hand alone, or where something else would win over the file.
    """
    owner = memory.private
    file = owner.workspace.layout.settings_file
    overrides = [*owner.overrides, f"{name}={text}"]
    value: Value = value_of(load_settings(file, overrides=overrides), name)
    if why := _why_not(name):
        raise UsageError.of("settings.not-here", name=name, why=why)
    source = sources(file, overrides=owner.overrides)[name]
    if held := _held(name, source):
        raise UsageError.of("settings.held", name=name, where=held)
    change_setting(owner.workspace, name, value)
    if owner.workspace.witness:
        owner.workspace.witness.wrote(FILE)
    return value


def _why_not(name: str) -> str:
    if name in SAFE:
        return ""
    reason = _WHY.get(name) or _WHY[name.partition(".")[0]]
    return Notice(f"settings.hand-{reason}")


def _held(name: str, source: Source) -> str:
    if source is Source.OVERRIDE:
        return "--set"
    return variable_of(name) if source is Source.ENVIRONMENT else ""


def _plain(text: str) -> str:
    """Return *text* without its links, which lead into the documents."""
    return _LINK.sub(r"\1", text)
