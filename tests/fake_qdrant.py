"""A Qdrant server's HTTP, as far as Strata calls it, over the client's own engine."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import BaseModel, TypeAdapter
from qdrant_client import QdrantClient, models

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KEY = "let-me-in"


class FakeQdrant:
    """
    What the server holds, which calls it got, and whether it answers at all.

    *failures* is how many of the next calls get the answer *failure*, 503 unless it is
    another, with *headers*; *down* drops every connection, *stranger* is what another
    program answers in its place. *largest* is how many bytes the
    largest request had. *before* is called with the number of each call, which is not done
    until it returns.
    """

    def __init__(self) -> None:
        self.engine = QdrantClient(":memory:")
        self.made: dict[str, models.CreateCollection] = {}
        self.snapshots: dict[str, tuple[str, list[models.Record]]] = {}
        self.calls: list[str] = []
        self.indexed: dict[str, dict[str, Any]] = {}
        self.version = "1.19.2"
        self.failures = 0
        self.failure = 503
        self.headers: dict[str, str] = {}
        self.down = False
        self.stranger = b""
        self.largest = 0
        self.before: Callable[[int], None] = lambda _number: None
        self.url = ""
        self.lock = threading.Lock()

    def answer(self, method: str, path: str, body: Any) -> Any:
        """Do what *path* asks for and return the result as JSON has it."""
        _, area, *rest = path.split("/")
        self.calls.append(f"{method} {'/'.join(rest[1:]) or area}")
        if area == "aliases":
            return _plain(self.engine.get_aliases())
        if rest in ([], ["aliases"]):
            return self._of_all(method, body)
        name, rest = rest[0], rest[1:]
        if rest == ["exists"]:
            return {"exists": self.engine.collection_exists(name)}
        if not rest and method in {"PUT", "DELETE"}:
            return self._make(name, body) if method == "PUT" else self._remove(name)
        if rest == ["snapshots", "recover"]:
            return self._recover(name, body["location"])
        if not self.engine.collection_exists(name):
            raise Answered(404, f"Collection `{name}` doesn't exist!")
        return self._of_one(method, name, "/".join(rest), body)

    def _of_all(self, method: str, body: Any) -> Any:
        if method == "GET":
            return _plain(self.engine.get_collections())
        actions = models.ChangeAliasesOperation.model_validate(body).actions
        return self.engine.update_collection_aliases(actions)

    def _make(self, name: str, body: Any) -> Any:
        if self.engine.collection_exists(name):
            raise Answered(409, f"Collection `{name}` already exists!")
        self.made[name] = made = models.CreateCollection.model_validate(body)
        return self.engine.create_collection(
            name, vectors_config=made.vectors, sparse_vectors_config=made.sparse_vectors
        )

    def _remove(self, name: str) -> Any:
        self.made.pop(name, None)
        return self.engine.delete_collection(name)

    def _of_one(self, method: str, name: str, rest: str, body: Any) -> Any:
        if not rest:
            return self._described(name)
        if rest == "index":
            self.indexed.setdefault(self._real(name), {})[body["field_name"]] = body[
                "field_schema"
            ]
            return _DONE
        if rest == "snapshots" and method == "POST":
            found, _ = self.engine.scroll(name, limit=100_000, with_vectors=True)
            label = f"{self._real(name)}-{len(self.snapshots)}.snapshot"
            self.snapshots[label] = (self._real(name), found)
            return {"name": label, "size": 1}
        return self._points(name, rest, body)

    def _recover(self, name: str, location: str) -> Any:
        source, records = self.snapshots[location.rpartition("/")[2]]
        if self.engine.collection_exists(name):
            everything = models.FilterSelector(filter=models.Filter())
            self.engine.delete(name, everything)
        else:
            self._make(name, self.made[source].model_dump(mode="json"))
            self.indexed[name] = self.indexed[source]
        rows = [models.PointStruct.model_validate(_row(each)) for each in records]
        if rows:
            self.engine.upsert(name, rows)
        return True

    def _real(self, name: str) -> str:
        """
        The collection that *name*, which may be an alias, stands for.
        """
        aliases = self.engine.get_aliases().aliases
        return {each.alias_name: each.collection_name for each in aliases}.get(
            name, name
        )

    def _described(self, name: str) -> Any:
        made = self.made[self._real(name)]
        schema = {
            field: {"data_type": params["type"], "params": params, "points": 0}
            for field, params in self.indexed.get(self._real(name), {}).items()
        }
        params = {"vectors": made.vectors, "sparse_vectors": made.sparse_vectors}
        hnsw = {"m": 16, "ef_construct": 100, "full_scan_threshold": 10_000}
        chosen = (
            made.hnsw_config.model_dump(exclude_none=True) if made.hnsw_config else {}
        )
        optimizer = {
            "deleted_threshold": 0.2,
            "vacuum_min_vector_number": 1000,
            "default_segment_number": 0,
            "flush_interval_sec": 5,
        }
        return {
            "status": "green",
            "optimizer_status": "ok",
            "segments_count": 1,
            "points_count": self.engine.count(name).count,
            "config": {
                "params": _plain(models.CollectionParams.model_validate(params)),
                "hnsw_config": hnsw | chosen,
                "optimizer_config": optimizer,
                "wal_config": {"wal_capacity_mb": 32, "wal_segments_ahead": 0},
            },
            "payload_schema": schema,
        }

    def _points(self, name: str, rest: str, body: Any) -> Any:
        if rest == "points" and "ids" in body:
            found = self.engine.retrieve(
                name,
                body["ids"],
                with_payload=body.get("with_payload") or False,
                with_vectors=body.get("with_vector") or False,
            )
            return [_plain(each) for each in found]
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
        elif rest == "points/scroll":
            asked = models.ScrollRequest.model_validate(body)
            page, _ = self.engine.scroll(name, asked.filter, limit=asked.limit or 10)
            return {"points": [_plain(each) for each in page]}
        elif rest == "points/query":
            return self._query(name, models.QueryRequest.model_validate(body))
        else:
            raise Answered(404, rest)
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
            search_params=asked.params,
        )
        return _plain(found)


class Answered(Exception):
    """
    The server refuses, with this *status*.
    """

    def __init__(self, status: int, told: str) -> None:
        super().__init__(told)
        self.status = status


_DONE = {"operation_id": 0, "status": "completed"}
_SELECTOR: TypeAdapter[Any] = TypeAdapter(models.PointsSelector)


def _row(record: models.Record) -> dict[str, Any]:
    return {
        "id": record.id,
        "vector": record.vector or {},
        "payload": record.payload,
    }


def _plain(model: BaseModel) -> Any:
    return json.loads(model.model_dump_json())


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

    def do_DELETE(self) -> None:
        self._handle()

    def _handle(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        body = json.loads(self.rfile.read(length) or b"null")
        self.fake.largest = max(self.fake.largest, length)
        if self.fake.down:
            self.connection.close()
            return
        self.fake.before(len(self.fake.calls))
        with self.fake.lock:
            self._reply(*self._outcome(body))

    def _outcome(self, body: Any) -> tuple[int, Any]:
        if self.headers.get("api-key") != KEY:
            return 401, {"status": {"error": "Invalid API key"}}
        if self.fake.failures > 0:
            self.fake.failures -= 1
            return self.fake.failure, {"status": {"error": "not now"}}
        path = urlsplit(self.path).path
        if path == "/":
            return 200, {"title": "qdrant", "version": self.fake.version}
        try:
            result = self.fake.answer(self.command, path, body)
        except Answered as error:
            return error.status, {"status": {"error": str(error)}}
        return 200, {"result": result, "status": "ok", "time": 0.0}

    def _reply(self, status: int, document: Any) -> None:
        content = self.fake.stranger or json.dumps(document).encode()
        self.send_response_only(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        usual = {"date": self.date_time_string()}
        for name, value in (usual | self.fake.headers).items():
            self.send_header(name, value)
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
