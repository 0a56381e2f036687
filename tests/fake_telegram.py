"""Telegram's Bot API on loopback: private chats and groups for a real OpenClaw."""

from __future__ import annotations

import json
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl

_BOT = {"id": 1, "is_bot": True, "first_name": "Lab", "username": "lab_bot"}
_LONGEST_POLL_SECONDS = 10.0


class FakeTelegram:
    """A server that keeps what the bot sent, and hands it what people say."""

    def __init__(self) -> None:
        self.sent: list[tuple[int, str]] = []
        self._updates: list[dict[str, Any]] = []
        self._number = int(time.time())
        self._arrived = threading.Condition()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """Where the server listens."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        """Stop the server."""
        self._server.shutdown()
        self._server.server_close()

    def configuration(self, *allowed: int) -> dict[str, Any]:
        """Return the channel for OpenClaw, in which the people *allowed* may speak."""
        return {
            "enabled": True,
            "botToken": "1:TEST",
            "apiRoot": self.url,
            "dmPolicy": "allowlist",
            "allowFrom": [str(each) for each in allowed],
            "groupPolicy": "open",
            "groups": {"*": {"requireMention": False}},
        }

    def to(self, chat: int) -> list[str]:
        """Return what the bot said in *chat*."""
        return [text for where, text in list(self.sent) if where == chat]

    def say(self, text: str, *, sender: int, chat: int | None = None) -> None:
        """Let *sender* say *text*: in private, or in the group *chat*."""
        chat = sender if chat is None else chat
        message = {
            "date": int(time.time()),
            "chat": _chat(chat),
            "from": {"id": sender, "is_bot": False, "first_name": f"Person {sender}"},
            "text": text,
        }
        if text.startswith("/"):
            length = len(text.split(maxsplit=1)[0])
            command = {"type": "bot_command", "offset": 0, "length": length}
            message["entities"] = [command]
        with self._arrived:
            self._number += 1
            message["message_id"] = self._number
            update = {"update_id": self._number, "message": message}
            self._updates.append(update)
            self._arrived.notify_all()

    def answer(self, method: str, given: dict[str, Any]) -> object:
        """Return what Telegram answers to *method*."""
        if method == "getUpdates":
            return self._updates_from(
                int(given.get("offset") or 0), float(given.get("timeout") or 0)
            )
        if method == "getMe":
            return _BOT | {"can_join_groups": True}
        if method == "getChat":
            return _chat(int(given["chat_id"]))
        if method in {"sendMessage", "editMessageText"}:
            return self._take(int(given["chat_id"]), str(given.get("text") or ""))
        return {"url": ""} if method == "getWebhookInfo" else True

    def _take(self, chat: int, text: str) -> dict[str, Any]:
        with self._arrived:
            self._number += 1
            self.sent.append((chat, text))
            return {
                "message_id": self._number,
                "date": int(time.time()),
                "from": _BOT,
                "chat": _chat(chat),
                "text": text,
            }

    def _updates_from(self, offset: int, seconds: float) -> list[dict[str, Any]]:
        def found() -> list[dict[str, Any]]:
            return [each for each in self._updates if each["update_id"] >= offset]

        with self._arrived:
            self._arrived.wait_for(found, min(seconds, _LONGEST_POLL_SECONDS))
            return found()


def _chat(number: int) -> dict[str, Any]:
    if number > 0:
        return {"id": number, "type": "private", "first_name": f"Person {number}"}
    return {"id": number, "type": "supergroup", "title": "Lab group"}


def _handler(telegram: FakeTelegram) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_arguments: Any) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            self.do_POST()

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            body = self.rfile.read(length).decode(errors="replace")
            method = self.path.partition("?")[0].rpartition("/")[2]
            result = telegram.answer(method, _given(body))
            content = json.dumps({"ok": True, "result": result}).encode()
            # Who stops in the midst of a long poll hangs up.
            with suppress(ConnectionError):
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

    return Handler


def _given(body: str) -> dict[str, Any]:
    try:
        found = json.loads(body or "{}")
    except ValueError:
        return dict(parse_qsl(body))
    return found if isinstance(found, dict) else {}
