"""The user's own rules about what is never stored, and what is shown masked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.errors import SettingsError
from strata.linear_patterns import WINDOW, objection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

NEVER_STORED = "⟦personal:never-stored⟧"
_OVERLAP = 100
_SENTENCE_END = re.compile(r"[.!?。！？\n]")
_LATIN = re.compile(r"\w", re.ASCII)

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Rules:
    """
    Words and patterns to look for, people whose sentences are meant, and channels.

    Texts without any of them come back as they are.
    """

    words: tuple[re.Pattern[str], ...] = ()
    patterns: tuple[re.Pattern[str], ...] = ()
    people: tuple[re.Pattern[str], ...] = ()
    channels: frozenset[str] = frozenset()

    def removed(self, text: str) -> str:
        """Return *text* with a placeholder for whatever the rules name."""
        return self._replaced(text, lambda _: NEVER_STORED)

    def masked(self, text: str) -> str:
        """Return *text* with only the first letter of whatever the rules name."""
        return self._replaced(text, lambda words: f"{words[:1]}•••")

    def holds(self, text: str) -> bool:
        """Say whether *text* holds anything that the rules name."""
        return next(self._spans(text), None) is not None

    def names(self, value: str) -> bool:
        """Say whether a word or a pattern of the rules is the whole of *value*."""
        return any(each.fullmatch(value) for each in (*self.words, *self.patterns))

    def covers(self, session_key: str) -> bool:
        """Say whether the conversation of *session_key* is on a channel of the rules."""
        return not self.channels.isdisjoint(session_key.casefold().split(":"))

    def _replaced(self, text: str, replace: Callable[[str], str]) -> str:
        if not (self.words or self.patterns or self.people):
            return text
        pieces: list[str] = []
        done = 0
        for start, end in _merged(self._spans(text)):
            pieces += (text[done:start], replace(text[start:end]))
            done = end
        return "".join((*pieces, text[done:])) if done else text

    def _spans(self, text: str) -> Iterator[Span]:
        for words in self.words:
            for found in words.finditer(text):
                yield found.span()
        for pattern in self.patterns:
            for window, offset in _windows(text):
                for found in pattern.finditer(window):
                    yield found.start() + offset, found.end() + offset
        for person in self.people:
            for found in person.finditer(text):
                yield _sentence(text, *found.span())


NO_RULES = Rules()


def rules_of(lines: Sequence[str], *, setting: str) -> Rules:
    """
    Return the rules that *lines* of *setting* state.

    ``/…/`` is a pattern, ``person:NAME`` a person, ``channel:NAME`` a channel, and all
    else are words. Raise `SettingsError` where one cannot be taken.
    """
    words, patterns, people, channels = [], [], [], set()
    for line in lines:
        kind, colon, name = line.strip().partition(":")
        if line.startswith("/") and line.endswith("/") and len(line) > 2:  # noqa: PLR2004
            patterns.append(_pattern(line[1:-1], setting))
        elif colon and kind == "person" and name.strip():
            people.append(_words(name.strip()))
        elif colon and kind == "channel" and name.strip():
            channels.add(name.strip().casefold())
        elif line.strip():
            words.append(_words(line.strip()))
        else:
            raise SettingsError.of("settings.empty-rule", setting=setting)
    return Rules(tuple(words), tuple(patterns), tuple(people), frozenset(channels))


def values_of(lines: Sequence[str], *, setting: str) -> Rules:
    """Return the rules of *lines*, which name single values: words and patterns alone."""
    rules = rules_of(lines, setting=setting)
    if rules.people or rules.channels:
        raise SettingsError(
            f"{setting} takes words and /patterns/, no people or channels"
        )
    return rules


def _pattern(source: str, setting: str) -> re.Pattern[str]:
    if why := objection(source):
        raise SettingsError.of(
            "settings.pattern", setting=setting, source=source, why=why
        )
    return re.compile(source, re.IGNORECASE)


def _words(words: str) -> re.Pattern[str]:
    spaced = r"\s+".join(re.escape(word) for word in words.split())
    before = r"(?<![A-Za-z0-9_])" if _LATIN.match(words[0]) else ""
    after = r"(?![A-Za-z0-9_])" if _LATIN.match(words[-1]) else ""
    return re.compile(f"{before}{spaced}{after}", re.IGNORECASE)


def _windows(text: str) -> Iterator[tuple[str, int]]:
    """Cut *text* at its lines, and long lines into windows that overlap."""
    offset = 0
    for line in text.splitlines(keepends=True):
        for start in range(0, max(len(line) - _OVERLAP, 1), WINDOW - _OVERLAP):
            yield line[start : start + WINDOW], offset + start
        offset += len(line)


def _sentence(text: str, start: int, end: int) -> Span:
    """Return the sentence around *start* to *end*."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text, 0, start)]
    behind = _SENTENCE_END.search(text, end)
    first = ends[-1] if ends else 0
    first += len(text[first:start]) - len(text[first:start].lstrip())
    return first, behind.start() if behind else len(text)


def _merged(spans: Iterator[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif end > start:
            merged.append((start, end))
    return merged
