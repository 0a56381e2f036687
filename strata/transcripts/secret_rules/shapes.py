"""Secrets that are known by how they are written and by what is called near them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.mentions import Clues, any_of
from strata.transcripts.secret_rules.values import is_part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.view import View

# What is called so is told by its form behind the name, on the same line.
_NAMED = tuple(
    (Clues(*clues.split(",")), re.compile(named, re.IGNORECASE), re.compile(form), kind)
    for clues, named, form, kind in (
        (
            "2fa,mfa,totp,authenticator,setup key,one-time,验证器,两步,双重,动态口令",
            r"2fa|mfa|totp|authenticator|setup key|one-time|验证器|两步|双重|动态口令",
            r"(?<!\w)[A-Z2-7]{16,64}(?!\w)",
            "secret:token",
        ),
        (
            "password,专用密码,应用密码",
            r"app(?:lication)?[ -]?(?:specific )?passwords?|应用专用密码|应用密码",
            r"(?<!\w)[a-z]{4}(?:[ -][a-z]{4}){3}(?!\w)",
            "secret:app-password",
        ),
        (
            "backup code,recovery code,rescue code,emergency code,备用,恢复",
            r"(?:backup|recovery|rescue|emergency) codes?|备用验证?码|恢复[代码]码",
            r"(?<![\w-])(?:[0-9a-z]{4,6}[- ][0-9a-z]{4,6}|\d{8})(?![\w-])",
            "secret:recovery-code",
        ),
        (
            "secret,v3key,密钥",
            r"(?:app|api|client|corp|agent)[ _-]?(?:secret|v3key)|密钥",
            r"(?<!\w)[0-9a-fA-F]{32,64}(?!\w)",
            "secret:token",
        ),
        (
            "付款,支付,收款,payment code",
            r"付款码|支付宝|微信(?:支付|付款)|收款码|payment code",
            (
                r"(?<!\d)(?:1[0-5]\d\d(?: ?\d{4}){3} ?\d\d"
                r"|(?:2[5-9]|30)\d\d(?: ?\d{4}){3,4}(?: ?\d{1,4})?)(?!\d)"
            ),
            "secret:payment-code",
        ),
        (
            "wifi,wi-fi,wlan,ssid,netzwerk,无线",
            r"\bwi-?fi\b|\bwlan\b|\bssid\b|netzwerkschl\w+|无线",
            r"(?<![\w.])(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{10,63}(?![\w.-])",
            "secret:password",
        ),
        (
            "keypad,door,gate,alarm,entry,garage,门禁",
            r"\bkeypad\b|\b(?:door|gate|alarm|entry|garage)\b[^\n]{0,16}\bcode\b|门禁",
            r"(?<![\w#*.:-])(?:\d{3,8}[#*]\d{0,6}[#*]?|[#*]\d{3,8}[#*]?)(?!\w)",
            "secret:passcode",
        ),
    )
)
_REACH = 60
_LOGINS = tuple(
    (Clues(*clues.split(",")), re.compile(login))
    for clues, login in (
        ("oracle:", r"jdbc:oracle:\w+:[\w.$-]{1,60}/(?P<value>[^\s@/]{3,100})@"),
        # "The pass" is also a ticket and a rate: only with a value that is no word.
        (
            " pass , pass:, pw , pw:",
            (
                r"\b(?:the|my|our|master|admin|root|login|wifi|ssh|db|database|user) "
                r"(?:pass|pw)(?: (?:is|now|was|set to|changed to))*[ :]+"
                r"(?P<value>(?=\S{0,60}\d)(?=\S{0,60}[a-z])[^\s,;\"”]{8,60})"
            ),
        ),
        (
            "/u:,/user:",
            r"(?<!\S)/u(?:ser)?:\S{1,60}[ \t]+(?P<value>[^\s(/]\S{3,100})",
        ),
    )
)
CLUES_TO_SHAPES = any_of(*(row[0] for row in _NAMED), *(row[0] for row in _LOGINS))


def shapes(view: View) -> Iterator[Secret]:
    """Yield what in *view* has the form of what is called so beside it."""
    for clues, named, form, kind in _NAMED:
        for line in clues.lines(view):
            for start, end in _formed(view.text, named, form, line):
                yield Secret(start, end, kind)
    for clues, login in _LOGINS:
        for line in clues.lines(view):
            for found in login.finditer(view.text, *line):
                yield Secret(*found.span("value"), "secret:password")


def _formed(
    text: str, named: re.Pattern[str], form: re.Pattern[str], line: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield where *form* begins within reach of what is *named* so in *line*."""
    for called in named.finditer(text, *line):
        reach = min(called.end() + _REACH, line[1])
        for found in form.finditer(text, called.end(), reach + _REACH):
            if found.start() <= reach and not is_part(found[0]):
                yield found.span()
