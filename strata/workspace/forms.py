"""How encrypted files and lines look, so that they are known without any key."""

from __future__ import annotations

FILE = b"strata-encrypted-1 "
LINE = b"strata-line-1:"
SAYS = " encrypted by Strata: read it with `strata get PATH` 已加密".encode()
END = b"strata-encrypted-end"
# The longest first line that is looked at: one flipped byte must not make a file plain.
_HEADER_BYTES = 160


def is_encrypted(stored: bytes) -> bool:
    """
    Say whether *stored* is, or was before some byte flipped, an encrypted file.

    Programs that cannot read a note write to it all the same: what they add stands around.
    """
    begun = stored.startswith(FILE) or b"\n" + FILE in stored
    return begun or SAYS in stored[:_HEADER_BYTES]


def beginning(stored: bytes) -> int:
    """Return where, in an encrypted file, what is encrypted begins."""
    return 0 if stored.startswith(FILE) else stored.find(b"\n" + FILE) + 1


def is_wholly_encrypted(stored: bytes) -> bool:
    """Say whether *stored* is an encrypted file to which nobody has added anything."""
    return stored.startswith(FILE) and stored.rstrip().endswith(END)


def is_encrypted_line(stored: bytes) -> bool:
    """Say whether *stored* is an encrypted line."""
    return stored.startswith(LINE)


def has_encrypted_lines(stored: bytes) -> bool:
    """Say whether any line of *stored* is an encrypted one."""
    return stored.startswith(LINE) or b"\n" + LINE in stored


def key_of(stored: bytes) -> str:
    """Return the id of the key with which a file or line was encrypted."""
    if is_encrypted_line(stored):
        return stored.split(b":", 2)[1].decode("ascii", "replace")
    start = beginning(stored) + len(FILE)
    return (
        stored[start : start + _HEADER_BYTES].split(b" ")[0].decode("ascii", "replace")
    )
