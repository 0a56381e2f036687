"""Numbers of offices, insurers and cars, and keys known by their shape, do not stay."""

from __future__ import annotations

import random
import string

import pytest

from strata.transcripts.redaction import find_secrets, redact

CHANCE = random.Random("identities")  # noqa: S311 - made up


def some(alphabet: str, length: int) -> str:
    return "".join(CHANCE.choices(alphabet, k=length))


DIGITS, UPPER, LOWER = string.digits, string.ascii_uppercase, string.ascii_lowercase
PASSPORT = "C0" + "1X00T47"
NUMBERS = {
    "passport": f"my passport number is {PASSPORT}, fill it in",
    "passport in German": f"Reisepass Nr. {PASSPORT}",
    "passport in Chinese": f"护照号 {PASSPORT}，下周要用",
    "health": "NHS number: " + "943 476 " + "5919",
    "health in Chinese": "医保号 " + "3301" + "88764512",
    "social insurance": "my SIN is " + "046 454" + " 286",
    "Irish": "the form wants my son's PPS: " + "1234567" + "TW",
    "tax in passing": "payroll wants her ird no, its " + "049-091" + "-850",
    "tax in New Zealand": "my IRD number is " + "049-091" + "-850",
    "insurance policy": "保单号 " + "PICC" + "20260012345",
    "tax": "tax id: " + "12/345/" + "67890",
    "driving licence": "driver's license " + "D1234" + "5678",
    "licence plate": "the number plate is " + "HH AB" + " 123",
    "Chinese plate": "车牌是" + "京A" + "D12345",
    "plate of my own": "我的车牌 " + "沪A" + "12345",
    "plate in a form": "parking permit: reg is " + "AB12" + " CDE",
}
CHECKED = {
    "Spanish": "123456" + "78Z",
    "Brazilian": "529.982" + ".247-25",
    "Hong Kong": "A1234" + "56(3)",
    "Taiwanese": "A1234" + "56789",
    "French": "2 55 08 14 168 0" + "25 38",
    "Korean": "850101-" + "1234567",
}
SHAPED = {
    "wallet": "legal winner thank year wave sausage worth useful "
    "legal winner wave yellow",
    "secret access key": some(UPPER + LOWER + DIGITS, 38) + "aZ",
    "seed of two factors": "the authenticator setup key is "
    + some(UPPER + "234567", 32),
    "app password": f"app password: {some(LOWER, 4)} {some(LOWER, 4)} {some(LOWER, 4)} "
    f"{some(LOWER, 4)}",
    "backup codes": f"backup codes {some(LOWER, 5)}-{some(DIGITS, 5)}",
    "app secret": "AppSecret (shown once) " + some("0123456789abcdef", 32),
    "payment": "付款码 28" + some(DIGITS, 16),
    "payment in groups": "付款码 2876 3450" + " 9182 7364 55",
    "keypad": "garage keypad: 47" + "11#",
    "oracle": "jdbc:oracle:thin:scott/" + "Quarry.69" + "@//db.example:1521/X",
    "share": "net use Z: /user:anna " + "Quarry.69",
    "pass": "ssh in with the pass " + "xiaomei" + "1978",
}
HARMLESS = (
    "the passport office opens at 08:30 on weekdays",
    "my passport is valid till 2033-04-01",
    "身份证复印件要两份，周五 14:30 交",
    "the insurance covers 100,000 euros a year",
    "the health check takes 15 minutes, room 1204",
    "policy: at most 300 lines a review",
    "register 12345 users in the test",
    "the plates were 12.50 each, the cups 8.00",
    "the boarding pass LX1234 is on the phone",
    "the pass over the Alps opens on 15 May",
    "wifi 6E works, 802.11ax with 160 MHz",
    "commit " + "0123456789abcdef" * 2 + "01234567 broke it",
    "sha512-" + some(UPPER + LOWER + DIGITS, 86) + "==",
    "we want to go home now and then cook some pasta with tomato sauce and cheese",
    "京东到货了，京A 的车都限行",
    "车牌 沪A12345",
    "班车的车牌是沪A12345，在门口等",
    "对方的车牌是 沪A12345，拍了照",
    "the plate of the shuttle is AB12 CDE",
    "a plate looks like this, for example: AB12 CDE",
    "my neighbour's number plate is AB12 CDE",
    "order 12345678 shipped, ticket 87654321 is closed",
    "keypad 104 of the keyboard is broken",
)


@pytest.mark.parametrize("text", NUMBERS.values(), ids=NUMBERS)
def test_named_numbers_are_taken_out(text: str) -> None:
    """
    Whatever office gave it, a number that is called so in some language goes.
    """
    assert [each.kind.partition(":")[0] for each in find_secrets(text)] == ["personal"]


@pytest.mark.parametrize("number", CHECKED.values(), ids=CHECKED)
def test_numbers_with_a_form_need_no_name(number: str) -> None:
    """
    A number of a country's own form, with the right check digit, goes without a name.
    """
    assert (
        redact(f"take {number} for the form")
        == "take ⟦personal:id-number⟧ for the form"
    )


@pytest.mark.parametrize(
    "number",
    ["12345678A", "529.982.247-26", "A123456(4)", "A123456788", "255081416802539"],
)
def test_a_wrong_check_digit_is_no_number(number: str) -> None:
    """
    What only looks like such a number is none.
    """
    assert redact(f"take {number} for the form") == f"take {number} for the form"


@pytest.mark.parametrize("first", "STFGM")
def test_numbers_of_singapore_have_a_check_letter(first: str) -> None:
    """
    One letter of all is right, whatever the first one is.
    """
    told = [f"my NRIC is {first}1234567{last}" for last in UPPER]

    assert [text[-1] for text in told if redact(text) != text] == [
        {"S": "D", "T": "J", "F": "N", "G": "X", "M": "K"}[first]
    ]


@pytest.mark.parametrize("text", SHAPED.values(), ids=SHAPED)
def test_shapes_are_taken_out(text: str) -> None:
    """
    A secret without a name, or far behind it, is known by how it is written.
    """
    assert len(find_secrets(text)) == 1


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_texts_stay(text: str) -> None:
    """
    Times, prices, digests and plain sentences stay as they are.
    """
    assert redact(text) == text
