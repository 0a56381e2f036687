"""A scripted model on loopback that speaks OpenAI's chat completions, faults included."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HALF = '{"facts": [{"text": "We keep Postgr'
REFUSAL = "I am sorry, but I cannot help with that request."
# A model that is never told to answer does so at last.
PATIENCE_SECONDS = 60.0


@dataclass(frozen=True)
class Reply:
    """
    What the server sends: *text* in an envelope, or *body* as it is.

    *after_seconds* is how long it thinks first; an *endless* body is sent again and
    again, *every_seconds*, until the client hangs up.
    """

    text: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    after_seconds: float = 0.0
    endless: bool = False
    every_seconds: float = 0.0
    finish: str = "stop"
    usage: dict[str, int] | None = None


class Slow:
    """
    A model that gives *answer* when it is told to.
    """

    def __init__(self, answer: Callable[[str], str | Reply]) -> None:
        self._answer = answer
        self.asked = threading.Event()
        self.may_answer = threading.Event()

    def __call__(self, prompt: str) -> str | Reply:
        self.asked.set()
        self.may_answer.wait(PATIENCE_SECONDS)
        return self._answer(prompt)


def says(document: object) -> Reply:
    """
    The answer *document*, as JSON.
    """
    return Reply(json.dumps(document, ensure_ascii=False))


def fails(status: int, *, code: str = "", message: str = "", **headers: str) -> Reply:
    """
    An error in OpenAI's form.
    """
    error = {"error": {"message": message, "code": code or None}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status=status, body=json.dumps(error).encode(), headers=named)


class ScriptedModel:
    """
    The server: *answer* makes of each prompt what is sent, a text or a `Reply`.

    Every request is kept, so that a test can prove what never left the machine.
    """

    def __init__(self, answer: Callable[[str], str | Reply]) -> None:
        self.answer = answer
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        """
        Where the server listens, as `model.url` has it.
        """
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def settings(self) -> tuple[str, ...]:
        """
        The settings that choose this model.
        """
        return "model.provider=openai", f"model.url={self.url}", "model.name=scripted"

    @property
    def prompts(self) -> list[str]:
        """
        What the model was asked, in order.
        """
        return ["\n".join(_texts(request)) for request in self.requests]

    def close(self) -> None:
        """
        Stop, also in the middle of an answer.
        """
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _texts(request: dict[str, Any]) -> list[str]:
    return [str(message.get("content")) for message in request.get("messages") or []]


@contextmanager
def scripted(*script: str | Reply) -> Iterator[ScriptedModel]:
    """
    A model that says one thing of *script* after the other, the last for ever.
    """
    waiting = list(script)

    def answer(_prompt: str) -> str | Reply:
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]

    with answering(answer) as model:
        yield model


@contextmanager
def answering(answer: Callable[[str], str | Reply]) -> Iterator[ScriptedModel]:
    """
    A model that answers each prompt as *answer* says.
    """
    model = ScriptedModel(answer)
    try:
        yield model
    finally:
        model.close()


def _handler(model: ScriptedModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_arguments: Any) -> None:
            """
            Say nothing.
            """

        def do_GET(self) -> None:
            body = json.dumps({"object": "list", "data": [{"id": "scripted"}]})
            self._send(Reply(body=body.encode()))

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            request = json.loads(self.rfile.read(length) or b"{}")
            model.requests.append(request)
            model.keys.append(self.headers.get("authorization", ""))
            said = model.answer("\n".join(_texts(request)))
            reply = Reply(said) if isinstance(said, str) else said
            model.closing.wait(reply.after_seconds)
            try:
                self._send(reply)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client had enough

        def _send(self, reply: Reply) -> None:
            body = _envelope(reply) if reply.body is None else reply.body
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("content-type", "application/json")
            if not reply.endless:
                self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            while reply.endless and not model.closing.wait(reply.every_seconds):
                self.wfile.write(body)

    return Handler


def _envelope(reply: Reply) -> bytes:
    message = {"role": "assistant", "content": reply.text}
    choice = {"index": 0, "message": message, "finish_reason": reply.finish}
    document = {"object": "chat.completion", "model": "scripted", "choices": [choice]}
    usage = {"usage": reply.usage} if reply.usage else {}
    return json.dumps(document | usage).encode()
