"""A stand-in for OpenClaw's gateway: one connection, a greeting, and one model turn."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from websockets.sync.server import serve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from websockets.sync.server import ServerConnection

    # What comes after the turn was accepted: it may send, wait, or hang up.
    Turn = Callable[["FakeGateway", ServerConnection, dict[str, Any]], None]


class FakeGateway:
    """
    The requests that came, by method; *token* is the one it lets in.
    """

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.token = "lab-token"
        self.port = 0
        self.requests: dict[str, dict[str, Any]] = {}
        self.closing = threading.Event()

    def talk(self, connection: ServerConnection) -> None:
        """
        Answer what one client asks.
        """
        for text in connection:
            request = json.loads(text)
            self.requests[request["method"]] = request["params"]
            if request["method"] == "agent":
                self.turn(self, connection, request)
                return
            let_in = request["params"]["auth"].get("token") == self.token
            connection.send(json.dumps({"type": "event", "event": "tick"}))
            answer(connection, request, {} if let_in else None)


def answer(
    connection: ServerConnection, request: dict[str, Any], payload: Any | None
) -> None:
    """
    Answer *request*; None refuses it.
    """
    response = {"type": "res", "id": request["id"], "ok": payload is not None}
    connection.send(json.dumps(response | {"payload": payload}))


def completes(text: str, **usage: int) -> Turn:
    """
    A turn that is accepted, and then answered with *text*.
    """

    def turn(
        _: FakeGateway, connection: ServerConnection, request: dict[str, Any]
    ) -> None:
        answer(connection, request, {"status": "accepted", "runId": "1"})
        connection.send("no JSON at all")
        agent = {"provider": "mock", "model": "mock-1", "usage": usage}
        result = {"payloads": [{"text": text}], "meta": {"agentMeta": agent}}
        answer(connection, request, {"status": "ok", "result": result})

    return turn


@contextmanager
def listening(turn: Turn) -> Iterator[FakeGateway]:
    """
    A gateway on a port of its own, until the block ends.
    """
    gateway = FakeGateway(turn)
    with serve(gateway.talk, "127.0.0.1", 0, close_timeout=1) as server:
        gateway.port = server.socket.getsockname()[1]
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield gateway
        finally:
            gateway.closing.set()
            server.shutdown()
            thread.join()
