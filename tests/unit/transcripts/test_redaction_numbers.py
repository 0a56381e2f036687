"""Cards, identity cards, mobiles and accounts, and the numbers that look like them."""

from __future__ import annotations

import pytest

from strata.transcripts.redaction import redact
from strata.transcripts.redaction.numbers import adds_up, passes_luhn

OF_PEOPLE = [
    ("pay with {}, 09/29", "5412267032502334", "card-number"),
    ("定金刷这张 {}", "6228 4842 4763 8818 628", "card-number"),
    ("visa {} 12/27", "4012-8888-8888-1881", "card-number"),
    ("amex {}", "3782 822463 10005", "card-number"),
    ("{}", "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "card-number"),
    ("我的身份证号 {},填表", "510107199512090371", "cn-id"),
    ("证件号是{}", "44030519880229451X", "cn-id"),
    ("打 {} 找老王", "13912345678", "cn-mobile"),
    ("tel +86 {}", "139 1234 5678", "cn-mobile"),
    ("phone={}&x=1", "13912345678", "cn-mobile"),
    ("iban {}", "DE89 3704 0044 0532 0130 00", "bank-account"),
    ("my SSN is {}", "212-45-6789", "social-security-number"),
]

ORDINARY = [
    "order_id: 13812345678",
    '"orderId": "4111111111111111"',
    "订单号 13812345678",
    "size: 17179869184",
    "17179869184 bytes",
    "ts=1763625600123",
    "1718000000000 1718000060000 1718000120000",
    "1024 2048 4096 8192 4111 1111 1111 1111",
    "3f2a-13812345678",
    "https://example.com/p/4111111111111111/reviews",
    "9400111899223197428490",
    "550e8400-e29b-41d4-a716-446655440000",
    "10.0.0.1 and 192.168.178.20",
    "2026-11-20 12:34:56.789 took 1234567 us",
    "SSN stands for social security number",
]


@pytest.mark.parametrize(("frame", "number", "kind"), OF_PEOPLE)
def test_number_of_a_person_is_replaced(frame: str, number: str, kind: str) -> None:
    """
    The number goes with its blanks, the rest stays.
    """
    assert frame.format(f"⟦personal:{kind}⟧") == redact(frame.format(number))


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_number_stays(text: str) -> None:
    """
    Ids, sizes, times and tables are nobody's numbers.
    """
    assert redact(text) is text


@pytest.mark.parametrize(
    ("digits", "right"),
    [("4111111111111111", True), ("4111111111111112", False), ("0", True)],
)
def test_luhn_sum(digits: str, *, right: bool) -> None:
    """
    The last digit is right or wrong.
    """
    assert right == passes_luhn(digits)


def test_check_digit_of_a_citizen() -> None:
    """
    The check digit may be an X, in either case.
    """
    assert adds_up("citizen", "11010519491231002X")
    assert adds_up("citizen", "11010519491231002x")
    assert not adds_up("citizen", "110105194912310021")
