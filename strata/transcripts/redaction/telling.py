"""How a sentence goes on from the name of a secret to its value, in any language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from strata.transcripts.redaction.assigned import ASSIGNED, phrase_at
from strata.transcripts.redaction.names import KINDS, Meaning, Name, Way, is_secret
from strata.transcripts.redaction.proofs import (
    CHINESE,
    ENGLISH,
    is_chinese_phrase,
    passes,
)
from strata.transcripts.redaction.reading import Value, read_value, unfolded
from strata.transcripts.redaction.spans import Secret
from strata.transcripts.redaction.tables import rows
from strata.transcripts.redaction.values import is_mixed

if TYPE_CHECKING:
    import re

_SECTIONS = {"english": ENGLISH, "chinese": CHINESE, "assigned": ASSIGNED}
_ANY = frozenset(Meaning)
_ONLY = {
    "": _ANY,
    "chosen": frozenset({Meaning.PASSWORD, Meaning.PASSPHRASE}),
    "phrase": frozenset({Meaning.PASSPHRASE}),
    "code": frozenset({Meaning.CODE}),
    "no code": _ANY - {Meaning.CODE},
    "no token": _ANY - {Meaning.TOKEN},
}
_LOOK_BACK, _JUST_BEFORE = 120, 20
_MADE = frozenset({Meaning.TOKEN, Meaning.KEY})
_PARTICLES = "吧啊呀哦喔哈噢哟嘛"
_LONGEST_FIRST_WORD = 5


class Telling(NamedTuple):
    """
    What leads to a value, in which *way*, and what the value must be and must not be.

    It may be for names of *only* some meanings. A value that was made goes on over folded
    lines where it *unfolds*; where the lead is *certain*, nothing else is asked of it. It
    may tell *phrases* of plain words too, or digits that are a *code* whatever their
    name. The name itself may have to be one that *follows* something.
    """

    leads: re.Pattern[str]
    way: Way
    chinese: bool
    only: frozenset[Meaning]
    needs: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    unfolds: bool = False
    certain: bool = False
    phrases: bool = False
    code: bool = False
    follows: re.Pattern[str] | None = None

    def after(self, text: str, name: Name) -> Secret | None:
        """Return the secret that *text* leads to from *name*."""
        match = self.leads.match(text, name.end) if name.meaning in self.only else None
        if match and self.follows:
            before = text[max(0, name.start - _JUST_BEFORE) : name.start + 1]
            match = match if self.follows.search(before) else None
        return self.behind(text, match, name) if match else None

    def before(self, text: str, name: Name) -> Secret | None:
        """Return the secret that leads up to *name*: "hunter2 is my …"."""
        first = max(0, name.start - _LOOK_BACK)
        match = self.leads.search(text[first : name.start])
        if match is None or name.meaning not in self.only:
            return None
        start, stop = (first + at for at in match.span("value"))
        value = Value(text[start:stop], start, stop, quoted=False)
        return self._accepted(text, value, name)

    def behind(self, text: str, match: re.Match[str], name: Name) -> Secret | None:
        """Return the secret of such a *name* behind *match*, a lead to it."""
        if "value" in self.leads.groupindex:
            value: Value | None = Value(
                match["value"], *match.span("value"), quoted=False
            )
        else:
            value = read_value(text, match.end(), match.groupdict().get("quote"))
        if value and self.unfolds and name.meaning in _MADE:
            value = unfolded(text, value)
        if value is None and self.needs:
            return None
        if self.phrases and self.chinese:
            told = value is None or self._passes(text, value, name)
            return _chinese_phrase(text, value, match.end(), name) if told else None
        return self._accepted(text, value, name) if value else None

    def _accepted(self, text: str, value: Value, name: Name) -> Secret | None:
        if not self._passes(text, value, name):
            return None
        plain = self.phrases and not value.quoted
        if plain and (phrase := phrase_at(text, value.start, name)):
            return phrase
        meaning = Meaning.CODE if self.code else name.meaning
        if self.certain or is_secret(meaning, value.text, self.way):
            return Secret(value.start, value.end, KINDS[meaning])
        return None

    def _passes(self, text: str, value: Value, name: Name) -> bool:
        return passes(text, value, name.start, self.needs, self.unless)


def tellings(language: str, *, place: str = "after") -> list[Telling]:
    """Return the ways of telling of *language* with the value in that *place*, in order."""
    found = (row for row in rows("told", "telling") if row["language"] == language)
    return [_telling(row) for row in found if row.get("place", "after") == place]


def _telling(row: dict[str, Any]) -> Telling:
    flags = ("unfolds", "certain", "phrases", "code")
    given: dict[str, Any] = {key: row[key] for key in flags if key in row}
    for key in {"needs", "unless"} & set(row):
        given[key] = tuple(row[key])
    section = _SECTIONS[row["language"]]
    if "follows" in row:
        given["follows"] = getattr(section, row["follows"])
    return Telling(
        getattr(section, row["leads"]),
        Way[row["way"].upper()],
        row["language"] == "chinese",
        _ONLY[row.get("only", "")],
        **given,
    )


def _chinese_phrase(
    text: str, value: Value | None, start: int, name: Name
) -> Secret | None:
    if value and value.quoted:
        told = is_chinese_phrase(value.text)
        return Secret(value.start, value.end, KINDS[name.meaning]) if told else None
    match = CHINESE.phrase.match(text, start)
    if not match or not is_chinese_phrase(phrase := match[0].rstrip(_PARTICLES)):
        return None
    end = start + len(phrase)
    behind = CHINESE.spelled_out.match(text, end)
    if behind and is_mixed(behind["value"]):
        end = behind.end()
    return Secret(start, end, KINDS[name.meaning])


def with_chinese_rest(text: str, secret: Secret) -> Secret:
    """Extend a word such as "fake" in "fake青城山": a pass phrase of two scripts."""
    word = text[secret.start : secret.end]
    if not word.isalpha() or len(word) > _LONGEST_FIRST_WORD:
        return secret
    match = CHINESE.phrase.match(text, secret.start)
    if match and is_chinese_phrase(match[0]):
        return Secret(secret.start, match.end(), secret.kind)
    return secret
