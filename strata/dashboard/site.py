"""All screens as one application: which address asks which screen."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from strata.dashboard.guard import Guard
from strata.dashboard.screens import (
    days,
    forget,
    health,
    memory,
    people,
    reading,
    runs,
    search,
    story,
    today,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from starlette.requests import Request

    from strata.dashboard.desk import Desk
    from strata.dashboard.visits import Reply, Screen, Visit

SCREENS: tuple[Screen, ...] = (
    *today.SCREENS,
    *memory.SCREENS,
    *reading.SCREENS,
    *story.SCREENS,
    *search.SCREENS,
    *people.SCREENS,
    *days.SCREENS,
    *forget.SCREENS,
    *runs.SCREENS,
    *health.SCREENS,
)
_STATIC = Path(__file__).parent / "static"
_KINDS = {".css": "text/css", ".svg": "image/svg+xml"}


def guarded_site(desk: Desk, port: int) -> Guard:
    """Return the application that answers on *port*, and the guard before it."""
    files = list(_files())
    site = Starlette(
        routes=[*_routes(desk), *files],
        exception_handlers={404: _no_page(desk, 404), 405: _no_page(desk, 405)},
    )
    guard = Guard(site, port, desk.refused, {each.path for each in files})
    desk.form = guard.form
    return guard


def _routes(desk: Desk) -> Iterator[Route]:
    for screen in SCREENS:
        asked = {"GET": screen.show, "POST": screen.act}
        for method, ask in asked.items():
            if ask is not None:
                yield Route(screen.path, _endpoint(desk, ask), methods=[method])


def _endpoint(
    desk: Desk, ask: Callable[[Visit], Reply]
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        return await desk.answer(request, ask)

    return endpoint


def _no_page(
    desk: Desk, status: int
) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def answer(_request: Request, _error: Exception) -> Response:
        return desk.refused(status, "dashboard.no-page")

    return answer


def _files() -> Iterator[Route]:
    for file in sorted(_STATIC.iterdir()):
        send = partial(_file, file.read_bytes(), _KINDS[file.suffix])
        yield Route(f"/{file.name}", send, methods=["GET"])


async def _file(content: bytes, kind: str, request: Request) -> Response:  # noqa: ARG001 - starlette's shape
    return Response(content, media_type=kind)
