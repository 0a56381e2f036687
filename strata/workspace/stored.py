"""
Bytes as they lie on the disk, and what they say: encrypted where the user wants that.

Every file of memory is read through here and every file below `.strata` written through
here. A memory that is encrypted only in part, as after a crash, is read like any other.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from strata.errors import DecryptionFailed
from strata.workspace.folders import PRIVATE
from strata.workspace.forms import (
    has_encrypted_lines,
    is_encrypted,
    is_encrypted_line,
    key_of,
)
from strata.workspace.layout import vault_root

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from strata.workspace.ciphers import Cipher

# Below .strata: settings that are read before any key; what must be writable without one,
# and holds nothing that was said; and copies of files that are plain themselves.
_ALWAYS_PLAIN = frozenset(
    {
        *(".gitignore", "config.toml", "encryption.json"),
        *("audit", "backups", "locks", "spool"),
    }
)


def read(file: Path) -> bytes:
    """Return what *file* says."""
    return plain(file.read_bytes(), file)


def plain(stored: bytes, file: Path) -> bytes:
    """
    Return what *stored*, the bytes of *file*, says.

    Raise `KeyUnavailable` or `DecryptionFailed`. A line that cannot be decrypted stays as
    it is: a crash may have torn it, and it is no reason to stop.
    """
    if is_in_lines(file):
        if not has_encrypted_lines(stored):
            return stored
        return b"".join(plain_lines(BytesIO(stored), file))
    if not is_encrypted(stored):
        return stored
    try:
        return _cipher_for(stored, file).plain_file(stored, file.name)
    except DecryptionFailed as error:
        raise DecryptionFailed.of(
            "encryption.no-decrypting", file=file, error=error
        ) from None


def plain_lines(lines: Iterable[bytes], file: Path) -> Iterator[bytes]:
    """Yield what the stored *lines* of *file* say, each with the line feed that it has."""
    for line in lines:
        yield plain_stored_line(line, file)


def plain_stored_line(line: bytes, file: Path) -> bytes:
    """Return what the stored *line* of *file* says, with the line feed that it has."""
    return _plain_or_torn(line, file) if is_encrypted_line(line) else line


def to_store(content: bytes, file: Path) -> bytes:
    """Return the bytes that Strata's own *file* is to have for *content*."""
    if is_in_lines(file):
        return lines_to_store(BytesIO(content), file)
    return note_to_store(content, file) if is_private(file) else content


def lines_to_store(lines: Iterable[bytes], file: Path) -> bytes:
    """Return the bytes of *lines*, each with its line feed, for the end of *file*."""
    cipher = _cipher_of(file) if is_private(file) else None
    if cipher is None:
        return b"".join(lines)
    return b"".join(_line_to_store(line, file, cipher) for line in lines)


def note_to_store(content: bytes, file: Path) -> bytes:
    """Return the bytes that the note *file*, which is to be encrypted, is to have."""
    cipher = _cipher_of(file)
    return cipher.file(content, file.name) if cipher else content


def changed(content: bytes, file: Path, change: Callable[[bytes], bytes]) -> bytes:
    """Return the stored *content* of the note *file* with *change* made to what it says."""
    before = plain(content, file)
    after = change(before)
    if after == before:
        return content
    return note_to_store(after, file) if is_encrypted(content) else after


def is_private(file: Path) -> bool:
    """Say whether *file* is one of Strata's own that may hold what was said."""
    parts = file.parts
    if PRIVATE not in parts:
        return False
    return parts[parts.index(PRIVATE) + 1] not in _ALWAYS_PLAIN


def is_in_lines(file: Path) -> bool:
    """Say whether *file*, one of Strata's own, grows by lines that stand for themselves."""
    in_lines = file.suffix == ".jsonl" or file.name == "recalls.txt"
    return in_lines and PRIVATE in file.parts


def _cipher_of(file: Path) -> Cipher | None:
    """Return what encrypts *file*, None where its memory is not encrypted."""
    if vault_root(file) is None:
        return None
    from strata.workspace.vault import vault_of  # noqa: PLC0415 - few encrypt

    vault = vault_of(file)
    return vault.unlocked() if vault and vault.encrypts else None


def _cipher_for(stored: bytes, file: Path) -> Cipher:
    """Return what decrypts *stored*, a file or a line."""
    from strata.workspace.vault import cipher_for  # noqa: PLC0415 - few encrypt

    return cipher_for(key_of(stored), file)


def _line_to_store(line: bytes, file: Path, cipher: Cipher) -> bytes:
    said = line.rstrip(b"\n")
    if is_encrypted_line(line) or not said:
        return line
    return cipher.line(said, file.name) + line[len(said) :]


def plain_line(line: bytes, file: Path) -> bytes:
    """Return what an encrypted *line* of *file* says, or raise `DecryptionFailed`."""
    return _cipher_for(line, file).plain_line(line, file.name)


def _plain_or_torn(line: bytes, file: Path) -> bytes:
    sealed = line.rstrip(b"\n")
    try:
        return plain_line(sealed, file) + line[len(sealed) :]
    except DecryptionFailed:
        return line
