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
    from strata.search.indexing.paraphrases import Paraphrases
    from strata.search.indexing.scanning import FileState

# Part of the index's fingerprint: raise it when the same chunk gets another id.
VERSION = 2
# Arbitrary and fixed: the same chunk has the same id on every machine.
_NAMESPACE = uuid.UUID("6f1a4d0e-3b52-5c8e-9d10-7a7a5e0c51aa")


class Piece(NamedTuple):
    """A chunk with its id, and what stands *beside* it in other words."""

    id: str
    chunk: Chunk
    beside: str = ""


class Prepared(NamedTuple):
    """A file as it was read: its state, the hash of its bytes, and its chunks."""

    state: FileState
    hash: bytes
    pieces: tuple[Piece, ...]


def prepare(state: FileState, content: bytes, known: Paraphrases) -> Prepared:
    """Cut *content*, the bytes of the file *state* names, into pieces; of terms *known*."""
    chunks = chunk_file(state.path, decode(content))
    pieces = tuple(_piece(each, _beside(each, known)) for each in chunks)
    beside = "\n".join(each.beside for each in pieces).strip("\n")
    told = b"\0" + _bytes(beside) if beside else b""
    return Prepared(state, _hash(content + told), pieces)


def text_key(text: str) -> bytes:
    """Return the key of *text* among the vectors."""
    return _hash(_bytes(text))


def row(piece: Piece) -> Row:
    """Return what the manifest keeps of *piece*."""
    chunk = piece.chunk
    place = (chunk.path, chunk.start_line, chunk.end_line, chunk.tier, chunk.day)
    return Row._make((piece.id, *place, checksum(chunk.text), PENDING))


def point(piece: Piece) -> Point:
    """Return what the store keeps of *piece*, which gets its vectors later."""
    sparse = document_vector(_indexed(piece.chunk), piece.beside)
    return Point(piece.id, piece.chunk, sparse)


def _beside(chunk: Chunk, known: Paraphrases) -> str:
    lines = known.by_line(chunk.tier, chunk.day, chunk.text)
    return "\n".join(filter(None, lines))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _hash(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()[:16]


def _piece(chunk: Chunk, beside: str) -> Piece:
    key = text_key(_indexed(chunk) + (f"\0{beside}" if beside else "")).hex()
    place = f"{chunk.path}\n{chunk.start_line}\n{chunk.end_line}\n{key}"
    # A store may number windows in the last two digits.
    return Piece(f"{str(uuid.uuid5(_NAMESPACE, place))[:-2]}00", chunk, beside)


def _indexed(chunk: Chunk) -> str:
    return f"{chunk.context}\n{chunk.text}"
