"""Whose memory something is: the owner's, a group's or another person's, each apart."""

from __future__ import annotations

import hashlib
import json
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from strata.errors import Busy, NotFound, UsageError, WorkspaceUnavailable
from strata.messages import Notice
from strata.workspace.folders import clear_errors, make_private_folder
from strata.workspace.layout import SCOPES
from strata.workspace.replacing import write_once

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PRIVATE = "private"
# Not below memory/: OpenClaw's own memory_search finds all that lies there, whoever asks,
# and knows no folder beside it. Not below .strata: that can be deleted, and notes cannot.
FOLDER = SCOPES
_KEY = ".key"
_KEY_BYTES = 32
_SLUG = re.compile(r"(?:group|user)-[a-z0-9_]+-[0-9a-f]{20}")
_SESSION_KEY = (
    r"(?si)agent:[^:]+:(?:(?P<channel>[^:]+):)?(?:[^:]+:)?"
    r"(?P<kind>group|channel|room|direct|dm):(?P<id>.+?)"
    r"(?::(?:topic|thread|sender):.*)?"
)
SHARED = {"group", "channel", "room"}


@dataclass(frozen=True, slots=True)
class Scope:
    """
    A group or channel, or one person who is not the owner, as OpenClaw's keys name them.

    Topics and threads of a group are the group: the same people read them.
    """

    kind: Literal["group", "user"]
    channel: str
    id: str


def scope_of_key(key: str) -> Scope | None:
    """Return whom the session *key* names; None for one that names nobody."""
    # Compiled when it is wanted first: a question needs none.
    match = re.fullmatch(_SESSION_KEY, key)
    if match is None:
        return None
    shared = match["kind"].lower() in SHARED
    channel = (match["channel"] or "").lower()
    return Scope("group" if shared else "user", channel, match["id"])


class Scopes:
    """The scopes of the workspace *root* beside the private one."""

    def __init__(self, root: Path) -> None:
        self._folder = root / FOLDER

    def place(self, name: str) -> Path:
        """Return where the scope *name* has its workspace, or would have it."""
        slug = name.replace(":", "-", 1)
        if not _SLUG.fullmatch(slug):
            raise UsageError.of("scope.no-name", name=name)
        return self._folder / slug

    def names(self) -> list[str]:
        """Return the names of all scopes that have a memory: ``group:telegram-3f2a…``."""
        if not self._folder.is_dir():
            return []
        found = sorted(each.name for each in self._folder.iterdir() if each.is_dir())
        return [each.replace("-", ":", 1) for each in found if _SLUG.fullmatch(each)]

    def name(self, scope: Scope) -> str:
        """
        Return the name of *scope*, which tells nothing of who it is.

        It is made with a key of this workspace: a telephone number has too few digits for
        a hash without one.
        """
        parts = [scope.kind, scope.channel, scope.id]
        told = json.dumps(parts).encode()
        digest = hashlib.blake2b(told, key=self._key, digest_size=10).hexdigest()
        channel = re.sub(r"[^a-z0-9]+", "_", scope.channel)[:16].strip("_") or "any"
        return f"{scope.kind}:{channel}-{digest}"

    def by_scope(self, paths: Sequence[str] | None) -> dict[str, list[str] | None]:
        """
        Return *paths* as each scope has them, by its name; None is all of every one.

        They are relative to the private workspace, where a scope is a folder.
        """
        if paths is None:
            return dict.fromkeys([PRIVATE, *self.names()])
        found: dict[str, list[str] | None] = {}
        for path in paths:
            top, _, below = path.partition("/")
            slug, _, inner = below.partition("/")
            apart = top == FOLDER and _SLUG.fullmatch(slug)
            name = slug.replace("-", ":", 1) if apart else PRIVATE
            listed = found.setdefault(name, [])
            if listed is not None:
                listed.append(inner if apart else path)
        return found

    def make(self, name: str) -> Path:
        """Return the workspace of the scope *name*, made where it is missing."""
        place, file = self.place(name), self._folder / _KEY
        make_private_folder(place)
        with clear_errors(file):
            write_once(file, self._key.hex().encode())
        if _stored(file) != self._key:
            raise Busy.of("scope.just-made")
        return place

    def find(self, told: str) -> str:
        """
        Return the name of the scope that the owner calls *told*.

        A name as `names` has it, or the id of a chat, with or without its channel:
        ``group:telegram:-100123``, ``user:+4915112345``. Raise `NotFound`.
        """
        kind, _, rest = told.partition(":")
        if kind not in {"group", "user"} or not rest:
            raise UsageError.of("scope.none", told=told)
        known = self.names()
        meant = [told] if told in known else self._meant(kind, rest, known)
        if len(meant) != 1:
            listed = ", ".join(known) or "none yet"
            key = "scope.ambiguous" if meant else "scope.empty"
            raise NotFound(Notice(key, scope=told, listed=listed))
        return meant[0]

    def _meant(self, kind: str, rest: str, known: list[str]) -> list[str]:
        channel, _, below = rest.partition(":")
        channels = {each.split(":", 1)[1].rpartition("-")[0] for each in known}
        tried = [(each, rest) for each in sorted(channels | {""})]
        tried += [(channel.lower(), below)] if below else []
        group: Literal["group", "user"] = "group" if kind == "group" else "user"
        names = {self.name(Scope(group, *each)) for each in tried} if known else set()
        return sorted(names.intersection(known))

    @cached_property
    def _key(self) -> bytes:
        # Kept with the first scope that is made: to look changes nothing.
        return _stored(self._folder / _KEY) or os.urandom(_KEY_BYTES)


def _stored(file: Path) -> bytes:
    key = b""
    with suppress(OSError, ValueError):
        key = bytes.fromhex(file.read_text("ascii"))
    if not key and os.path.lexists(file):
        raise WorkspaceUnavailable.of("scope.record-damaged", file=file)
    return key
