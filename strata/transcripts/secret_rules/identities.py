"""Numbers by which offices, insurers and shops know a person, of many countries."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.mentions import Clues
from strata.transcripts.secret_rules.national_checks import (
    is_brazilian,
    is_french,
    is_hong_kong,
    is_spanish,
    is_taiwanese,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.transcripts.secret_rules.view import View

KIND = "personal:id-number"
_FEWEST_DIGITS, _FEWEST_SIGNS = 5, 7

# What has a form of its own, and mostly a check digit, needs no name. First what its signs
# are: a fixed string is found many times as fast as a pattern.
_FORMS: tuple[tuple[bytes, re.Pattern[str], Callable[[str], bool]], ...] = (
    (b"AA000000(", re.compile(r"(?<!\w)[A-Z]{2}\d{6}\([0-9A]\)"), is_hong_kong),
    (b"A000000(", re.compile(r"(?<!\w)[A-Z]\d{6}\([0-9A]\)"), is_hong_kong),
    (
        b"000.000.000-00",
        re.compile(r"(?<![\w.])\d{3}\.\d{3}\.\d{3}-\d\d(?!\w)"),
        is_brazilian,
    ),
    (
        b"000000-0000000",
        re.compile(r"(?<![\w-])\d\d[01]\d[0-3]\d-[1-8]\d{6}(?![\w-])"),
        lambda _: True,
    ),
    (b"A000000000", re.compile(r"(?<!\w)[A-Z][12]\d{8}(?!\w)"), is_taiwanese),
    (b"00000000A", re.compile(r"(?<!\w)\d{8}[A-Z](?!\w)"), is_spanish),
    (b"00000000-A", re.compile(r"(?<!\w)\d{8}-[A-Z](?!\w)"), is_spanish),
)
_DIGITS_OF_FORM = b"000000"
_FRENCH = re.compile(r"(?<!\w)[12] ?\d\d ?[01]\d ?\d\d ?\d{3} ?\d{3} ?\d\d(?!\w)")
_FRENCH_SIGNS, _FRENCH_ROW = b"0" * 15, re.compile(rb"0[0 ]{14}[0 ]*")
_NUMBER_WORD = r"(?:id|no\.?|nos\.?|number|num\.?|nr\.?|n[°º]|card|#)"
# Nothing that all of it could begin with: the bounds first, or each letter is tried.
_LABEL = re.compile(
    r"\b(?=[a-z])(?:pass(?:port|eport|aporte)\b|reisepass\b|(?:personal)?ausweis\b"
    rf"|(?:national|ni|state|social(?= ins)|health|tax|vat|identity|personal|patient"
    rf"|member|membership|policy|insurance|resident|residence|visa|student|citizen|voter"
    r"|licen[cs]e|steuer|id|ird|ppsn?|cpf|dni|nif)"
    rf"[ -](?:insurance |security |identity |card )?{_NUMBER_WORD}"
    r"(?![a-z])|nino\b|nhs\b|medic(?:are|aid)\b|driv(?:er'?s|ing) licen[cs]e\b"
    r"|s[ée]cu\b|codice fiscale\b)"
    r"|(?=[주여マパ护護身居通社医健保驾駕税军])(?:주민등록번호|여권|マイナンバー|パスポート"
    r"|护照|護照|身[份分][证證]|居[留住][证證]|通行[证證]|社保|医保|健保|保[单單]"
    r"|驾驶?证|駕照|税号|军官证)"
)
_ABBREVIATED = re.compile(
    r"\b(?:SIN|NIE|NIF|DNI|CPF|CNPJ|TIN|PESEL|BSN|PPSN?|IRD|CURP)\b"
)
_VALUE = re.compile(
    r"(?:[^\n0-9]{0,32}?)(?P<number>(?<![\w.,:-])[A-Z]{0,4}[0-9][A-Z0-9]*"
    r"(?:[ ./-][A-Z0-9]{1,6}(?![a-z])){0,5}(?![\w:/%]))"
)
_LABEL_BEFORE_CLUE, _LABEL_AND_GAP = 24, 80
_NUMBER_BEHIND = re.compile(
    rb"[^0\n]{0,%d}?(?P<number>A{0,4}0[0A]*(?:[ ./-][0A]{1,6}){0,5})" % _LABEL_AND_GAP
)
_NO_SEPARATORS = str.maketrans("", "", " ./-")
_NO_DIGITS = str.maketrans("", "", "0123456789")
_TIMESTAMP, _BETWEEN_DIGITS = b"0000-00-00A00:00:00", b"A ./-"
_DATE = re.compile(
    r"(?:19|20)\d\d[-./]\d{1,2}(?:[-./]\d{1,2})?$|\d{1,2}[./]\d{1,2}[./]\d{2,4}$"
)
_CLUES = Clues(
    *("passport", "passeport", "passaporte", "reisepass", "ausweis", "nino", "nhs"),
    *("medicare", "medicaid", "licen", "steuer", "insurance", "national", "ni n"),
    *("id ", "id-", "patient", "member", "policy", "resident", "social ins", "codice"),
    *("health ", "tax ", "vat ", "visa ", "student ", "citizen", "voter", "identity"),
    *("personal ", "state ", "sin", "nie", "nif", "dni", "cpf", "cnpj", "tin", "pesel"),
    *("pps", "ird", "curp", "bsn", "sécu", "secu"),
    *("주민", "여권", "マイ", "パス", "护照", "護照"),
    *("身份", "身分", "居留", "居住", "通行", "社保", "医保", "健保", "保单", "保單"),
    *("驾", "駕", "税号", "军官"),
)


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
            for found in _FRENCH.finditer(view.text, *row.span()):
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
        _LABEL.finditer(view.lowered, first, last),
        _ABBREVIATED.finditer(view.text, first, last),
    ):
        number = _VALUE.match(view.text, called.end())
        if number and _is_number(number["number"]):
            yield number.span("number")


def _is_number(value: str) -> bool:
    if _DATE.match(value):
        return False
    signs = value.translate(_NO_SEPARATORS)
    digits = len(signs) - len(signs.translate(_NO_DIGITS))
    return digits >= _FEWEST_DIGITS and len(signs) >= _FEWEST_SIGNS
