"""A Qdrant server or cluster that keeps the points of many workspaces apart."""

from __future__ import annotations

import math
import os
import re
import uuid
import warnings
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Protocol

from qdrant_client import QdrantClient, models

from strata.errors import StoreUnreachable
from strata.messages import Notice
from strata.search.stores.patience import EXISTS, NOT_FOUND, Patient, Refused
from strata.search.stores.qdrant import QdrantStore, collection_settings
from strata.search.stores.store import StoreDamaged

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from strata.search.stores.store import Matrix, Point, Remote

_TIMEOUT_SECONDS = 10
# What a point belongs to: the workspace for good, the generation until the next rebuild.
TENANT, GENERATION, _MARK_OF, _MARK = "workspace", "generation", "mark_of", "mark"
_OWN_ID = "chunk"
# An owner's vectors are compared one by one up to so many, 36,000 chunks or so: quicker
# than to make and keep a graph of them, and nothing is missed.
SCANNED_KILOBYTES = 200_000
# Noted in the ledger once no other generation is left on the server.
ALONE = "alone"
COLLECTION = "collection"
_SHARED = re.compile(r"strata_\d+(_\d+)?")


class Ledger(Protocol):
    """Where this machine keeps what it knows of the server: the manifest, or a fake."""

    def meta(self, key: str) -> str:
        """Return the text kept as *key*, empty if there is none."""
        ...

    def keep_meta(self, **values: str) -> None:
        """Keep each of *values*."""
        ...


