"""What is told by its form: the one skeleton of the rules that stand in the tables."""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from strata.transcripts.redaction.proofs import passes
from strata.transcripts.redaction.spans import Secret
from strata.transcripts.redaction.tables import Patterns, rows
from strata.transcripts.redaction.values import Value, read_value
from strata.transcripts.redaction.view import Clues, stretches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from strata.transcripts.redaction.view import View

    Places = Callable[[re.Pattern[str]], list[int]]

_TABLES = ("formats", "told", "personal")
_SEPARATORS = b" \t.(-/A"
_DATE = re.compile(r"(?:19|20)\d\d-\d\d-\d\d(?![ ./-]?[A-Z0-9])")
# Most rows of digits are what a log begins its lines with.
_TIMESTAMP = b"0000-00-00A00:00:00"
_LOOK_BACK, _SLACK, _NEAR = 300, 100, 120
_SHORT_NAME, _LONGEST_NUMBER = 5, 64


class Rule:
    """
    A *form* that is secret where one of the *clues* stands near it.

    The clue stands at its beginning or so far *back*; another one has to stand *beside*
    it anywhere, and so many *digits*. It may be looked for in the *region* behind a *lead*
    only, where *signs* stand, or in the *whole* text. What precedes it may have to hold
    *before*, and not *without*. The value is the group of that name, else the last one,
    else what is read behind the form; *needs* and *unless* are names of tests.
    """

    def __init__(self, table: str, row: dict[str, Any]) -> None:
        self.clues = frozenset[str](row.get("clues", ()))
        self.digits: int = row.get("digits", 0)
        self.of_signs = "signs" in row
        self._beside = Clues(*row["beside"]) if "beside" in row else None
        self._asked = row.get("needs", ()), row.get("unless", ())
        self._patterns, self._row = Patterns(table, row), row

    def secrets(
        self, view: View, held: Iterable[str], places: Places
    ) -> Iterator[Secret]:
        """
        Yield what *view*, which holds the clues *held*, tells in this form.

        *places* says where in it which signs stand.
        """
        if self._beside and not self._beside.are_in(view):
            return
        for found in self._found(view, held, places):
            value, start = self._value(view.text, found), found.start()
            if (
                value
                and self._stands_right(view.text[max(0, start - _LOOK_BACK) : start])
                and passes(view.text, value, start, *self._asked)
            ):
                yield Secret(value.start, value.end, self._row["kind"])

    def _found(
        self, view: View, held: Iterable[str], places: Places
    ) -> Iterator[re.Match[str]]:
        form, text = self._patterns.form, view.text
        if self.of_signs:
            for place in places(self._patterns.signs):
                if found := form.match(text, place):
                    yield found
        elif "whole" in self._row:
            yield from form.finditer(text)
        elif "lead" in self._row:
            for lead in self._begun(self._patterns.lead, view, held):
                yield from _within(form, text, *lead.span("region"))
        else:
            yield from self._begun(form, view, held)

    def _begun(
        self, form: re.Pattern[str], view: View, held: Iterable[str]
    ) -> Iterator[re.Match[str]]:
        """Yield what of *form* begins by a clue or before it, which is mostly one place."""
        at = 0
        for start, end in stretches(view, held, self._row.get("back", 0)):
            if end < at or (self.digits and not self._may_hold(view, start, end)):
                continue
            at = max(start, at)
            while at <= end:
                found = form.match(view.text, at)
                at = max(at + 1, found.end()) if found else at + 1
                yield from filter(None, [found])

    def _may_hold(self, view: View, start: int, end: int) -> bool:
        """Take a glance at the digits: before the end, or the first ones behind it."""
        if "back" in self._row:
            signs = view.signs[start:end].translate(None, _SEPARATORS)
            return b"0" * self.digits in signs
        first = view.signs.find(b"0", end, end + _NEAR)
        return first >= 0 and not _DATE.match(view.text, first)

    def _value(self, text: str, found: re.Match[str]) -> Value | None:
        groups = found.re.groupindex
        if "value" not in groups and "quote" in groups:
            return read_value(text, found.end(), found["quote"])
        start, end = found.span("value" if "value" in groups else found.lastgroup or 0)
        return Value(text[start:end], start, end, quoted=False)

    def _stands_right(self, before: str) -> bool:
        if "without" in self._row and self._patterns.without.search(before):
            return False
        return "before" not in self._row or bool(self._patterns.before.search(before))


@cache
def _in_bytes(signs: re.Pattern[str]) -> re.Pattern[bytes]:
    return re.compile(signs.pattern.encode())


def _within(
    form: re.Pattern[str], text: str, start: int, end: int
) -> Iterator[re.Match[str]]:
    """Yield what of *form* begins from *start* to *end*; it may go on behind."""
    for found in form.finditer(text, start, end + _SLACK):
        if found.start() > end:
            return
        yield from filter(None, [form.match(text, found.start())])


def _places(view: View, signs: re.Pattern[str]) -> list[int]:
    return [found.start() for found in _in_bytes(signs).finditer(view.signs)]


def formed(view: View) -> Iterator[Secret]:
    """Yield what the rules of the tables find in *view*."""
    # Rules of the same signs look for them once.
    places = cache(partial(_places, view))
    digits = view.signs.replace(_TIMESTAMP, b":").translate(None, _SEPARATORS)
    for fewest, clues, by_clue in _GROUPS:
        if b"0" * fewest in digits:
            held = frozenset(clues.held_by(view))
            for rule in {rule: 0 for clue in held for rule in by_clue[clue]}:
                yield from rule.secrets(view, held & rule.clues, places)
    for rule in _OF_SIGNS:
        if b"0" * rule.digits not in digits:
            return
        yield from rule.secrets(view, (), places)


def _rules_of(table: str, row: dict[str, Any]) -> Iterator[Rule]:
    """Yield the rule of *row*; if it is called by names, one behind and one before."""
    if "names" not in row:
        yield Rule(table, row)
        return
    row = {**row, "clues": row["names"], "called": "|".join(map(_called, row["names"]))}
    yield Rule(table, {**row, "form": "⟨number_behind_name⟩"})
    yield Rule(table, {**row, "form": "⟨number_before_name⟩", "back": _LONGEST_NUMBER})


def _called(name: str) -> str:
    """Match *name*; a short one, such as "sin", only as a word of its own."""
    short = name.isascii() and len(name) <= _SHORT_NAME
    return f"(?<![a-z]){name}(?![a-z])" if short else name


_RULES = [
    rule
    for table in _TABLES
    for row in rows(table, "rule")
    for rule in _rules_of(table, row)
]
# Those first that ask for few digits: where these are missing, no other needs a look.
_OF_SIGNS = sorted(
    (rule for rule in _RULES if rule.of_signs), key=lambda rule: rule.digits
)
_BY_DIGITS: dict[int, dict[str, list[Rule]]] = {}
for _rule in _RULES:
    for _clue in _rule.clues:
        _BY_DIGITS.setdefault(_rule.digits, {}).setdefault(_clue, []).append(_rule)
# How many digits a text must have, the clues of which it must hold one, and their rules.
_GROUPS = [(fewest, Clues(*clues), clues) for fewest, clues in _BY_DIGITS.items()]
