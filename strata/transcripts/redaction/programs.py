"""What programs take and write: URLs, hooks, options, cookies, files of passwords."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.redaction.names import Meaning, meaning_of
from strata.transcripts.redaction.reading import read_value
from strata.transcripts.redaction.spans import Secret
from strata.transcripts.redaction.tables import Patterns, phrases, rows
from strata.transcripts.redaction.values import (
    is_hash,
    is_mixed,
    is_random,
    is_token,
    stands_for_value,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.redaction.view import View

ADDRESSES = Patterns("formats", "addresses")
COMMANDS = Patterns("formats", "commands")
LOGINS = Patterns("told", "logins")
_LONGEST_LOGIN = 600
_WEB = ("http", "https", "ws", "wss")
_LONGEST_HOST = 100


def addresses(view: View) -> Iterator[Secret]:
    """Yield the secrets in the addresses of *view*."""
    text = view.text
    if "://" in text:
        yield from _in_urls(text)
    for query in (ADDRESSES.first_query, ADDRESSES.next_query):
        for match in query.finditer(text):
            if is_token(match["value"], 12):
                yield Secret(*match.span("value"), "secret:token")
    if "@tcp(" in text or "@unix(" in text:
        yield from _passwords(ADDRESSES.bare_login, text)
    if "WIFI:" in text:
        yield from _passwords(ADDRESSES.wifi, text)
    if ":5" in text or ":6" in text or ":*:" in text:
        yield from _in_password_file(text)


def _in_urls(text: str) -> Iterator[Secret]:
    for sign in ADDRESSES.sign.finditer(text):
        if text.find("@", sign.end(), sign.end() + _LONGEST_LOGIN) < 0:
            continue
        web = text[max(0, sign.start() - 5) : sign.start()].lower().endswith(_WEB)
        match = (ADDRESSES.web_password if web else ADDRESSES.password).match(
            text, sign.start()
        )
        if match and not stands_for_value(match["password"]):
            yield Secret(*match.span("password"), "secret:password")
    for match in ADDRESSES.token_as_user.finditer(text):
        if is_token(match["password"], 12):
            yield Secret(*match.span("password"), "secret:token")
    for match in ADDRESSES.hook.finditer(text):
        yield Secret(*match.span(match.lastgroup or 0), "secret:webhook")


def _in_password_file(text: str) -> Iterator[Secret]:
    for port in ADDRESSES.pgpass_port.finditer(text):
        rest = ADDRESSES.pgpass_rest.match(text, port.end())
        line = text[max(0, port.start() - _LONGEST_HOST) : port.start()].split()
        if rest and line and ADDRESSES.pgpass_host.match(line[-1].lstrip("\"'`(")):
            yield Secret(*rest.span("password"), "secret:password")


def _passwords(pattern: re.Pattern[str], text: str) -> Iterator[Secret]:
    for match in pattern.finditer(text):
        if not stands_for_value(match["password"]):
            yield Secret(*match.span("password"), "secret:password")


_COMMANDS = {
    row["option"]: (re.compile(row["commands"]), re.compile(row.get("user", "")))
    for row in rows("formats", "option")
}
_COMMAND_NAMES = phrases("formats", "commands")
_LONGEST_COMMAND = 300

_STATEMENTS = phrases("formats", "statements")


def command_lines(view: View) -> Iterator[Secret]:
    """Yield the passwords that commands and their files take in *view*."""
    for option in COMMANDS.option.finditer(view.text):
        yield from _of_option(view.text, option)
    if "machine" in view.lowered:
        for match in COMMANDS.netrc.finditer(view.lowered):
            if not stands_for_value(match["password"]):
                yield Secret(*match.span("password"), "secret:password")
    if "cookie" in view.lowered:
        for match in COMMANDS.cookies.finditer(view.lowered):
            yield from _in_cookies(view.text, *match.span("pairs"))
    yield from _in_statements(view)
    yield from _piped(view)


def _of_option(text: str, match: re.Match[str]) -> Iterator[Secret]:
    option = match["option"]
    line = text[max(0, match.start() - _LONGEST_COMMAND) : match.start()]
    line = line.rpartition("\n")[2]
    if not any(name in line for name in _COMMAND_NAMES):
        return
    commands, user = _COMMANDS[option]
    command, first = commands.search(line), user.match(text, match.end())
    if not command or not first or (match["gap"] and command.groupdict().get("tight")):
        return
    value = read_value(text, first.end(), match["quote"])
    if value and not stands_for_value(value.text) and not value.text.startswith("-"):
        yield Secret(value.start, value.end, "secret:password")


def _in_statements(view: View) -> Iterator[Secret]:
    for statement in _STATEMENTS:
        for called in re.finditer(statement, view.lowered):
            match = COMMANDS.stated.match(view.text, called.end())
            value = (
                read_value(view.text, match.end(), match["quote"]) if match else None
            )
            if value and not stands_for_value(value.text) and not value.text.isalpha():
                yield Secret(value.start, value.end, "secret:password")


def _piped(view: View) -> Iterator[Secret]:
    for sudo in COMMANDS.sudo.finditer(view.lowered):
        start = max(0, sudo.start() - _LONGEST_COMMAND)
        match = COMMANDS.piped.search(view.text, start, sudo.start())
        if match and not stands_for_value(match["password"]):
            yield Secret(*match.span("password"), "secret:password")


def _in_cookies(text: str, start: int, end: int) -> Iterator[Secret]:
    for match in COMMANDS.cookie.finditer(text, start, end):
        value = match["value"]
        named = meaning_of(match["name"]) is not Meaning.NOTHING
        if (named and is_token(value)) or (is_random(value, 24) and not is_hash(value)):
            yield Secret(*match.span("value"), "secret:cookie")


_SHORTEST = 6


def logins(view: View) -> Iterator[Secret]:
    """Yield the password of each pair in *view* that is called a login."""
    for words in phrases("told", "logins"):
        for called in re.finditer(words, view.lowered):
            pair = LOGINS.pair.match(view.text, called.end())
            value = read_value(view.text, pair.end(), pair["quote"]) if pair else None
            if value and len(value.text) >= _SHORTEST and is_mixed(value.text):
                yield Secret(value.start, value.end, "secret:password")
