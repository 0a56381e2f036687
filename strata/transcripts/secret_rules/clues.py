"""Whether a short text holds anything that a rule could start from."""

from __future__ import annotations

import re

from strata.transcripts.secret_rules.entering import typed_in
from strata.transcripts.secret_rules.identities import may_hold_form
from strata.transcripts.secret_rules.named_numbers import NAMES_OF_SHORT_NUMBERS
from strata.transcripts.secret_rules.recovery_phrases import may_hold_row
from strata.transcripts.secret_rules.security_answers import CLUES_TO_ANSWERS
from strata.transcripts.secret_rules.unlocking import keyed_in, turned_in
from strata.transcripts.secret_rules.view import (
    KEY_CHARACTERS,
    SIGNS,
    SPELLED_OTHERWISE,
)

# Most messages are short and hold no secret, and a few plain searches for everything are
# quicker than twenty rules. In a long text it is the other way round.
_SHORT = 250

# All rules find their secrets behind one of these; a new rule adds its own.
_CLUES = (
    *("pass", "psk", "puk", "pw", "pin", "secret", "token", "key", "cred", "auth"),
    *("bearer", "sess", "otp", "cvv", "cvc", "code", "comb", "wpa", "pay", "basic"),
    *("cookie", "kty", "phrase", "mnemonic", " words", "identified", "machine", "ssn"),
    *("social", "begin", "login", "==", " -", "\n"),
    *("账号", "用户名", "助记词", "车牌", "車牌"),
    *CLUES_TO_ANSWERS.phrases,
)
_CLUES_WITH_COLON = (
    *("://", ":5", ":6", ":*", "private-lines", "wifi:", "user:", "/u:", "oracle:"),
)
_CLUES_WITH_AT = ("@tcp(", "@unix(")
# What needs some digits beside it is not looked for in a text that has fewer.
_CLUES_TO_DIGITS = (
    (1, ("wifi", "wi-fi", "wlan", "ssid", "netzwerk", "keypad", "reg", "plate")),
    (5, ("insur", "nino", "ni n", "dni", "cpf", "nhs", "licen", "medic", "sécu")),
    (6, tuple(NAMES_OF_SHORT_NUMBERS)),
)
_CHARACTERS = re.compile(
    rf"[{SPELLED_OTHERWISE}密口暗令秘私凭憑码碼登护護证證牌保无支微]"
)
_LONG_RUN, _MOST_DIGITS = b"a" * 16, 8


def may_hold_secret(text: str) -> bool:
    """Say whether *text* is worth a closer look."""
    if len(text) > _SHORT or _CHARACTERS.search(text):
        return True
    raw, lowered = text.encode("ascii", "replace"), text.lower()
    digits = len(raw) - len(raw.translate(None, b"0123456789"))
    return (
        digits > _MOST_DIGITS
        or any(map(lowered.__contains__, _CLUES))
        or (":" in text and any(map(lowered.__contains__, _CLUES_WITH_COLON)))
        or ("@" in text and any(map(lowered.__contains__, _CLUES_WITH_AT)))
        or _LONG_RUN in raw.translate(KEY_CHARACTERS)
        or (digits > 0 and _may_hold_number(text, lowered, raw, digits))
        or may_hold_row(raw)
    )


def _may_hold_number(text: str, lowered: str, raw: bytes, digits: int) -> bool:
    signs = raw.translate(SIGNS)
    return (
        may_hold_form(signs)
        or any(
            digits >= fewest and any(map(lowered.__contains__, clues))
            for fewest, clues in _CLUES_TO_DIGITS
        )
        or next(typed_in(text, signs), None) is not None
        or next(keyed_in(lowered, signs), None) is not None
        or next(turned_in(lowered, 0, len(lowered)), None) is not None
    )
