"""What the name of a setting, a header or a field says about its value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

from strata.transcripts.secret_rules.name_words import (
    CODE_OWNERS,
    ENDINGS_OF_ORDINARY_NAMES,
    KEY_OWNERS,
    KEY_STRANGERS,
    QUALIFIERS_AT_END,
)


class Meaning(Enum):
    """How sure a name makes us that its value is secret."""

    NOTHING = auto()
    PASSWORD = auto()
    """Whatever a person chose, even one plain word."""
    PASSPHRASE = auto()
    """The same, and it may be several words."""
    TOKEN = auto()
    """Made by a machine: letters and digits, eight or more."""
    KEY = auto()
    """Perhaps a key, perhaps the key of a dictionary: only what looks random counts."""
    CODE = auto()
    """A few digits, or what a password would be."""


@dataclass(frozen=True, slots=True)
class Name:
    """The name *word* at *start* to *end* of a text, and what it says about its value."""

    start: int
    end: int
    word: str
    meaning: Meaning


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

_PASSWORDS = ("password", "passwort", "passwords", "passwd", "pwd", "passcode", "psk")
_SHORT_PASSWORDS = frozenset(
    ["wpa", "pw", "pws", "pwds", "pswd", "passwds", "userpass", "dbpass", "pass"]
)
_PASSPHRASES = ("passphrase", "passphrases")
_TOKENS = (
    *("token", "tokens", "secret", "secrets", "credential", "credentials", "apikey"),
    *("apikeys", "accesskey", "secretkey", "privatekey", "signingkey", "authkey"),
    *("masterkey", "accountkey", "encryptionkey", "secretid"),
)
_SHORT_TOKENS = frozenset(
    ["creds", "cred", "auth", "bearer", "authorization", "sas", "hmac", "jwt", "dsn"]
)
_NETWORKS = frozenset(
    ["wifi", "wlan", "wpa", "wpa2", "wep", "network", "router", "hotspot", "fi"]
)
_CODES = (
    *("combination", "combo", "pin", "pincode", "otp", "totp", "cvv", "cvc", "cvv2"),
    *("mfa", "tan", "puk"),
)
_PAYMENT_NAMES = re.compile(
    r"(?:wx|wechat|weixin)_?pay(?:_?(?:v3|key|api_?v3|api_?key|mch_?key))*|api_?v3(?:_?key)?"
    r"|(?:wx|wechat|weixin|pay)_?mch_?key|mch_?(?:key|secret)",
    re.IGNORECASE,
)
_LOGIN_COOKIES = re.compile(
    r"(?i)(?:PHPSESS|JSESSION|ASPSESSION\w*|ASP\.NET_Session|sess)_?id|connect\.sid|sessdata|"
    r"_[a-z0-9_]+_session|[a-z]+_session|csrf_?token|xsrf-token|remember_\w*token"
)
_SESSION_NAMES = frozenset({"session", "sess", "sid", "sessionid", "session_id"})


@lru_cache(maxsize=4096)
def meaning_of(name: str) -> Meaning:
    """Say what *name*, as in ``SLACK_BOT_TOKEN`` or ``"apiKey"``, says about its value."""
    if _PAYMENT_NAMES.fullmatch(name) or _LOGIN_COOKIES.fullmatch(name):
        return Meaning.TOKEN
    if name.lower() in _SESSION_NAMES:
        return Meaning.KEY
    words = _words(name)
    if not words or words[-1] in ENDINGS_OF_ORDINARY_NAMES:
        hashed = words[-1:] == ["hash"] and "password" in words
        return Meaning.PASSWORD if hashed else Meaning.NOTHING
    meaning = _meaning_of_words(words)
    # DATADOG_KEY in capitals is a setting; "the Datadog key" may be anything.
    setting = meaning is Meaning.KEY and name.isupper() and "_" in name
    return Meaning.TOKEN if setting else meaning


def _words(name: str) -> list[str]:
    words = [word.lower() for word in _WORD.findall(name)]
    while len(words) > 1 and (words[-1].isdigit() or words[-1] in QUALIFIERS_AT_END):
        words.pop()
    return words


def _meaning_of_words(words: list[str]) -> Meaning:
    if words[-1] in _SHORT_PASSWORDS:
        return Meaning.PASSWORD
    for at in range(len(words) - 1, -1, -1):
        meaning = _meaning_of_word(words[at], words[:at])
        if meaning is not Meaning.NOTHING or words[at] == "key":
            return meaning
    return Meaning.NOTHING


def _meaning_of_word(word: str, before: list[str]) -> Meaning:
    if word.endswith(_PASSWORDS):
        return Meaning.PASSWORD
    if word.endswith(_PASSPHRASES) or (word == "phrase" and before[-1:] == ["pass"]):
        return Meaning.PASSPHRASE
    if word.endswith(_TOKENS) or word in _SHORT_TOKENS:
        return Meaning.TOKEN
    if word in {"key", "keys"}:
        return _meaning_of_key(before)
    code = word in {"code", "codes"} and not CODE_OWNERS.isdisjoint(before)
    return Meaning.CODE if code or word in _CODES else Meaning.NOTHING


def _meaning_of_key(before: list[str]) -> Meaning:
    if not KEY_STRANGERS.isdisjoint(before[-1:]):
        return Meaning.NOTHING
    if not _NETWORKS.isdisjoint(before):
        return Meaning.PASSWORD
    return Meaning.TOKEN if not KEY_OWNERS.isdisjoint(before) else Meaning.KEY