class ServerStore(QdrantStore):
    """
    The points of one *generation* of the workspace that *remote* names.

    A workspace that shares a collection has a tenant key of its own, which is made of its
    name and the generation; one with its own has a collection for each generation. The
    ids of points are made of the same, so nobody's points can be met by accident.

    Every write ends with a new mark, on the server and in *ledger*: where the two differ,
    somebody has put the server back to an earlier state, and `is_as_left` is false.
    For one that is away it is waited at most *most_seconds*.
    """

    def __init__(
        self,
        remote: Remote,
        collection: str,
        generation: str,
        ledger: Ledger,
        most_seconds: float = math.inf,
    ) -> None:
        self._remote = remote
        self._ledger = ledger
        self._key = f"{remote.tenant}.{generation}"
        self._mark_id = self._id(str(uuid.UUID(int=0)))
        self._is_changed = False
        super().__init__(client_of(remote), collection, most_seconds)

    def is_elsewhere(self, dimensions: int) -> bool:
        """Tell whether the name that all share stands for another collection by now."""
        if self._remote.own:
            return False
        return _standing_for(self._client, shared_name(dimensions)) != self._collection

    def upsert(self, points: Sequence[Point]) -> None:
        self._is_changed |= bool(points)
        super().upsert(points)

    def add_vectors(self, vectors: Mapping[str, Matrix]) -> None:
        self._is_changed |= bool(vectors)
        super().add_vectors({each: as_sent(rows) for each, rows in vectors.items()})

    def delete(self, ids: Sequence[str]) -> None:
        self._is_changed |= bool(ids)
        super().delete(ids)

    def clear(self, *, keep: Sequence[str] = ()) -> None:
        """Remove every generation of this workspace, in whatever collection, but *keep*."""
        self.clear_tenant(self._remote.tenant, keep=keep)

    def clear_tenant(self, tenant: str, *, keep: Sequence[str] = ()) -> None:
        """Remove every generation of *tenant*, in whatever collection, but *keep*."""
        own, others = [_is(TENANT, tenant)], []
        for generation in keep:
            key = f"{tenant}.{generation}"
            others += [_is(GENERATION, key), _is(_MARK_OF, key)]
        chosen = models.Filter(must=own, must_not=others)
        for each in self._client.get_collections().collections:
            _, mine, its_generation = each.name.partition(f"_{tenant}_")
            with _passing(NOT_FOUND):
                if _SHARED.fullmatch(each.name):
                    self._client.delete(each.name, models.FilterSelector(filter=chosen))
                elif mine and its_generation not in keep:
                    self._client.delete_collection(each.name)

    def settle(self, *, optimize: bool) -> None:  # noqa: ARG002 - as every store has it
        """
        Leave a new mark where anything was written; raise `StoreDamaged` for a strange one.

        The ledger names both marks until the server has the new one: a process that is
        killed in between finds its own work again.
        """
        if not self._is_changed:
            return
        before = self._found_mark()
        if before not in self._known_marks:
            raise StoreDamaged(_PUT_BACK)
        mark = uuid.uuid4().hex
        self._ledger.keep_meta(mark=mark, mark_before=before)
        fields = {TENANT: self._remote.tenant, _MARK_OF: self._key, _MARK: mark}
        row = models.PointStruct(id=self._mark_id, vector={}, payload=fields)
        self._client.upsert(self._collection, [row])
        self._ledger.keep_meta(mark_before=mark)
        self._is_changed = False

    def close(self) -> None:
        """Do nothing: the next opening goes on with the same connection."""

    def is_as_left(self) -> bool:
        """Tell whether the server has the mark that this machine has put there last."""
        try:
            return self._found_mark() in self._known_marks
        except Refused as error:
            if error.status == NOT_FOUND:
                return False
            raise

    @property
    def _known_marks(self) -> set[str]:
        return {self._ledger.meta("mark"), self._ledger.meta("mark_before")}

    def _found_mark(self) -> str:
        found = self._client.retrieve(
            self._collection,
            [self._mark_id],
            with_payload=[_MARK],
            # A replica that lags behind would look like an earlier state.
            consistency=models.ReadConsistencyType.MAJORITY,
        )
        return str((found[0].payload or {}).get(_MARK)) if found else ""

    def _fields(self, point: Point) -> dict[str, str | int]:
        mine = {TENANT: self._remote.tenant, GENERATION: self._key, _OWN_ID: point.id}
        return super()._fields(point) | mine

    def _id(self, number: str) -> str:
        return str(uuid.uuid5(uuid.UUID(number), self._key))

    def _mine(self) -> list[models.Condition]:
        return [_is(GENERATION, self._key)]

    def _corpus(self) -> models.SearchParams:
        # How rare a word is counts among one's own; before 1.19 among everybody's.
        corpus = models.Filter(must=self._mine())
        return models.SearchParams(idf=models.IdfCorpusParams(corpus=corpus))

    @property
    def _shown(self) -> list[str]:
        return [_OWN_ID]

    def _own_id(self, point: models.ScoredPoint) -> str:
        return str((point.payload or {}).get(_OWN_ID))


def open_server(
    remote: Remote,
    dimensions: int,
    ledger: Ledger,
    standing: str = "",
    most_seconds: float = math.inf,
) -> ServerStore:
    """
    Open the generation that *ledger* names, or a new one that it gets to know.

    What the server has of this workspace beside it is removed at the first opening, and
    after every rebuild; *standing* is the generation that goes on answering till then.
    For a server that is away it is waited at most *most_seconds*, now and later.
    """
    if not ledger.meta(COLLECTION):
        generation = uuid.uuid4().hex[:12]
        made = collection_for(remote, dimensions, generation, most_seconds)
        ledger.keep_meta(generation=generation, collection=made)
    generation = ledger.meta(GENERATION)
    store = ServerStore(
        remote, ledger.meta(COLLECTION), generation, ledger, most_seconds
    )
    if not ledger.meta(ALONE):
        store.clear(keep=[generation, *filter(None, [standing])])
        ledger.keep_meta(alone="yes")
    return store


