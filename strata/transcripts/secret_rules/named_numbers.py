"""Numbers that are a person's where the text names them: ids with check digits, cards."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules import national_checks as check
from strata.transcripts.secret_rules.checksums import has_card_length
from strata.transcripts.secret_rules.found import Secret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.transcripts.secret_rules.view import View

# Nine digits and more, or six and more beside a capital letter; dates have fewer.
_ROW = re.compile(rb"0(?:[ \t.(-]{0,2}0){8,}|A ?0(?: ?0){5,7}|0{7,8} ?A")
_LONG_NUMBER, _SEPARATORS = b"0" * 9, b" \t.(-"
_WITH_LETTER, _BLANKS = (b"A000000", b"0000000A"), b" "
_BEFORE, _AFTER, _WIDEST_GAP = 64, 80, 28
_SHORT_NAME = 5
_LEADS_TO_NAME = re.compile(
    r"[ \t]{0,2}(?:is|as|=|,|\(|就?是|为|，)[ \t]{0,2}"
    r"(?:(?:my|the|our|your|his|her)[ \t]|[我你他她]的)?(?:[\w-]{1,16}[ \t]){0,2}",
    re.IGNORECASE,
)
# "Paid by debit card, order 4506…": the number is not the card's.
_OTHER_THING = re.compile(
    r"order|invoice|ticket|tracking|booking|ref\b|reference|case|transaction|serial|receipt"
    r"|订单|单号|运单|快递|流水|编号|序列|发票",
    re.IGNORECASE,
)
_GROUPING = re.compile(r"[ \t.()/-]")


@dataclass(frozen=True, slots=True)
class _Numbers:
    """Numbers called by one of *names*, of such a *form*, that pass a *check*."""

    kind: str
    names: tuple[tuple[str, re.Pattern[str]], ...]
    form: re.Pattern[str]
    check: Callable[[str], bool]


def _numbers(
    names: str, form: str, passes: Callable[[str], bool], kind: str = "id-number"
) -> _Numbers:
    whole = re.compile(
        rf"(?<![A-Za-z0-9_.-])(?:{form})(?![A-Za-z0-9_]|[.-][0-9])", re.IGNORECASE
    )
    called = tuple((name, _called(name)) for name in names.split("|"))
    return _Numbers(f"personal:{kind}", called, whole, passes)


def _called(name: str) -> re.Pattern[str]:
    """Match *name*; a short one, such as "sin", only as a word of its own."""
    alone = rf"(?![a-z])(?<![a-z]{name})"
    short = name.isascii() and len(name) <= _SHORT_NAME
    return re.compile(name + alone if short else name)


def _digits(*groups: int) -> str:
    return "[ \t.-]?".join(f"[0-9]{{{group}}}" for group in groups)


_NINE, _TWELVE = _digits(3, 3, 3), _digits(4, 4, 4)
_BRITISH, _SINGAPOREAN = "national insurance|ni number|ni no|nino", "nric|fin number"
_CARDS = (
    "debit card|credit card|bank card|bankcard|payment card|visa card|visa debit|mastercard"
    "|amex card|行卡|行的卡|储蓄卡|信用卡|借记卡|工资卡|银行账号|银行账户"
)
NAMES_OF_SHORT_NUMBERS = f"{_BRITISH}|{_SINGAPOREAN}".split("|")
"""What numbers of eight digits and fewer are called."""

_KINDS = (
    _numbers("sin|social insurance|社会保险号", _NINE, check.is_canadian),
    _numbers("tfn|tax file", _NINE, check.is_australian),
    _numbers("aadhaar|aadhar|uidai", rf"(?=[2-9]){_TWELVE}", check.is_indian),
    _numbers("my number|マイナンバー|個人番号|个人编号", _TWELVE, check.is_japanese),
    _numbers(_SINGAPOREAN, r"[STFGM][0-9]{7}[A-Z]", check.is_singaporean),
    _numbers(_BRITISH, r"[A-Z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]", bool),
    _numbers(
        _CARDS,
        r"[0-9]{4}(?:[ -]?[0-9]{2,4}){2,3}(?:[ -]?[0-9]{1,4}){0,2}",
        has_card_length,
        "card-number",
    ),
)


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
        led = _LEADS_TO_NAME.fullmatch(text, before.end(), start)
        if led and _passes(numbers, before):
            yield Secret(*before.span(), numbers.kind)


def _leads_on(gap: str) -> bool:
    """Say whether nothing in *gap* takes the number behind it away from its name."""
    plain = len(gap) <= _WIDEST_GAP and not any(sign.isdigit() for sign in gap)
    return plain and "\n" not in gap and not _OTHER_THING.search(gap)


def _passes(numbers: _Numbers, found: re.Match[str]) -> bool:
    return numbers.check(_GROUPING.sub("", found[0]).upper())
