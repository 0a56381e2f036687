"""The server on loopback, which ends once nobody has looked for a while."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from typing import TYPE_CHECKING

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from strata.dashboard.guard import HEADERS, MOST_ADDRESS
from strata.dashboard.site import guarded_site
from strata.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Receive, Scope, Send

    from strata.dashboard.desk import Desk

LOOPBACK = "127.0.0.1"
IDLE_SECONDS = 30 * 60.0
# So many connections may ask nothing, as of tabs that are open; others are closed.
_MOST_SILENT = 100
_LAST_SECONDS = 5


def serve(
    desk: Desk,
    *,
    port: int,
    ready: Callable[[str], None],
    idle_seconds: float = IDLE_SECONDS,
) -> None:
    """
    Serve the pages of *desk* on *port*, or any where it is 0, until nobody looks any more.

    *ready* gets the address, which lets one browser in, once it is answered. Raise
    `UsageError` where the port cannot be had.
    """
    with _listening(port) as listening:
        number = listening.getsockname()[1]
        guard = guarded_site(desk, number)
        watched = guard.app = _Watched(guard.app)
        config = uvicorn.Config(
            guard,
            loop="asyncio",
            http=_Connection,
            ws="none",
            lifespan="off",
            interface="asgi3",
            # Addresses hold what was asked; nothing of that belongs in a log.
            log_config=None,
            log_level=logging.CRITICAL,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            # The cookies of all that is served on this machine come with an address.
            h11_max_incomplete_event_size=2 * MOST_ADDRESS,
            timeout_graceful_shutdown=_LAST_SECONDS,
        )
        server = uvicorn.Server(config)

        def look() -> None:
            rest = idle_seconds - watched.idle_seconds
            if rest > 0:
                asyncio.get_running_loop().call_later(rest, look)
            else:
                server.should_exit = True

        async def run() -> None:
            look()
            await server.serve([listening])

        # Whoever comes before we answer waits in the socket.
        ready(f"http://{LOOPBACK}:{number}/?key={guard.key}")
        asyncio.run(run())


def _listening(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET)
    try:
        if os.name == "posix":
            # On Windows it would take the port away from whoever has it.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        listening.listen(_MOST_SILENT)
    except (OSError, OverflowError):
        listening.close()
        raise UsageError.of("dashboard.no-port", port=port) from None
    return listening


class _Connection(H11Protocol):
    """A connection; where there are too many, those that ask nothing make way."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        super().connection_made(transport)
        self.since = self.loop.time()
        ours = (each for each in self.connections if isinstance(each, _Connection))
        silent = [each for each in ours if each.is_silent]
        silent.sort(key=lambda each: each.since)
        for each in silent[:-_MOST_SILENT]:
            each.transport.abort()

    @property
    def is_silent(self) -> bool:
        """Whether nothing is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def send_400_response(self, msg: str) -> None:
        headers = {"content-type": "text/plain", "connection": "close", **HEADERS}
        lines = (f"{name}: {each}" for name, each in headers.items())
        answer = "\r\n".join(["HTTP/1.1 400 Bad Request", *lines, "", msg])
        self.transport.write(answer.encode("ascii"))
        self.transport.close()


class _Watched:
    """Passes to *app* what it is asked, and knows how long nobody has asked anything."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._last = time.monotonic()
        self._at_work = 0

    @property
    def idle_seconds(self) -> float:
        """For how long nothing was asked, and nothing is being answered."""
        return 0.0 if self._at_work else time.monotonic() - self._last

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._at_work += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._at_work -= 1
            self._last = time.monotonic()
