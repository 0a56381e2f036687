"""Keys, national numbers and codes of the unseen split, made up in their real formats."""

from __future__ import annotations

import base64
import re
import string
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

_ALNUM = string.ascii_letters + string.digits
_ALPHABETS = {
    "9": string.digits,
    "A": string.ascii_uppercase,
    "a": string.ascii_lowercase,
    "h": "0123456789abcdef",
    "x": _ALNUM,
    "U": string.ascii_uppercase + string.digits,
    "B": string.ascii_uppercase + "234567",
    "b": _ALNUM + "+/",
}
# {9:4} are four digits; the letters are those of _ALPHABETS.
_PATTERNS = {
    "router_key": "{x:4}{9:3}{a:3}{9:2}",
    "door_code": "{9:4}#{9:2}*",
    "telegram": "7{9:9}:AA{x:33}",
    "discord_bot": "MT{x:24}.G{x:5}.{x:38}",
    "sendgrid": "SG.{x:22}.{x:43}",
    "twilio": "SK{h:32}",
    "tailscale": "tskey-auth-k{x:11}CNTRL-{x:32}",
    "age_key": "AGE-SECRET-KEY-1{U:58}",
    "wireguard": "{b:42}E=",
    "azure_key": "{b:86}==",
    "aws_secret": "{b:40}",
    "totp_seed": "{B:32}",
    "backup_code": "{h:5}-{h:5}",
    "app_password": "{a:4} {a:4} {a:4} {a:4}",
    "pem_row": "{b:64}",
    "dingtalk": "{h:64}",
    "wx_secret": "{h:32}",
    "pay_code": "28{9:16}",
    "wechat_code": "13{9:16}",
    "plate": "黑A{U:5}",
    "plate_uk": "KX{9:2} {A:3}",
    "nino": "JG{9:6}C",
    "passport": "EJ{9:7}",
    "rrn": "9{9:1}0{9:1}1{9:1}-1{9:6}",
    "policy": "PDAA2026{9:14}",
    "medicare": "1EG4TE5MK{9:2}",
}
_WORDS = """abandon bamboo canyon dolphin elbow fabric galaxy hazard indoor jungle kitten
lunar mango nephew orbit pelican quantum raccoon saddle tobacco unveil velvet walnut
yellow zebra anchor blossom cradle drift ember frost glimpse humble ivory jewel"""


def patterned(pattern: str, numbers: random.Random) -> str:
    """Return *pattern* with its fields filled."""

    def field(found: re.Match[str]) -> str:
        return "".join(numbers.choices(_ALPHABETS[found[1]], k=int(found[2])))

    return re.sub(r"\{(\w):(\d+)\}", field, pattern)


def _recovery(numbers: random.Random) -> str:
    return " ".join(numbers.sample(_WORDS.split(), 12))


def _nhs(numbers: random.Random) -> str:
    while True:
        body = patterned("4{9:8}", numbers)
        weighed = sum(int(digit) * (10 - at) for at, digit in enumerate(body))
        if (check := (11 - weighed % 11) % 11) < 10:
            return f"{body[:3]} {body[3:6]} {body[6:]}{check}"


def _insurance_ca(numbers: random.Random) -> str:
    body = patterned("4{9:7}", numbers)
    doubled = [sum(divmod(int(d) * (1 + at % 2), 10)) for at, d in enumerate(body)]
    digits = f"{body}{-sum(doubled) % 10}"
    return f"{digits[:3]} {digits[3:6]} {digits[6:]}"


def _dni(numbers: random.Random) -> str:
    body = patterned("{9:8}", numbers)
    return body + "TRWAGMYFPDXBNJZSQVHLCKE"[int(body) % 23]


def _taiwan(numbers: random.Random) -> str:
    body = patterned("1{9:7}", numbers)  # A counts as 10: 1 and 9 times 0
    weighed = 1 + sum(int(digit) * (8 - at) for at, digit in enumerate(body))
    return f"A{body}{-weighed % 10}"


def _hongkong(numbers: random.Random) -> str:
    body = patterned("{9:6}", numbers)
    weighed = 36 * 9 + 17 * 8 + sum(int(d) * (7 - at) for at, d in enumerate(body))
    return f"H{body}({'0123456789A'[-weighed % 11]})"


def _cpf(numbers: random.Random) -> str:
    digits = patterned("{9:9}", numbers)
    for _ in range(2):
        weighed = sum(int(d) * (len(digits) + 1 - at) for at, d in enumerate(digits))
        digits += str(weighed * 10 % 11 % 10)
    return f"{digits[:3]}.{digits[3:6]}.{digits[6:9]}-{digits[9:]}"


def _nir(numbers: random.Random) -> str:
    body = patterned("2850775{9:6}", numbers)
    return f"{body}{97 - int(body) % 97:02d}"


def _basic(numbers: random.Random) -> str:
    return base64.b64encode(patterned("ops:{x:12}", numbers).encode()).decode()


UNSEEN: dict[str, Callable[[random.Random], str]] = {
    "recovery": _recovery,
    "nhs": _nhs,
    "insurance_ca": _insurance_ca,
    "dni": _dni,
    "taiwan": _taiwan,
    "hongkong": _hongkong,
    "cpf": _cpf,
    "nir": _nir,
    "basic": _basic,
}


def make_unseen(kind: str, numbers: random.Random) -> str | None:
    """Return a value of *kind*, or none where the kind is another split's."""
    if kind in _PATTERNS:
        return patterned(_PATTERNS[kind], numbers)
    return UNSEEN[kind](numbers) if kind in UNSEEN else None
