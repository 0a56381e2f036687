"""Numbers of people that only their name gives away, and what stands by such a name."""

from __future__ import annotations

import pytest

from strata.transcripts.redaction import redact

OF_PEOPLE = [
    (
        "the form wants my SIN, it's {}, can you fill it in",
        "046 454 286",
        "id-number",
    ),
    ("{} is my SIN", "046-454-286", "id-number"),
    ("my NI number is {}", "AB 12 34 56 C", "id-number"),
    ("aadhaar {}", "2341 2341 2346", "id-number"),
    ("my NRIC: {}", "S1234567D", "id-number"),
    ("TFN {}", "123 456 782", "id-number"),
    (
        "put it on the debit card {}, not the other",
        "4506 4459 1182 7730",
        "card-number",
    ),
    ("我的建行卡 {}", "6217 0012 3456 7890 123", "card-number"),
]

ORDINARY = [
    "it's a sin, 123 456 789 of them were sold",
    "order 046454286 from Sin City",
    "aadhaar 2341 2341 2345",
    "NRIC S1234567A",
    "TFN 123 456 783",
    "取件码 287634509182736455",
    "订单 287634509182736455",
    "put it on the debit card, order 4506445911827730",
    "信用卡付的,订单号 4506445911827730",
    "ISBN 978 0 306 40615 7",
    "the part number is AB123456C",
    "finally we sold 1234567 tickets",
    "my number is 1234 5678 9012 in the queue",
]


@pytest.mark.parametrize(("frame", "number", "kind"), OF_PEOPLE)
def test_named_number_is_replaced(frame: str, number: str, kind: str) -> None:
    """
    The number goes, the words around it stay.
    """
    assert frame.format(f"⟦personal:{kind}⟧") == redact(frame.format(number))


@pytest.mark.parametrize("text", ORDINARY)
def test_number_of_another_thing_stays(text: str) -> None:
    """
    A wrong check digit, another name, or an order beside a card.
    """
    assert redact(text) is text
