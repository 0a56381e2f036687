"""Whether a value can be a secret, or only stands for one."""

from __future__ import annotations

import re

from strata.transcripts.secret_rules.ordinary_words import (
    ORDINARY_ENDINGS,
    ORDINARY_WORDS,
    STAND_INS,
)

_NO_VALUE = re.compile(
    r"""[xX]{3,}|[-=_.·•*#?~+…xX\\/|]+|<.*|\[.*|\{.*|\$[({A-Za-z_].*|%[A-Z_]+%|@\{.*|!\w+|"""
    r"""\(.*|ENC\[.*|.*\*{3,}.*|.*[•●]{3,}.*|.*x{6,}.*|.*X{6,}.*|.*\.{3,}.*|.*…"""
    r"""|(?:(?:your|enter|insert|replace|change|paste|put)[-_ ].*)"""
    r"""|your[a-z]*|.*(?:[-_ ]here|placeholder)""",
    re.IGNORECASE | re.DOTALL,
)
_REFERENCE = re.compile(
    r"(?:~|\.{1,2})?/[\w.@-]+(?:/|\Z)|[A-Za-z]:[\\/]|(?:file|https?|wss?|s3|gs|op|vault|arn|ref|env|"
    r"secret|keychain|ssm|azurekeyvault|sops|pass|keyring|cmd|exec|secretref)[:+]|projects/"
)
_EXPRESSION = re.compile(
    r"[A-Za-z_][\w.]*[(\[]|(?:self|this|config|cfg|settings?|process|os|env|environ|args|argv|"
    r"opts?|options?|params?|user|req|request|res|response|data|body|form|ctx|context|app|"
    r"props|state|secrets|vars?|local|module|values?|input|event|row|record|account|client|"
    r"credentials|creds|auth|db|import|std|crypto|session|payload|response|result|entry|item|"
    r"conn|connection|server|self|cls)[?!]?\.[A-Za-z_]|&?[a-z]\w*::\w|[A-Za-z_]\w*->\w"
)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_CRYPTO = re.compile(
    r"(?:hmac-?)?(?:sha-?[0-9]{1,3}|md[245]|aes-?(?:128|192|256).{0,9}|rsa-?[0-9]{4}|ed25519|"
    r"x25519|argon2(?:id?|d)?|b?crypt[0-9]{0,2}|scrypt|pbkdf2.{0,12}|scram.{0,16}|"
    r"base(?:16|32|64).{0,9}|utf-?(?:8|16)|"
    r"oauth2?|https?|[hreps]s(?:256|384|512)|tls.{0,6}|blake[23].*|crc32)",
    re.IGNORECASE,
)
_NUMBERED_WORD = re.compile(
    r"(?:v|ver|version|part|phase|line|row|page|col|column|issue|pr|port|gpio|rfc|chapter|"
    r"section|figure|python|ubuntu|debian|java)[-_#]?[0-9]{1,5}[a-z]{0,3}"
    r"|(?:step|level|item|day|week|q|field|input|option|policy|rule|test|case|user|admin|app|"
    r"db|node|host|server|worker|shard|slot|key|token|gpt|llama|py|vue|web|ipv|mp|h|s|k|i|x|"
    r"n|ec|win|fido|layer|stage|round)[-_#]?[0-9]{1,2}[a-z]{0,2}",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"[\w./\\-]+\.(?:[a-z]{2,4}|md5|mp3|mp4|json|yaml|toml|html|conf|local|h5|sh|js|ts|py|rs|go|md)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}")
_MEASURE = re.compile(
    r"[<>=~≥≤]*\d+(?:[.,:/-]\d+)*(?:\+|%|[smhd]|ms|kb|mb|gb|px|st|nd|rd|th|x)?|v?\d+(?:\.\d+)+(?:[-+]\w+)?|0x[0-9a-f]{1,16}|"
    r"\d{4}-\d\d-\d\d(?:[T ].*)?",
    re.IGNORECASE,
)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_HASH = re.compile(r"(?:sha\d{1,3}[-:])?[0-9a-fA-F]{7,128}|(?:sha\d{3}-|SHA256:).*")
# As makers write: a series in capitals, its number, and short letters for what is special.
_PART = re.compile(
    r"[a-z]?[A-Z]{2,7}-?\d{1,5}(?:-?[A-Z]{1,3}\d{0,3}){1,2}"
    r"|[a-z]{2,5}\d{2,4}-[a-z]{1,2}\d{1,2}"
)
_SPLIT = re.compile(r"[-_./:]")

