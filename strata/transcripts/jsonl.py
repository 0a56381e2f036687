"""Entries of a transcript in JSON lines, which somebody may still be writing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jsonlines

from strata.transcripts.entries import BROKEN, decode, parse_entry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from strata.transcripts.entries import Entry


LIMIT_BYTES = 16 * 1024 * 1024
UNREADABLE = b"\x00"


def read_placed(stream: BinaryIO, place: int) -> Iterator[tuple[int, Entry]]:
    """
    Yield an entry for every line of *stream* that is not blank, malformed ones included.

    Each comes with where it begins; the first line begins at *place*.

    A last line without an end that is no JSON object is still being written: it is left
    out, and comes whole the next time.
    """
    lines = BoundedLines(stream, place=place)
    reader = jsonlines.Reader(lines, loads=decode)
    while True:
        begin = lines.place
        try:
            line = reader.read(type=dict, skip_empty=True)
        except EOFError:
            return
        except jsonlines.InvalidLineError:
            if not lines.unfinished:
                yield begin, BROKEN
        else:
            yield begin, parse_entry(line)


class BoundedLines:
    """
    The lines of *stream*; one over *limit* bytes comes out as `UNREADABLE`.

    *unfinished* is true while the line handed out last has no end of line yet: it may
    still be on its way to the disk. *place* is where the next one begins.
    """

    def __init__(
        self, stream: BinaryIO, limit: int = LIMIT_BYTES, *, place: int = 0
    ) -> None:
        self._stream = stream
        self._limit = limit
        self.place = place
        self.unfinished = False

    def __iter__(self) -> Iterator[bytes]:
        readline, size = self._stream.readline, self._limit + 1
        while line := readline(size):
            self.place += len(line)
            if line.endswith(b"\n"):
                yield line
            elif len(line) < size:
                self.unfinished = True
                yield line
            else:
                rest = line
                while rest and not rest.endswith(b"\n"):
                    rest = readline(size)
                    self.place += len(rest)
                yield UNREADABLE
