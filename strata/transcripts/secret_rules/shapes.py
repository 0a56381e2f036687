"""Secrets that are known by how they are written and by what is called near them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.view import View

# 40 signs of three sorts are a secret access key; digests have two sorts.
_AWS = re.compile(r"(?<![A-Za-z0-9/+=_-])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_-])")
_SORTS = tuple(re.compile(sort) for sort in ("[A-Z]", "[a-z]", "[0-9]"))

# What is called so is told by its form behind the name, on the same line.
_NAMED = tuple(
    (clues.split(","), re.compile(named, re.IGNORECASE), re.compile(form), kind)
    for clues, named, form, kind in (
        (
            "2fa,mfa,totp,authenticator,setup key,one-time,验证器,两步,双重,动态口令",
            r"2fa|mfa|totp|authenticator|setup key|one-time|验证器|两步|双重|动态口令",
            r"(?<!\w)[A-Z2-7]{16,64}(?!\w)",
            "secret:token",
        ),
        (
            "app,专用密码,应用密码",
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
_LOGINS = (
    re.compile(r"jdbc:oracle:\w+:[\w.$-]{1,60}/(?P<value>[^\s@/]{3,100})@"),
    # "The pass" is also a ticket and a rate: only with a value that is no word.
    re.compile(
        r"\b(?:the|my|our|master|admin|root|login|wifi|ssh|db|database|user) (?:pass|pw)"
        r"(?: (?:is|now|was|set to|changed to))*[ :]+"
        r"(?P<value>(?=\S{0,60}\d)(?=\S{0,60}[a-z])[^\s,;\"”]{8,60})"
    ),
    re.compile(r"(?<!\S)/u(?:ser)?:[^\s]{1,60}[ \t]+(?P<value>[^\s(/][^\s]{3,100})"),
)


def shapes(view: View) -> Iterator[Secret]:
    """Yield what in *view* looks like a key, or a code with its name."""
    for found in _AWS.finditer(view.text):
        if all(sort.search(found[0]) for sort in _SORTS):
            yield Secret(*found.span(), "secret:token")
    for clues, named, form, kind in _NAMED:
        # Plain searches are quicker than patterns, and most texts name no such thing.
        if not any(clue in view.lowered for clue in clues):
            continue
        for called in named.finditer(view.text):
            end = view.text.find("\n", called.end())
            reach = min(called.end() + _REACH, end if end >= 0 else len(view.text))
            for found in form.finditer(view.text, called.end(), reach + _REACH):
                if found.start() <= reach:
                    yield Secret(*found.span(), kind)
    for login in _LOGINS:
        for found in login.finditer(view.text):
            yield Secret(*found.span("value"), "secret:password")
