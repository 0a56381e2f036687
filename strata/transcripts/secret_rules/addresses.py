"""Secrets inside addresses: passwords and tokens in URLs, web hooks, connection strings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.values import is_token, stands_for_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.view import View

_NO_VALUE = r"\s\"'<>`\ue000"
_USER = rf"://(?P<user>[^{_NO_VALUE}/?#:@]{{0,100}}):"
_HOST = r"@(?=[\w.\[%-]{1,253}(?:[:/?#\s,;\"'`)\]]|\Z|[\u3000-\uffef]))"
# A password may hold an @ of its own: the last one before the host counts. A slash ends
# the host on the web; elsewhere it may stand in a password that nobody encoded.
_WEB_PASSWORD = re.compile(
    _USER
    + rf"(?P<password>[^{_NO_VALUE}/@]{{1,200}}(?:@[^{_NO_VALUE}/@]{{1,100}}){{0,3}})"
    + _HOST
)
_PASSWORD = re.compile(
    _USER
    + rf"(?P<password>[^{_NO_VALUE}@]{{1,200}}(?:@[^{_NO_VALUE}@]{{1,100}}){{0,3}}){_HOST}"
)
_SIGN = re.compile("://")
_LONGEST_LOGIN = 600
_WEB = ("http", "https", "ws", "wss")
_TOKEN_AS_USER = re.compile(
    rf"://(?P<password>[^{_NO_VALUE}/?#:@]{{12,200}})(?::x-oauth-basic)?@"
)
_HOOK = re.compile(
    r"://(?:[\w-]{1,40}\.){0,3}(?:"
    r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<slack>[\w/-]{20,200})"
    r"|discord(?:app)?\.com/api(?:/v[0-9]{1,2})?/webhooks/[0-9]{15,22}/(?P<discord>[\w-]{20,200})"
    r"|(?:feishu\.cn|larksuite\.com)/open-apis/bot/(?:v2/)?hook/(?P<feishu>[\w-]{16,80})"
    r"|webhook\.office\.com/webhookb2/(?P<teams>[\w@/-]{30,300})"
    r"|qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=(?P<wecom>[\w-]{16,80})"
    r"|hooks\.zapier\.com/hooks/catch/(?P<zapier>[\w/]{8,80})"
    r"|api\.telegram\.org/bot(?P<telegram>[0-9]{6,12}:[\w-]{20,60})"
    r"|(?:sctapi|sc)\.ftqq\.com/(?P<serverchan>S(?:CT|CU)[\w-]{20,80})\.send"
    r"|api\.day\.app/(?P<bark>[A-Za-z0-9]{18,40})(?=[/\s]|\Z)"
    r"|maker\.ifttt\.com/trigger/\w{1,60}/with/key/(?P<ifttt>[\w-]{16,80}))"
)
# What a name says is known elsewhere; these names are secret in a query only.
_QUERIES = tuple(
    re.compile(
        rf"\{sign}(?:amp;)?(?:key|sig|code|sign|hash|ticket|stoken|[a-z_.-]{{0,30}}signature|"
        r"x-amz-credential)=(?P<value>[\w.~+/%=:-]{6,2000})",
        re.IGNORECASE,
    )
    for sign in "?&"
)
_BARE_LOGIN = re.compile(
    rf"(?<![\w./-])(?P<user>[\w.-]{{1,60}}):(?P<password>[^{_NO_VALUE}@]{{1,200}})@(?:tcp|unix)\("
)
_WIFI = re.compile(
    r"WIFI:(?:[A-Z]:[^;\n]{0,60};){0,3}?P:(?P<password>[^;\n\ue000]{1,80});"
)
_PGPASS_PORT = re.compile(r":(?:5[34][0-9]{2}|6[0-9]{3}|\*):")
_PGPASS_HOST = re.compile(
    r"(?:\*|localhost|\[[0-9a-f:]{2,40}\]|[\w-]{1,63}(?:\.[\w-]{1,63}){1,5})\Z"
)
_PGPASS_REST = re.compile(
    r"[\w*-]{1,60}:[\w*.-]{1,60}:(?P<password>[^\s\"'`\ue000]{1,200})(?=[\s\"'`]|\Z)"
)
_LONGEST_HOST = 100


def addresses(view: View) -> Iterator[Secret]:
    """Yield the secrets in the addresses of *view*."""
    text = view.text
    if "://" in text:
        yield from _in_urls(text)
    for query in _QUERIES:
        for match in query.finditer(text):
            if is_token(match["value"], 12):
                yield Secret(*match.span("value"), "secret:token")
    if "@tcp(" in text or "@unix(" in text:
        yield from _passwords(_BARE_LOGIN, text)
    if "WIFI:" in text:
        yield from _passwords(_WIFI, text)
    if ":5" in text or ":6" in text or ":*:" in text:
        yield from _in_password_file(text)


def _in_urls(text: str) -> Iterator[Secret]:
    for sign in _SIGN.finditer(text):
        if text.find("@", sign.end(), sign.end() + _LONGEST_LOGIN) < 0:
            continue
        web = text[max(0, sign.start() - 5) : sign.start()].lower().endswith(_WEB)
        match = (_WEB_PASSWORD if web else _PASSWORD).match(text, sign.start())
        if match and not stands_for_value(match["password"]):
            yield Secret(*match.span("password"), "secret:password")
    for match in _TOKEN_AS_USER.finditer(text):
        if is_token(match["password"], 12):
            yield Secret(*match.span("password"), "secret:token")
    for match in _HOOK.finditer(text):
        yield Secret(*match.span(match.lastgroup or 0), "secret:webhook")


def _in_password_file(text: str) -> Iterator[Secret]:
    for port in _PGPASS_PORT.finditer(text):
        rest = _PGPASS_REST.match(text, port.end())
        line = text[max(0, port.start() - _LONGEST_HOST) : port.start()].split()
        if rest and line and _PGPASS_HOST.match(line[-1].lstrip("\"'`(")):
            yield Secret(*rest.span("password"), "secret:password")


def _passwords(pattern: re.Pattern[str], text: str) -> Iterator[Secret]:
    for match in pattern.finditer(text):
        if not stands_for_value(match["password"]):
            yield Secret(*match.span("password"), "secret:password")
