"""A model hub on this machine: it serves a folder, or fails in the ways that hubs do."""

from __future__ import annotations

import hashlib
import json
import socket
import threading
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def serving_hub(
    parts: Path, repository: str, revision: str, *, most: int | None = None
) -> Iterator[str]:
    """
    Serve the files in *parts* as *revision* of *repository*; anything else is a 404.

    After *most* bytes of a file the line is dead.
    """
    handler = partial(_Hub, parts, repository, revision, most)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    often = {"poll_interval": 0.05}
    thread = threading.Thread(target=server.serve_forever, kwargs=often)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def silent_hub() -> Iterator[str]:
    """
    Accept every connection and never say a word.
    """
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def _blob(content: bytes) -> str:
    return hashlib.sha1(content, usedforsecurity=False).hexdigest()


class _Hub(BaseHTTPRequestHandler):
    """
    As much of a hub as its own client library asks for.
    """

    def __init__(
        self,
        parts: Path,
        repository: str,
        revision: str,
        most: int | None,
        *connection: Any,
    ) -> None:
        self._parts = parts
        self._repository = repository
        self._revision = revision
        self._most = most
        super().__init__(*connection)

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def log_message(self, *_: object) -> None:
        return

    def _answer(self, *, body: bool) -> None:
        path = self.path.partition("?")[0]
        resolved = f"/{self._repository}/resolve/{self._revision}/"
        file = self._parts / path.removeprefix(resolved)
        if path.startswith(f"/api/models/{self._repository}"):
            self._send(200, json.dumps(self._about(path)).encode(), {})
        elif not path.startswith(resolved):
            self._send(404, b"", {})
        elif not file.is_file():
            self._send(404, b"", {"X-Error-Code": "EntryNotFound"})
        else:
            content = file.read_bytes()
            etag = {"ETag": f'"{_blob(content)}"', "X-Repo-Commit": self._revision}
            self._send(200, content, etag, body=body)

    def _about(self, path: str) -> object:
        files = [
            (file.relative_to(self._parts).as_posix(), file.read_bytes())
            for file in sorted(self._parts.rglob("*"))
            if file.is_file()
        ]
        if "/tree/" in path:
            return [
                {"type": "file", "path": name, "size": len(text), "oid": _blob(text)}
                for name, text in files
            ]
        names = [{"rfilename": name} for name, _ in files]
        return {"id": self._repository, "sha": self._revision, "siblings": names}

    def _send(
        self,
        status: int,
        content: bytes,
        headers: dict[str, str],
        *,
        body: bool = True,
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        for name, text in headers.items():
            self.send_header(name, text)
        self.end_headers()
        if body:
            self.wfile.write(content[: self._most])
