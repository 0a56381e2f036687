"""Numbers by which offices, insurers and shops know a person, of many countries."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from strata.transcripts.redaction.checksums import CHECKS, Check, is_french
from strata.transcripts.redaction.spans import Secret
from strata.transcripts.redaction.tables import Patterns, phrases, rows
from strata.transcripts.redaction.view import Clues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.redaction.view import View

NAMED = Patterns("personal", "named")
IDENTITIES = Patterns("personal", "identities")
PLATES = Patterns("personal", "plates")
# Nine digits and more, or six and more beside a capital letter; dates have fewer.
_ROW = re.compile(rb"0(?:[ \t.(-]{0,2}0){8,}|A ?0(?: ?0){5,7}|0{7,8} ?A")
_LONG_NUMBER, _SEPARATORS = b"0" * 9, b" \t.(-"
_WITH_LETTER, _BLANKS = (b"A000000", b"0000000A"), b" "
_BEFORE, _AFTER, _WIDEST_GAP = 64, 80, 28
_SHORT_NAME = 5


class _Numbers(NamedTuple):
    """Numbers called by one of *names*, of such a *form*, that pass a *check*."""

    kind: str
    names: tuple[tuple[str, re.Pattern[str]], ...]
    form: re.Pattern[str]
    check: Check


def _called(name: str) -> re.Pattern[str]:
    """Match *name*; a short one, such as "sin", only as a word of its own."""
    alone = rf"(?![a-z])(?<![a-z]{name})"
    short = name.isascii() and len(name) <= _SHORT_NAME
    return re.compile(name + alone if short else name)


_KINDS = tuple(
    _Numbers(
        row["kind"],
        tuple((name, _called(name)) for name in row["names"]),
        re.compile(
            rf"(?i)(?<![A-Za-z0-9_.-])(?:{row['form']})(?![A-Za-z0-9_]|[.-][0-9])"
        ),
        CHECKS[row["check"]],
    )
    for row in rows("personal", "number")
)
NAMES_OF_SHORT_NUMBERS = tuple(
    name
    for row in rows("personal", "number")
    if row.get("short")
    for name in row["names"]
)
"""What numbers of eight digits and fewer are called."""


def named_numbers(view: View) -> Iterator[Secret]:
    """Yield the named numbers in *view*."""
    if not _may_hold_row(view.signs):
        return
    for start, end in _stretches(view.signs):
        around = view.lowered[start:end]
        for numbers in _KINDS:
            for name, called in numbers.names:
                if name in around:
                    for match in called.finditer(view.lowered, start, end):
                        yield from _number_of(view.text, numbers, *match.span())


def _stretches(signs: bytes) -> list[tuple[int, int]]:
    """Return where the rows of digits stand, with what is near enough to name them."""
    stretches: list[tuple[int, int]] = []
    for row in _ROW.finditer(signs):
        start, end = max(0, row.start() - _AFTER), row.end() + _BEFORE
        if stretches and start < stretches[-1][1]:
            start = stretches.pop()[0]
        stretches.append((start, end))
    return stretches


def _may_hold_row(signs: bytes) -> bool:
    if _LONG_NUMBER in signs.translate(None, _SEPARATORS):
        return True
    unspaced = signs.translate(None, _BLANKS)
    return any(form in unspaced for form in _WITH_LETTER)


def _number_of(text: str, numbers: _Numbers, start: int, end: int) -> Iterator[Secret]:
    """Yield the number after the name at *start* to *end*, else the one before it."""
    after = numbers.form.search(text, end, end + _AFTER)
    if after and _leads_on(text[end : after.start()]) and _passes(numbers, after):
        yield Secret(*after.span(), numbers.kind)
        return
    for before in numbers.form.finditer(text, max(0, start - _BEFORE), start):
        led = NAMED.leads_to_name.fullmatch(text, before.end(), start)
        if led and _passes(numbers, before):
            yield Secret(*before.span(), numbers.kind)


def _leads_on(gap: str) -> bool:
    """Say whether nothing in *gap* takes the number behind it away from its name."""
    plain = len(gap) <= _WIDEST_GAP and not any(sign.isdigit() for sign in gap)
    return plain and "\n" not in gap and not NAMED.other_thing.search(gap)


def _passes(numbers: _Numbers, found: re.Match[str]) -> bool:
    return numbers.check(NAMED.grouping.sub("", found[0]).upper())


KIND = "personal:id-number"
_FEWEST_DIGITS, _FEWEST_SIGNS = 5, 7

_FORMS = tuple(
    (row["signs"].encode(), re.compile(row["form"]), CHECKS[row["check"]])
    for row in rows("personal", "form")
)
_DIGITS_OF_FORM = b"000000"
_FRENCH_SIGNS, _FRENCH_ROW = b"0" * 15, re.compile(rb"0[0 ]{14}[0 ]*")
_LABEL_BEFORE_CLUE, _LABEL_AND_GAP = 24, 80
_NUMBER_BEHIND = re.compile(
    rb"[^0\n]{0,%d}?(?P<number>A{0,4}0[0A]*(?:[ ./-][0A]{1,6}){0,5})" % _LABEL_AND_GAP
)
_NO_SEPARATORS = str.maketrans("", "", " ./-")
_NO_DIGITS = str.maketrans("", "", "0123456789")
_TIMESTAMP, _BETWEEN_DIGITS = b"0000-00-00A00:00:00", b"A ./-"
_CLUES = Clues(*phrases("personal", "identities"))


def may_hold_form(signs: bytes) -> bool:
    """Say whether *signs*, those of a text, can be of a number that needs no name."""
    return _DIGITS_OF_FORM in signs.translate(None, b".")


def formed_identities(view: View) -> Iterator[Secret]:
    """Yield the numbers of citizens in *view* that have a form of their own."""
    for signs, form, holds in _FORMS if may_hold_form(view.signs) else ():
        at = view.signs.find(signs)
        while at >= 0:
            if (found := form.match(view.text, at)) and holds(found[0]):
                yield Secret(*found.span(), KIND)
            at = view.signs.find(signs, at + 1)
    if _FRENCH_SIGNS in view.signs.translate(None, b" "):
        for row in _FRENCH_ROW.finditer(view.signs):
            for found in IDENTITIES.french.finditer(view.text, *row.span()):
                if is_french(found[0]):
                    yield Secret(*found.span(), KIND)


def named_identities(view: View) -> Iterator[Secret]:
    """Yield the numbers of offices and insurers in *view* that are called so."""
    # Most rows of digits are what a log begins its lines with.
    untimed = view.signs.replace(_TIMESTAMP, b":")
    if b"0" * _FEWEST_DIGITS not in untimed.translate(None, _BETWEEN_DIGITS):
        return
    for place in _CLUES.places(view):
        # No label has a digit, so the first one behind the clue is the number's.
        behind = _NUMBER_BEHIND.match(view.signs, place)
        if behind and _is_number(view.text[slice(*behind.span("number"))]):
            around = max(0, place - _LABEL_BEFORE_CLUE), behind.end()
            for start, end in _called_so(view, *around):
                yield Secret(start, end, KIND)


def _called_so(view: View, first: int, last: int) -> Iterator[tuple[int, int]]:
    for called in chain(
        IDENTITIES.label.finditer(view.lowered, first, last),
        IDENTITIES.abbreviated.finditer(view.text, first, last),
    ):
        number = IDENTITIES.value.match(view.text, called.end())
        if number and _is_number(number["number"]):
            yield number.span("number")


def _is_number(value: str) -> bool:
    if IDENTITIES.date.match(value):
        return False
    signs = value.translate(_NO_SEPARATORS)
    digits = len(signs) - len(signs.translate(_NO_DIGITS))
    return digits >= _FEWEST_DIGITS and len(signs) >= _FEWEST_SIGNS


CLUES_TO_PLATES = Clues(*phrases("personal", "plates"))
_LONGEST_CLAUSE = 48


def number_plates(view: View) -> Iterator[Secret]:
    """Yield the number plates in *view* that are named as the owner's."""
    for line in CLUES_TO_PLATES.lines(view):
        for called in PLATES.named.finditer(view.text, *line):
            plate = PLATES.value.match(view.text, called.end())
            if plate and _is_own(view.text, line[0], called, plate.start("number")):
                yield Secret(*plate.span("number"), "personal:number-plate")


def _is_own(text: str, start: int, called: re.Match[str], plate: int) -> bool:
    before = text[max(start, called.start() - _LONGEST_CLAUSE) : called.start()]
    clause = PLATES.clause_ends.split(before)[-1] + text[called.start() : plate]
    if PLATES.of_others.search(clause):
        return False
    return bool(
        PLATES.told.match(text, called.end(), plate) or PLATES.mine.search(clause)
    )
