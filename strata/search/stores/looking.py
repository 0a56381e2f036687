"""What a Qdrant server says of itself, and whether its collection is as it should be."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Literal

from qdrant_client import models

from strata.search.stores.patience import NOT_FOUND, Patient, Refused
from strata.search.stores.qdrant import collection_settings
from strata.search.stores.server import GENERATION, TENANT, new_client, shared_name
from strata.search.stores.store import DENSE, SPARSE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from qdrant_client import QdrantClient

    from strata.search.stores.store import Remote

Fault = Literal["dimensions", "windows", "rarity", "tenants", "graph", "red"]

# From here on the rarity of words counts among an owner's own chunks.
RARITY_FROM = (1, 19)
_MULTIVECTORS_FROM = (1, 10)


@dataclass(frozen=True, slots=True)
class ServerSeen:
    """
    A server as it answers: its *version*, and how far its clock is from ours.

    *points* are those of its collection, of all who share it; none where there is no
    collection yet. *faults* is what is not as Strata makes it.
    """

    version: str
    seconds_ahead: float | None
    points: int | None
    faults: tuple[Fault, ...]

    @property
    def is_too_old(self) -> bool:
        """Whether it cannot keep an index at all."""
        return _numbers(self.version) < _MULTIVECTORS_FROM

    @property
    def counts_among_all(self) -> bool:
        """Whether it is too old to tell whose words are rare."""
        return _numbers(self.version) < RARITY_FROM


def look_at(
    remote: Remote, collection: str, dimensions: int, *, now: Callable[[], datetime]
) -> ServerSeen:
    """
    Ask the server of *remote*, changing nothing; raise `StoreUnreachable`.

    The index is in *collection*; where it has none yet, it would be in the shared one.
    """
    client = new_client(remote.url, remote.api_key)
    said: list[str] = []
    _hear(client, said)
    with closing(client):
        patient = Patient(client)
        version = str(patient.info().version)
        ahead = _ahead(said[-1] if said else "", now())
        try:
            found = patient.get_collection(collection or shared_name(dimensions))
        except Refused as error:
            if error.status != NOT_FOUND:
                raise
            return ServerSeen(version, ahead, None, ())
    faults = tuple(_faults(found, dimensions))
    return ServerSeen(version, ahead, int(found.points_count or 0), faults)


def _hear(client: QdrantClient, dates: list[str]) -> None:
    """Have *dates* get that of every answer, which the client itself throws away."""

    # Any: requests and answers of a library that is not ours to know.
    def note(request: Any, go_on: Callable[[Any], Any]) -> Any:
        response = go_on(request)
        dates.append(response.headers.get("date", ""))
        return response

    client.http.client.add_middleware(note)


def _ahead(date: str, now: datetime) -> float | None:
    try:
        said = parsedate_to_datetime(date)
    except ValueError:
        return None
    return (said.replace(tzinfo=said.tzinfo or UTC) - now).total_seconds()


def _faults(found: models.CollectionInfo, dimensions: int) -> Iterator[Fault]:
    made = collection_settings(dimensions)
    params, schema = found.config.params, found.payload_schema
    if found.status == models.CollectionStatus.RED:
        yield "red"
    dense = (
        (params.vectors or {}).get(DENSE) if isinstance(params.vectors, dict) else None
    )
    wanted = made["vectors_config"][DENSE]
    if dense is None or dense.size != wanted.size or dense.distance != wanted.distance:
        yield "dimensions"
    elif dense.multivector_config != wanted.multivector_config:
        yield "windows"
    sparse = (params.sparse_vectors or {}).get(SPARSE)
    if sparse is None or sparse.modifier != models.Modifier.IDF:
        yield "rarity"
    tenant = schema.get(GENERATION)
    if tenant is None or TENANT not in schema:
        yield "tenants"
    if found.config.hnsw_config.m:
        yield "graph"


def _numbers(version: str) -> tuple[int, ...]:
    parts = version.partition("-")[0].split(".")
    return tuple(int(part) for part in parts if part.isdecimal())
