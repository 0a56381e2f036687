"""A client that keeps to no rules: sends what it is told, and reads the answer."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from html import unescape
from http.client import HTTPResponse
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from strata.dashboard.guard import HEADERS

if TYPE_CHECKING:
    from builders_window import Window

# Header → what it is to hold instead, None where it is to be left out.
Changes = dict[str, str | None]
_BUTTONS = re.compile(r'<button\b[^>]*?name="([^"]*)"[^>]*?value="([^"]*)"')
_FIELDS = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)"')
_FORM = re.compile(r"<form\b[^>]*>.*?</form>", re.DOTALL)


@dataclass(frozen=True)
class Answer:
    """
    What came back: a number, headers and the body as text.
    """

    status: int
    headers: dict[str, str]
    body: str

    @property
    def lacks(self) -> list[str]:
        """
        What every answer has to have, and this one has not.
        """
        return [
            name for name, told in HEADERS.items() if self.headers.get(name) != told
        ]


def send(port: int, raw: bytes, seconds: float = 20) -> Answer:
    """
    Send *raw* to *port* of this machine, and return the first answer.
    """
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
        connection.sendall(raw)
        reply = HTTPResponse(connection, method=raw.partition(b" ")[0].decode())
        reply.begin()
        headers = {name.lower(): told for name, told in reply.getheaders()}
        return Answer(reply.status, headers, reply.read().decode("utf-8", "replace"))


@dataclass
class Client:
    """
    Somebody who knows what the browser that was let in knows, unless told otherwise.

    That is its *cookie*, and the path *below* which the pages stand.
    """

    window: Window
    cookie: str = ""
    below: str = ""

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.window.port}"

    def let_in(self) -> Answer:
        """
        Use the key.
        """
        answer = self.ask("GET", f"/?key={self.window.key}")
        self.cookie = answer.headers.get("set-cookie", "").partition(";")[0]
        self.below = answer.headers.get("location", "").removesuffix("/")
        return answer

    def raw(self, method: str, target: str, changes: Changes, body: bytes) -> bytes:
        """
        The bytes of a request for *target* below that path, wrong only in its *changes*.
        """
        headers: Changes = {"host": self.host, "connection": "close"}
        if self.cookie:
            headers["cookie"] = self.cookie
        if body:
            headers["content-length"] = str(len(body))
        told = {**headers, **changes}
        lines = [f"{name}: {each}" for name, each in told.items() if each is not None]
        start = f"{method} {self.below}{target} HTTP/1.1"
        head = "\r\n".join([start, *lines, "", ""])
        return head.encode("utf-8") + body

    def ask(
        self,
        method: str,
        target: str,
        changes: Changes | None = None,
        body: bytes = b"",
    ) -> Answer:
        """
        Ask for *target*, with *changes* to what a browser would send.
        """
        return send(self.window.port, self.raw(method, target, changes or {}, body))

    def form(self, *holding: str) -> dict[str, str]:
        """
        What the first form of Today that holds all of *holding* sends by its button.

        Of several buttons it is the one that *holding* names, else the first.
        """
        page = self.ask("GET", "/").body
        for form in _FORM.findall(page):
            if all(each in unescape(form) for each in holding):
                buttons = _BUTTONS.findall(form)
                named = [e for e in buttons if f'value="{e[1]}"' in holding]
                return {
                    unescape(name): unescape(told)
                    for name, told in [*_FIELDS.findall(form), *(named or buttons)[:1]]
                }
        raise AssertionError(f"no form of {holding}")

    def post(
        self, fields: dict[str, str] | bytes, changes: Changes | None = None
    ) -> Answer:
        """
        Send *fields* to `/review` as a browser sends a form, but for the *changes*.
        """
        body = fields if isinstance(fields, bytes) else urlencode(fields).encode()
        return self.ask("POST", "/review", {**SENT_BY_US, **(changes or {})}, body)


# What Chromium says of a form of our own pages.
SENT_BY_US: Changes = {
    "content-type": "application/x-www-form-urlencoded",
    "origin": "null",
    "sec-fetch-site": "same-origin",
}