_LONGEST_COUNTER = 3


def stands_for_value(value: str) -> bool:
    """Say whether *value* is empty, a placeholder, a variable or a reference."""
    lowered = value.lower()
    return (
        not value
        or lowered in STAND_INS
        or _NO_VALUE.fullmatch(value) is not None
        or _REFERENCE.match(lowered) is not None
    )


def is_expression(value: str) -> bool:
    """Say whether *value* is program code that will yield a value."""
    return _EXPRESSION.match(value) is not None


def is_identifier(value: str) -> bool:
    """Say whether *value* could be the name of a variable."""
    return _IDENTIFIER.fullmatch(value) is not None


def is_ordinary_word(value: str) -> bool:
    """Say whether *value* is a word that people put after "the password is"."""
    lowered = value.lower().strip("'\"*_.,;:!?-")
    if lowered in ORDINARY_WORDS:
        return True
    return lowered.replace("-", "").replace("'", "").isalpha() and (
        lowered.endswith(ORDINARY_ENDINGS)
        or lowered.partition("-")[0] in ORDINARY_WORDS
    )


def is_measure(value: str) -> bool:
    """Say whether *value* is a number, an amount, a date or a version."""
    return _MEASURE.fullmatch(value) is not None


def is_crypto(value: str) -> bool:
    """Say whether *value* is the name of an algorithm or an encoding."""
    return _CRYPTO.fullmatch(value) is not None


def is_numbered_word(value: str) -> bool:
    """Say whether *value* is a word with a number, such as ``step2`` or ``PR-812``."""
    return _NUMBERED_WORD.fullmatch(value) is not None


def is_part(value: str) -> bool:
    """Say whether *value* is written as a component is: ``ESP32-C3``, ``RTL8812AU``."""
    return _PART.fullmatch(value) is not None


def is_hash(value: str) -> bool:
    """Say whether *value* is a checksum, a commit or a UUID."""
    return (_HASH.fullmatch(value) or _UUID.fullmatch(value)) is not None


def is_mixed(value: str, shortest: int = 6) -> bool:
    """Say whether *value* mixes letters with digits or signs as made-up passwords do."""
    if len(value) < shortest or stands_for_value(value) or is_expression(value):
        return False
    if is_measure(value) or is_crypto(value):
        return False
    if _FILE.fullmatch(value) or _ADDRESS.fullmatch(value):
        return False
    letters = any(sign.isalpha() for sign in value)
    digits = any(sign.isdigit() for sign in value)
    signs = any(sign in "!@#$%^&*+=~?" for sign in value[1:].rstrip("="))
    return letters and (digits or signs)


def is_token(value: str, shortest: int = 8) -> bool:
    """
    Say whether *value* is what a machine would make as a key.

    Words joined by hyphens, as in ``github-token-2``, are names of secrets.
    """
    if not is_mixed(value, shortest) or not value.isascii():
        return False
    parts = _SPLIT.split(value)
    named = all(
        part.isalpha() or (part.isdigit() and len(part) <= _LONGEST_COUNTER) or not part
        for part in parts
    )
    return not named and any(sign.isdigit() for sign in value)


def is_random(value: str, shortest: int = 20) -> bool:
    """Say whether *value* looks drawn from capitals, small letters and digits alike."""
    return (
        is_token(value, shortest)
        and not is_hash(value)
        and any(sign.isupper() for sign in value)
        and any(sign.islower() for sign in value)
        and len(set(value)) * 5 >= min(len(value), 60) * 2
        and "/" not in value.strip("/")[:3]
    )
