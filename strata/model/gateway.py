"""OpenClaw's running gateway, asked for one turn of the user's own model."""

from __future__ import annotations

import json
import math
import time
import uuid
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from strata.errors import AnswerTooLong, ModelTimedOut, ModelUnreachable
from strata.messages import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from websockets.sync.client import ClientConnection

    from strata.workspace.openclaw import Gateway

# A gateway on this machine answers a knock at once; one that starts is not waited for.
_KNOCK_SECONDS = 5.0
_ABORT_SECONDS = 2.0
_MOST_BYTES = 4_000_000
_PROTOCOL = {"minProtocol": 3, "maxProtocol": 4}
# Only this client may connect without a device of its own, and only on loopback.
_CLIENT = {
    "id": "gateway-client",
    "version": "1",
    "platform": "python",
    "mode": "backend",
}
_SCOPES = ["operator.read", "operator.write"]

Answer = dict[str, Any]  # the gateway's own JSON


class NoGateway(Exception):
    """There is no gateway that takes the question; it was not passed on to a model."""


def ask_gateway(
    gateway: Gateway, *, agent: str, prompt: str, model: str, deadline_seconds: float
) -> Answer:
    """
    Return the ``result`` of one model turn that leaves no conversation behind.

    *model* is ``provider/model``, or "" for what *agent* is configured to use. Raise
    `NoGateway` where the question was not taken, a `ModelError` where it went wrong later.
    """
    end = time.monotonic() + deadline_seconds
    with _admitted(gateway, with_model=bool(model), end=end) as connection:
        return _turn(connection, _question(agent, prompt, model, end), end)


def knock(gateway: Gateway, *, deadline_seconds: float) -> None:
    """Say hello and go; raise `NoGateway` where that is not welcome."""
    end = time.monotonic() + deadline_seconds
    with _admitted(gateway, with_model=False, end=end):
        pass


@contextmanager
def _admitted(
    gateway: Gateway, *, with_model: bool, end: float
) -> Iterator[ClientConnection]:
    try:
        connection = connect(
            gateway.url,
            open_timeout=min(_KNOCK_SECONDS, end - time.monotonic()),
            close_timeout=1,
            max_size=_MOST_BYTES,
            compression=None,
            proxy=None,
        )
    except (OSError, WebSocketException) as error:
        raise NoGateway(Notice("gateway.closed", kind=type(error).__name__)) from None
    with connection:
        _greet(connection, gateway, with_model=with_model, end=end)
        yield connection


def _greet(
    connection: ClientConnection, gateway: Gateway, *, with_model: bool, end: float
) -> None:
    # Another model than the agent's own may be named by an administrator alone.
    scopes = [*_SCOPES, "operator.admin"] if with_model else _SCOPES
    hello = {
        **_PROTOCOL,
        "role": "operator",
        "scopes": scopes,
        "client": _CLIENT,
        "caps": [],
        "auth": gateway.auth,
    }
    until = min(end, time.monotonic() + _KNOCK_SECONDS)
    try:
        _send(connection, "1", "connect", hello)
        answer = _response(connection, "1", until)
    except (OSError, WebSocketException) as error:
        raise NoGateway(Notice("gateway.silent", kind=type(error).__name__)) from None
    if not answer.get("ok"):
        raise NoGateway(Notice("gateway.refused"))


def _question(agent: str, prompt: str, model: str, end: float) -> Answer:
    session = f"model-run-{uuid.uuid4()}"
    question = {
        "agentId": agent,
        "sessionId": session,
        "sessionKey": f"agent:{agent}:explicit:{session}",
        "message": prompt,
        "idempotencyKey": str(uuid.uuid4()),
        "modelRun": True,
        "promptMode": "none",
        "timeout": max(1, math.ceil(end - time.monotonic())),
    }
    provider, _, name = model.partition("/")
    return question | ({"provider": provider, "model": name} if model else {})


def _turn(connection: ClientConnection, question: Answer, end: float) -> Answer:
    try:
        _send(connection, "2", "agent", question)
        response = _response(connection, "2", end)
        if not response.get("ok"):
            # An older or newer gateway does not know such a turn, or does not allow it.
            raise NoGateway(Notice("gateway.no-such"))
        while _payload(response).get("status") == "accepted":
            response = _response(connection, "2", end)
    except TimeoutError:
        _abort(connection, question)
        raise ModelTimedOut(Notice("model.late-there")) from None
    except (OSError, WebSocketException) as error:
        if "1009" in str(error):
            raise AnswerTooLong(Notice("model.endless-there")) from None
        raise ModelUnreachable(Notice("model.lost")) from None
    result = _payload(response).get("result")
    if not response.get("ok") or not isinstance(result, dict):
        raise ModelUnreachable(Notice("model.failed-there"))
    return result


def _abort(connection: ClientConnection, question: Answer) -> None:
    """Let the gateway stop: it asks a provider that fails eight times in 85 seconds."""
    run = {
        "sessionKey": question["sessionKey"],
        "runId": question["idempotencyKey"],
    }
    with suppress(OSError, WebSocketException):
        _send(connection, "3", "chat.abort", run)
        _response(connection, "3", time.monotonic() + _ABORT_SECONDS)


def _payload(response: Answer) -> Answer:
    payload = response.get("payload")
    return payload if isinstance(payload, dict) else {}


def _send(
    connection: ClientConnection, number: str, method: str, parameters: Answer
) -> None:
    request = {"type": "req", "id": number, "method": method, "params": parameters}
    connection.send(json.dumps(request, ensure_ascii=False))


def _response(connection: ClientConnection, number: str, end: float) -> Answer:
    """Return the next response to request *number*; events in between are not ours."""
    while True:
        left = end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        try:
            message = json.loads(connection.recv(timeout=left))
        except ValueError:
            continue
        if isinstance(message, dict) and message.get("id") == number:
            return message
