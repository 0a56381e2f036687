"""
The memories of mem0 as JSON: what its API and its open-source library return, and the
backup of OpenMemory.

`get_all()` gives a list of memories (the platform's API v1, the library before v1.1), or
since then one under ``results``; OpenMemory's backup (version 1) has ``memories.json``
with one under ``memories``. An export by a schema of one's own has no memories in it, only
what a model made of them, and is not read. All of it was worded by a model: nothing is
the owner's own word.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from strata.errors import SourceUnreadable
from strata.imports.json_streams import values
from strata.imports.moments import moment
from strata.imports.talks import Derived, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.imports.bundles import Bundle
    from strata.imports.json_streams import Json
    from strata.imports.talks import Read

_MOST_FILES = 50
_LISTS = ("results", "memories")
# Each has words of its own for these: Python, the platform, the library for Node.
_TEXTS = ("memory", "content")
_TIMES = ("created_at", "createdAt", "updated_at", "updatedAt")
_PEOPLE = ("user_id", "userId")
_OUT_OF_USE = frozenset({"deleted", "archived"})


class Mem0:
    """What mem0 or OpenMemory keeps, as JSON."""

    name = "mem0"

    def recognises(self, source: Bundle) -> bool:
        """Say whether a file of JSON holds a list of memories."""
        return bool(_files(source))

    def account(self, source: Bundle) -> str:
        """Return the id of the person whose memories these are, "" if none is told."""
        people = _people(source)
        return people[0] if len(people) == 1 else ""

    def read(self, source: Bundle) -> Iterator[Read]:
        """Yield the memories, unless they are those of several people."""
        if len(_people(source)) > 1:
            yield from (Skipped(name, "several-people") for name in _files(source))
            return
        for name, prefix in _files(source).items():
            try:
                for told in values(source, name, prefix):
                    yield _memory(told if isinstance(told, dict) else {}, name)
            except SourceUnreadable as error:
                yield Skipped.of(name, error)


def _memory(told: dict[str, Json], file: str) -> Read:
    text, own = _first(told, _TEXTS), _first(told, ("id",))
    if not text or not own:
        return Skipped(own or file, "unknown-shape")
    if told.get("state") in _OUT_OF_USE or told.get("deleted_at"):
        return Skipped(own, "out-of-use")
    times = (moment(told.get(each)) for each in _TIMES)
    return Derived(own, text.strip(), next(filter(None, times), None), "memory")


def _people(source: Bundle) -> list[str]:
    """Return the ids of all whose memories *source* holds."""
    found: dict[str, None] = {}
    for name, prefix in _files(source).items():
        with suppress(SourceUnreadable):
            for told in values(source, name, prefix):
                person = _first(told if isinstance(told, dict) else {}, _PEOPLE)
                found |= {person: None} if person else {}
    return list(found)


def _files(source: Bundle) -> dict[str, str]:
    """Return the names of the files with memories, each with where its list is."""
    found = {}
    for name in source.names("*.json")[:_MOST_FILES]:
        with suppress(SourceUnreadable):
            if (prefix := _prefix(source.head(name))) is not None:
                found[name] = prefix
    return found


def _prefix(head: bytes) -> str | None:
    """Return where the memories are in a file that begins with *head*, None if nowhere."""
    text = head.decode("utf-8-sig", "replace").lstrip()
    if text.startswith("["):
        return "item" if _is_memory(text[1:]) else None
    for key in _LISTS if text.startswith("{") else ():
        _, found, rest = text.partition(f'"{key}"')
        if found and (after := rest.lstrip(": \t\r\n")).startswith("["):
            return f"{key}.item" if _is_memory(after[1:]) else None
    return None


def _is_memory(text: str) -> bool:
    """Say whether *text* begins with a memory."""
    try:
        told, _ = json.JSONDecoder().raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return False
    if not isinstance(told, dict) or not isinstance(told.get("id"), str):
        return False
    # OpenMemory's have a state, and so are told from other things with contents.
    return isinstance(told.get("memory"), str) or {"content", "state"} <= told.keys()


def _first(told: dict[str, Json], keys: tuple[str, ...]) -> str:
    found = (told.get(key) for key in keys)
    return next((each for each in found if isinstance(each, str) and each.strip()), "")


FORMAT = Mem0()
