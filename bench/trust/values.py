"""Secrets and personal numbers made up from a seed, in their real formats."""

from __future__ import annotations

import base64
import json
import string
from typing import TYPE_CHECKING

from identities import make_unseen

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

_ALNUM = string.ascii_letters + string.digits
_UPPER = string.ascii_uppercase + string.digits
_HEX = "0123456789abcdef"
_CITIZEN_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
# Vendor formats: what a key begins with, of which characters it is, how many follow.
_FORMATS = {
    "aws": ("AKIA", _UPPER, 16),
    "github": ("ghp_", _ALNUM, 36),
    "gitlab": ("glpat-", _ALNUM, 20),
    "stripe": ("sk_live_", _ALNUM, 24),
    "google": ("AIza", _ALNUM, 35),
    "openai": ("sk-proj-", _ALNUM, 40),
    "anthropic": ("sk-ant-api03-", _ALNUM, 48),
    "npm": ("npm_", _ALNUM, 36),
    "hugging": ("hf_", string.ascii_letters, 34),
    "aliyun": ("LTAI5t", _ALNUM, 18),
    "tencent": ("AKID", _ALNUM, 32),
    "digitalocean": ("dop_v1_", _HEX, 64),
    "linear": ("lin_api_", _ALNUM, 40),
    "groq": ("gsk_", _ALNUM, 52),
    "shopify": ("shpat_", _HEX, 32),
    "slack": ("xoxb-", string.digits, 24),
}
_UNNAMED = {"hex_token": ("", _HEX, 40), "token": ("", _ALNUM, 32)}


# Those of the held-out split, which no dev case has.
_HELD_OUT = {
    "notion": ("ntn_", _ALNUM, 46),
    "figma": ("figd_", _ALNUM, 40),
    "databricks": ("dapi", _HEX, 32),
    "pypi": ("pypi-AgEIcHlwaS5vcmc", _ALNUM, 60),
    "docker": ("dckr_pat_", _ALNUM, 27),
    "replicate": ("r8_", _ALNUM, 37),
    "grafana": ("glsa_", _ALNUM, 41),
    "square": ("sq0atp-", _ALNUM, 22),
    "vault": ("hvs.", _ALNUM, 24),
    "postman": ("PMAK-64f0a1b2c3d4e5f60718293a-", _HEX, 34),
    "xai": ("xai-", _ALNUM, 80),
    "volcengine": ("AKLT", _ALNUM, 44),
    "supabase": ("sbp_", _HEX, 40),
    "mailgun": ("key-", _HEX, 32),
}


def make(kind: str, numbers: random.Random) -> str:
    """Return a secret of *kind*, the same for the same state of *numbers*."""
    formats = _FORMATS | _HELD_OUT | _UNNAMED
    if kind in formats:
        prefix, alphabet, length = formats[kind]
        return prefix + "".join(numbers.choices(alphabet, k=length))
    if unseen := make_unseen(kind, numbers):
        return unseen
    return _MAKERS[kind](numbers)


def kinds(split: str) -> tuple[str, ...]:
    """Return the kinds of *split*; services differ, personal numbers do not."""
    unlike = _HELD_OUT if split == "heldout" else _FORMATS
    return (*unlike, *_UNNAMED, *_MAKERS)


def is_luhn(digits: str) -> bool:
    """Say whether the last of *digits* is the check digit of a card."""
    doubled = [
        sum(divmod(int(digit) * (1 + at % 2), 10))
        for at, digit in enumerate(digits[::-1])
    ]
    return sum(doubled) % 10 == 0


def _digits(numbers: random.Random, count: int) -> str:
    return "".join(numbers.choices(string.digits, k=count))


def _password(numbers: random.Random) -> str:
    word = numbers.choice(("Kestrel", "mandarin", "Oxbow", "tulip", "Quarry", "basalt"))
    return (
        f"{word}{numbers.choice('-_.+')}{_digits(numbers, 3)}{numbers.choice('!#%xK')}q"
    )


def _pinyin(numbers: random.Random) -> str:
    name = numbers.choice(("zhanglei", "Wang@", "xiaomei", "liuyang_", "Chen#"))
    return f"{name}{numbers.randint(1960, 2026)}{numbers.choice(('', '!', 'abc'))}"


def _passcode(numbers: random.Random) -> str:
    return str(numbers.randint(100_000, 999_999))


def _mobile(numbers: random.Random) -> str:
    return numbers.choice(("138", "139", "151", "177", "186", "199")) + _digits(
        numbers, 8
    )


def _citizen(numbers: random.Random) -> str:
    born = f"{numbers.randint(1960, 2004)}{numbers.randint(1, 12):02d}"
    body = numbers.choice(("310104", "110105", "440305", "330106")) + born
    body += f"{numbers.randint(1, 28):02d}{numbers.randint(1, 999):03d}"
    weighed = zip(_CITIZEN_WEIGHTS, body, strict=True)
    return body + "10X98765432"[sum(w * int(digit) for w, digit in weighed) % 11]


def _card(numbers: random.Random) -> str:
    body = numbers.choice(("453201", "555555", "622202", "411111")) + _digits(
        numbers, 9
    )
    return next(body + end for end in string.digits if is_luhn(body + end))


def _social(numbers: random.Random) -> str:
    area, group = numbers.randint(100, 665), numbers.randint(10, 99)
    return f"{area}-{group}-{numbers.randint(1000, 9999)}"


def _account(numbers: random.Random) -> str:
    bank = "37040044" + _digits(numbers, 10)
    check = 98 - int(bank + "131400") % 97
    return f"DE{check:02d}{bank}"


def _jwt(numbers: random.Random) -> str:
    def part(value: dict[str, object]) -> str:
        raw = json.dumps(value).encode()
        return base64.urlsafe_b64encode(raw).decode().rstrip("=")

    claims = {"sub": _digits(numbers, 8), "iat": 1763600000 + numbers.randint(0, 9999)}
    signed = "".join(numbers.choices(_ALNUM + "-_", k=43))
    return f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{part(claims)}.{signed}"


def _private_key(numbers: random.Random) -> str:
    rows = ["".join(numbers.choices(_ALNUM + "+/", k=64)) for _ in range(4)]
    begin, end = ("-----" + side + " PRIVATE KEY-----" for side in ("BEGIN", "END"))
    return "\n".join((begin, *rows, end))


def _webhook(numbers: random.Random) -> str:
    team, channel = _digits(numbers, 8), _digits(numbers, 8)
    last = "".join(numbers.choices(_ALNUM, k=24))
    return f"T{team}/B{channel}/{last}"


_MAKERS: dict[str, Callable[[random.Random], str]] = {
    "password": _password,
    "pinyin": _pinyin,
    "passcode": _passcode,
    "mobile": _mobile,
    "citizen": _citizen,
    "card": _card,
    "social": _social,
    "account": _account,
    "jwt": _jwt,
    "private_key": _private_key,
    "webhook": _webhook,
}
