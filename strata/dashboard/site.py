"""All screens as one application: which address asks which screen."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from strata.dashboard.guard import Guard

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import Receive, Scope, Send

    from strata.dashboard.desk import Desk
    from strata.dashboard.visits import Reply, Screen, Visit

# The first part of an address → the module of its screens, which is imported when it is
# asked for: the first page must not wait for what the others need.
MODULES = {
    "": "today",
    "review": "today",
    "memory": "memory",
    "read": "reading",
    "story": "story",
    "edit": "reading",
    "delete": "reading",
    "search": "search",
    "why": "search",
    "people": "people",
    "time": "days",
    "forget": "forget",
    "runs": "runs",
    "health": "health",
}
_STATIC = Path(__file__).parent / "static"
_KINDS = {".css": "text/css", ".svg": "image/svg+xml"}


def guarded_site(desk: Desk, port: int) -> Guard:
    """Return the application that answers on *port*, and the guard before it."""
    files = {f"/{file.name}": file.read_bytes() for file in _STATIC.iterdir()}

    async def site(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if path in files:
            response = Response(files[path], media_type=_KINDS[Path(path).suffix])
        elif asked := asked_by(scope["method"], path):
            response = await desk.answer(Request(scope, receive), asked)
        else:
            response = desk.refused(404, "dashboard.no-page")
        await response(scope, receive, send)

    guard = Guard(site, port, desk.refused, files)
    desk.form = guard.form
    return guard


def asked_by(method: str, path: str) -> Callable[[Visit], Reply] | None:
    """Return what answers *method* at *path*, None where nothing does."""
    found = next((each for each in screens_at(path) if each.path == path), None)
    if found is None:
        return None
    return found.act if method == "POST" else found.show


def screens_at(path: str) -> tuple[Screen, ...]:
    """Return the screens of the module that *path* leads to, if to any."""
    name = MODULES.get(path.split("/")[1] if path.startswith("/") else path)
    if name is None:
        return ()
    found: tuple[Screen, ...] = import_module(
        f"strata.dashboard.screens.{name}"
    ).SCREENS
    return found
