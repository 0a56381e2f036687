"""Qdrant servers to test on: one that speaks its HTTP, and a real one where given."""

from __future__ import annotations

import os
import uuid
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fake_qdrant import KEY, FakeQdrant, served

from strata.search.stores.server import ServerStore, client_of, open_server
from strata.search.stores.store import Remote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from qdrant_client import QdrantClient

# As `http://127.0.0.1:6333`; its key, where it wants one, in STRATA_TEST_QDRANT_KEY.
REAL = os.environ.get("STRATA_TEST_QDRANT_URL", "")
KINDS = ["fake", *(["real"] if REAL else [])]


class Notes(dict[str, str]):
    """
    What a manifest keeps of a server.
    """

    def meta(self, key: str) -> str:
        """
        The text kept as *key*.
        """
        return self.get(key, "")

    def keep_meta(self, **values: str) -> None:
        """
        Keep *values*.
        """
        self.update(values)


@dataclass
class Server:
    """
    A server, whose tenants are this test's alone; *fake* can be made to fail.
    """

    url: str
    key: str
    fake: FakeQdrant | None
    run: str

    def remote(self, name: str = "a", *, own: bool = False) -> Remote:
        """
        The place of the workspace called *name*.
        """
        tenant = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self.run} {name}"))
        return Remote(self.url, self.key, tenant, own)

    def store(
        self, name: str = "a", *, own: bool = False, notes: Notes | None = None
    ) -> ServerStore:
        """
        A store of four dimensions of the workspace called *name*.
        """
        known = Notes() if notes is None else notes
        return open_server(self.remote(name, own=own), 4, known)

    @property
    def client(self) -> QdrantClient:
        """
        Qdrant's own client, with which an operator does what he likes.
        """
        return client_of(self.remote())

    def names(self) -> list[str]:
        """
        The collections of these tenants, and those of all.
        """
        client = self.fake.engine if self.fake else self.client
        every = client.get_collections().collections
        return sorted(each.name for each in every if each.name.startswith("strata_"))


@contextmanager
def server_of(kind: str) -> Iterator[Server]:
    """
    A server of *kind*, which holds nothing of this test in the end.
    """
    run = uuid.uuid4().hex
    if kind == "fake":
        with served() as fake:
            yield Server(fake.url, KEY, fake, run)
        return
    server = Server(REAL, os.environ.get("STRATA_TEST_QDRANT_KEY", ""), None, run)
    yield server
    for name in ("a", "b", "one", "two"):
        server.store(name).clear()
