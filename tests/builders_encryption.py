"""An encrypted memory: keys that are nobody's, and a look at every byte of it."""

from __future__ import annotations

import base64
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from strata.workspace import vault
from strata.workspace.snapshot import memory_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest

KEY = "strata-key-" + base64.urlsafe_b64encode(bytes(range(32))).decode().rstrip("=")
OTHER = "strata-key-" + base64.urlsafe_b64encode(bytes(range(1, 33))).decode()[:43]
PHRASE = "竹林里的蓝色自行车与灯塔 1998"
_SHORTEST = 7
ALL_NOTES = "encryption.notes=memory/*"


def use_key(monkeypatch: pytest.MonkeyPatch, key: str = "") -> None:
    """
    Have *key* in the environment, or none, as a process that has just started.
    """
    vault._ciphers.clear()
    if key:
        monkeypatch.setenv("STRATA_KEY", key)
    else:
        monkeypatch.delenv("STRATA_KEY", raising=False)


@contextmanager
def own_memory(workspace: Path) -> Iterator[None]:
    """
    Leave nothing of *workspace* in the machine's memory.
    """
    try:
        yield
    finally:
        live = memory_folder(workspace.resolve())
        if live:
            shutil.rmtree(live, ignore_errors=True)


def spellings(words: str) -> list[bytes]:
    """
    Every form in which *words* could stand in a file, whole or in base64 of any phase.
    """
    plain = [words.encode(), words.encode("utf-16-le"), ascii(words)[1:-1].encode()]
    encoded = [
        base64.b64encode(bytes(phase) + words.encode())[4:-4] for phase in range(3)
    ]
    told = [*plain, words.encode().hex().encode()]
    # Of a short word too little is left for it to be told from chance.
    return told + [each for each in encoded if len(each) > _SHORTEST]


def holding(root: Path, *words: str) -> list[str]:
    """
    The files below *root* in which any of *words* stands in any form.
    """
    wanted = [each for word in words for each in spellings(word)]
    return [
        file.relative_to(root).as_posix()
        for file in sorted(root.rglob("*"))
        if file.is_file() and any(each in file.read_bytes() for each in wanted)
    ]


def contents(root: Path) -> dict[str, bytes]:
    """
    What each file below *root* holds, locks and the audit log aside.
    """
    apart = {"locks", "audit", "index", "drafts"}
    return {
        file.relative_to(root).as_posix(): file.read_bytes()
        for file in sorted(root.rglob("*"))
        if file.is_file() and apart.isdisjoint(file.relative_to(root).parts)
    }
