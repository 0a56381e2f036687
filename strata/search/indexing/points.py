"""Files become points: chunks with their numbers, ids and places."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.search.indexing.chunking import chunk_file
from strata.search.indexing.lines import checksum, decode
from strata.search.indexing.manifest import PENDING, Row
from strata.search.language.keywords import document_vector
from strata.search.stores.store import Point

if TYPE_CHECKING:
    from strata.hits import Chunk
    from strata.search.indexing.scanning import FileState

# Part of the index's fingerprint: raise it when the same chunk gets another id.
VERSION = 2
# Arbitrary and fixed: the same chunk has the same id on every machine.
_NAMESPACE = uuid.UUID("6f1a4d0e-3b52-5c8e-9d10-7a7a5e0c51aa")


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk with its id."""

    id: str
    chunk: Chunk


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file as it was read: its state, the hash of its bytes, and its chunks."""

    state: FileState
    hash: bytes
    pieces: tuple[Piece, ...]


def content_hash(content: bytes) -> bytes:
    """Return what stands for *content*: 16 bytes."""
    return hashlib.sha256(content).digest()[:16]


def prepare(state: FileState, content: bytes) -> Prepared:
    """Cut *content*, the bytes of the file *state* names, into pieces."""
    pieces = tuple(_piece(chunk) for chunk in chunk_file(state.path, decode(content)))
    return Prepared(state, content_hash(content), pieces)


def text_key(text: str) -> bytes:
    """Return the key of *text* among the vectors."""
    return content_hash(text.encode("utf-8", "surrogatepass"))


def row(piece: Piece) -> Row:
    """Return what the manifest keeps of *piece*."""
    chunk = piece.chunk
    return Row(
        id=piece.id,
        path=chunk.path,
        start_line=chunk.start_line,
        end_line=chunk.end_line,
        tier=chunk.tier,
        day=chunk.day,
        checksum=checksum(chunk.text),
        vector=PENDING,
    )


def point(piece: Piece) -> Point:
    """Return what the store keeps of *piece*, which gets its vectors later."""
    chunk = piece.chunk
    return Point(
        id=piece.id,
        path=chunk.path,
        start_line=chunk.start_line,
        end_line=chunk.end_line,
        tier=chunk.tier,
        day=chunk.day,
        sparse=document_vector(_indexed(chunk)),
    )


def _piece(chunk: Chunk) -> Piece:
    key = text_key(_indexed(chunk)).hex()
    place = f"{chunk.path}\n{chunk.start_line}\n{chunk.end_line}\n{key}"
    # A store may number windows in the last two digits.
    return Piece(f"{str(uuid.uuid5(_NAMESPACE, place))[:-2]}00", chunk)


def _indexed(chunk: Chunk) -> str:
    return f"{chunk.context}\n{chunk.text}"
