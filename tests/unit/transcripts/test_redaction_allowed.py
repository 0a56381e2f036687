"""What is no secret although it looks like one: components, and what its owner allows."""

from __future__ import annotations

import pytest

from strata.models import Masking
from strata.transcripts.maskings import maskings
from strata.transcripts.redaction import find_secrets, redact
from strata.workspace.allowances import FEWEST_BITS, bits


@pytest.mark.parametrize(
    "text",
    [
        "The wifi uses an ESP32-C3, four megabytes",
        "The Wi-Fi uses ESP32-C3",
        "Wi-Fi 用的是 ESP32-C3，很省电",
        "无线网卡用 RTL8812AU",
        "Login uses BCM43455 for now",
        "the wifi board is ATMEGA328P",
        "try ESP32-S3 for the wifi",
    ],
)
def test_components_are_no_passwords(text: str) -> None:
    """
    What is used and written as makers write is not what somebody types.
    """
    assert redact(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "the wifi password is ESP32-C3",
        "Wi-Fi 密码 ESP32-C3",
        "to get on the wifi type KTR48QX7",
        "use KTR48QX7 to log in",
    ],
)
def test_written_like_a_component_and_a_password(text: str) -> None:
    """
    What is called a password, or typed, is one however it is written.
    """
    assert redact(text) != text


def test_what_is_allowed_stays() -> None:
    """
    Only the very value is left, in every text; all else goes as before.
    """
    text = "the wifi password is Kestrel-Bell-3307, the admin password is Hort9!xyz"
    values = {"Kestrel-Bell-3307"}

    told = redact(text, values.__contains__)

    assert told == text.replace("Hort9!xyz", "⟦secret:password⟧")
    assert redact(told, values.__contains__) == told
    assert len(find_secrets(text)) == 2


def test_maskings_know_value_and_words() -> None:
    """
    Each placeholder is paired with its value; words that could be a secret are left out.
    """
    text = "my password is Hort9!xyz and the token aB3dE8 is old, the pin is 4821"
    redacted = redact(text)
    seen: list[str] = []

    def digest(value: str) -> str:
        seen.append(value)
        return "d"

    found = maskings(text, redacted, digest)

    assert seen == ["Hort9!xyz", "4821"]
    assert found == (
        Masking(
            "secret:password",
            "my password is ⟦secret:password⟧ and the token … is old, the pin is "
            "⟦secret:passcode⟧",
            "d",
        ),
        Masking(
            "secret:passcode",
            "⟦secret:password⟧ and the token … is old, the pin is ⟦secret:passcode⟧",
            "d",
        ),
    )


@pytest.mark.parametrize(
    ("original", "redacted"),
    [
        ("nothing here", "nothing here"),
        ("other words", "the pin is ⟦secret:passcode⟧"),
        ("⟦secret:passcode⟧ stays", "⟦secret:passcode⟧ stays."),
    ],
)
def test_what_cannot_be_paired_is_left_out(original: str, redacted: str) -> None:
    """
    A placeholder that was there before, or whose text differs, tells of no value.
    """
    assert maskings(original, redacted, str) == ()


def test_what_few_guesses_would_find() -> None:
    """
    Short numbers and a word with a number are too little for a hash.
    """
    short = ("4821", "123456", "hunter22", "Passwort1!", "aaaaaaaaaaaa")
    long = ("ESP32-C3", "13912345678", "Kestrel-Bell-3307", "ghp_16C7e42F292c6912E7")

    assert [each for each in short if bits(each) >= FEWEST_BITS] == []
    assert [each for each in long if bits(each) < FEWEST_BITS] == []
