"""Entries of a transcript that is stored as JSON lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jsonlines

from strata.transcripts.decoding import decode
from strata.transcripts.entries import BROKEN, Entry, parse_entry
from strata.transcripts.lines import BoundedLines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO


def read_entries(stream: BinaryIO) -> Iterator[Entry]:
    """
    Yield an entry for every line of *stream* that is not blank, malformed ones included.

    A last line without an end that is no JSON object is still being written: it is left
    out, and comes whole the next time.
    """
    lines = BoundedLines(stream)
    reader = jsonlines.Reader(lines, loads=decode)
    while True:
        try:
            line = reader.read(type=dict, skip_empty=True)
        except EOFError:
            return
        except jsonlines.InvalidLineError:
            if not lines.unfinished:
                yield BROKEN
        else:
            yield parse_entry(line)
