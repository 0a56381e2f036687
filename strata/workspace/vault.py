"""The data key of a memory, locked by the user's own key; that key is never stored."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import unicodedata
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from strata.errors import DecryptionFailed, KeyUnavailable, UsageError
from strata.messages import Notice
from strata.workspace.ciphers import KEY_BYTES, Cipher
from strata.workspace.layout import VAULTS, vault_root

KEY_VARIABLE = "STRATA_KEY"
KEYRING = ("strata", "memory")

VERSION = 1
_SHORTEST_KEY = 12
_RANDOM = "strata-key-"
_SCRYPT = {"n": 2**15, "r": 8, "p": 1}
_MOST_MEMORY = 64 * 1024 * 1024

# What is unlocked, by the id of the data key; and where the settings keep the user's key.
_ciphers: dict[str, Cipher] = {}
_key_file = ""


@dataclass(frozen=True, slots=True)
class Vault:
    """
    A locked data key: *wrapped* with what *kdf* and *salt* make of the user's key.

    *encrypts* is false while everything is being decrypted for good.
    """

    key_id: str
    encrypts: bool
    kdf: str
    salt: str
    wrapped: str
    version: int = VERSION

    def unlocked(self) -> Cipher:
        """Return the cipher; raise `KeyUnavailable` where the key is missing or wrong."""
        if self.key_id not in _ciphers:
            _ciphers[self.key_id] = self.opened_with(user_key())
        return _ciphers[self.key_id]

    def opened_with(self, key: UserKey) -> Cipher:
        """Return the cipher, by *key* and no other."""
        try:
            wrapped = base64.b64decode(self.wrapped)
            opened = self._outer(key).decrypt(wrapped, self._bound_to())
        except (DecryptionFailed, ValueError):
            raise KeyUnavailable.of("encryption.wrong-key", place=key.place) from None
        return Cipher(self.key_id, opened)

    def locked_with(self, key: UserKey, cipher: Cipher) -> Vault:
        """Return a vault with the data key of *cipher*, locked by *key*."""
        salt = base64.b64encode(os.urandom(16)).decode()
        kdf = "none" if _random_part(key.text) else "scrypt"
        fresh = replace(self, kdf=kdf, salt=salt)
        wrapped = fresh._outer(key).encrypt(cipher._key, fresh._bound_to())  # noqa: SLF001 - one thing in two parts
        return replace(fresh, wrapped=base64.b64encode(wrapped).decode())

    def text(self) -> str:
        """Return the vault as its file holds it."""
        return json.dumps(asdict(self), indent=1) + "\n"

    def _outer(self, key: UserKey) -> Cipher:
        return Cipher("", _derived(key.text, self.kdf, base64.b64decode(self.salt)))

    def _bound_to(self) -> bytes:
        return f"strata-vault:{self.version}:{self.key_id}:{self.encrypts}".encode()


@dataclass(frozen=True, slots=True)
class UserKey:
    """The user's own key, a passphrase or a random one, and where it was found."""

    text: str
    place: str


def new_vault(key: UserKey) -> tuple[Vault, Cipher]:
    """Return a vault with a fresh data key, locked by *key*, and its cipher."""
    cipher = Cipher(os.urandom(4).hex(), os.urandom(KEY_BYTES))
    empty = Vault(cipher.key_id, encrypts=True, kdf="", salt="", wrapped="")
    vault = empty.locked_with(checked(key), cipher)
    _ciphers[cipher.key_id] = cipher
    return vault, cipher


def checked(key: UserKey) -> UserKey:
    """Return *key*, or raise `UsageError` where it is too easy to guess."""
    if len(key.text) < _SHORTEST_KEY:
        raise UsageError.of(
            "encryption.short-key", place=key.place, shortest=_SHORTEST_KEY
        )
    return key


def vault_of(file: Path) -> Vault | None:
    """Return the vault of the memory in which *file* lies, None where there is none."""
    found = vault_root(file)
    return read_vault(found) if found else None


