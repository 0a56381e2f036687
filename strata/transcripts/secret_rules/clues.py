"""Whether a short text holds anything that a rule could start from."""

from __future__ import annotations

import re

from strata.transcripts.secret_rules.named_numbers import NAMES_OF_SHORT_NUMBERS
from strata.transcripts.secret_rules.recovery_phrases import may_hold_row
from strata.transcripts.secret_rules.view import KEY_CHARACTERS, SPELLED_OTHERWISE

# Most messages are short and hold no secret, and a few plain searches for everything are
# quicker than twenty rules. In a long text it is the other way round.
_SHORT = 250

# All rules find their secrets behind one of these; a new rule adds its own.
_CLUES = (
    *(
        "pass",
        "pwd",
        "psk",
        "puk",
        "pw",
        "pin",
        "secret",
        "token",
        "key",
        "cred",
        "auth",
    ),
    *(
        "bearer",
        "sess",
        "otp",
        "cvv",
        "cvc",
        "code",
        "combo",
        "combination",
        "wpa",
        "pay",
    ),
    *("basic", "cookie", "kty", "private-lines", "phrase", "mnemonic", "seed words"),
    *("recovery words", "identified", "machine", "ssn", "social", "begin", "wifi:"),
    *(
        "login",
        "==",
        "账号",
        "用户名",
        "://",
        " -",
        ":5",
        ":6",
        ":*",
        "@tcp(",
        "@unix(",
        "\n",
        "助记词",
    ),
    *("insur", "nino", "ni n", "dni", "cpf", "nhs", "reg", "plate", "licen", "medic"),
    *("2fa", "mfa", "wifi", "wi-fi", "wlan", "ssid", "netzwerk", "keypad", "sécu"),
    *(
        "user:",
        "oracle",
        "验证器",
        "备用",
    ),
)
_CHARACTERS = re.compile(
    rf"[{SPELLED_OTHERWISE}密口暗令秘私凭憑码碼登护護证證牌保无支微]"
)
# Numbers with a form of their own.
_FORMED = re.compile(
    r"[A-Z]\d{6}\(|\d{6}-\d{7}|\d{8}[A-Z]|[\u4e00-\u9fff][A-Z][A-Z0-9]{5}"
)
_LONG_RUN, _MOST_DIGITS = b"a" * 16, 8
_FEW_DIGITS = 6


def may_hold_secret(text: str) -> bool:
    """Say whether *text* is worth a closer look."""
    if len(text) > _SHORT or _CHARACTERS.search(text):
        return True
    raw, lowered = text.encode("ascii", "replace"), text.lower()
    digits = len(raw) - len(raw.translate(None, b"0123456789"))
    return (
        digits > _MOST_DIGITS
        or any(map(lowered.__contains__, _CLUES))
        or _LONG_RUN in raw.translate(KEY_CHARACTERS)
        or _FORMED.search(text) is not None
        or (
            digits >= _FEW_DIGITS
            and any(map(lowered.__contains__, NAMES_OF_SHORT_NUMBERS))
        )
        or may_hold_row(raw)
    )
