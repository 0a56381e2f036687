"""What is told by its form: the one skeleton of the rules that stand in the tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

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
# Most rows of digits are what a log begins its lines with.
_DATE = re.compile(r"(?:19|20)\d\d-\d\d-\d\d(?![ ./-]?[A-Z0-9])")
_TIMESTAMP = b"0000-00-00A00:00:00"
_LOOK_BACK, _SLACK, _NEAR = 300, 100, 120
_SHORT_NAME, _LONGEST_NUMBER = 5, 64


class Rule(NamedTuple):
    """
    A *form* that is secret where one of the *clues* stands near it.

    It may be looked for in the *region* behind a *lead* only, or where *signs* stand.
    What precedes it may have to hold *before*, and not *without*. The value is the group
    of that name, else the last one, else what is read behind the form; *needs* and
    *unless* are names of tests.
    """

    kind: str
    form: re.Pattern[str]
    clues: frozenset[str]
    beside: Clues | None
    back: int
    digits: int
    whole: bool
    lead: re.Pattern[str] | None
    signs: re.Pattern[bytes] | None
    before: re.Pattern[str] | None
    without: re.Pattern[str] | None
    needs: tuple[str, ...]
    unless: tuple[str, ...]

    def is_due(self, view: View, held: frozenset[str]) -> bool:
        """Say whether *view*, which holds the clues *held*, is worth a closer look."""
        beside = self.beside is None or self.beside.are_in(view)
        return beside and not held.isdisjoint(self.clues)

    def secrets(self, view: View, held: Iterable[str]) -> Iterator[Secret]:
        """Yield what *view*, which holds the clues *held*, tells in this form."""
        for found in self._found(view, held):
            value = self._value(view.text, found)
            if (
                value
                and self._stands_right(view.text, found.start())
                and passes(view.text, value, found.start(), self.needs, self.unless)
            ):
                yield Secret(value.start, value.end, self.kind)

    def _found(self, view: View, held: Iterable[str]) -> Iterator[re.Match[str]]:
        if self.signs:
            for place in self.signs.finditer(view.signs):
                yield from filter(None, [self.form.match(view.text, place.start())])
            return
        if self.whole:
            yield from self.form.finditer(view.text)
            return
        done = 0
        for start, end in stretches(view, held, self.back):
            if end < done or (self.digits and not self._may_hold(view, start, end)):
                continue
            for begun in _begun(
                self.lead or self.form, view.text, max(start, done), end
            ):
                done = begun.end()
                if self.lead:
                    yield from _within(self.form, view.text, *begun.span("region"))
                else:
                    yield begun

    def _may_hold(self, view: View, start: int, end: int) -> bool:
        """Take a glance at the digits: before the end, or the first ones behind it."""
        if self.back:
            return b"0" * self.digits in view.signs[start:end].translate(
                None, _SEPARATORS
            )
        first = view.signs.find(b"0", end, end + _NEAR)
        return first >= 0 and not _DATE.match(view.text, first)

    def _value(self, text: str, found: re.Match[str]) -> Value | None:
        groups = self.form.groupindex
        if "value" not in groups and "quote" in groups:
            return read_value(text, found.end(), found["quote"])
        start, end = found.span("value" if "value" in groups else found.lastgroup or 0)
        return Value(text[start:end], start, end, quoted=False)

    def _stands_right(self, text: str, start: int) -> bool:
        before = text[max(0, start - _LOOK_BACK) : start]
        if self.without and self.without.search(before):
            return False
        return not self.before or self.before.search(before) is not None


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
    for fewest, clues, rules in _GROUPS:
        if b"0" * fewest in digits:
            held = frozenset(clues.held_by(view))
            for rule in rules if held else ():
                if rule.is_due(view, held):
                    yield from rule.secrets(view, held & rule.clues)
    for rule in _OF_SIGNS:
        if b"0" * rule.digits in digits:
            yield from rule.secrets(view, ())


def _rule(table: str, row: dict[str, Any]) -> Rule:
    def pattern(name: str) -> re.Pattern[str] | None:
        return re.compile(expanded(table, row[name], row)) if name in row else None

    form = re.compile(expanded(table, row["form"], row))
    signs = re.compile(row["signs"].encode()) if "signs" in row else None
    return Rule(
        row["kind"],
        form,
        frozenset(row.get("clues", row.get("names", ()))),
        Clues(*row["beside"]) if "beside" in row else None,
        row["back"],
        row.get("digits", 0),
        row.get("whole", False),
        pattern("lead"),
        signs,
        pattern("before"),
        pattern("without"),
        tuple(row.get("needs", ())),
        tuple(row.get("unless", ())),
    )


def _all_rules() -> Iterator[Rule]:
    for table in _TABLES:
        for row in rows(table, "rule"):
            for form, back in _forms(row):
                yield _rule(table, {**row, "form": form, "back": back})


def _forms(row: dict[str, Any]) -> list[tuple[str, int]]:
    """Return the form of *row*; if it is called by names, one behind and one before."""
    if "names" not in row:
        return [(row["form"], row.get("back", 0))]
    called = f"(?i:{'|'.join(map(_called, row['names']))})"
    number = (
        rf"(?P<value>(?<![A-Za-z0-9_.-])(?i:{row['form']})(?![A-Za-z0-9_]|[.-][0-9]))"
    )
    return [
        (f"{called}⟨leads_to_number⟩{number}", 0),
        (f"{number}⟨leads_to_name⟩{called}", _LONGEST_NUMBER),
    ]


def _called(name: str) -> str:
    """Match *name*; a short one, such as "sin", only as a word of its own."""
    short = name.isascii() and len(name) <= _SHORT_NAME
    return f"(?<![a-z]){name}(?![a-z])" if short else name


_RULES = [*_all_rules()]
_OF_SIGNS = [rule for rule in _RULES if rule.signs]
# By how many digits they ask for: the clues that a text must hold, and their rules.
_GROUPS = [
    (
        fewest,
        Clues(*sorted({clue for rule in rules for clue in rule.clues})),
        rules,
    )
    for fewest in sorted({rule.digits for rule in _RULES})
    if (rules := [rule for rule in _RULES if rule.clues and rule.digits == fewest])
]
