"""
What was forgotten, as keyed hashes: enough to know it again, and nothing to read.

The key lies in OpenClaw's state folder, away from the notes: whoever gets a copy of the
workspace cannot even test a guess. The tombstones lie in both places, so that neither a
deleted `.strata` nor a workspace that moved lets anything come back.
"""

from __future__ import annotations

import errno
import hashlib
import os
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from strata.errors import WorkspaceUnavailable
from strata.workspace.folders import clear_errors, make_private_folder
from strata.workspace.journal import Journal
from strata.workspace.replacing import draft, swap, write_once

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from strata.workspace.files import Workspace

FORGOTTEN, DONE, LIFTED = "forgotten", "done", "lifted"
# When this machine heard of what another one forgot.
HEARD = "heard"
VERSION = 1
KEY_BYTES = 32
_SETS = ("lines", "day_lines", "messages", "ids")
_PAIRS = ("windows", "parts")


@dataclass(frozen=True, slots=True)
class Tombstone:
    """
    One forgetting at the local moment *at*; its sets hold keyed hashes.

    *lines* are known wherever they stand, *day_lines* only in what belongs to their day.
    *windows* are the words that were named, in a row, by their number; *parts* the long
    statements that went, which a record may quote; *terms* what each of all is about.
    *renamed* has the new id of what lost its topic alone, by the old one.
    *sessions* and *since* to *until* say which messages were meant, up to which moment.
    What holds *everywhere* holds in every scope; *others* are those that had more of it.
    Where another machine forgot it, *heard* is when this one heard so; and *last* is the
    moment of the latest line of it, where a clock was ahead.
    """

    id: str
    at: str
    kind: str
    lines: frozenset[str] = frozenset()
    day_lines: frozenset[str] = frozenset()
    windows: tuple[tuple[int, str], ...] = ()
    parts: tuple[tuple[int, str], ...] = ()
    terms: tuple[frozenset[str], ...] = ()
    messages: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()
    renamed: Mapping[str, str] = field(default_factory=dict)
    sessions: Mapping[str, str] = field(default_factory=dict)
    since: str = ""
    until: str = ""
    git: bool = False
    everywhere: bool = False
    heard: str = ""
    last: str = ""
    others: Mapping[str, Tombstone] = field(default_factory=dict)

    def within(self, scope: str) -> Tombstone:
        """Return what of it the memory of *scope* keeps."""
        bare = replace(self, git=False, everywhere=False, others={})
        return self.others.get(scope, bare)


@dataclass(frozen=True, slots=True)
class Lifted:
    """A statement that the owner made anew on *day*: from then on it may stand."""

    day: str
    line: str
    terms: frozenset[str]


