"""Contents that nobody reads without a key, in forms that say what they are."""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
from functools import cached_property
from typing import TYPE_CHECKING

from strata.errors import DecryptionFailed, NotInstalled
from strata.workspace.forms import END, FILE, LINE, SAYS, beginning

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES = 32

_NONCE_BYTES = 12


class Cipher:
    """
    AES-256-GCM with the data key *key*, which the text *key_id* names.

    What is encrypted is bound to the name of its file: no other file can take its place.
    Only the last part of a path counts, because notes move into the archive unread.
    """

    def __init__(self, key_id: str, key: bytes) -> None:
        self.key_id = key_id
        self._key = key

    def file(self, content: bytes, name: str) -> bytes:
        """Return *content* as the file *name* holds it: a line for people, then base64."""
        header = FILE + self.key_id.encode() + SAYS
        sealed = self.encrypt(content, header + os.fsencode(name))
        return header + b"\n" + base64.encodebytes(sealed) + END + b"\n"

    def line(self, content: bytes, name: str) -> bytes:
        """Return one line of the file *name*, without its line feed."""
        header = LINE + self.key_id.encode() + b":"
        sealed = self.encrypt(content, header + os.fsencode(name))
        return header + base64.b64encode(sealed)

    def plain_file(self, stored: bytes, name: str) -> bytes:
        """
        Undo `file`; raise `DecryptionFailed` where a single bit is another one.

        What was added before or after it, in plain, is part of what the file says.
        """
        begun = beginning(stored)
        body, _, after = stored[begun:].replace(b"\r\n", b"\n").partition(END)
        header, _, body = body.partition(b"\n")
        said = stored[:begun] + self._decoded(body.replace(b"\n", b""), header, name)
        after = after.removeprefix(b"\n")
        gap = b"\n" if after and said and not said.endswith(b"\n") else b""
        return said + gap + after

    def plain_line(self, stored: bytes, name: str) -> bytes:
        """Undo `line`; raise `DecryptionFailed` as `plain_file` does."""
        header, colon, body = stored.rpartition(b":")
        return self._decoded(body, header + colon, name)

    def encrypt(self, content: bytes, bound_to: bytes) -> bytes:
        """Return nonce and ciphertext of *content*, of use with *bound_to* alone."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._aead.encrypt(nonce, content, bound_to)

    def decrypt(self, sealed: bytes, bound_to: bytes) -> bytes:
        """Undo `encrypt`, or raise `DecryptionFailed`."""
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - see `_aead`

        nonce, rest = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        try:
            return self._aead.decrypt(nonce, rest, bound_to)
        except (InvalidTag, ValueError):
            raise DecryptionFailed.of("encryption.changed-or-renamed") from None

    def name_of(self, content: bytes) -> str:
        """Return a name for *content* that tells nothing of it to who has no key."""
        key = hashlib.blake2b(self._key, person=b"strata-names").digest()
        return hashlib.blake2b(content, key=key, digest_size=16).hexdigest()

    def _decoded(self, body: bytes, header: bytes, name: str) -> bytes:
        try:
            sealed = base64.b64decode(body, validate=True)
        except binascii.Error:
            raise DecryptionFailed.of("encryption.changed-or-cut") from None
        return self.decrypt(sealed, header + os.fsencode(name))

    @cached_property
    def _aead(self) -> AESGCM:
        try:
            # 26 ms that nobody pays who encrypts nothing.
            from cryptography.hazmat.primitives.ciphers.aead import (  # noqa: PLC0415
                AESGCM,
            )
        except ImportError:
            raise NotInstalled.of("encryption.extra") from None
        return AESGCM(self._key)
