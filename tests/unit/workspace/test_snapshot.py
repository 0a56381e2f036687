"""A folder in memory has a copy on the disk that says nothing without the key."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from builders_encryption import KEY, holding, use_key

from strata.search.indexing.session import Shelf
from strata.workspace import snapshot as module
from strata.workspace.snapshot import Snapshot, memory_folder
from strata.workspace.vault import UserKey, new_vault

if TYPE_CHECKING:
    from pathlib import Path

BIG = 4 * 1024 * 1024


@pytest.fixture
def snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Snapshot:
    """
    A folder with a file of four megabytes, a mostly empty one, a lock and a marker.
    """
    use_key(monkeypatch, KEY)
    made, _ = new_vault(UserKey(KEY, "the test"))
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/encryption.json").write_text(made.text(), "utf-8")
    live = tmp_path / "live"
    (live / "points").mkdir(parents=True)
    (live / "points/page").write_bytes(b"canary" + os.urandom(BIG))
    with (live / "points/empty").open("wb") as file:
        file.truncate(BIG)
    (live / "index.lock").touch()
    (live / "manifest").write_bytes(b"marker")
    return Snapshot(live, tmp_path / "kept", "manifest")


def files(folder: Path) -> dict[str, bytes]:
    """
    What each file below *folder* holds.
    """
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and file.stat().st_size
    }


def test_copy_comes_back(snapshot: Snapshot) -> None:
    """
    Every file is restored as it was, and what is empty takes no room.
    """
    before = files(snapshot.live)
    snapshot.save()
    snapshot.clear(snapshot.live)
    assert snapshot.is_wanted

    snapshot.restore(pytest.fail)

    assert files(snapshot.live) == before
    assert (snapshot.live / "points/empty").stat().st_blocks * 512 < BIG // 2
    assert holding(snapshot.kept, "canary", "marker") == []


def test_one_change_writes_one_block(snapshot: Snapshot) -> None:
    """
    Only what changed is written again, and what it replaces is removed.
    """
    snapshot.save()
    before = set(files(snapshot.kept / "blocks"))
    with (snapshot.live / "points/page").open("r+b") as file:
        file.seek(BIG // 2)
        file.write(b"another")
    snapshot.save()
    after = set(files(snapshot.kept / "blocks"))

    assert len(before) > 16
    assert (1, 1) == (len(after - before), len(before - after))


@pytest.mark.parametrize("what", ["contents", "block", "missing"])
def test_damaged_copy_is_dropped(snapshot: Snapshot, what: str) -> None:
    """
    One flipped byte, or a block that is gone, and nothing of it is used.
    """
    snapshot.save()
    snapshot.clear(snapshot.live)
    victim = snapshot.kept / "contents"
    if what != "contents":
        victim = min((snapshot.kept / "blocks").iterdir())
    content = bytearray(victim.read_bytes())
    content[len(content) // 2] ^= 1
    victim.write_bytes(bytes(content))
    if what == "missing":
        victim.unlink()
    said: list[str] = []

    snapshot.restore(said.append)

    assert len(said) == 1
    assert not snapshot.is_live
    assert not snapshot.is_wanted


def test_full_memory_costs_no_copy(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Where the folder in memory is too small the copy stays, and nothing half is left.
    """
    snapshot.save()
    snapshot.clear(snapshot.live)
    before = files(snapshot.kept)

    def full(_file: object, _block: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as small:
        small.setattr(module, "_write_sparse", full)
        with pytest.raises(OSError, match="No space"):
            snapshot.restore(pytest.fail)

    assert files(snapshot.live) == {}
    assert files(snapshot.kept) == before
    assert snapshot.is_wanted


def test_index_that_is_thrown_away_does_not_come_back(snapshot: Snapshot) -> None:
    """
    A rebuild, as after forgetting, starts from nothing and not from the copy.
    """
    shelf = Shelf(
        *(snapshot.live, "", 384, pytest.fail, None),
        replace(snapshot, marker="manifest.sqlite"),
    )
    with shelf.opened(1):
        pass
    shelf.save_copy(1)
    with shelf.locked(1):
        shelf.wipe()

    with shelf.opened(1) as session:
        assert session.anew


def test_folder_of_somebody_else_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Another user who made it first, or left it open, gets none of our files.
    """
    monkeypatch.setattr(module, "SHARED_MEMORY", tmp_path)
    monkeypatch.setattr(module, "_is_in_memory", lambda _place: True)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    own = tmp_path / f"strata-{os.getuid()}"

    own.mkdir(mode=0o755)
    own.chmod(0o755)
    assert memory_folder(tmp_path) is None
    own.rmdir()
    own.symlink_to(tmp_path)
    assert memory_folder(tmp_path) is None
    own.unlink()
    folder = memory_folder(tmp_path)
    assert folder
    assert folder.parent == own


def test_folder_on_the_disk_is_not_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    What the system has mounted there decides, not the name.
    """
    mounts = tmp_path / "mounts"
    mounts.write_text(f"a / ext4 rw 0 0\nb {tmp_path}/shm tmpfs rw 0 0\n")
    monkeypatch.setattr(module, "_MOUNTS", mounts)
    monkeypatch.setattr(module, "SHARED_MEMORY", tmp_path / "shm")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    (tmp_path / "run").mkdir()

    assert memory_folder(tmp_path) is None
    (tmp_path / "shm").mkdir()
    assert memory_folder(tmp_path) is not None
