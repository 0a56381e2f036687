"""The server on loopback, which ends once nobody has looked for a while."""

from __future__ import annotations

import asyncio
import socket
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import uvicorn

from strata.dashboard.site import guarded_site
from strata.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import Receive, Scope, Send

    from strata.dashboard.desk import Desk
    from strata.dashboard.guard import Guard

LOOPBACK = "127.0.0.1"
IDLE_SECONDS = 30 * 60.0
# So many tabs at once, and no program that opens connections without end.
_MOST_AT_ONCE = 100
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
        watched = _Watched(guard)
        config = uvicorn.Config(
            watched,
            loop="asyncio",
            http="h11",
            ws="none",
            lifespan="off",
            interface="asgi3",
            # Addresses hold what was asked; nothing of that belongs in a log.
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=_MOST_AT_ONCE,
            timeout_graceful_shutdown=_LAST_SECONDS,
        )
        server = uvicorn.Server(config)

        def look() -> None:
            rest = idle_seconds - watched.idle_seconds
            server.should_exit = rest <= 0
            asyncio.get_running_loop().call_later(max(rest, 0.0), look)

        async def run() -> None:
            look()
            await server.serve([listening])

        # Whoever comes before we answer waits in the socket.
        ready(f"http://{LOOPBACK}:{number}/?key={guard.key}")
        # What stopped us with Ctrl+C is raised again, and needs no more words.
        with suppress(KeyboardInterrupt):
            asyncio.run(run())


def _listening(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        listening.listen(_MOST_AT_ONCE)
    except (OSError, OverflowError):
        listening.close()
        raise UsageError.of("dashboard.no-port", port=port) from None
    return listening


class _Watched:
    """Passes what *guard* is asked, and knows how long nobody has asked anything."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._last = time.monotonic()
        self._at_work = 0

    @property
    def idle_seconds(self) -> float:
        """For how long nothing was asked, and nothing is being answered."""
        return 0.0 if self._at_work else time.monotonic() - self._last

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._at_work += 1
        try:
            await self._guard(scope, receive, send)
        finally:
            self._at_work -= 1
            self._last = time.monotonic()
