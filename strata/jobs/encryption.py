"""encryption: memory is encrypted or decrypted file by file, or gets another key."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from strata.errors import DecryptionFailed, KeyUnavailable, NotFound
from strata.jobs.tab import leave_tab
from strata.jobs.thinking import thinking
from strata.jobs.undoing.runs import alone, committed, run_id
from strata.messages import Notice, to_people
from strata.progress import silent
from strata.search.indexing.lock import exclusive
from strata.workspace import stored
from strata.workspace.forms import (
    has_encrypted_lines,
    is_encrypted,
    is_encrypted_line,
    is_wholly_encrypted,
)
from strata.workspace.layout import VAULTS
from strata.workspace.snapshot import snapshot_of
from strata.workspace.vault import Vault, look_in, new_vault, user_key, vault_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from strata.memory import Memory
    from strata.progress import Progress
    from strata.workspace.files import Workspace
    from strata.workspace.vault import UserKey

# Below .strata: brought along in another way, or gone in a moment.
_APART = {"index", "drafts"}
_INDEX_SECONDS = 60.0
# Where the index of a memory is that needs no folder in the machine's memory for it.
ON_DISK = "on the disk"


@dataclass(slots=True)
class Encryption:
    """
    How far a memory is encrypted: ``on``, ``off``, or ``unfinished``, after a crash.

    *encrypted* counts files; *plain* are those that should not be, *damaged* those that
    cannot be decrypted, with the line. *chosen* are notes that are to be encrypted.
    """

    state: str = "off"
    encrypted: int = 0
    chosen: int = 0
    index: str = ON_DISK
    plain: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)


def look(memory: Memory, *, decrypt: bool = True) -> Encryption:
    """Say what is encrypted, from the files; *decrypt* looks for damage, with the key."""
    private, found = memory.private, Encryption()
    vault = _vault(private)
    if vault is None:
        return found
    for workspace, file, wanted in _files(private):
        path = file.relative_to(workspace.root).as_posix()
        _look_at(file, path, found, wanted=wanted, decrypt=decrypt)
        found.chosen += wanted and not stored.is_private(file)
    found.state = "unfinished" if found.plain or not vault.encrypts else "on"
    snapshot = private.index_snapshot()
    found.index = str(snapshot.live) if snapshot else ON_DISK
    return found


def switch_on(memory: Memory, progress: Progress = silent) -> Encryption:
    """
    Encrypt what is to be encrypted, from now on and what is there.

    It may be killed anywhere and done again; what is half done is read like all else.
    """
    private = memory.private
    with thinking(private), alone(private, doing="encrypting"):
        vault = _vault(private)
        locked = _encrypting(vault, _key(private, new=vault is None))
        leave_tab(private)
        _keep(private, locked)
        for place in _places(private):
            _index_to_memory(place)
        _convert(private, progress)
        if private.shares:
            from strata.jobs.sharing.publishing import (  # noqa: PLC0415 - few share
                publish,
            )

            # What was shared before was shared of what lay in clear text.
            publish(private)
    return look(private)


def switch_off(memory: Memory, progress: Progress = silent) -> Encryption:
    """Decrypt everything; what cannot be decrypted stays as it is, and so does the key."""
    private = memory.private
    with thinking(private), alone(private, doing="decrypting"):
        vault = _vault(private)
        if vault is None:
            return Encryption()
        key = _key(private)
        cipher = vault.opened_with(key)
        if vault.encrypts:
            _keep(private, replace(vault, encrypts=False).locked_with(key, cipher))
        for place in _places(private):
            _index_to_disk(place)
        _convert(private, progress)
        found = look(private)
        if not (found.encrypted or found.damaged):
            _drop_vault(private)
            found.state = "off"
    return found


def change_key(memory: Memory, key: UserKey) -> None:
    """Lock the data key with *key*; nothing has to be encrypted anew."""
    private = memory.private
    with alone(private, doing="key"):
        vault = _vault(private)
        if vault is None:
            raise NotFound(Notice("encryption.not-encrypted"))
        cipher = vault.opened_with(_key(private))
        _keep(private, vault.locked_with(key, cipher))


def lock_of(memory: Memory) -> str:
    """Say why the key of an encrypted memory is missing or wrong, "" where it is not."""
    try:
        memory.unlock()
        # A process that runs on keeps the cipher, also when its key was taken away.
        if _vault(memory.private):
            _key(memory.private)
    except KeyUnavailable as error:
        return error.told
    return ""


def _vault(memory: Memory) -> Vault | None:
    return vault_of(memory.workspace.layout.private)


def _key(memory: Memory, *, new: bool = False) -> UserKey:
    look_in(memory.settings.encryption_key_file)
    return user_key(Notice("encryption.no-key")) if new else user_key()


def _encrypting(vault: Vault | None, key: UserKey) -> Vault:
    if vault is None:
        return new_vault(key)[0]
    if vault.encrypts and vault.opened_with(key):
        return vault
    return replace(vault, encrypts=True).locked_with(key, vault.opened_with(key))


def _keep(memory: Memory, vault: Vault) -> None:
    text = vault.text()
    with _committed(memory):
        memory.workspace.update(VAULTS[0], lambda _text: text)
    memory.workspace.write_private(memory.workspace.root / VAULTS[1], text.encode())


def _drop_vault(memory: Memory) -> None:
    memory.workspace.remove_private(memory.workspace.root / VAULTS[1])
    with _committed(memory):
        memory.workspace.remove(VAULTS[0], text=memory.workspace.read(VAULTS[0]))


def _committed(memory: Memory) -> AbstractContextManager[None]:
    run = run_id("encryption", memory.now.isoformat(), 0)
    return committed(memory, run, "encryption")


def _convert(memory: Memory, progress: Progress) -> None:
    """Store each file anew that lies on the disk in another form than it should."""
    files = list(_files(memory))
    with _committed(memory):
        for done, (workspace, file, _) in enumerate(files, 1):
            try:
                _store_anew(workspace, file)
            except DecryptionFailed as error:
                to_people(Notice("encryption.left", error=error))
            except (FileNotFoundError, NotFound):
                pass  # an event that was handled meanwhile
            progress(done, len(files))


def _store_anew(workspace: Workspace, file: Path) -> None:
    content = file.read_bytes()
    if not stored.is_private(file):
        path = file.relative_to(workspace.root).as_posix()
        if is_encrypted(content) or workspace.is_chosen(path):
            workspace.recode(path)
        return
    said, vault = stored.plain(content, file), vault_of(file)
    encrypts = vault is not None and vault.encrypts
    if _plain_parts(content, file) if encrypts else said != content:
        workspace.write_private(file, said)


def _look_at(
    file: Path, path: str, found: Encryption, *, wanted: bool, decrypt: bool
) -> None:
    content = file.read_bytes()
    if wanted and _plain_parts(content, file):
        found.plain.append(path)
    in_lines = stored.is_in_lines(file)
    encrypted = has_encrypted_lines(content) if in_lines else is_encrypted(content)
    found.encrypted += encrypted
    if encrypted and decrypt and not in_lines:
        found.damaged += _damaged(stored.plain, content, file, path)
    elif encrypted and decrypt:
        for number, line in enumerate(content.split(b"\n"), 1):
            if is_encrypted_line(line):
                place = f"{path}:{number}"
                found.damaged += _damaged(stored.plain_line, line, file, place)


def _damaged(
    decrypt: Callable[[bytes, Path], bytes], content: bytes, file: Path, place: str
) -> list[str]:
    try:
        decrypt(content, file)
    except DecryptionFailed:
        return [place]
    return []


def _plain_parts(content: bytes, file: Path) -> bool:
    """Say whether any of *content*, the bytes of *file*, can be read without a key."""
    if not stored.is_in_lines(file):
        return not is_wholly_encrypted(content)
    return any(
        line.strip() and not is_encrypted_line(line) for line in content.split(b"\n")
    )


def _places(memory: Memory) -> Iterator[Memory]:
    yield memory
    for scope in memory.scopes.names():
        yield memory.within(scope)


def _files(memory: Memory) -> Iterator[tuple[Workspace, Path, bool]]:
    """Yield each file that may be encrypted, where it is, and whether it is to be."""
    for place in _places(memory):
        workspace, vault = place.workspace, _vault(place)
        encrypts = vault is not None and vault.encrypts
        private, notes = workspace.layout.private, workspace.root / "memory"
        for file in [*sorted(private.rglob("*")), *sorted(notes.rglob("*"))]:
            path = file.relative_to(workspace.root).as_posix()
            if not file.is_file() or file.is_symlink() or path in VAULTS:
                continue
            if file.is_relative_to(notes):
                yield workspace, file, encrypts and workspace.is_chosen(path)
            elif path.split("/")[1] not in _APART and stored.is_private(file):
                yield workspace, file, encrypts


def _index_to_memory(memory: Memory) -> None:
    """Take a plain index off the disk; its encrypted copy is brought back when wanted."""
    folder = memory.workspace.layout.index_folder
    snapshot = memory.index_snapshot()
    if snapshot is None or not (folder / snapshot.marker).exists():
        return
    with exclusive(folder / "index.lock", patience_seconds=_INDEX_SECONDS):
        replace(snapshot, live=folder).save()
        snapshot.clear(folder)


def _index_to_disk(memory: Memory) -> None:
    folder = memory.workspace.layout.index_folder
    snapshot = snapshot_of(memory.workspace)
    if snapshot.is_live:
        lock = snapshot.live / "index.lock"
        with exclusive(lock, patience_seconds=_INDEX_SECONDS):
            snapshot.save()
            snapshot.clear(snapshot.live)
    on_disk = replace(snapshot, live=folder)
    with exclusive(folder / "index.lock", patience_seconds=_INDEX_SECONDS):
        if on_disk.is_wanted:
            on_disk.restore(to_people)
        snapshot.drop()
    shutil.rmtree(snapshot.live, ignore_errors=True)