class Seal:
    """Turns text into the hashes of a tombstone, with a key that it cannot do without."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def of(self, *parts: str) -> str:
        """Return the hash of *parts*: sixteen hexadecimal digits."""
        text = "\x1f".join(parts).encode("utf-8", "surrogatepass")
        return hashlib.blake2b(text, key=self._key, digest_size=8).hexdigest()


class Tombstones:
    """The tombstones of *workspace*, whose OpenClaw keeps its state in *state*."""

    def __init__(self, workspace: Workspace, state: Path) -> None:
        place = hashlib.sha256(str(workspace.root).encode()).hexdigest()[:16]
        self._here = Journal(workspace.layout.forgotten_file)
        self._there = Journal(state / "strata" / "forgotten" / f"{place}.jsonl")
        self._key_file = state / "strata" / "forgotten" / "key"

    @property
    def exist(self) -> bool:
        """Whether anything was ever forgotten."""
        return self._here.path.exists() or self._there.path.exists()

    @cached_property
    def seal(self) -> Seal:
        """
        The key's way of hashing; before `prepare` it may be one that nobody will keep.

        Raise `WorkspaceUnavailable` where tombstones have lost their key.
        """
        try:
            return Seal(self._key_file.read_bytes())
        except FileNotFoundError:
            if self.exist:
                raise WorkspaceUnavailable.of(
                    "forget.key-gone",
                    key=self._key_file,
                    here=self._here.path,
                    there=self._there.path,
                ) from None
        return Seal(os.urandom(KEY_BYTES))

    def prepare(self) -> None:
        """Make the key, unless there is one."""
        if not self._key_file.exists() and not self.exist:
            make_private_folder(self._key_file.parent)
            with clear_errors(self._key_file):
                write_once(self._key_file, os.urandom(KEY_BYTES))
        self.__dict__.pop("seal", None)

    def key(self) -> bytes:
        """Return the key itself, which another machine of the same memory needs."""
        self.prepare()
        return self._key_file.read_bytes()

    def adopt(self, key: bytes) -> None:
        """
        Use *key*, that of another machine, from now on.

        Raise `FileExistsError` where something was forgotten under a key of this one:
        of hashes nobody can make others.
        """
        folder = self._key_file.parent
        if self._key_file.exists() and self._key_file.read_bytes() == key:
            return
        for file in (*folder.glob("*.jsonl"), self._here.path):
            if file.exists():
                raise FileExistsError(
                    errno.EEXIST, os.strerror(errno.EEXIST), str(file)
                )
        make_private_folder(folder)
        with clear_errors(self._key_file):
            swap(draft(folder, key, mode=0o600), self._key_file)
        self.__dict__.pop("seal", None)

    def all(self) -> list[Tombstone]:
        """Return every tombstone, the oldest first."""
        records = self._records()
        heard = {r["id"]: r["at"] for r in records if r["event"] == HEARD}
        found = (_tombstone(r) for r in records if r["event"] == FORGOTTEN)
        return [replace(each, heard=heard.get(each.id, each.heard)) for each in found]

    def lifted(self) -> list[Lifted]:
        """Return what the owner has said anew since."""
        records = (r for r in self._records() if r["event"] == LIFTED)
        return [Lifted(r["day"], r["line"], frozenset(r["terms"])) for r in records]

    def unfinished(self) -> list[Tombstone]:
        """Return those whose forgetting was cut off."""
        done = {r["id"] for r in self._records() if r["event"] == DONE}
        return [each for each in self.all() if each.id not in done]

    def add(self, tombstone: Tombstone) -> None:
        """Keep *tombstone*; from here on a forgetting that is killed can be finished."""
        self._append(_record(FORGOTTEN, tombstone))

    def heal(self) -> None:
        """Write to each of the two places what only the other one has."""
        self._append()

    def finish(self, tombstone: Tombstone) -> None:
        """Note that nothing of *tombstone* is left."""
        self._append({"event": DONE, "version": VERSION, "id": tombstone.id})

    def lift(self, lifted: Lifted) -> None:
        """Keep *lifted*, unless it is known."""
        if lifted not in self.lifted():
            self._append(_record(LIFTED, lifted))

    def records(self) -> list[dict[str, Any]]:
        """Return what other machines need to know, as records; not how far this one is."""
        return [e for e in self._records() if e["event"] not in {DONE, HEARD}]

    def take(self, records: list[dict[str, Any]], at: str) -> None:
        """
        Keep the *records* of another machine, heard of *at* that local moment.

        Here their forgetting is still to do.
        """
        present = self._records()
        if missing := [each for each in records if each not in present]:
            heard = [
                {"event": HEARD, "version": VERSION, "id": each["id"], "at": at}
                for each in missing
                if each["event"] == FORGOTTEN
            ]
            self._append(*heard, *missing)

    def state(self) -> str:
        """Return what changes whenever a tombstone comes."""
        return " ".join(_state(each.path) for each in (self._here, self._there))

    def _append(self, *records: dict[str, Any]) -> None:
        """Write *records* to both places, and whatever one of them has lost."""
        wanted = [*self._records(), *records]
        for journal in (self._there, self._here):
            present = list(_read(journal))
            missing = [each for each in wanted if each not in present]
            if missing:
                journal.append(missing)

    def _records(self) -> list[dict[str, Any]]:
        records = list(_read(self._there))
        records += [each for each in _read(self._here) if each not in records]
        return records


def _read(journal: Journal) -> Iterator[dict[str, Any]]:
    for record in journal.records(FORGOTTEN, DONE, LIFTED, HEARD):
        if record.get("version") == VERSION:
            yield record


def _tombstone(record: dict[str, Any]) -> Tombstone:
    known = {name: record[name] for name in Tombstone.__slots__ if name in record}
    known |= {name: frozenset(record[name]) for name in _SETS}
    known |= {name: tuple(map(tuple, record[name])) for name in _PAIRS}
    known["terms"] = tuple(map(frozenset, record["terms"]))
    others = record.get("others", {})
    known["others"] = {scope: _tombstone(each) for scope, each in others.items()}
    return Tombstone(**known)


def _record(event: str, said: Tombstone | Lifted) -> dict[str, Any]:
    return {"event": event, "version": VERSION, **_plain(said)}


def _plain(value: Any) -> Any:  # Any: whatever a tombstone holds, and JSON
    if isinstance(value, Tombstone | Lifted):
        return {name: _plain(getattr(value, name)) for name in value.__slots__}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return value


def _state(file: Path) -> str:
    try:
        found = file.stat()
    except OSError:
        return "-"
    return f"{found.st_size}:{found.st_mtime_ns}"
