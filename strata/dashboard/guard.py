"""Who may see the pages: only the browser that was opened for them, on this machine."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 64_000
_MOST_FIELDS = 100
MOST_ADDRESS = 20_000
# What a page may do is nothing but show itself, its style and its pictures, and send a
# form to where it came from. Without `no-referrer` an address would reach other sites.
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
_FORM = "application/x-www-form-urlencoded"
FORM, KEY = "form", "key"


class Guard:
    """
    Lets through to *app* what the browser with our cookie asks of us, and nothing else.

    The *key* of the first address is good once, for the cookie and for the path below
    which the pages stand: *app* is asked for what comes after it. *refused* makes the page
    for a status and a reason, which shows a stranger nothing but that. The paths
    *everybodys* are for all on this machine. What else passes has its fields in
    ``scope["strata.told"]``.
    """

    def __init__(
        self,
        app: ASGIApp,
        port: int,
        refused: Callable[[int, str], Response],
        everybodys: Collection[str] = (),
    ) -> None:
        self.app = app
        self._refused = refused
        self._everybodys = everybodys
        # A browser shares cookies among all ports of a host, but only below their path: who
        # cannot guess that gets none of ours, nor sets one of this name in its place.
        self._root = f"/{secrets.token_urlsafe(16)}"
        self._name = f"strata-{secrets.token_hex(8)}"
        self._cookie = secrets.token_urlsafe(32)
        self._hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
        self.key = secrets.token_urlsafe(32)
        self.form = secrets.token_urlsafe(32)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        answer: ASGIApp = self.app
        try:
            answer = await self._stopped(request) or answer
        except ClientDisconnect:
            return
        await answer(scope, receive, _with_headers(send))

    async def _stopped(self, request: Request) -> Response | None:  # noqa: PLR0911 - a reason each
        """Return what stops *request*, None where it may pass."""
        if refused := self._misdirected(request):
            return refused
        if request.method != "POST" and request.scope["path"] in self._everybodys:
            return None
        # Who only looks whether there is something, as mail programs do, uses no key up.
        if request.method == "GET" and KEY in request.query_params:
            return self._let_in(request.query_params[KEY])
        path = self._below(request.scope["path"])
        known = _same(request.cookies.get(self._name, ""), self._cookie)
        if not (path and known):
            return self._refused(403, "dashboard.not-let-in")
        request.scope["path"] = path
        told = dict(request.query_params)
        if request.method == "POST":
            sent = await self._sent(request)
            if isinstance(sent, Response):
                return sent
            told = sent
        if any("\0" in each for each in told.values()):
            return self._refused(400, "dashboard.no-form")
        request.scope["strata.told"] = {
            name: each.strip() for name, each in told.items()
        }
        return None

    def _misdirected(self, request: Request) -> Response | None:
        """Return what stops *request* whoever sends it."""
        if request.headers.getlist("host") not in ([each] for each in self._hosts):
            return Response("not this host\n", 421, media_type="text/plain")
        if request.method not in {"GET", "HEAD", "POST"}:
            return self._refused(405, "dashboard.no-such-method")
        # As it was sent: a whole address in its place is for a proxy, which we are not.
        path = request.scope["path"]
        if not path.startswith("/"):
            return self._refused(400, "dashboard.no-page")
        if len(path) + len(request.scope["query_string"]) > MOST_ADDRESS:
            return self._refused(414, "dashboard.too-large")
        return None

    def _below(self, path: str) -> str:
        """Return what of *path* the pages know, "" where it is not below theirs."""
        root, rest = path[: len(self._root)], path[len(self._root) :]
        return rest if _same(root, self._root) and rest.startswith("/") else ""

    def _let_in(self, key: str) -> Response:
        """Give the cookie to whom has the *key*, once; its address is gone with that."""
        if not (self.key and _same(key, self.key)):
            return self._refused(403, "dashboard.not-let-in")
        self.key = ""
        response = RedirectResponse(f"{self._root}/", 303)
        response.set_cookie(
            self._name, self._cookie, httponly=True, samesite="strict", path=self._root
        )
        return response

    async def _sent(self, request: Request) -> dict[str, str] | Response:
        """Return the fields of the form that one of our own pages sent."""
        # With `no-referrer` the origin of a form is "null", so where the browser says
        # itself from what kind of site it comes, that decides; no page can set it.
        site = request.headers.get("sec-fetch-site")
        known = {f"http://{request.headers['host']}"}
        if site is not None:
            known.add("null")
        if (
            site not in {None, "same-origin"}
            or request.headers.get("origin") not in known
        ):
            return self._refused(403, "dashboard.from-elsewhere")
        if request.headers.get("content-type", "").partition(";")[0].strip() != _FORM:
            return self._refused(415, "dashboard.no-form")
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > MOST_BYTES:
                return self._refused(413, "dashboard.too-large")
        try:
            told = dict(
                parse_qsl(
                    body.decode("ascii"),
                    keep_blank_values=True,
                    encoding="utf-8",
                    errors="replace",
                    max_num_fields=_MOST_FIELDS,
                )
            )
        except ValueError:
            return self._refused(400, "dashboard.no-form")
        if not _same(told.pop(FORM, ""), self.form):
            return self._refused(403, "dashboard.from-elsewhere")
        return told


def _same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode())


def _with_headers(send: Send) -> Send:
    """Let every answer have `HEADERS`."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            ours = [(name.encode(), each.encode()) for name, each in HEADERS.items()]
            message["headers"] = [*message.get("headers", ()), *ours]
        await send(message)

    return sending
