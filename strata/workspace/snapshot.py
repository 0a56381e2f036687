"""A folder that lives in the machine's memory, and its encrypted copy on the disk."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from strata.errors import DecryptionFailed
from strata.messages import Notice
from strata.workspace.folders import make_private_folder
from strata.workspace.forms import is_encrypted, key_of
from strata.workspace.layout import NOWHERE
from strata.workspace.replacing import draft, swap
from strata.workspace.vault import cipher_for, vault_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.workspace.ciphers import Cipher
    from strata.workspace.files import Workspace

# A changed note changes a few of them, and only those are written again.
_BLOCK_BYTES = 256 * 1024
_CONTENTS, _BLOCKS = "contents", "blocks"
_IN_MEMORY = {"tmpfs", "ramfs"}
_MOUNTS = Path("/proc/self/mounts")
# The same for all processes, whatever environment a scheduler gives them.
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own in it, see `_is_ours`


@dataclass(frozen=True, slots=True)
class Snapshot:
    """
    The folder *live*, in memory, and its copy in *kept*; *marker* is its last file.

    The copy is one of blocks, each named by a keyed hash of what it holds. It may lag
    behind: what it holds is an index, which takes in by itself what it missed.
    """

    live: Path
    kept: Path
    marker: str

    @property
    def is_wanted(self) -> bool:
        """Whether *live* is missing, as after a restart, and there is a copy."""
        return not self.is_live and self._contents.exists()

    @property
    def is_live(self) -> bool:
        """Whether *live* is there."""
        return (self.live / self.marker).exists()

    def restore(self, say: Callable[[str], None]) -> None:
        """
        Make *live* anew from the copy; a damaged copy is dropped, and *say* told.

        Raise `OSError` where there is no room.
        """
        make_private_folder(self.live)
        try:
            cipher, listed = self._listed()
            for path in sorted(listed, key=lambda each: each == self.marker):
                target = self.live / path
                make_private_folder(target.parent)
                swap(draft(target.parent, b"", mode=0o600), target)
                with target.open("wb") as file:
                    for name in listed[path]:
                        stored = (self.kept / _BLOCKS / name).read_bytes()
                        _write_sparse(file, cipher.decrypt(stored, _bound_to(name)))
                    file.truncate()
        except OSError as error:
            self.clear(self.live)
            if error.errno != errno.ENOENT:
                raise
            self._give_up(say)
        except (ValueError, TypeError, AttributeError, DecryptionFailed):
            self._give_up(say)

    def save(self) -> None:
        """Bring the copy up to date; nobody may write to *live* meanwhile."""
        vault = vault_of(self._contents)
        if vault is None or not self.is_live:
            return
        cipher = vault.unlocked()
        make_private_folder(self.kept / _BLOCKS)
        known = {file.name for file in (self.kept / _BLOCKS).iterdir()}
        listed = {
            file.relative_to(self.live).as_posix(): list(
                self._kept_blocks(cipher, file, known)
            )
            for file in self._files()
        }
        content = cipher.file(json.dumps(listed).encode(), _CONTENTS)
        swap(draft(self.kept, content, mode=0o600), self._contents)
        for name in known.difference(*listed.values()):
            (self.kept / _BLOCKS / name).unlink(missing_ok=True)

    def clear(self, folder: Path) -> None:
        """Remove from *folder* all but the copy; the caller holds its lock."""
        import shutil  # noqa: PLC0415 - 2 ms, and rare

        for path in folder.iterdir():
            if path.is_dir() and path.name != _BLOCKS:
                shutil.rmtree(path)
            elif path.is_file() and path.name not in {_CONTENTS, "index.lock"}:
                path.unlink()

    def _give_up(self, say: Callable[[str], None]) -> None:
        say(Notice("encryption.copy-damaged", kept=self.kept))
        self.clear(self.live)
        self.drop()

    def drop(self) -> None:
        """Remove the copy."""
        import shutil  # noqa: PLC0415 - 2 ms, and rare

        self._contents.unlink(missing_ok=True)
        shutil.rmtree(self.kept / _BLOCKS, ignore_errors=True)

    def _files(self) -> Iterator[Path]:
        own = {self._contents, self.kept / _BLOCKS}
        for file in sorted(self.live.rglob("*")):
            # No locks and no pipes: those are their process's.
            if (
                file.is_file()
                and file.stat().st_size
                and own.isdisjoint((file, *file.parents))
            ):
                yield file

    @property
    def _contents(self) -> Path:
        return self.kept / _CONTENTS

    def _listed(self) -> tuple[Cipher, dict[str, list[str]]]:
        content = self._contents.read_bytes()
        if not is_encrypted(content):
            raise DecryptionFailed.of("encryption.not-written")
        cipher = cipher_for(key_of(content), self._contents)
        return cipher, json.loads(cipher.plain_file(content, _CONTENTS))

    def _kept_blocks(
        self, cipher: Cipher, file: Path, known: set[str]
    ) -> Iterator[str]:
        with file.open("rb") as opened:
            while block := opened.read(_BLOCK_BYTES):
                name = cipher.name_of(block)
                if name not in known:
                    content = cipher.encrypt(block, _bound_to(name))
                    # A block that a power cut empties is one more damaged cache.
                    fresh = draft(self.kept, content, mode=0o600, durable=False)
                    fresh.replace(self.kept / _BLOCKS / name)
                    known.add(name)
                yield name


def wanted_snapshot(workspace: Workspace) -> Snapshot | None:
    """Return the same as `snapshot_of` where *workspace* is encrypted, else None."""
    vault = vault_of(workspace.layout.private)
    return snapshot_of(workspace) if vault and vault.encrypts else None


def snapshot_of(workspace: Workspace) -> Snapshot:
    """Return where the index of the encrypted *workspace* lives, and its copy."""
    live = memory_folder(workspace.root)
    if live:
        # SQLite writes what it sorts and copies into files of its own.
        os.environ["SQLITE_TMPDIR"] = str(live.parent)
    return Snapshot(live or NOWHERE, workspace.layout.index_folder, "manifest.sqlite")


def memory_folder(root: Path) -> Path | None:
    """
    Return the folder in memory that the workspace *root* has, None where none can be had.

    Others may write to the folder around it, so it must be ours and nobody else's.
    """
    name = hashlib.sha256(str(root).encode()).hexdigest()[:16]
    for place in (SHARED_MEMORY, Path(os.environ.get("XDG_RUNTIME_DIR") or os.devnull)):
        if place.is_dir() and _is_in_memory(place):
            own = place / f"strata-{os.getuid()}"
            if _is_ours(own):
                return own / name
    return None


def _is_ours(folder: Path) -> bool:
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        mine = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
        return mine and not stat.S_IMODE(found.st_mode) & 0o077
    return False


def _is_in_memory(place: Path) -> bool:
    try:
        mounts = [line.split() for line in _MOUNTS.read_text("utf-8").splitlines()]
    except OSError:
        # Not Linux: whoever sets XDG_RUNTIME_DIR there has made such a folder.
        return place != SHARED_MEMORY
    real = os.path.realpath(place)
    around = [
        (len(where), kind)
        for _, where, kind, *_ in mounts
        if real == where or real.startswith(where.rstrip("/") + "/")
    ]
    return max(around, default=(0, ""))[1] in _IN_MEMORY


def _write_sparse(file: BinaryIO, block: bytes) -> None:
    """Write *block* without room for zeros: the engine's files are mostly empty."""
    if block == bytes(len(block)):
        file.seek(len(block), os.SEEK_CUR)
    else:
        file.write(block)


def _bound_to(name: str) -> bytes:
    return f"strata-block:{name}".encode()
