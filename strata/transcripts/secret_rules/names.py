"""What the name of a setting, a header or a field says about its value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache


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
_SHORT_PASSWORDS = frozenset("wpa pw pws pwds pswd passwds userpass dbpass pass".split())
_PASSPHRASES = ("passphrase", "passphrases")
_TOKENS = (
    *("token", "tokens", "secret", "secrets", "credential", "credentials", "apikey"),
    *("apikeys", "accesskey", "secretkey", "privatekey", "signingkey", "authkey"),
    *("masterkey", "accountkey", "encryptionkey", "secretid"),
)
_SHORT_TOKENS = frozenset("creds cred auth bearer authorization sas hmac jwt dsn".split())
_NETWORKS = frozenset("wifi wlan wpa wpa2 wep network router hotspot fi".split())
_CODES = frozenset({"combination", "combo", "pin", "pincode", "otp", "totp", "cvv", "cvc", "cvv2", "mfa", "tan"})
_CODE_OWNERS = frozenset(
    "verification security access door gate alarm unlock entry login auth otp sms lock "
    "authentication safe backup recovery authenticator pin pass garage keypad".split()
)
_KEY_OWNERS = frozenset(
    "api access private secret encryption encrypt encoding aes signing sign master app account shared "
    "storage client service license licence auth deploy ssh root admin mch pay hmac jwt "
    "rsa consumer subscription webhook server crypto cipher security product activation "
    "recovery read write preshared host google maps openai anthropic stripe sendgrid "
    "deepseek moonshot zhipu dashscope qwen kimi mistral cohere groq gemini claude gpt llm "
    "hf huggingface replicate tavily serper brave amap baidu tencent aliyun weather algolia "
    "datadog newrelic mailgun twilio azure aws gcp cloudflare heroku github gitlab slack "
    "discord telegram notion linear figma bot user cookie wx wechat functions "
    "openrouter perplexity jina voyage elevenlabs deepl siliconflow minimax volc ark "
    "publishing ingest integration routing dashboard v3 data".split()
)
_KEY_STRANGERS = frozenset(
    "public primary foreign cache sort partition idempotency dedupe dedup hot short message "
    "lookup group composite unique object row column index range thread conversation peer "
    "agent chat channel sessionkey pub dict json map natural surrogate translation".split()
)
_ENDINGS_OF_ORDINARY_NAMES = frozenset(
    "count counts limit limits usage used type types url urls uri uris endpoint path file "
    "files filename filenames dir folder name names id ids length len size min max expiry "
    "expires expiration ttl age policy field fields label hint prompt format regex pattern "
    "version algorithm alg algo method mode provider scheme status state error errors "
    "required enabled disabled at reset rotation manager column index map board word words "
    "frame handler service server host user username email class module helper test tests "
    "store vault ref reference arn sha sha1 sha256 md5 fingerprint thumbprint checksum "
    "digest stdin input form page link button screen dialog strength score validator "
    "validation check changed created updated per rate cost price total sum avg mean "
    "window stream cache ring chain press down up stroke pad note point space pair factory "
    "generator source context scope scopes issuer audience subject kind header prefix "
    "suffix encoding bits iterations rounds budget estimate left remaining position "
    "positions embedding embeddings vocab per_second speed throughput expired invalid "
    "created refreshed exists present length seconds minutes days hours ms char chars "
    "env var settings config options placeholder title description message text help icon "
    "schema model metadata ids counter counts lifetime duration".split()
)
_QUALIFIERS_AT_END = frozenset(
    "value val base64 b64 raw plain plaintext prod production dev staging live old new "
    "current default main local primary secondary data v1 v2 v3 v4".split()
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
    words = [word.lower() for word in _WORD.findall(name)]
    while len(words) > 1 and (words[-1].isdigit() or words[-1] in _QUALIFIERS_AT_END):
        words.pop()
    if not words or words[-1] in _ENDINGS_OF_ORDINARY_NAMES:
        return _hashed_password(words)
    if words[-1] in _SHORT_PASSWORDS:
        return Meaning.PASSWORD
    for at in range(len(words) - 1, -1, -1):
        meaning = _meaning_of_word(words[at], words[:at])
        if meaning is Meaning.KEY and name.isupper() and "_" in name:
            return Meaning.TOKEN
        if meaning is not Meaning.NOTHING:
            return meaning
        if words[at] == "key":
            return Meaning.NOTHING
    return Meaning.NOTHING


def _hashed_password(words: list[str]) -> Meaning:
    hashed = words[-1:] == ["hash"] and "password" in words
    return Meaning.PASSWORD if hashed else Meaning.NOTHING


def _meaning_of_word(word: str, before: list[str]) -> Meaning:
    if word.endswith(_PASSWORDS):
        return Meaning.PASSWORD
    if word.endswith(_PASSPHRASES) or (word == "phrase" and before[-1:] == ["pass"]):
        return Meaning.PASSPHRASE
    if word in _CODES or (word in {"code", "codes"} and not _CODE_OWNERS.isdisjoint(before)):
        return Meaning.CODE
    if word.endswith(_TOKENS) or word in _SHORT_TOKENS:
        return Meaning.TOKEN
    if word in {"key", "keys"}:
        return _meaning_of_key(before)
    return Meaning.NOTHING


def _meaning_of_key(before: list[str]) -> Meaning:
    if not _KEY_STRANGERS.isdisjoint(before[-1:]):
        return Meaning.NOTHING
    if not _NETWORKS.isdisjoint(before):
        return Meaning.PASSWORD
    return Meaning.TOKEN if not _KEY_OWNERS.isdisjoint(before) else Meaning.KEY
