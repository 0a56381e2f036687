"""JSON of any length, read value by value."""

from __future__ import annotations

import codecs
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Any

import ijson
import orjson

from strata.errors import SourceUnreadable
from strata.imports.json_lists import elements

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from strata.imports.bundles import Bundle

# What a parser returns is whatever somebody else's JSON holds.
Json = Any

_CONVERSATIONS = ("conversations.json", "conversations-[0-9]*.json")

# So little that brackets of many small talks do not add up in it.
_BUFFER_BYTES = 64 * 1024
# A conversation takes seven times as much memory while it is read and kept.
_LARGEST_VALUE = 64_000_000
_DEEPEST, _SLICE_BYTES = 20_000, 4096
_LONGEST_LINE = 16 * 1024 * 1024
_TOO_LARGE = "import.too-large"
_WIDE = "import.wide"
_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF8_MARK = b"\xef\xbb\xbf"


def conversation_files(source: Bundle) -> list[str]:
    """
    Return the files of conversations in *source*, as ChatGPT and Claude.ai name them.

    One that is given by itself may have been named anew, by a browser or by hand.
    """
    found = {name for each in _CONVERSATIONS for name in source.names(each)}
    alone = source.names("*.json")
    return sorted(found) or (alone if alone == source.names() else [])[:1]


def values(source: Bundle, name: str, prefix: str = "item") -> Iterator[Json]:
    """
    Yield each value that stands at *prefix* in the file *name* of *source*.

    Prefixes are those of ijson: ``item`` is each element of a list, ``memories.item``
    each element of the list under ``memories``, "" the whole. Raise `SourceUnreadable`,
    after what comes before, where the file is cut off, is no JSON, is not in UTF-8, or
    nests deeper than any export; and after all else, where an element of a list is too
    large. Where a list is looked for, the file has to be one.
    """
    if prefix == "item" and _begun(source, name).startswith(b"{"):
        raise SourceUnreadable.of("import.unknown-shape", name=name)
    read = 0
    try:
        try:
            with source.open(name) as stream:
                for value in _values(stream, prefix):
                    read += 1
                    yield value
        except _Fault as fault:
            if fault.key != _TOO_LARGE or prefix != "item":
                raise
            with source.open(name) as stream:
                rest = islice(elements(stream, name, _LARGEST_VALUE), read, None)
                for element in filter(None, rest):
                    yield from _values(BytesIO(element), "")
            raise
    except _Fault as fault:
        megabytes = _LARGEST_VALUE // 1_000_000
        raise SourceUnreadable.of(fault.key, name=name, megabytes=megabytes) from None


def refuse_wide(source: Bundle) -> None:
    """Raise `SourceUnreadable` where JSON in *source* is in UTF-16."""
    for name in source.names("*.json*"):
        if _is_wide(source.head(name)):
            raise SourceUnreadable.of(_WIDE, name=name)


def _is_wide(begun: bytes) -> bool:
    # JSON begins with a sign of ASCII, which has a zero beside it there.
    return begun.startswith(_WIDE_MARKS) or b"\0" in begun[:2]


def _begun(source: Bundle, name: str) -> bytes:
    return source.head(name).removeprefix(_UTF8_MARK).lstrip()


def _values(stream: BinaryIO, prefix: str) -> Iterator[Json]:
    guarded = _Guarded(stream)
    found = ijson.items(guarded, prefix, use_float=True, buf_size=_BUFFER_BYTES)
    try:
        yield from map(guarded.passed, found)
    except (ijson.JSONError, UnicodeDecodeError, OverflowError) as error:
        raise _Fault(guarded.fault(error)) from None


def lines(source: Bundle, name: str) -> Iterator[dict[str, Json] | None]:
    """
    Yield the JSON object on each line of the file *name*, None for one that has none.

    A last line without an end that is cut off is left out: somebody may still write it.
    """
    with source.open(name) as stream:
        while line := stream.readline(_LONGEST_LINE):
            whole = line.endswith(b"\n")
            if not whole and len(line) == _LONGEST_LINE:
                # No message is so long; what follows on the line is no line of its own.
                while rest := stream.readline(_LONGEST_LINE):
                    if rest.endswith(b"\n"):
                        break
                yield None
                continue
            if not line.strip():
                continue
            try:
                found = orjson.loads(line)
            except orjson.JSONDecodeError:
                if whole:
                    yield None
                continue
            yield found if isinstance(found, dict) else None


def block_texts(content: Json) -> list[str]:
    """Return the texts of *content* that is in blocks, as Anthropic's programs have it."""
    return [
        each["text"]
        for each in (content if isinstance(content, list) else ())
        if isinstance(each, dict)
        and each.get("type") == "text"
        and isinstance(each.get("text"), str)
    ]


class _Guarded:
    """
    A stream without the mark of UTF-8 that some editors put before everything.

    It ends in `_Fault` where it is in UTF-16, or where one value, since the last has
    `passed`, is larger or nested deeper than any that somebody has said: each level takes
    longer than the one before.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        first = stream.read(len(_UTF8_MARK))
        if _is_wide(first):
            raise _Fault(_WIDE)
        self._first = b"" if first == _UTF8_MARK else first
        self._ended = False
        self._bytes = self._depth = 0
        self._too_deep = False

    def passed(self, value: Json) -> Json:
        """Return *value*, which was read as a whole."""
        self._bytes = self._depth = 0
        return value

    def fault(self, error: Exception) -> str:
        """Return the sentence for an *error* of whoever reads this."""
        # A letter that is cut in two at the end is no wrong one.
        if self._ended:
            return "import.cut-off"
        not_utf8 = isinstance(error, UnicodeDecodeError) or "UTF8" in str(error)
        return "import.not-utf8" if not_utf8 else "import.no-json"

    def read(self, size: int = -1) -> bytes:
        """Return up to *size* bytes."""
        if self._too_deep:
            raise _Fault("import.too-deep")
        if size and self._first:
            found, self._first = self._first, b""
        else:
            found = self._stream.read(size)
        self._ended = not found and size != 0
        self._bytes += len(found)
        if self._bytes > _LARGEST_VALUE:
            raise _Fault(_TOO_LARGE)
        return found[: self._whole(found)]

    def _whole(self, found: bytes) -> int:
        """Return up to where *found* is not too deep."""
        # What stands in texts counts as well: nobody leaves so many brackets open.
        for start in range(0, len(found), _SLICE_BYTES):
            part = found[start : start + _SLICE_BYTES]
            opened = part.count(b"[") + part.count(b"{")
            if self._depth + opened > _DEEPEST:
                self._too_deep = True
                if not start:
                    raise _Fault("import.too-deep")
                return start
            closed = part.count(b"]") + part.count(b"}")
            self._depth = max(self._depth + opened - closed, 0)
        return len(found)


class _Fault(Exception):
    """A file cannot be read on; *key* is the sentence that says why."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key
