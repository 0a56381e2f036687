"""A Qdrant server's HTTP, as far as Strata calls it, over the client's own engine."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import TypeAdapter
from qdrant_client import QdrantClient, models

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY = "let-me-in"


class FakeQdrant:
    """
    What the server holds, which calls it got, and whether it answers at all.

    *failures* is how many of the next calls get 503; *down* drops every connection.
    """

    def __init__(self) -> None:
        self.engine = QdrantClient(":memory:")
        self.calls: list[str] = []
        self.indexed: list[str] = []
        self.failures = 0
        self.down = False
        self.url = ""
        self.lock = threading.Lock()

    def answer(self, method: str, path: str, body: Any) -> Any:
        """Do what *path* asks for and return the result as JSON has it."""
        _, _, name, *rest = path.split("/")
        self.calls.append(f"{method} {'/'.join(rest)}")
        if rest == ["exists"]:
            return {"exists": self.engine.collection_exists(name)}
        if not rest and method == "PUT":
            made = models.CreateCollection.model_validate(body)
            return self.engine.create_collection(
                name,
                vectors_config=made.vectors,
                sparse_vectors_config=made.sparse_vectors,
            )
        if not self.engine.collection_exists(name):
            raise LookupError(name)
        if rest == ["index"]:
            self.indexed.append(body["field_name"])
            return _DONE
        return self._points(name, "/".join(rest), body)

    def _points(self, name: str, rest: str, body: Any) -> Any:
        if rest == "points" and "ids" in body:
            found = self.engine.retrieve(
                name,
                body["ids"],
                with_payload=False,
                with_vectors=body["with_vector"],
            )
            return [json.loads(each.model_dump_json()) for each in found]
        if rest == "points":
            points = [
                models.PointStruct.model_validate(each) for each in body["points"]
            ]
            self.engine.upsert(name, points)
        elif rest == "points/vectors":
            vectors = [models.PointVectors.model_validate(p) for p in body["points"]]
            self.engine.update_vectors(name, vectors)
        elif rest == "points/delete":
            self.engine.delete(name, _SELECTOR.validate_python(body))
        elif rest == "points/count":
            count = models.CountRequest.model_validate(body)
            return {"count": self.engine.count(name, count_filter=count.filter).count}
        elif rest == "points/query":
            return self._query(name, models.QueryRequest.model_validate(body))
        else:
            raise LookupError(rest)
        return _DONE

    def _query(self, name: str, asked: models.QueryRequest) -> Any:
        query = asked.query
        nearest = query.nearest if isinstance(query, models.NearestQuery) else query
        found = self.engine.query_points(
            name,
            query=nearest,
            using=asked.using,
            query_filter=asked.filter,
            limit=asked.limit or 10,
            with_payload=asked.with_payload or False,
        )
        return json.loads(found.model_dump_json())


_DONE = {"operation_id": 0, "status": "completed"}
_SELECTOR: TypeAdapter[Any] = TypeAdapter(models.PointsSelector)


class _Handler(BaseHTTPRequestHandler):
    fake: FakeQdrant

    def log_message(self, *_: object) -> None:
        """
        Say nothing.
        """

    def do_GET(self) -> None:
        self._handle()

    def do_PUT(self) -> None:
        self._handle()

    def do_POST(self) -> None:
        self._handle()

    def _handle(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        body = json.loads(self.rfile.read(length) or b"null")
        if self.fake.down:
            self.connection.close()
            return
        with self.fake.lock:
            self._reply(*self._outcome(body))

    def _outcome(self, body: Any) -> tuple[int, Any]:
        if self.headers.get("api-key") != KEY:
            return 401, {"status": {"error": "Invalid API key"}}
        if self.fake.failures > 0:
            self.fake.failures -= 1
            return 503, {"status": {"error": "starting"}}
        try:
            path = urlsplit(self.path).path
            result = self.fake.answer(self.command, path, body)
        except LookupError as error:
            return 404, {"status": {"error": f"not found: {error}"}}
        return 200, {"result": result, "status": "ok", "time": 0.0}

    def _reply(self, status: int, document: Any) -> None:
        content = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def served() -> Iterator[FakeQdrant]:
    """
    A server on a port of its own, until the block ends.
    """
    fake = FakeQdrant()
    handler = type("Handler", (_Handler,), {"fake": fake})

    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    fake.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
        fake.engine.close()
