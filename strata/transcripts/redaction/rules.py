"""What is told by its form: the one skeleton of the rules that stand in the tables."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from strata.transcripts.redaction.proofs import passes
from strata.transcripts.redaction.reading import Value, read_value
from strata.transcripts.redaction.spans import Secret
from strata.transcripts.redaction.tables import expanded, rows
from strata.transcripts.redaction.view import Clues, stretches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.transcripts.redaction.view import View

_TABLES = ("formats", "told", "personal")
_SEPARATORS = b" \t.(-/A"
_DATE = re.compile(r"(?:19|20)\d\d-\d\d-\d\d(?![ ./-]?[A-Z0-9])")
# Most rows of digits are what a log begins its lines with.
_TIMESTAMP = b"0000-00-00A00:00:00"
_LOOK_BACK, _SLACK, _NEAR = 300, 100, 120
_NOT_JOINED = "(?<![A-Za-z0-9_.-])"
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
        self.signs = re.compile(row["signs"].encode()) if "signs" in row else None
        self._beside = Clues(*row["beside"]) if "beside" in row else None
        self._asked = row.get("needs", ()), row.get("unless", ())
        self._table, self._row = table, row

    # Compiled when first asked for: most texts hold no clue, and compiling takes a while.
    @cached_property
    def _form(self) -> re.Pattern[str]:
        return re.compile(expanded(self._table, self._row["form"], self._row))

    @cached_property
    def _lead(self) -> re.Pattern[str] | None:
        return self._pattern("lead")

    @cached_property
    def _before(self) -> re.Pattern[str] | None:
        return self._pattern("before")

    @cached_property
    def _without(self) -> re.Pattern[str] | None:
        return self._pattern("without")

    def _pattern(self, name: str) -> re.Pattern[str] | None:
        text = self._row.get(name)
        return re.compile(expanded(self._table, text, self._row)) if text else None

    def secrets(self, view: View, held: Iterable[str]) -> Iterator[Secret]:
        """Yield what *view*, which holds the clues *held*, tells in this form."""
        if self._beside and not self._beside.are_in(view):
            return
        for found in self._found(view, held):
            value = self._value(view.text, found)
            if (
                value
                and self._stands_right(view.text, found.start())
                and passes(view.text, value, found.start(), *self._asked)
            ):
                yield Secret(value.start, value.end, self._row["kind"])

    def _found(self, view: View, held: Iterable[str]) -> Iterator[re.Match[str]]:
        if self.signs:
            for place in self.signs.finditer(view.signs):
                yield from filter(None, [self._form.match(view.text, place.start())])
            return
        if self._row.get("whole"):
            yield from self._form.finditer(view.text)
            return
        done = 0
        for start, end in stretches(view, held, self._row.get("back", 0)):
            if end < done or (self.digits and not self._may_hold(view, start, end)):
                continue
            for begun in _begun(
                self._lead or self._form, view.text, max(start, done), end
            ):
                done = begun.end()
                if self._lead:
                    yield from _within(self._form, view.text, *begun.span("region"))
                else:
                    yield begun

    def _may_hold(self, view: View, start: int, end: int) -> bool:
        """Take a glance at the digits: before the end, or the first ones behind it."""
        if self._row.get("back"):
            return b"0" * self.digits in view.signs[start:end].translate(
                None, _SEPARATORS
            )
        first = view.signs.find(b"0", end, end + _NEAR)
        return first >= 0 and not _DATE.match(view.text, first)

    def _value(self, text: str, found: re.Match[str]) -> Value | None:
        groups = self._form.groupindex
        if "value" not in groups and "quote" in groups:
            return read_value(text, found.end(), found["quote"])
        start, end = found.span("value" if "value" in groups else found.lastgroup or 0)
        return Value(text[start:end], start, end, quoted=False)

    def _stands_right(self, text: str, start: int) -> bool:
        before = text[max(0, start - _LOOK_BACK) : start]
        if self._without and self._without.search(before):
            return False
        return not self._before or self._before.search(before) is not None


def _begun(
    form: re.Pattern[str], text: str, start: int, end: int
) -> Iterator[re.Match[str]]:
    """Yield what of *form* begins at *start* to *end*, which is mostly one place."""
    while start <= end:
        found = form.match(text, start)
        start = max(start + 1, found.end()) if found else start + 1
        yield from filter(None, [found])


def _within(
    form: re.Pattern[str], text: str, start: int, end: int
) -> Iterator[re.Match[str]]:
    """Yield what of *form* begins from *start* to *end*; it may go on behind."""
    for found in form.finditer(text, start, end + _SLACK):
        if found.start() > end:
            return
        yield from filter(None, [form.match(text, found.start())])


def formed(view: View) -> Iterator[Secret]:
    """Yield what the rules of the tables find in *view*."""
    digits = view.signs.replace(_TIMESTAMP, b":").translate(None, _SEPARATORS)
    for fewest, clues, by_clue in _GROUPS:
        if b"0" * fewest in digits:
            held = frozenset(clues.held_by(view))
            for rule in {rule: 0 for clue in held for rule in by_clue[clue]}:
                yield from rule.secrets(view, held & rule.clues)
    for rule in _OF_SIGNS:
        if b"0" * rule.digits in digits:
            yield from rule.secrets(view, ())


def _rules_of(table: str, row: dict[str, Any]) -> Iterator[Rule]:
    """Yield the rule of *row*; if it is called by names, one behind and one before."""
    if "names" not in row:
        yield Rule(table, row)
        return
    called = f"(?i:{'|'.join(map(_called, row['names']))})"
    number = rf"(?P<value>{_NOT_JOINED}(?i:{row['form']})(?![A-Za-z0-9_]|[.-][0-9]))"
    for form, back in (
        (f"{called}⟨leads_to_number⟩{number}", 0),
        (f"{number}⟨leads_to_name⟩{called}", _LONGEST_NUMBER),
    ):
        yield Rule(table, {**row, "clues": row["names"], "form": form, "back": back})


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
_OF_SIGNS = [rule for rule in _RULES if rule.signs]
_BY_DIGITS: dict[int, dict[str, list[Rule]]] = {}
for _rule in _RULES:
    for _clue in _rule.clues:
        _BY_DIGITS.setdefault(_rule.digits, {}).setdefault(_clue, []).append(_rule)
# How many digits a text must have, the clues of which it must hold one, and their rules.
_GROUPS = [(fewest, Clues(*clues), clues) for fewest, clues in _BY_DIGITS.items()]
