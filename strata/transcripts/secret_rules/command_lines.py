"""Passwords that a command takes as an option, or that stand in a cookie or .netrc."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.names import Meaning, meaning_of
from strata.transcripts.secret_rules.reading import read_value
from strata.transcripts.secret_rules.values import (
    is_hash,
    is_random,
    is_token,
    stands_for_value,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.view import View

_OPTION = re.compile(
    r""" -(?P<option>[pPaAuUwX]|-user|pass(?:in|out)?|-a|(?:store|key)pass)"""
    r"""(?P<gap>[ \t=]{0,3})(?P<quote>["']?)"""
)
# An option means a password to some commands only: -p is a port to ssh and docker run.
# "tight" commands ask for the password if a blank follows the option.
_COMMANDS = {
    "p": re.compile(
        r"\b(?:(?P<tight>mysql\w*|mariadb[\w-]*|7za?|unrar|rar)|sshpass|mongo\w*|rdesktop|"
        r"(?:docker|podman|nerdctl|az|oc|registry) login)\b"
    ),
    "P": re.compile(r"\b(?:zip|unzip|mosquitto_\w+|ipmitool)\b"),
    "a": re.compile(r"\bredis-cli\b"),
    "w": re.compile(r"\bldap\w+\b"),
    "A": re.compile(r"\bsnmp\w+\b"),
    "X": re.compile(r"\bsnmp\w+\b"),
    "u": re.compile(r"\b(?:curl|lftp|https?|xh|wget)\b"),
    "U": re.compile(r"\b(?:smbclient|rpcclient|winexe|curl)\b"),
    "-user": re.compile(r"\b(?:curl|wget)\b"),
    "-a": re.compile(r"\b(?:https?|xh)\b"),
    "pass": re.compile(r"\bopenssl\b"),
    "passin": re.compile(r"\bopenssl\b"),
    "passout": re.compile(r"\bopenssl\b"),
    "storepass": re.compile(r"\b(?:keytool|jarsigner)\b"),
    "keypass": re.compile(r"\b(?:keytool|jarsigner)\b"),
}
_COMMAND_NAMES = (
    *(
        "mysql",
        "maria",
        "7z",
        "rar",
        "sshpass",
        "mongo",
        "login",
        "rdesktop",
        "zip",
        "mosqui",
    ),
    *(
        "ipmitool",
        "redis",
        "ldap",
        "snmp",
        "curl",
        "lftp",
        "http",
        "xh",
        "wget",
        "client",
    ),
    *("winexe", "openssl", "keytool", "jarsigner"),
)
# These options take the user too: "user:password", "user%password", "pass:password".
_USER_FIRST = {
    **dict.fromkeys(("u", "-user", "-a"), re.compile(r"[\w.@+\\-]{0,80}[:,]")),
    "U": re.compile(r"[\w.@+\\/-]{0,80}[%:]"),
    **dict.fromkeys(("pass", "passin", "passout"), re.compile(r"pass:")),
}
_LONGEST_COMMAND = 300

_NETRC = re.compile(
    r"login\s{1,9}\S{1,100}\s{1,9}password\s{1,9}(?P<password>[^\s\ue000]{1,200})"
)
_PIPED = re.compile(
    r"""(?:echo|printf)[ \t]{1,4}(?:-\w[ \t]+)?(?P<quote>["']?)"""
    r"(?P<password>[^\n\ue000]{1,100}?)"
    r"""(?P=quote)[ \t]*\|[ \t]*\Z"""
)
_SUDO = re.compile("sudo -s")
# SQL, Redis and the like say it in words of their own.
_STATEMENTS = tuple(map(re.compile, ("identified by", "requirepass", "masterauth")))
_STATED = re.compile(r"\s{1,9}(?P<quote>[\"']?)")
_COOKIES = re.compile(
    r"cookie[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?P<pairs>[^\n\"']{8,4000})"
)
_COOKIE = re.compile(r"(?P<name>[\w.%-]{1,80})=(?P<value>[^;\s\ue000]{8,4000})")


def command_lines(view: View) -> Iterator[Secret]:
    """Yield the passwords that commands and their files take in *view*."""
    for option in _OPTION.finditer(view.text):
        yield from _of_option(view.text, option)
    if "machine" in view.lowered:
        for match in _NETRC.finditer(view.lowered):
            if not stands_for_value(match["password"]):
                yield Secret(*match.span("password"), "secret:password")
    if "cookie" in view.lowered:
        for match in _COOKIES.finditer(view.lowered):
            yield from _in_cookies(view.text, *match.span("pairs"))
    yield from _in_statements(view)
    yield from _piped(view)


def _of_option(text: str, match: re.Match[str]) -> Iterator[Secret]:
    option = match["option"]
    line = text[max(0, match.start() - _LONGEST_COMMAND) : match.start()]
    line = line.rpartition("\n")[2]
    if not any(name in line for name in _COMMAND_NAMES):
        return
    command = _COMMANDS[option].search(line)
    if not command or (match["gap"] and command.groupdict().get("tight")):
        return
    start = match.end()
    if user := _USER_FIRST.get(option):
        first = user.match(text, start)
        if not first:
            return
        start = first.end()
    value = read_value(text, start, match["quote"])
    if value and not stands_for_value(value.text) and not value.text.startswith("-"):
        yield Secret(value.start, value.end, "secret:password")


def _in_statements(view: View) -> Iterator[Secret]:
    for statement in _STATEMENTS:
        for called in statement.finditer(view.lowered):
            match = _STATED.match(view.text, called.end())
            value = (
                read_value(view.text, match.end(), match["quote"]) if match else None
            )
            if value and not stands_for_value(value.text) and not value.text.isalpha():
                yield Secret(value.start, value.end, "secret:password")


def _piped(view: View) -> Iterator[Secret]:
    for sudo in _SUDO.finditer(view.lowered):
        start = max(0, sudo.start() - _LONGEST_COMMAND)
        match = _PIPED.search(view.text, start, sudo.start())
        if match and not stands_for_value(match["password"]):
            yield Secret(*match.span("password"), "secret:password")


def _in_cookies(text: str, start: int, end: int) -> Iterator[Secret]:
    for match in _COOKIE.finditer(text, start, end):
        value = match["value"]
        named = meaning_of(match["name"]) is not Meaning.NOTHING
        if (named and is_token(value)) or (is_random(value, 24) and not is_hash(value)):
            yield Secret(*match.span("value"), "secret:cookie")
