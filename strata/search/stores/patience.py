"""A server that is away, overloaded or racing others is asked again, for some time."""

from __future__ import annotations

import math
import random
import time
from functools import partial
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any, TypeVar

from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from strata.errors import StoreUnreachable
from strata.messages import Notice

if TYPE_CHECKING:
    from collections.abc import Callable

    from qdrant_client import QdrantClient

T = TypeVar("T")

# Reading gives way to the files soon; a write may wait for a server that restarts.
_READ_SECONDS, _WRITE_SECONDS = 4.0, 30.0
_READING = frozenset(
    {
        *("retrieve", "count", "query_points", "scroll", "info", "get_aliases"),
        *("get_collection", "get_collections", "collection_exists"),
    }
)
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.1, 5.0
_LATER = frozenset({408, 429, 500, 502, 503, 504})
NOT_FOUND, EXISTS = 404, 409


class Patient:
    """
    A *client* that asks again and again while its server cannot answer yet.

    It does so no longer than whoever calls it would wait, which is *most_seconds*.
    """

    def __init__(self, client: QdrantClient, most_seconds: float = math.inf) -> None:
        self._client = client
        self._most_seconds = most_seconds

    # Any: as many types as the client has methods.
    def __getattr__(self, name: str) -> Callable[..., Any]:
        usual = _READ_SECONDS if name in _READING else _WRITE_SECONDS
        seconds = min(usual, self._most_seconds)
        method = getattr(self._client, name)
        return lambda *given, **named: _tried(partial(method, *given, **named), seconds)


class Refused(StoreUnreachable):
    """The server answers, and will not do it: *status* says why, in numbers."""

    def __init__(self, told: str, status: int | None) -> None:
        super().__init__(told)
        self.status = status


def _tried(action: Callable[[], T], patience_seconds: float) -> T:
    """
    Do *action*, again and again while the server is away, until the time is up.

    Every action can be done twice: points are written whole, under ids that are theirs.
    How long to wait is doubled each time, and the server's to say where it does.
    """
    deadline = time.monotonic() + patience_seconds
    pause = _FIRST_PAUSE_SECONDS
    while True:
        asked: float | None = None
        status: int | None = None
        try:
            return action()
        except (JSONDecodeError, UnicodeDecodeError):
            raise Refused(_strange(), None) from None
        except ResponseHandlingException as error:
            # What it says in another form than is known is no accident of the network.
            if isinstance(error.source, ValueError):
                raise Refused(_strange(), None) from None
            reason = str(error)
        except QdrantException as error:
            # The client's own for 429; it says so even where the number makes no sense.
            status, asked = 429, getattr(error, "retry_after_s", None)
            reason = f"it answers 429 {error}"
        except UnexpectedResponse as error:
            status, asked = error.status_code, _asked(error)
            reason = f"it answers {status} {error.reason_phrase}"
        if status is not None and status not in _LATER:
            raise Refused(Notice("index.no-server", reason=reason), status)
        # Many machines were refused together, and must not come back together.
        wait = max(asked or 0.0, pause * random.uniform(0.5, 1.0))  # noqa: S311 - no secret
        if time.monotonic() + wait >= deadline:
            raise StoreUnreachable(Notice("index.no-server", reason=reason))
        time.sleep(wait)
        pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)


def _strange() -> Notice:
    """Say that this is no Qdrant: another program, or a network that wants a login."""
    return Notice("index.no-server", reason=Notice("index.no-qdrant"))


def _asked(error: UnexpectedResponse) -> float | None:
    """Return the seconds after which the server wants to be asked again, if it says."""
    told = error.headers.get("retry-after", "") if error.headers else ""
    return float(told) if told.isdecimal() else None
