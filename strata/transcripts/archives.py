"""Transcript files by name: live, reset, deleted, cold, and compressed or not."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, NamedTuple, cast

import zstandard

from strata.transcripts.jsonl import UNREADABLE
from strata.workspace import stored

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from sqlite3 import Blob
    from typing import BinaryIO

    from _typeshed import WriteableBuffer

_NAME = re.compile(
    r"(?P<stem>.+)\.jsonl"
    r"(?:\.(?:reset|deleted)\.(?P<moment>\d{4}-\d\d-\d\dT[\d.:-]+Z?)(?:\.[0-9a-f]+)?)?"
    r"(?:\.zst)?"
)
_NOT_A_CONVERSATION = re.compile(r"\.trajectory$|\.checkpoint\.[0-9a-f-]{36}$")
_BUFFER_BYTES = 256 * 1024


class TranscriptName(NamedTuple):
    """Whose transcript a file is; *moment* says when it was archived, empty if live."""

    stem: str
    moment: str


def parse_name(name: str) -> TranscriptName | None:
    """Read the file name of a transcript; None for lock, trajectory and other files."""
    match = _NAME.fullmatch(name)
    if match is None or _NOT_A_CONVERSATION.search(match["stem"]):
        return None
    return TranscriptName(match["stem"], match["moment"] or "")


def open_transcript(path: Path) -> BinaryIO:
    """Open a transcript file for reading, decompressed if its name ends in ``.zst``."""
    if path.suffix != ".zst":
        stream = path.open("rb", buffering=_BUFFER_BYTES)
        return _decrypted(stream, path) if stored.is_private(path) else stream
    return _buffered(path.open("rb"))


def open_blob(blob: Blob, *, packed: bool) -> BinaryIO:
    """Read a transcript that is stored as a blob as a stream, decompressed if *packed*."""
    return _buffered(blob) if packed else io.BufferedReader(_Plain(blob), _BUFFER_BYTES)


def decompress(frame: bytes, size: int) -> bytes:
    """Decompress one row of *size* bytes; raise `ValueError` if it is damaged."""
    try:
        return zstandard.ZstdDecompressor().decompress(frame, max_output_size=size)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from None


def _decrypted(stream: BinaryIO, path: Path) -> BinaryIO:
    """Read one of Strata's own transcripts, which may be encrypted, line by line."""
    return io.BufferedReader(_Lines(stored.plain_lines(stream, path), stream))


def _buffered(source: Blob | BinaryIO) -> BinaryIO:
    return io.BufferedReader(_Decompressed(source), _BUFFER_BYTES)


class _Plain(io.RawIOBase):
    """A blob that looks like a file."""

    def __init__(self, source: Blob) -> None:
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        part = self._source.read(view.nbytes)
        view[: len(part)] = part
        return len(part)


class _Lines(io.RawIOBase):
    """A stream of *lines*, which come from another *source*."""

    def __init__(self, lines: Iterator[bytes], source: BinaryIO) -> None:
        self._lines = lines
        self._source = source
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        if not self._rest:
            self._rest = memoryview(next(self._lines, b""))
        part = self._rest[: view.nbytes]
        view[: len(part)] = part
        self._rest = self._rest[len(part) :]
        return len(part)

    def close(self) -> None:
        if not self.closed:
            self._source.close()
        super().close()


class _Decompressed(io.RawIOBase):
    """A zstd stream in which damage shows up as one unreadable line, then the end."""

    def __init__(self, source: Blob | BinaryIO) -> None:
        self._source = source
        decompressor = zstandard.ZstdDecompressor()
        self._reader = decompressor.stream_reader(
            cast("BinaryIO", source),  # it only calls read()
            read_across_frames=True,
        )
        self._damaged = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        if self._damaged:
            return 0
        try:
            return self._reader.readinto(buffer)
        except zstandard.ZstdError:
            self._damaged = True
            return io.BytesIO(b"\n" + UNREADABLE + b"\n").readinto(buffer)

    def close(self) -> None:
        if not self.closed:
            self._source.close()
        super().close()
