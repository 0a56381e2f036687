"""JSON of any length, read value by value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ijson
import orjson

from strata.errors import SourceUnreadable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from strata.imports.bundles import Bundle

# What a parser returns is whatever somebody else's JSON holds.
Json = Any

_BUFFER_BYTES = 1024 * 1024
_LONGEST_LINE = 16 * 1024 * 1024
_UTF8_MARK = b"\xef\xbb\xbf"


def values(source: Bundle, name: str, prefix: str = "item") -> Iterator[Json]:
    """
    Yield each value that stands at *prefix* in the file *name* of *source*.

    Prefixes are those of ijson: ``item`` is each element of a list, ``memories.item``
    each element of the list under ``memories``, "" the whole. Raise `SourceUnreadable`,
    after what comes before, where the file is cut off, is no JSON, or is not in UTF-8.
    """
    with source.open(name) as stream:
        try:
            yield from ijson.items(
                _Unmarked(stream), prefix, use_float=True, buf_size=_BUFFER_BYTES
            )
        except ijson.IncompleteJSONError as error:
            key = "import.cut-off" if _ends_early(error) else "import.no-json"
            raise SourceUnreadable.of(key, name=name) from None
        except (ijson.JSONError, UnicodeDecodeError, OverflowError):
            raise SourceUnreadable.of("import.no-json", name=name) from None


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


class _Unmarked:
    """A stream without the mark of UTF-8 that some editors put before everything."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        first = stream.read(len(_UTF8_MARK))
        self._first = b"" if first == _UTF8_MARK else first

    def read(self, size: int = -1) -> bytes:
        """Return up to *size* bytes."""
        if size and self._first:
            first, self._first = self._first, b""
            return first
        return self._stream.read(size)


def _ends_early(error: ijson.IncompleteJSONError) -> bool:
    return "premature EOF" in str(error) or "Incomplete" in str(error)
