"""The archive: a zip with a manifest that knows every other file in it."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from strata.bundle import VERSION as STRATA
from strata.errors import SourceUnreadable
from strata.jobs.exporting.talks import is_talk
from strata.search.indexing.scanning import is_memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import BinaryIO

    from strata.imports.bundles import Bundle
    from strata.memory import Memory

VERSION = 1
MANIFEST = "manifest.json"
JOURNAL, RECALLS, ENTRIES = "journal.jsonl", "recalls.txt", "entries.jsonl"
VECTORS = "index/vectors.sqlite"
NOTES = "notes/"
_KIND = "strata-archive"
_LARGEST_MANIFEST = 64 * 1024**2
_PIECE = 1024**2


@dataclass(frozen=True, slots=True)
class Listed:
    """What the manifest says of a file."""

    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """
    Whose memory an archive holds, from when, and each file by its name in it.

    The time zone and the embedding model change answers where they are others.
    """

    scope: str
    at: str
    strata: str
    timezone: str
    embedding_model: str
    files: Mapping[str, Listed]

    @property
    def notes(self) -> dict[str, str]:
        """The names of notes by the paths that they have in a workspace."""
        found = (name for name in self.files if name.startswith(NOTES))
        return {name.removeprefix(NOTES): name for name in found}

    @property
    def talks(self) -> list[str]:
        """The names of the talks of other tools."""
        return list(filter(is_talk, self.files))


def is_archive(source: Bundle) -> bool:
    """Say whether *source* is an archive of Strata, of whatever version."""
    if MANIFEST not in source.names(MANIFEST):
        return False
    head = source.head(MANIFEST).lstrip()
    return head.startswith(b"{") and f'"{_KIND}"'.encode() in head


def write_archive(
    file: BinaryIO,
    memory: Memory,
    texts: Iterable[tuple[str, bytes]],
    files: Mapping[str, Path],
) -> None:
    """Write an archive of *texts* and *files*, by their names in it."""
    now = memory.now
    # A zip knows no other years.
    year = min(max(now.year, 1980), 2107)
    when = (year, now.month, now.day, now.hour, now.minute, now.second)
    listed: dict[str, Listed] = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, told in texts:
            listed[name] = Listed(_digest([told]), len(told))
            archive.writestr(_member(name, when), told)
        for name, path in files.items():
            with path.open("rb") as stream:
                digest = _digest(_pieces(stream))
                listed[name] = Listed(digest, stream.tell())
                stream.seek(0)
                with archive.open(_member(name, when), "w", force_zip64=True) as member:
                    shutil.copyfileobj(stream, member, _PIECE)
        archive.writestr(_member(MANIFEST, when), _manifest(memory, listed))


def read_manifest(source: Bundle) -> Manifest:
    """
    Return what the archive *source* says of itself.

    Raise `SourceUnreadable` where it is none, a newer Strata made it, or it holds another
    file than those that its manifest lists.
    """
    told = _told(source)
    try:
        if told["version"] > VERSION:
            raise SourceUnreadable.of(
                "restore.newer", source=source.source, by=str(told["strata"])
            )
        files = {name: Listed(**each) for name, each in told["files"].items()}
        manifest = Manifest(
            scope=str(told["scope"]),
            at=datetime.fromisoformat(told["at"]).isoformat(timespec="seconds"),
            strata=str(told["strata"]),
            timezone=str(told["timezone"]),
            embedding_model=str(told["embedding_model"]),
            files=files,
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise SourceUnreadable.of("restore.no-archive", source=source.source) from None
    for name in (*files, *source.names(), *source.refused):
        if name != MANIFEST and (name not in files or not _is_ours(name)):
            raise SourceUnreadable.of("restore.stranger", name=name)
    return manifest


def verify(source: Bundle, manifest: Manifest) -> None:
    """Raise `SourceUnreadable` where a file is not the one that *manifest* lists."""
    there = set(source.names())
    for name, listed in manifest.files.items():
        if name not in there or source.size(name) != listed.bytes:
            raise SourceUnreadable.of("restore.changed", name=name)
        with source.open(name) as stream:
            if _digest(_pieces(stream)) != listed.sha256:
                raise SourceUnreadable.of("restore.changed", name=name)


def _is_ours(name: str) -> bool:
    """Say whether an archive has a place for a file of that *name*."""
    path = name.removeprefix(NOTES)
    if path == name:
        return name in {JOURNAL, RECALLS, ENTRIES, VECTORS} or is_talk(name)
    return is_memory(path) and "\\" not in path and not {"..", ""} & {*path.split("/")}


def _told(source: Bundle) -> dict[str, Any]:  # Any: it is JSON
    there = MANIFEST in source.names(MANIFEST)
    if not there or source.size(MANIFEST) > _LARGEST_MANIFEST:
        raise SourceUnreadable.of("restore.no-archive", source=source.source)
    with source.open(MANIFEST) as stream:
        content = stream.read()
    try:
        told = json.loads(content)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or told.get("kind") != _KIND:
        raise SourceUnreadable.of("restore.no-archive", source=source.source)
    return told


def _manifest(memory: Memory, files: Mapping[str, Listed]) -> bytes:
    manifest = Manifest(
        scope=memory.scope,
        at=memory.now.isoformat(timespec="seconds"),
        strata=STRATA,
        timezone=str(memory.timezone),
        embedding_model=memory.settings.embedding_model,
        files=files,
    )
    told = {"kind": _KIND, "version": VERSION, **asdict(manifest)}
    return f"{json.dumps(told, indent=1)}\n".encode()


def _member(name: str, when: tuple[int, int, int, int, int, int]) -> zipfile.ZipInfo:
    found = zipfile.ZipInfo(name, when)
    found.compress_type = zipfile.ZIP_DEFLATED
    found.external_attr = 0o600 << 16
    return found


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    while piece := stream.read(_PIECE):
        yield piece


def _digest(pieces: Iterable[bytes]) -> str:
    found = hashlib.sha256()
    for piece in pieces:
        found.update(piece)
    return found.hexdigest()
