"""
Who read or wrote which memory file, when and why, in a log that shows what was done to it.

Each record carries the hash of the one before; a second file has the number and the hash
of the last. No record holds contents or questions, and names that a person chose stand
as salted hashes: a log must not keep what is forgotten elsewhere.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from strata.messages import Notice
from strata.workspace.folders import make_private_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

LARGEST_BYTES = 4_000_000
MOST_FILES = 10
PATIENCE_SECONDS = 5.0

_LOG, _HEAD, _SALT = "log.jsonl", "head", "salt"
_START = "0" * 64
# Begins the hash that stands for a name.
MASKED = "?"
_TAIL_BYTES = 64 * 1024
_NAP_SECONDS = 0.005
_NUMBERED = re.compile(rb'\{"n":(\d{1,18}),')
_PLAIN = re.compile(
    r"(?:MEMORY|USER|DREAMS)\.md|\.strata/config\.toml|memory/archive/MEMORY\.md\.bak-[\d-]+"
    r"|memory/(?:weekly/|archive/(?:\d{4}/)?)?\d{4}-\d\d-\d\d\.md"
)


# How `append` begins a record of what was read; all of JSON would take ten times as long.
_READ = re.compile(rb'"at":"([^"\\]*)","who":"([^"\\]*)","what":"[^"\\]*","read":')


@dataclass(slots=True)
class Verified:
    """What a look through the log found: the *last* record, and what is wrong with it."""

    records: int = 0
    last: int = 0
    head: str = _START
    problems: list[str] = field(default_factory=list)


class AuditLog:
    """The log in *folder*; *now* is the clock, in UTC."""

    def __init__(
        self, folder: Path, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self.folder = folder
        self._patience_seconds = PATIENCE_SECONDS
        self._file = folder / _LOG
        self._head = folder / _HEAD
        self._now = now

    def append(self, who: str, what: str, kind: str, paths: Sequence[str]) -> None:
        """Note that *who* did *what*, which was to read or write (*kind*) *paths*."""
        make_private_folder(self.folder)
        names = [self.name_of(path) for path in paths]
        with self._locked() as log:
            number, before = self._last(log)
            record = {
                "n": number + 1,
                "at": self._now().isoformat(timespec="seconds"),
                "who": who,
                "what": what,
                kind: names,
            }
            record["hash"] = _hash(before, record)
            line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
            # Half a sign, of a name that is no UTF-8, becomes an escape of JSON.
            content = f"{line}\n".encode("utf-8", "backslashreplace")
            if os.write(log, content) < len(content):
                # The head must not know of a record that a full disk has cut off.
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._file))
            self._write_head(number + 1, str(record["hash"]))

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield every record, the oldest first; what is none is left out."""
        for file in self.files():
            yield from _records_in(file.read_bytes().splitlines())

    def newest(self, most: int, *, before: int = 0) -> list[dict[str, Any]]:
        """Return *most* records, the newest first, all of them from *before* that one."""
        found: list[dict[str, Any]] = []
        for record in self._backwards(before):
            if len(found) == most:
                break
            if not before or _number(record) < before:
                found.append(record)
        return found

    def _backwards(self, before: int) -> Iterator[dict[str, Any]]:
        files = self.files()
        while files:
            file = files.pop()
            # A full file is named for its last record: what follows it is newer.
            if before and files and int(files[-1].stem) + 1 >= before:
                continue
            for line in reversed(file.read_bytes().splitlines()):
                number = _NUMBERED.match(line)
                # Most of a file need not be parsed, which takes longer than all the rest.
                if not (before and number and int(number[1]) >= before):
                    yield from _records_in([line])

    def verify(self, expected: str = "") -> Verified:
        """
        Follow the chain; *expected* is a hash that somebody has kept, and must be in it.

        A record that was cut off while it was written is none, and no fault.
        """
        found = Verified()
        hashes: dict[int, str] = {}
        for record in self.records():
            _check(found, record, first=not hashes)
            found.records += 1
            found.last, found.head = _number(record), str(record.get("hash"))
            hashes[found.last] = found.head
        self._check_ends(found, hashes)
        if expected and expected not in hashes.values():
            found.problems.append(Notice("audit.no-hash", expected=expected))
        return found

    def name_of(self, path: str) -> str:
        """Return *path*, or folder and hash where its name could say something."""
        name, mark, lines = path.partition("#")
        if _PLAIN.fullmatch(name):
            return path
        folder = name.rpartition("/")[0]
        short = hashlib.sha256(self._salt() + os.fsencode(name)).hexdigest()[:12]
        hashed = f"{MASKED}{short}{mark}{lines}"
        return f"{folder}/{hashed}" if folder else hashed

    def _salt(self) -> bytes:
        file = self.folder / _SALT
        if not file.exists():
            make_private_folder(self.folder)
            with suppress(FileExistsError):
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
                descriptor = os.open(file, flags, 0o600)
                os.write(descriptor, os.urandom(16))
                os.close(descriptor)
        return file.read_bytes()

    @contextmanager
    def _locked(self) -> Iterator[int]:
        """Open the log for one process at a time, after it was rotated if need be."""
        while True:
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
            descriptor = os.open(self._file, flags, 0o600)
            try:
                self._lock(descriptor)
                size = os.fstat(descriptor).st_size
                if size > LARGEST_BYTES and _is_same(descriptor, self._file):
                    self._rotate(descriptor)
                    continue
                if _is_same(descriptor, self._file):
                    yield descriptor
                    return
            finally:
                os.close(descriptor)

    def _lock(self, descriptor: int) -> None:
        """Wait for other writers, but only once for one that was stopped in the midst."""
        try:
            import fcntl  # noqa: PLC0415 - not on Windows, where appending is all there is
        except ImportError:
            return
        deadline = time.monotonic() + self._patience_seconds
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    self._patience_seconds = 0.0
                    raise
                time.sleep(_NAP_SECONDS)
            else:
                return

    def _rotate(self, log: int) -> None:
        number, _ = self._last(log)
        self._file.replace(self.folder / f"{number:012d}.jsonl")
        full = self.files()
        for file in full[: max(len(full) - MOST_FILES, 0)]:
            # From here on the log may begin later; the head says where.
            until = int(file.stem)
            self._write_head(*self._stored_head()[:2], first=until + 1)
            file.unlink()

    def _last(self, log: int) -> tuple[int, str]:
        """Return number and hash of the last record, from the head where that is lost."""
        size = os.fstat(log).st_size
        tail = os.pread(log, _TAIL_BYTES, max(size - _TAIL_BYTES, 0))
        if tail and not tail.endswith(b"\n"):
            os.write(log, b"\n")
        head = self._stored_head()[:2]
        for line in reversed(tail.splitlines()):
            with suppress(ValueError, RecursionError, KeyError, AttributeError):
                record = json.loads(line)
                if (number := _number(record)) >= head[0]:
                    return number, str(record["hash"])
        return head

    def _write_head(self, number: int, last: str, first: int = 0) -> None:
        first = first or self._stored_head()[2]
        text = f"{number:012d} {last} {first:012d}\n"
        descriptor = os.open(self._head, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            os.pwrite(descriptor, text.encode(), 0)
        finally:
            os.close(descriptor)

    def _stored_head(self) -> tuple[int, str, int]:
        try:
            number, last, first = self._head.read_text("ascii").split()
            return int(number), last, int(first)
        except (OSError, ValueError):
            return 0, _START, 1

    def files(self) -> list[Path]:
        """Return the files of the log, the oldest first."""
        older = sorted(self.folder.glob("[0-9]*.jsonl"))
        return [*older, self._file] if self._file.exists() else older

    def _check_ends(self, found: Verified, hashes: dict[int, str]) -> None:
        number, last, first = self._stored_head()
        if hashes and min(hashes) > first:
            found.problems.append(_missing(first, min(hashes) - 1))
        if number > found.last:
            found.problems.append(_missing(found.last + 1, number))
        elif hashes.get(number, _START) != last:
            found.problems.append(Notice("audit.other-record", number=number))
        elif found.last > number + 1 or (hashes and not self._head.exists()):
            found.problems.append(Notice("audit.head", last=found.last))


def reads_in(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the moment, in ISO 8601, of each time that memory was shown, and who saw it."""
    for found in _READ.finditer(file.read_bytes()):
        yield found[1].decode("ascii", "replace"), found[2].decode("utf-8", "replace")


def _records_in(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    for line in lines:
        with suppress(ValueError, RecursionError):
            record = json.loads(line)
            if isinstance(record, dict):
                yield record


def _check(found: Verified, record: dict[str, Any], *, first: bool) -> None:
    number = _number(record)
    if not first and number != found.last + 1:
        gap = _missing(found.last + 1, number - 1)
        later = number > found.last
        found.problems.append(
            gap if later else Notice("audit.out-of-order", number=number)
        )
    kept = {key: value for key, value in record.items() if key != "hash"}
    before = found.head if not first or number == 1 else None
    if before is not None and record.get("hash") != _hash(before, kept):
        found.problems.append(Notice("audit.record-changed", number=number))


def _missing(first: int, last: int) -> Notice:
    return Notice("audit.missing", first=first, last=last)


def _number(record: dict[str, Any]) -> int:
    """Return the number of *record*, 0 where damage has made it something else."""
    number = record.get("n")
    return number if isinstance(number, int) else 0


def _hash(before: str, record: dict[str, Any]) -> str:
    text = json.dumps(record, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(
        f"{before}{text}".encode("utf-8", "surrogatepass")
    ).hexdigest()


def _is_same(descriptor: int, file: Path) -> bool:
    with suppress(OSError):
        return os.path.samestat(os.fstat(descriptor), file.stat())
    return False


@dataclass
class Witness:
    """Tells the log what this process does, as *who*, by the command *what*."""

    log: AuditLog
    who: str
    what: str

    def read(self, *places: str) -> None:
        """Note that *places* were shown; a log that cannot be written stops nobody."""
        if places and self.log.folder.parent.is_dir():
            with suppress(OSError):
                self.log.append(self.who, self.what, "read", places)

    def wrote(self, *paths: str) -> None:
        """Note that *paths* are about to change."""
        with suppress(OSError):
            self.log.append(self.who, self.what, "wrote", paths)
