"""The places in which one conversation lies, read as one."""

from __future__ import annotations

import hashlib
import heapq
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from strata.errors import TranscriptUnreadable
from strata.transcripts.archives import open_transcript
from strata.transcripts.branches import Branch, BranchFinder, find_positions
from strata.transcripts.jsonl import read_placed
from strata.workspace import stored

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from typing import BinaryIO

    from strata.transcripts.entries import Entry

# The line before, with its id, which OpenClaw gives once.
_CHECKED_BYTES = 512

Marked = tuple["Entry", bool]


class Source(Protocol):
    """Entries in the order in which they were written, each with whether it counts."""

    def marked(self) -> Iterator[Marked]:
        """Yield the entries."""


@dataclass(slots=True)
class Stream:
    """
    A transcript in JSON lines.

    *branch* may be given if it is known: else the lines are read once more to find it.
    """

    opener: Callable[[], AbstractContextManager[BinaryIO]]
    name: str
    branch: Branch | None = None
    seekable: bool = False

    @classmethod
    def of_file(cls, path: Path) -> Stream:
        """Read the transcript file at *path*."""
        # One of our own may be encrypted, line by line.
        plain = path.suffix == ".jsonl" and not stored.is_private(path)
        return cls(partial(open_transcript, path), str(path), seekable=plain)

    def entries(self) -> Generator[Entry]:
        """Yield all entries, dead ones and malformed lines included."""
        return (entry for _, entry in self.placed(0))

    def is_long(self, least_bytes: int) -> bool:
        """Say whether it can be read from any place on, and has so many bytes."""
        return self.seekable and Path(self.name).stat().st_size >= least_bytes

    def check(self, place: int) -> str:
        """Return what changes when anything before *place* does: a file only grows."""
        with self._opened(max(place - _CHECKED_BYTES, 0)) as stream:
            before = stream.read(min(place, _CHECKED_BYTES))
        return hashlib.sha256(before).hexdigest()[:16] if self.seekable else ""

    def placed(self, place: int) -> Generator[tuple[int, Entry]]:
        """Yield all entries from *place* on, each with its own."""
        with self._opened(place) as stream:
            yield from read_placed(stream, place)

    @contextmanager
    def _opened(self, place: int) -> Iterator[BinaryIO]:
        try:
            with self.opener() as stream:
                if place:
                    stream.seek(place)
                yield stream
        except FileNotFoundError:
            raise TranscriptUnreadable.of("transcripts.moved", name=self.name) from None
        except OSError as error:
            raise TranscriptUnreadable.of(
                "transcripts.unreadable", name=self.name, strerror=error.strerror
            ) from None

    def marked(self) -> Iterator[Marked]:
        """Yield each entry with whether it counts."""
        if self.branch is None:
            self.branch = find_branch(self.entries)
        return self.branch.mark(self.entries())


def mark_path(entries: Callable[[], Iterable[Entry]]) -> Iterator[Marked]:
    """Yield each entry with whether it counts; *entries* is called several times."""
    return find_branch(entries).mark(entries())


def find_branch(entries: Callable[[], Iterable[Entry]]) -> Branch:
    """Find out what counts, in a pass over the entries, or two if some were rewound."""
    finder = BranchFinder()
    for entry in entries():
        finder.add(entry)
    wanted = finder.wanted()
    return finder.branch(find_positions(entries(), wanted) if wanted else {})


def union(sources: Sequence[Source]) -> Iterator[Entry]:
    """
    Yield what counts, and malformed entries, of all *sources*, each message once.

    The first source knows best: what was rewound there stays out, although an older copy
    still has it. Messages come in the order in which they were said.
    """
    if len(sources) == 1:
        for entry, counts in sources[0].marked():
            if counts or entry.malformed:
                yield entry
        return
    seen: set[str] = set()
    streams = [_timed(source, rank) for rank, source in enumerate(sources)]
    for _, _, entry, counts in heapq.merge(*streams, key=lambda item: item[:2]):
        if entry.malformed:
            yield entry
        elif entry.said is None or identity(entry) not in seen:
            if entry.said is not None:
                seen.add(identity(entry))
            if counts:
                yield entry


def identity(entry: Entry) -> str:
    """Name a message: by its id, or by who said it when."""
    if entry.id or entry.said is None:
        return entry.id
    return f"{entry.said.role}-{entry.said.time:.3f}"


def _timed(source: Source, rank: int) -> Iterator[tuple[float, int, Entry, bool]]:
    time = 0.0
    for entry, counts in source.marked():
        time = max(time, entry.time or 0.0)
        yield time, rank, entry, counts
