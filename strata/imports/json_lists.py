"""A list in JSON is cut into its elements, without those that are too large to be read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.errors import SourceUnreadable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

_CHUNK_BYTES = 1024 * 1024
_IN_TEXT = re.compile(rb'["\\]')
_IN_LIST = re.compile(rb'["\[\]{},]')
_IN_ELEMENT = re.compile(rb'["\[\]{}]')
_OPENING, _CLOSING = b"[{", b"]}"


def elements(stream: BinaryIO, name: str, most: int) -> Iterator[bytes | None]:
    """
    Yield the JSON of each element of the list in *stream*; None if over *most* bytes.

    Only brackets, commas and texts are looked at; what is between may be no JSON. Raise
    `SourceUnreadable` where the stream, called *name*, ends before the list does.
    """
    depth, in_text, held = 0, False, bytearray()
    for chunk in _chunks(stream):
        start = at = 0
        while found := _signs(depth, in_text=in_text).search(chunk, at):
            sign, at = found[0], found.end()
            if sign == b"\\":
                at += 1
            elif sign == b'"':
                in_text = not in_text
            elif sign in _OPENING:
                depth += 1
                start = at if depth == 1 else start
            elif depth > 1:
                depth -= 1
            else:
                _hold(held, chunk[start : at - 1], most)
                yield from _whole(held, most)
                held.clear()
                start = at
                if sign in _CLOSING:
                    return
        if depth:
            _hold(held, chunk[start:], most)
    raise SourceUnreadable.of("import.cut-off", name=name)


def _chunks(stream: BinaryIO) -> Iterator[bytes]:
    """Yield what *stream* has; no piece of it ends between a sign and its escape."""
    while chunk := stream.read(_CHUNK_BYTES):
        while chunk.endswith(b"\\") and (more := stream.read(1)):
            chunk += more
        yield chunk


def _signs(depth: int, *, in_text: bool) -> re.Pattern[bytes]:
    if in_text:
        return _IN_TEXT
    return _IN_ELEMENT if depth > 1 else _IN_LIST


def _hold(held: bytearray, part: bytes, most: int) -> None:
    # Of what is too large no more is held than tells that.
    held += part[: most + 1 - len(held)]


def _whole(held: bytearray, most: int) -> Iterator[bytes | None]:
    """Yield what is *held*; nothing stands between the brackets of an empty list."""
    if len(held) > most:
        yield None
    elif element := bytes(held).strip():
        yield element