def collection_for(
    remote: Remote, dimensions: int, generation: str, most_seconds: float = math.inf
) -> str:
    """
    Make the collection that *generation* is to go to, unless it is there; say which it is.

    What everybody shares goes by an alias: who wants other shards, other settings or a
    restored snapshot makes another collection and lets the alias stand for that one.
    Each workspace moves there by itself, with its next update.
    """
    client = Patient(client_of(remote), most_seconds)
    alias = shared_name(dimensions)
    name = f"{alias}_{remote.tenant}_{generation}"
    if not remote.own:
        name = _standing_for(client, alias) or f"{alias}_1"
    if not client.collection_exists(name):
        with _passing(EXISTS):
            client.create_collection(
                name,
                **collection_settings(dimensions),
                # Nobody searches everything: a graph for each tenant, and none of all.
                hnsw_config=models.HnswConfigDiff(
                    m=0, payload_m=16, full_scan_threshold=SCANNED_KILOBYTES
                ),
            )
    for field, schema in _indexes().items():
        client.create_payload_index(name, field, schema)
    if not remote.own and name != alias:
        standing = models.CreateAlias(collection_name=name, alias_name=alias)
        operation = models.CreateAliasOperation(create_alias=standing)
        client.update_collection_aliases([operation])
    return name


@contextmanager
def _passing(status: int) -> Iterator[None]:
    """Let it pass that another machine was faster, which the server tells by *status*."""
    try:
        yield
    except Refused as error:
        if error.status != status:
            raise


def _standing_for(client: Patient, alias: str) -> str:
    """Return the collection that *alias* stands for: itself where there is one, or none."""
    for each in client.get_aliases().aliases:
        if each.alias_name == alias:
            return str(each.collection_name)
    # That of an earlier Strata.
    return alias if client.collection_exists(alias) else ""


_PUT_BACK = "the server holds another state than it was left in"


def client_of(remote: Remote) -> QdrantClient:
    """
    Return this process's client of the server of *remote*; raise `StoreUnreachable`.

    It stays open, for an index is opened many times in an update: to make one takes a
    tenth of a second, and to greet the server anew as long as it is far away.
    """
    return _client_of(remote.url, remote.api_key, os.getpid())


@cache
def _client_of(url: str, api_key: str, _process: int) -> QdrantClient:
    return new_client(url, api_key)


def as_sent(rows: Matrix) -> Matrix:
    """Return *rows* with the digits that half a float keeps: numbers travel as text."""
    return [[round(number, 5) for number in row] for row in rows]


def new_client(url: str, api_key: str) -> QdrantClient:
    """Return a client of its own; raise `StoreUnreachable` where *url* is none."""
    try:
        with warnings.catch_warnings():
            # That a key goes over http:// is for `doctor` to say, not for every command.
            warnings.simplefilter("ignore", UserWarning)
            return QdrantClient(
                url=url,
                api_key=api_key or None,
                timeout=_TIMEOUT_SECONDS,
                # It would be asked for at every start; `doctor` looks at the version.
                check_compatibility=False,
            )
    except ValueError as error:
        raise StoreUnreachable(Notice("settings.qdrant-url", error=error)) from None


def shared_name(dimensions: int) -> str:
    """Return the alias of the collection that all with such vectors share."""
    return f"strata_{dimensions}"


def _indexes() -> dict[str, models.KeywordIndexParams | models.DatetimeIndexParams]:
    keyword, datetime = (
        models.KeywordIndexType.KEYWORD,
        models.DatetimeIndexType.DATETIME,
    )
    # Of these fields the generation alone gets graphs: all searches are within one.
    return {
        GENERATION: models.KeywordIndexParams(type=keyword, is_tenant=True),
        TENANT: models.KeywordIndexParams(type=keyword, enable_hnsw=False),
        "tier": models.KeywordIndexParams(type=keyword, enable_hnsw=False),
        "date": models.DatetimeIndexParams(type=datetime, enable_hnsw=False),
    }


def _is(key: str, value: str) -> models.Condition:
    return models.FieldCondition(key=key, match=models.MatchValue(value=value))
