"""Files become points: chunks with their numbers, ids and places."""

from __future__ import annotations

import hashlib
import uuid
from typing import TYPE_CHECKING, NamedTuple

from strata.search.indexing.chunking import chunk_file
from strata.search.indexing.manifest import PENDING, Row
from strata.search.indexing.scanning import checksum, decode
from strata.search.language.keywords import document_vector
from strata.search.stores.store import Point

if TYPE_CHECKING:
    from strata.hits import Chunk
    from strata.search.indexing.scanning import FileState

# Part of the index's fingerprint: raise it when the same chunk gets another id.
VERSION = 2
# Arbitrary and fixed: the same chunk has the same id on every machine.
_NAMESPACE = uuid.UUID("6f1a4d0e-3b52-5c8e-9d10-7a7a5e0c51aa")


class Piece(NamedTuple):
    """A chunk with its id."""

    id: str
    chunk: Chunk


class Prepared(NamedTuple):
    """A file as it was read: its state, the hash of its bytes, and its chunks."""

    state: FileState
    hash: bytes
    pieces: tuple[Piece, ...]


def prepare(state: FileState, content: bytes) -> Prepared:
    """Cut *content*, the bytes of the file *state* names, into pieces."""
    pieces = tuple(_piece(chunk) for chunk in chunk_file(state.path, decode(content)))
    return Prepared(state, _hash(content), pieces)


def text_key(text: str) -> bytes:
    """Return the key of *text* among the vectors."""
    return _hash(text.encode("utf-8", "surrogatepass"))


def row(piece: Piece) -> Row:
    """Return what the manifest keeps of *piece*."""
    chunk = piece.chunk
    place = (chunk.path, chunk.start_line, chunk.end_line, chunk.tier, chunk.day)
    return Row._make((piece.id, *place, checksum(chunk.text), PENDING))


def point(piece: Piece) -> Point:
    """Return what the store keeps of *piece*, which gets its vectors later."""
    return Point(piece.id, piece.chunk, document_vector(_indexed(piece.chunk)))


def _hash(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()[:16]


def _piece(chunk: Chunk) -> Piece:
    key = text_key(_indexed(chunk)).hex()
    place = f"{chunk.path}\n{chunk.start_line}\n{chunk.end_line}\n{key}"
    # A store may number windows in the last two digits.
    return Piece(f"{str(uuid.uuid5(_NAMESPACE, place))[:-2]}00", chunk)


def _indexed(chunk: Chunk) -> str:
    return f"{chunk.context}\n{chunk.text}"
