"""A file, a folder or a zip, seen as one: files by safe names, opened one at a time."""

from __future__ import annotations

import os
import shutil
import zipfile
import zlib
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path, PurePosixPath, PureWindowsPath
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Self

from strata.errors import SourceUnreadable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import BinaryIO

# More than any export holds; somebody has named a whole disk.
_MOST_FILES = 500_000
_MOST_BYTES = 64 * 1024**3
# Text shrinks to a fifth, and the most repetitive to a hundredth.
_BOMB_RATIO = 200
_BOMB_BYTES = 64 * 1024**2
_ENCRYPTED = 0x1
_TEXTS = (".json", ".jsonl", ".md", ".html")
_HEAD_BYTES = 64 * 1024


class Bundle:
    """
    The files of one export; close it, or use it in a ``with``.

    Names are relative, with ``/`` between folders, and never lead anywhere else; those
    that would are *refused*. Raise `SourceUnreadable` where *source* is not there, is no
    whole zip, or would fill the disk. *scratch* is where files of a zip may be unpacked.
    """

    def __init__(self, source: Path, scratch: Path | None = None) -> None:
        self.source = source
        self.refused: list[str] = []
        self._scratch = scratch
        self._unpacked: Path | None = None
        self._zip: zipfile.ZipFile | None = None
        self._members: dict[str, zipfile.ZipInfo] = {}
        self._files: dict[str, Path] = {}
        self._done = 0
        self._current: BinaryIO | None = None
        if source.is_dir():
            self._files = self._in_folder()
        elif not source.is_file():
            # A pipe or a device is there, and may never end.
            raise SourceUnreadable.of("import.no-source", source=source)
        elif source.suffix.lower() == ".zip" or zipfile.is_zipfile(source):
            self._open_zip()
        else:
            self._files = {source.name: source}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close what is open, and remove what was unpacked."""
        if self._zip:
            self._zip.close()
        if self._unpacked:
            shutil.rmtree(self._unpacked, ignore_errors=True)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(sorted([*self._files, *self._members]))

    def names(self, pattern: str = "*") -> list[str]:
        """Return the names of files whose last part is like *pattern*, in order."""
        return [
            name
            for name in self._names
            if pattern == "*" or fnmatchcase(PurePosixPath(name).name, pattern)
        ]

    def size(self, name: str) -> int:
        """Return how many bytes the file *name* has, unpacked."""
        if name in self._members:
            return self._members[name].file_size
        with _told(name):
            return self._files[name].stat().st_size

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """
        Open the file *name* to be read once from its start.

        Raise `SourceUnreadable` where it is damaged, also while it is read.
        """
        with _told(name), self._opened(name) as stream:
            self._current = stream
            try:
                yield stream
            finally:
                self._current = None
                self._done += stream.tell()

    @property
    def progress(self) -> tuple[int, int]:
        """How many bytes were read, of how many that files of text have."""
        now = self._current.tell() if self._current else 0
        return self._done + now, max(self._text_bytes, 1)

    @cached_property
    def _text_bytes(self) -> int:
        texts = (each for each in self._names if each.endswith(_TEXTS))
        return sum(self.size(each) for each in texts)

    def head(self, name: str) -> bytes:
        """Return the first 64 KB of the file *name*."""
        with _told(name), self._opened(name) as stream:
            return stream.read(_HEAD_BYTES)

    def path(self, name: str) -> Path:
        """Return a file on disk with what *name* holds, for who cannot read a stream."""
        if name in self._files:
            return self._files[name]
        return self.copied(name, self.scratch())

    def scratch(self) -> Path:
        """Return an empty folder on disk, which is removed when this is closed."""
        if self._unpacked is None:
            self._unpacked = Path(mkdtemp(prefix="import-", dir=self._scratch))
        return Path(mkdtemp(dir=self._unpacked))

    def copied(self, name: str, folder: Path) -> Path:
        """Copy the file *name* to that name below *folder*, and return where it is."""
        place = folder / name
        with self.open(name) as stream:
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("xb") as copy:
                shutil.copyfileobj(stream, copy)
        return place

    def _opened(self, name: str) -> BinaryIO:
        if self._zip and name in self._members:
            # It only reads, and says so with another type.
            return self._zip.open(self._members[name])  # type: ignore[return-value]
        return self._files[name].open("rb")

    def _in_folder(self) -> dict[str, Path]:
        found: dict[str, Path] = {}
        for folder, folders, files in os.walk(self.source):
            folders.sort()
            for file in files:
                path = Path(folder, file)
                # A link may lead anywhere, and what is no file may never end.
                if path.is_symlink() or not path.is_file():
                    continue
                found[path.relative_to(self.source).as_posix()] = path
                if len(found) > _MOST_FILES:
                    raise SourceUnreadable.of(
                        "import.too-many", source=self.source, most=_MOST_FILES
                    )
        return found

    def _open_zip(self) -> None:
        with _told(str(self.source)):
            self._zip = zipfile.ZipFile(self.source)
        members = [each for each in self._zip.infolist() if not each.is_dir()]
        self._check_no_bomb(members)
        for member in members:
            name = member.filename
            if not _is_safe(name):
                self.refused.append(name)
            elif "__MACOSX" not in PurePosixPath(name).parts:
                self._members[name] = member

    def _check_no_bomb(self, members: list[zipfile.ZipInfo]) -> None:
        # No member gives more bytes than its entry says, so the entries are enough.
        total = sum(each.file_size for each in members)
        packed = self.source.stat().st_size
        swelling = total > _BOMB_BYTES and total > _BOMB_RATIO * packed
        if swelling or total > _MOST_BYTES or len(members) > _MOST_FILES:
            raise SourceUnreadable.of(
                "import.bomb",
                source=self.source,
                packed=packed / 1e6,
                total=total / 1e6,
            )
        if any(each.flag_bits & _ENCRYPTED for each in members):
            raise SourceUnreadable.of("import.zip-locked", source=self.source)


def _is_safe(name: str) -> bool:
    """Say whether the *name* of a zip's member stays where it is put."""
    windows = PureWindowsPath(name)
    return (
        not name.startswith("/")
        and not windows.drive
        and not windows.root
        and ".." not in windows.parts
        and "\0" not in name
    )


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Turn what zips and the file system say about *name* into one clear line."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError):
        raise SourceUnreadable.of("import.zip-broken", name=name) from None
    except (NotImplementedError, RuntimeError) as error:
        raise SourceUnreadable.of("import.zip-odd", name=name, error=error) from None
    except OSError as error:
        raise SourceUnreadable.of(
            "import.unreadable", name=name, why=error.strerror
        ) from None
