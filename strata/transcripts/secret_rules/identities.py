"""Numbers by which offices, insurers and shops know a person, of many countries."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.national_checks import (
    is_brazilian,
    is_french,
    is_hong_kong,
    is_spanish,
    is_taiwanese,
)
from strata.transcripts.secret_rules.personal_numbers import SHAPE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.transcripts.secret_rules.view import View

KIND = "personal:id-number"
_FEWEST_DIGITS, _FEWEST_SIGNS = 5, 7

# What has a form of its own, and mostly a check digit, needs no name. First what its
# shape without blanks holds: a fixed string is found many times as fast as a pattern.
_FORMS: tuple[tuple[bytes, re.Pattern[str], Callable[[str], bool]], ...] = (
    (b"A000000(", re.compile(r"(?<!\w)[A-Z]{1,2}\d{6}\([0-9A]\)"), is_hong_kong),
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
    (b"00000000", re.compile(r"(?<!\w)\d{8}-?[A-Z](?!\w)"), is_spanish),
    (
        b"00000000",
        re.compile(r"(?<!\w)[12] ?\d\d ?[01]\d ?\w\w ?\d{3} ?\d{3} ?\d\d(?!\w)"),
        is_french,
    ),
    (
        b"?A",
        re.compile(
            "(?:(?<![\u3400-\u9fff])|(?<=[是为牌号]))[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]"
            r"[A-Z][ ·•-]?[A-HJ-NP-Z0-9]{5,6}(?!\w)"
        ),
        lambda _: True,
    ),
)
_NUMBER_WORD = r"(?:id|no\.?|nos\.?|number|num\.?|nr\.?|n[°º]|card|#)"
_NAMED = (
    r"\bpass(?:port|eport|aporte)\b|\breisepass\b|\bpersonalausweis\b|\bausweis\b"
    rf"|\b(?:national|ni|state|social(?= ins)|health|tax|vat|identity|personal|patient"
    rf"|member|membership|policy|insurance|resident|residence|visa|student|citizen|voter"
    rf"|licen[cs]e|steuer|id)[ -](?:insurance |security |identity |card )?{_NUMBER_WORD}"
    r"(?![a-z])|\bnino\b|\bnhs\b|\bmedic(?:are|aid)\b|\bdriv(?:er'?s|ing) licen[cs]e\b"
    r"|(?-i:\bSIN\b|\bNIE\b|\bNIF\b|\bDNI\b|\bCPF\b|\bCNPJ\b|\bTIN\b|\bPESEL\b|\bBSN\b)"
    r"|\bs[ée]cu\b|\bcodice fiscale\b|주민등록번호|여권|マイナンバー|パスポート"
    r"|护照|護照|身[份分][证證]|居[留住][证證]|通行[证證]|社保|医保|健保|保[单單]"
    r"|驾驶?证|駕照|税号|军官证"
)
_LABEL = re.compile(_NAMED, re.IGNORECASE)
_VALUE = re.compile(
    r"(?:[^\n0-9]{0,32}?)(?P<number>(?<![\w.,:-])[A-Z]{0,4}[0-9][A-Z0-9]*"
    r"(?:[ ./-][A-Z0-9]{1,6}(?![a-z])){0,5}(?![\w:/%]))"
)
_DATE = re.compile(
    r"(?:19|20)\d\d[-./]\d{1,2}(?:[-./]\d{1,2})?$|\d{1,2}[./]\d{1,2}[./]\d{2,4}$"
)
_CLUES = (
    *("passport", "passeport", "pasaporte", "reisepass", "ausweis", "nino", "nhs"),
    *("medicare", "medicaid", "licen", "steuer", "insurance", "national", "ni n"),
    *(" id", "-id", "id ", "patient", "member", "policy", "resident", "residence"),
    *("health ", "tax ", "vat ", "visa ", "student ", "citizen", "voter", "identity"),
    *("personal ", "state ", "sin", "nie", "nif", "dni", "cpf", "cnpj", "tin", "pesel"),
    *("bsn", "sécu", "secu", "codice", "주민", "여권", "マイ", "パス", "护照", "護照"),
    *("身份", "身分", "居留", "居住", "通行", "社保", "医保", "健保", "保单", "保單"),
    *("驾", "駕", "税号", "军官"),
)
_PLATE_CLUES = ("plate", "reg", "车牌", "車牌", "kennzeichen")
_PLATE = re.compile(
    r"\b(?:number|licen[cs]e) plate\b|\bplates?\b|\breg(?:istration)?\b|车牌|車牌"
    r"|Kennzeichen",
    re.IGNORECASE,
)
_PLATE_VALUE = re.compile(
    r"[^\n0-9]{0,16}?(?P<number>(?<![\w-])"
    r"(?:[A-Z]{1,3}[ -]?[A-Z]{0,2}[ -]?\d{2,4}[ -]?[A-Z]{0,3}"
    r"|\d{1,4}[ -][A-Z]{2,3}[ -]?\d{0,4}))(?!\w)"
)


def identities(view: View) -> Iterator[Secret]:
    """Yield the numbers in *view* that stand for a person, a car or a contract of one."""
    shape = view.text.encode("ascii", "replace").translate(SHAPE)
    unspaced = shape.translate(None, b" ")
    for hint, form, holds in _FORMS:
        for found in () if hint not in unspaced else form.finditer(view.text):
            if holds(found[0]):
                yield Secret(*found.span(), KIND)
    # Plain searches are quicker than patterns, and most texts name no such number.
    named = any(clue in view.lowered for clue in _CLUES)
    for start, end in _lines_with_digits(shape) if named else ():
        for called in _LABEL.finditer(view.text, start, end):
            number = _VALUE.match(view.text, called.end())
            if number and _is_number(number["number"]):
                yield Secret(*number.span("number"), KIND)
    plated = any(clue in view.lowered for clue in _PLATE_CLUES)
    for called in _PLATE.finditer(view.text) if plated else ():
        if plate := _PLATE_VALUE.match(view.text, called.end()):
            yield Secret(*plate.span("number"), "personal:number-plate")


def _lines_with_digits(shape: bytes) -> Iterator[tuple[int, int]]:
    start = 0
    for line in shape.split(b"\n"):
        end = start + len(line)
        if line.count(b"0") >= _FEWEST_DIGITS:
            yield start, end
        start = end + 1


def _is_number(value: str) -> bool:
    signs = re.sub(r"[ ./-]", "", value)
    digits = sum(1 for each in signs if each.isdigit())
    long = digits >= _FEWEST_DIGITS and len(signs) >= _FEWEST_SIGNS
    return long and not _DATE.match(value)
