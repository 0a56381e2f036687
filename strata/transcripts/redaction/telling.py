"""How a text goes on from the name of a secret to its value, by signs or in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.transcripts.redaction.names import (
    CHOSEN,
    MADE,
    Meaning,
    Name,
    Way,
    is_phrase,
    is_secret,
)
from strata.transcripts.redaction.proofs import (
    CHINESE,
    ENGLISH,
    is_chinese_phrase,
    passes,
)
from strata.transcripts.redaction.spans import Secret
from strata.transcripts.redaction.tables import Patterns, rows
from strata.transcripts.redaction.values import (
    Value,
    is_a,
    is_code,
    is_mixed,
    read_value,
    unfolded,
)

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

ASSIGNED = Patterns("told", "assigned")
_SECTIONS = {"english": ENGLISH, "chinese": CHINESE, "assigned": ASSIGNED}
# "12 pass: 3 fail", "the key: …": words too common to trust a plain word after them.
COMMON_WORDS = frozenset({"pass", "auth", "wpa", "wpa2", "wpa3"})
_COMPARISONS = frozenset({"==", "===", "::"})
_LOOK_BACK, _JUST_BEFORE, _WINDOW = 120, 20, 60
_PARTICLES = "吧啊呀哦喔哈噢哟嘛"


@dataclass(frozen=True, slots=True)
class Telling:
    """
    What *leads* to a value, in which *way*, and what the value must be and must not be.

    It may be for names of *only* some meanings. A value that was made goes on over folded
    lines where it *unfolds*; where the lead is *certain*, nothing else is asked of it. It
    may tell *phrases* of plain words too, or what is a *code* whatever its name. The name
    itself may have to be one that *follows* something.
    """

    language: str
    leads: str
    way: str
    place: str = "after"
    only: Sequence[str] = ()
    needs: Sequence[str] = ()
    unless: Sequence[str] = ()
    unfolds: bool = False
    certain: bool = False
    phrases: bool = False
    code: bool = False
    follows: str = ""

    def pattern(self, name: str) -> re.Pattern[str]:
        """Return the pattern that the section of this language has under that *name*."""
        found: re.Pattern[str] = getattr(_SECTIONS[self.language], name)
        return found

    def secret(self, text: str, name: Name) -> Secret | None:
        """Return the secret that *text* leads to from *name*, or that leads up to it."""
        if self.only and name.meaning.name.lower() not in self.only:
            return None
        if self.place == "before":
            return self._before(text, name)
        match = self.pattern(self.leads).match(text, name.end)
        if match and self.follows:
            before = text[max(0, name.start - _JUST_BEFORE) : name.start + 1]
            match = match if self.pattern(self.follows).search(before) else None
        return self.behind(text, match, name) if match else None

    def _before(self, text: str, name: Name) -> Secret | None:
        """Return the secret in front of *name*: "hunter2 is my …"."""
        first = max(0, name.start - _LOOK_BACK)
        match = self.pattern(self.leads).search(text[first : name.start])
        if match is None:
            return None
        start, end = (first + at for at in match.span("value"))
        return self._accepted(text, Value(match["value"], start, end), name)

    def behind(self, text: str, match: re.Match[str], name: Name) -> Secret | None:
        """Return the secret of such a *name* behind *match*, a lead to it."""
        value: Value | None
        if "value" in match.re.groupindex:
            value = Value(match["value"], *match.span("value"))
        else:
            value = read_value(text, match.end(), match.groupdict().get("quote"))
        if value and self.unfolds and name.meaning in MADE:
            value = unfolded(text, value)
        if not self.phrases or self.language != "chinese":
            return self._accepted(text, value, name) if value else None
        if not value:
            return None if self.needs else chinese_phrase(text, match.end(), name)
        if not self._passes(text, value, name):
            return None
        if not value.quoted:
            return chinese_phrase(text, match.end(), name)
        secret = Secret(value.start, value.end, name.meaning.kind)
        return secret if is_chinese_phrase(value.text) else None

    def _accepted(self, text: str, value: Value, name: Name) -> Secret | None:
        if not self._passes(text, value, name):
            return None
        plain = self.phrases and not value.quoted
        if plain and (phrase := _phrase_at(text, value.start, name)):
            return phrase
        meaning = Meaning.CODE if self.code else name.meaning
        if self.certain or is_secret(meaning, value.text, Way[self.way.upper()]):
            return Secret(value.start, value.end, meaning.kind)
        return None

    def _passes(self, text: str, value: Value, name: Name) -> bool:
        return passes(text, value, name.start, self.needs, self.unless)


_TELLINGS: dict[str, list[Telling]] = {}
for _row in rows("told", "telling"):
    _telling = Telling(**_row)
    _TELLINGS.setdefault(f"{_telling.language} {_telling.place}", []).append(_telling)


def first_told(text: str, name: Name, *kinds: str) -> Secret | None:
    """
    Return what *text* tells of *name* in the first way that has a value.

    The ways are of these *kinds*: a language and the place of the value.
    """
    ways = (way for kind in kinds for way in _TELLINGS[kind])
    return next(filter(None, (way.secret(text, name) for way in ways)), None)


def changes_told(text: str, name: Name) -> Iterator[Secret]:
    """Yield what a Chinese *text* goes on to say that *name* was changed to."""
    for way in _TELLINGS["chinese changed"]:
        leads = way.pattern(way.leads).finditer(text, name.end, name.end + _WINDOW)
        yield from filter(None, (way.behind(text, lead, name) for lead in leads))


def chinese_phrase(text: str, start: int, name: Name) -> Secret | None:
    """Return the phrase in Chinese that begins at *start* and is no talk about one."""
    match = CHINESE.phrase.match(text, start)
    if not match or not is_chinese_phrase(phrase := match[0].rstrip(_PARTICLES)):
        return None
    end = start + len(phrase)
    behind = CHINESE.spelled_out.match(text, end)
    if behind and is_mixed(behind["value"]):
        end = behind.end()
    return Secret(start, end, name.meaning.kind)


def _phrase_at(text: str, start: int, name: Name) -> Secret | None:
    """Return the pass phrase of plain words that begins at *start*."""
    if name.meaning not in CHOSEN:
        return None
    words = ASSIGNED.phrase.match(text, start + text.startswith("(", start))
    if words and is_phrase(words[0].lower().split(), name.meaning):
        return Secret(*words.span(), name.meaning.kind)
    return None


def assigned(text: str, name: Name) -> Secret | None:
    """Return the secret that *text* gives to *name* with a sign, as settings do."""
    match = ASSIGNED.sign.match(text, name.end)
    if not match or text.endswith("://", 0, name.start):
        return None
    start, sign, quote = match.end(), match["sign"], match["quote"]
    if name.meaning is Meaning.TOKEN and (scheme := ASSIGNED.scheme.match(text, start)):
        start, quote = scheme.end(), quote or scheme["quote"]
    if sign != "|" and not quote and (phrase := _phrase_at(text, start, name)):
        return phrase
    value = read_value(text, start, quote)
    if value and name.meaning in MADE:
        value = unfolded(text, value)
    if value and _fits(text, name, match, value):
        return Secret(value.start, value.end, name.meaning.kind)
    return None


def _fits(text: str, name: Name, match: re.Match[str], value: Value) -> bool:
    sign, newline, loose = match["sign"], match["newline"], bool(match["space"])
    if not value.quoted and (
        sign in _COMPARISONS
        or is_a("expression", value.text)
        or is_code(text, name.start, value, loose=loose)
    ):
        return False
    number = sign == "|" and name.meaning is Meaning.CODE and value.text.isdigit()
    doubtful = newline or sign == "|" or name.word.lower() in COMMON_WORDS
    if doubtful and not (number or is_mixed(value.text)):
        return False
    # On the next line stands the first name of a list, not a value.
    if newline and text[value.end : value.end + 1] in {":", "="}:
        return False
    tight = sign == "=" and not loose and value.start == match.end("sign")
    way = Way.SET if value.quoted or tight else Way.ASSIGNED
    return is_secret(name.meaning, value.text, way)
