"""What is told by its form and by what is called near it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.redaction.chinese import is_chinese_phrase
from strata.transcripts.redaction.names import FUNCTION_WORDS, Meaning, Way, is_secret
from strata.transcripts.redaction.reading import read_value
from strata.transcripts.redaction.spans import Secret
from strata.transcripts.redaction.tables import Patterns, phrases, rows
from strata.transcripts.redaction.values import (
    ORDINARY_WORDS,
    is_ordinary_word,
    is_part,
)
from strata.transcripts.redaction.view import Clues, any_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.redaction.view import View

NETWORKS = Patterns("told", "networks")
ANSWERS = Patterns("told", "answers")
_NAMED = tuple(
    (
        Clues(*row["clues"]),
        re.compile(row["named"], re.IGNORECASE),
        re.compile(row["form"]),
        row["kind"],
    )
    for row in rows("told", "shape")
)
_REACH = 60
_LOGINS = tuple(
    (Clues(*row["clues"]), re.compile(row["form"])) for row in rows("told", "login")
)
CLUES_TO_SHAPES = any_of(*(row[0] for row in _NAMED), *(row[0] for row in _LOGINS))


def shapes(view: View) -> Iterator[Secret]:
    """Yield what in *view* has the form of what is called so beside it."""
    for clues, named, form, kind in _NAMED:
        for line in clues.lines(view):
            for start, end in _formed(view.text, named, form, line):
                yield Secret(start, end, kind)
    for clues, login in _LOGINS:
        for line in clues.lines(view):
            for found in login.finditer(view.text, *line):
                yield Secret(*found.span("value"), "secret:password")


def _formed(
    text: str, named: re.Pattern[str], form: re.Pattern[str], line: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield where *form* begins within reach of what is *named* so in *line*."""
    for called in named.finditer(text, *line):
        reach = min(called.end() + _REACH, line[1])
        for found in form.finditer(text, called.end(), reach + _REACH):
            if found.start() <= reach and not is_part(found[0]):
                yield found.span()


CLUES_TO_NETWORKS = Clues(*phrases("told", "networks"))
# Only a name follows these.
_NAMES = frozenset({"ssid", "网名", "网络名", "network name"})
_CLUES_TO_KEYS = Clues(*phrases("told", "keys"))
_SHORTEST = 6
_LOOK_BACK = 96


def network_keys(view: View) -> Iterator[Secret]:
    """Yield the keys in *view* that stand beside the name of a wireless network."""
    for network in (
        CLUES_TO_NETWORKS.in_view(view) if _CLUES_TO_KEYS.are_in(view) else ()
    ):
        at = view.lowered.find(network)
        while at >= 0:
            end = at + len(network)
            yield from _keys_beside(view.text, at, end)
            at = view.lowered.find(network, end)


def _keys_beside(text: str, start: int, end: int) -> Iterator[Secret]:
    if after := NETWORKS.after.match(text, end):
        value = read_value(text, after.end(), after["quote"])
        sure = after["is"] or text[start:end].lower() in _NAMES
        if value and _is_key(value.text, sure=bool(sure)):
            yield Secret(value.start, value.end, "secret:password")
    first = max(0, start - _LOOK_BACK)
    before = NETWORKS.before.search(text[first:start])
    if before and _is_key(before["value"], sure=bool(before["is"])):
        begin = first + before.start("value")
        yield Secret(begin, begin + len(before["value"]), "secret:password")


def _is_key(value: str, *, sure: bool) -> bool:
    """Say whether *value* is a key; unless it is *sure*, a plain word is none."""
    way = Way.SAID if sure else Way.BESIDE
    return len(value) >= _SHORTEST and is_secret(Meaning.PASSWORD, value, way)


CLUES_TO_ANSWERS = Clues("security", "secret question", "密保")


def security_answers(view: View) -> Iterator[Secret]:
    """Yield the answers to security questions in *view*."""
    for line in CLUES_TO_ANSWERS.lines(view):
        for told in ANSWERS.english.finditer(view.text, *line):
            if _is_answer(told["words"].split()):
                yield Secret(*told.span("words"), "secret:password")
        for told in ANSWERS.chinese.finditer(view.text, *line):
            if is_chinese_phrase(told["words"]):
                yield Secret(*told.span("words"), "secret:password")


def _is_answer(words: list[str]) -> bool:
    if not FUNCTION_WORDS.isdisjoint(map(str.lower, words)):
        return False
    # How a word ends says nothing of a name: Wackelpudding.
    return all(
        word.lower() not in ORDINARY_WORDS
        if word.istitle()
        else not is_ordinary_word(word)
        for word in words
    )
