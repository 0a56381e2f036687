"""A model on loopback for a real OpenClaw: it says what the prompt's markers tell it to."""

from __future__ import annotations

import json
import re
import threading
import time
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

# What a summary must contain for OpenClaw to accept it.
_HEADINGS = (
    "Latest user request context",
    "Original Request",
    "Early Progress",
    "Context for Suffix",
    "Decisions",
    "Open TODOs",
    "Constraints/Rules",
    "Pending user asks",
    "Exact identifiers",
)
SUMMARY_SECONDS = 4.0
SUMMARY = "\n\n".join(f"## {heading}\nNone." for heading in _HEADINGS)


@dataclass(frozen=True)
class Request:
    """What OpenClaw asked, when, and which notes there were then and at the answer."""

    body: dict[str, Any]
    at: float
    notes: str
    at_answer: str = ""

    @property
    def for_summary(self) -> bool:
        """Whether a conversation is to be summarised."""
        return "<conversation>" in json.dumps(self.body.get("messages"))

    @property
    def system_prompt(self) -> str:
        """What the model was told before the conversation."""
        return "\n".join(
            json.dumps(message.get("content"), ensure_ascii=False)
            for message in self.body.get("messages") or []
            if message.get("role") in {"system", "developer"}
        )


class MockModel:
    """
    An OpenAI-compatible server.

    Every request is kept, beside the notes that *look* saw at the moment it came. What
    *answer* makes of a prompt goes before its markers.
    """

    def __init__(self, look: Callable[[], str]) -> None:
        self.look = look
        self.answer: Callable[[str], str | None] = lambda _prompt: None
        self.requests: list[Request] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """Where the server listens."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def close(self) -> None:
        """Stop the server."""
        self._server.shutdown()
        self._server.server_close()


def _handler(model: MockModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_arguments: Any) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            self._send(json.dumps({"object": "list", "data": [{"id": "mock-1"}]}))

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            body = json.loads(self.rfile.read(length) or b"{}")
            request = Request(body, time.time(), model.look())
            if request.for_summary:
                # No real model is faster.
                time.sleep(SUMMARY_SECONDS)
            model.requests.append(replace(request, at_answer=model.look()))
            text, tokens = _answer(body)
            text = model.answer(_prompt(body)) or text
            call = _tool_call(body)
            usage = {
                "prompt_tokens": tokens,
                "completion_tokens": max(1, len(text) // 4),
                "total_tokens": tokens + max(1, len(text) // 4),
            }
            if body.get("stream"):
                self._send(_stream(text, call, usage), "text/event-stream")
            else:
                message = {"role": "assistant", "content": text, "tool_calls": call}
                choice = {"index": 0, "message": message, "finish_reason": "stop"}
                answer = {
                    "id": "mock",
                    "object": "chat.completion",
                    "choices": [choice],
                }
                self._send(json.dumps(answer | {"usage": usage}))

        def _send(self, text: str, kind: str = "application/json") -> None:
            content = text.encode()
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    return Handler


def _answer(body: dict[str, Any]) -> tuple[str, int]:
    """Return the text, and how many tokens the prompt shall have had."""
    messages = body.get("messages") or []
    asked = _newest(messages)
    size = len(json.dumps(messages)) + len(json.dumps(body.get("tools") or []))
    if "<conversation>" in asked:
        return SUMMARY, size // 4
    if "memory flush" in asked.lower():
        return "NO_REPLY", size // 4
    said = re.findall(r"\[\[say:(.*?)\]\]", asked, re.DOTALL)
    usage = re.findall(r"\[\[usage:(\d+)\]\]", asked)
    return said[-1] if said else "All right.", int(usage[-1]) if usage else size // 4


def _tool_call(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the call of a tool that the user asks for: ``[[tool:NAME {"a": 1}]]``."""
    messages = body.get("messages") or []
    said = since_answer(messages)
    if any(message.get("role") == "tool" for message in said):
        return []
    # OpenClaw may put messages of its own behind the user's.
    texts = "\n".join(_text(message) for message in said)
    # Of a group it quotes what was said before, some of it escaped.
    found = re.findall(r"\[\[tool:(\S+) (\{.*?\})\]\]", texts, re.DOTALL)
    wanted = [(name, given) for name, given in found if _is_json(given)]
    if not wanted:
        return []
    name, arguments = wanted[-1]
    function = {"name": name, "arguments": arguments}
    called = f"call_{len(messages)}"
    return [{"index": 0, "id": called, "type": "function", "function": function}]


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def since_answer(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what came after the assistant's last word."""
    roles = [message.get("role") for message in reversed(messages)]
    last = roles.index("assistant") if "assistant" in roles else len(roles)
    return messages[len(messages) - last :]


def _newest(messages: list[dict[str, Any]]) -> str:
    """Return what the user side said since the assistant's last word."""
    return "\n".join(
        json.dumps(message.get("content"), ensure_ascii=False)
        for message in since_answer(messages)
    )


def _prompt(body: dict[str, Any]) -> str:
    """Return what the user side said last, as it was written."""
    return _text((body.get("messages") or [{}])[-1])


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text") or "") for part in content)


def _stream(text: str, call: list[dict[str, Any]], usage: dict[str, int]) -> str:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {"id": "mock", "object": "chat.completion.chunk", "choices": [choice]}

    last = {"id": "mock", "object": "chat.completion.chunk", "choices": []}
    parts = [
        chunk({"role": "assistant", "content": ""}),
        chunk({"tool_calls": call} if call else {"content": text}),
        chunk({}, "tool_calls" if call else "stop"),
        last | {"usage": usage},
    ]
    return (
        "".join(f"data: {json.dumps(part)}\n\n" for part in parts) + "data: [DONE]\n\n"
    )