def read_vault(root: Path) -> Vault | None:
    """Return the vault of the workspace *root*, from the spare copy where need be."""
    there = [root / name for name in VAULTS if (root / name).exists()]
    for file in there:
        with suppress(OSError, ValueError, TypeError, KeyError):
            return _vault(json.loads(file.read_bytes()))
    if there:
        raise KeyUnavailable.of("encryption.vault-damaged", file=there[0])
    return None


def cipher_for(key_id: str, file: Path) -> Cipher:
    """Return the cipher that *file*, encrypted with the data key *key_id*, needs."""
    if key_id in _ciphers:
        return _ciphers[key_id]
    vault = vault_of(file)
    if vault is None:
        raise KeyUnavailable.of("encryption.vault-gone", file=file, vault=VAULTS[0])
    if vault.key_id != key_id:
        vault.unlocked()
        raise DecryptionFailed.of("encryption.other-memory")
    return vault.unlocked()


def unlock(file: Path, key_file: str) -> None:
    """Open the vault that *file* uses, if any; *key_file* may hold the user's key."""
    look_in(key_file)
    vault = vault_of(file)
    if vault:
        vault.unlocked()


def look_in(key_file: str) -> None:
    """Let the user's key be in *key_file*, as the settings say; "" is nowhere."""
    global _key_file  # noqa: PLW0603 - a key is the process's, as its environment is
    _key_file = key_file


def user_key(missing: str = "") -> UserKey:
    """
    Return the user's key: of the environment, of the key file, or of the keyring.

    Raise `KeyUnavailable`, which begins with *missing*, where it is in none of them.
    """
    if text := os.environ.get(KEY_VARIABLE, "").strip():
        return UserKey(text, KEY_VARIABLE)
    if _key_file:
        return key_in(Path(_key_file), "encryption.key_file")
    if key := _from_keyring():
        return key
    raise KeyUnavailable.of(
        "encryption.set-key",
        missing=missing or Notice("encryption.locked"),
        keyring=" ".join(KEYRING),
    )


def key_in(file: Path, place: str) -> UserKey:
    """Return the key that *file* holds."""
    try:
        text = file.expanduser().read_text("utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise KeyUnavailable.of(
            "encryption.unreadable-file", place=place, file=file, why=why
        ) from None
    if not text:
        raise KeyUnavailable.of("encryption.empty-file", place=place, file=file)
    return UserKey(text, place)


def random_key() -> str:
    """Return a key that nobody can guess, and that takes no time to use."""
    raw = base64.urlsafe_b64encode(os.urandom(KEY_BYTES)).decode().rstrip("=")
    return _RANDOM + raw


def _from_keyring() -> UserKey | None:
    try:
        import keyring  # noqa: PLC0415 - few have it
    except ImportError:
        return None
    try:
        text = keyring.get_password(*KEYRING)
    # Its backends raise errors of their own where no session is open.
    except Exception as error:  # noqa: BLE001
        raise KeyUnavailable.of("encryption.keyring", error=error) from None
    return UserKey(text, "the system's keyring") if text else None


def _random_part(text: str) -> bytes:
    """Return the bytes of a key that `random_key` made, none of any other."""
    if not text.startswith(_RANDOM):
        return b""
    with suppress(ValueError):
        raw = base64.urlsafe_b64decode(text.removeprefix(_RANDOM) + "=")
        return raw if len(raw) == KEY_BYTES else b""
    return b""


def _derived(text: str, kdf: str, salt: bytes) -> bytes:
    if kdf == "none":
        # Already as hard to guess as a key can be: nothing has to be slow.
        raw = _random_part(text)
        return hashlib.blake2b(salt, key=raw, digest_size=KEY_BYTES).digest()
    # The same word has two spellings in Unicode, and input methods differ.
    said = unicodedata.normalize("NFC", text).encode()
    return hashlib.scrypt(
        said, salt=salt, **_SCRYPT, maxmem=_MOST_MEMORY, dklen=KEY_BYTES
    )


def _vault(stored: dict[str, Any]) -> Vault:
    vault = Vault(**stored)
    if vault.version != VERSION or vault.kdf not in {"none", "scrypt"}:
        raise KeyUnavailable.of("encryption.newer")
    return vault
