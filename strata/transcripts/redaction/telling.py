"""How a sentence goes on from the name of a secret to its value, in any language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from strata.transcripts.redaction.names import KINDS, Meaning, Way, is_secret
from strata.transcripts.redaction.reading import Value, read_value, unfolded
from strata.transcripts.redaction.spans import Secret
from strata.transcripts.redaction.tables import Patterns, rows
from strata.transcripts.redaction.values import (
    is_crypto,
    is_hash,
    is_mixed,
    is_numbered_word,
)

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

ENGLISH = Patterns("told", "english")
CHINESE = Patterns("told", "chinese")
_SECTIONS = {"english": ENGLISH, "chinese": CHINESE}
_ANY = frozenset(Meaning)
_ONLY = {
    "": _ANY,
    "chosen": frozenset({Meaning.PASSWORD, Meaning.PASSPHRASE}),
    "code": frozenset({Meaning.CODE}),
    "no code": _ANY - {Meaning.CODE},
}
_LOOK_BACK = 120
_MADE = frozenset({Meaning.TOKEN, Meaning.KEY})


def is_counted(text: str, value: Value) -> bool:
    """Say whether an English unit makes *value* a number of things."""
    digits = value.text.rstrip("+").isdigit()
    return digits and ENGLISH.unit.match(text, value.end) is not None


def is_counted_in_chinese(text: str, value: Value) -> bool:
    """Say the same of a Chinese one."""
    digit = value.text[:1].isdigit()
    return digit and CHINESE.unit.match(text, value.end) is not None


_TESTS: dict[str, Callable[[str, Value], bool]] = {
    "mixed": lambda _, value: is_mixed(value.text),
    "digits": lambda _, value: value.text.isdigit(),
    "signed": lambda _, value: bool(ENGLISH.digit_and_sign.match(value.text)),
    "crypto": lambda _, value: is_crypto(value.text),
    "hash": lambda _, value: is_hash(value.text),
    "numbered": lambda _, value: is_numbered_word(value.text),
    "counted": is_counted,
    "counted in Chinese": is_counted_in_chinese,
}


class Telling(NamedTuple):
    """
    What leads to a value, in which *way*, and what the value must be and must not be.

    It may be for names of *only* some meanings. A value that was made goes on over folded
    lines where it *unfolds*; where the lead is *certain*, nothing else is asked of it.
    """

    leads: re.Pattern[str]
    way: Way
    needs: tuple[str, ...]
    unless: tuple[str, ...]
    only: frozenset[Meaning]
    unfolds: bool
    certain: bool

    def after(self, text: str, at: int, meaning: Meaning) -> Secret | None:
        """Return the secret that *text* leads to from *at*."""
        match = self.leads.match(text, at) if meaning in self.only else None
        return self.behind(text, match, meaning) if match else None

    def before(self, text: str, end: int, meaning: Meaning) -> Secret | None:
        """Return the secret that leads up to *end*: "hunter2 is my …"."""
        first = max(0, end - _LOOK_BACK)
        match = self.leads.search(text[first:end]) if meaning in self.only else None
        if match is None:
            return None
        start, stop = (first + at for at in match.span("value"))
        return self.accepted(
            text, Value(text[start:stop], start, stop, quoted=False), meaning
        )

    def behind(
        self, text: str, match: re.Match[str], meaning: Meaning
    ) -> Secret | None:
        """Return the secret behind *match*, a lead to what has such a *meaning*."""
        value = read_value(text, match.end(), match.groupdict().get("quote"))
        if value and self.unfolds and meaning in _MADE:
            value = unfolded(text, value)
        return self.accepted(text, value, meaning)

    def accepted(
        self, text: str, value: Value | None, meaning: Meaning
    ) -> Secret | None:
        """Return *value* as a secret, if it is one."""
        if value is None or any(_TESTS[test](text, value) for test in self.unless):
            return None
        if self.needs and not any(_TESTS[test](text, value) for test in self.needs):
            return None
        if not (self.certain or is_secret(meaning, value.text, self.way)):
            return None
        return Secret(value.start, value.end, KINDS[meaning])


def _telling(row: dict[str, Any]) -> Telling:
    return Telling(
        getattr(_SECTIONS[row["language"]], row["leads"]),
        Way[row["way"].upper()],
        tuple(row.get("needs", ())),
        tuple(row.get("unless", ())),
        _ONLY[row.get("only", "")],
        row.get("unfolds", False),
        row.get("certain", False),
    )


def tellings(language: str, *, place: str = "after") -> list[Telling]:
    """Return the ways of telling of *language* with the value in that *place*, in order."""
    found = (row for row in rows("told", "telling") if row["language"] == language)
    return [_telling(row) for row in found if row.get("place", "after") == place]
