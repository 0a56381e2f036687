"""What entries say in other words: search terms that the journal keeps for no eye."""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from contextlib import closing
from datetime import date
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from strata.hits import Tier
from strata.notes.headings import monday_of
from strata.notes.marks import line_key, source_days
from strata.search.indexing.scanning import day_of, tier_of
from strata.workspace import stored

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

_SIGN = b'"terms"'
_DAY = re.compile(rb'"day":\s*"(\d{4}-\d\d-\d\d)"')
# By so many of its last bytes the journal is known to go on from where it was read.
_LAST_BYTES = 256
_NOTHING = "0 0 0"


class Paraphrases:
    """
    The terms of entries, by day: *told* are the journal's records of blocks that have any.

    They are those of a line in the note of that day, in the summary of its week, and in
    MEMORY.md where it names the day. Of two that were given for the same words of a day
    the later count.
    """

    def __init__(self, told: Iterable[bytes] = ()) -> None:
        self._told: defaultdict[str, list[bytes]] = defaultdict(list)
        for line in told:
            if found := _DAY.search(line):
                self._told[found[1].decode()].append(line)
        self._read: dict[str, Mapping[str, str]] = {}

    def __bool__(self) -> bool:
        """Tell whether any entry has terms."""
        return bool(self._told)

    def by_line(self, tier: Tier, day: date | None, text: str) -> list[str]:
        """Return the terms beside each line of *text*, of a note of *tier* and *day*."""
        lines = text.split("\n")
        if not self:
            return [""] * len(lines)
        return [self._beside(line, days_of(tier, day, line)) for line in lines]

    def _beside(self, line: str, days: Iterable[date]) -> str:
        known = [day for each in days if (day := each.isoformat()) in self._told]
        if not known or not line.strip():
            return ""
        key = line_key(line)
        return " / ".join(filter(None, (self._of(day).get(key) for day in known)))

    def _of(self, day: str) -> Mapping[str, str]:
        if day not in self._read:
            self._read[day] = dict(_terms(self._told[day]))
        return self._read[day]


class News(NamedTuple):
    """
    How far the journal was read, and of which *days* it tells terms that are new.

    Where it was rewritten, as by `forget`, they may be of *any* day.
    """

    mark: str = ""
    days: frozenset[date] = frozenset()
    any: bool = False

    def concern(self, path: str) -> bool:
        """Tell whether the memory file *path* may have lines with such terms."""
        if not (self.days or self.any):
            return False
        tier, day = tier_of(path), day_of(path)
        if tier is Tier.WEEKLY and not self.any:
            return any(monday_of(each) == day for each in self.days)
        if tier is Tier.DAILY and not self.any:
            return day in self.days
        return tier in {Tier.DAILY, Tier.WEEKLY, Tier.LONG_TERM}


def has_terms(mark: str) -> bool:
    """Tell whether a journal that was read up to *mark* has any terms at all."""
    return mark.endswith(" 1")


def news(journal: Path | None, mark: str) -> News:
    """Return what *journal* tells that it did not when it was read up to *mark*."""
    size, digest, some = (mark or _NOTHING).split(" ")
    stream: BinaryIO
    try:
        stream = journal.open("rb") if journal else BytesIO()
    except OSError:
        stream = BytesIO()
    with closing(stream) as file:
        end = file.seek(0, 2)
        goes_on = int(size) <= end and _digest(file, int(size)) == digest
        if goes_on and int(size) == end:
            return News(mark)
        start = file.seek(int(size) if goes_on else 0)
        # Of a line that is just being written the end comes later.
        added = file.read()
        added = added[: added.rfind(b"\n") + 1]
        end = start + len(added)
        told = list(_telling(added, journal)) if journal else []
        had = some == "1"
        has = bool(told) or (goes_on and had)
        mark = f"{end} {_digest(file, end)} {int(has)}"
    if goes_on:
        return News(mark, frozenset(_days_of(told)))
    return News(mark, any=had or has)


def paraphrases(journal: Path | None) -> Paraphrases:
    """Return all that *journal* tells, read once for as long as it stays as it is."""
    if journal is None:
        return Paraphrases()
    try:
        state = journal.stat()
    except OSError:
        return Paraphrases()
    return _all(journal, (state.st_ino, state.st_mtime_ns, state.st_size))


@lru_cache(maxsize=4)
def _all(journal: Path, _state: tuple[int, int, int]) -> Paraphrases:
    return Paraphrases(_telling(journal.read_bytes(), journal))


def _telling(content: bytes, journal: Path) -> Iterator[bytes]:
    """Give the records with terms in *content*, a part of *journal*."""
    plain = stored.plain(content, journal)
    if _SIGN not in plain:
        return iter(())
    return (line for line in plain.split(b"\n") if _SIGN in line)


def _days_of(told: Iterable[bytes]) -> Iterator[date]:
    for line in told:
        if found := _DAY.search(line):
            yield date.fromisoformat(found[1].decode())


def _digest(file: BinaryIO, end: int) -> str:
    start = file.seek(max(end - _LAST_BYTES, 0))
    return str(zlib.crc32(file.read(end - start)))


def days_of(tier: Tier, day: date | None, line: str) -> Sequence[date]:
    """Return when what *line* of a note of *tier* and *day* says may have been said."""
    if tier is Tier.DAILY:
        return (day,) if day else ()
    if tier is Tier.LONG_TERM:
        return source_days(line)
    if tier is Tier.WEEKLY:
        return [each for each in source_days(line) if monday_of(each) == day]
    return ()


def _terms(told: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    import json  # noqa: PLC0415 - few have a model

    for line in told:
        try:
            record = json.loads(line)
            entries = record["entries"] if record["event"] == "captured" else ()
            for entry in entries:
                if terms := entry.get("terms"):
                    yield str(entry["line"]), " / ".join(map(str, terms))
        except (ValueError, KeyError, TypeError, AttributeError):
            # A crash tore it, or a hand did.
            continue
