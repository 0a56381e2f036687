"""Changes to OpenClaw's configuration, and the way back from each of them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Values = Mapping[str, Any]  # Any: the configuration's own values


@dataclass(frozen=True, slots=True)
class Change:
    """
    One key that gets another value, and why.

    *before* is what stood there, None for nothing: OpenClaw's configuration has no nulls.
    *asked* says that the user had set it otherwise, so that consent to all is not enough.
    """

    path: tuple[str, ...]
    value: Any  # Any: what the key holds
    why: str
    before: Any = None
    asked: bool = False

    @property
    def name(self) -> str:
        """The key as OpenClaw's documentation writes it."""
        return ".".join(self.path)


def value_at(configuration: Values, path: Iterable[str]) -> Any:
    """Return what stands at *path*, None where there is nothing."""
    found: Any = configuration
    for key in path:
        if not isinstance(found, dict) or key not in found:
            return None
        found = found[key]
    return found


def listed_at(configuration: Values, path: Iterable[str]) -> list[str]:
    """Return the list of words at *path*, empty where there is none."""
    found = value_at(configuration, path)
    return [str(each) for each in found] if isinstance(found, list) else []


def forward(changes: Iterable[Change]) -> dict[str, Any]:
    """Return the patch that makes *changes*."""
    patch: dict[str, Any] = {}
    for change in changes:
        _put(patch, change.path, change.value)
    return patch


def changed(configuration: Values, changes: Iterable[Change]) -> dict[str, Any]:
    """Return what *configuration* becomes by *changes*."""
    result: dict[str, Any] = json.loads(json.dumps(dict(configuration)))
    for change in changes:
        table = result
        for key in change.path[:-1]:
            table = table.setdefault(key, {})
        table[change.path[-1]] = change.value
    return result


def backward(changes: Iterable[Change], configuration: Values) -> dict[str, Any]:
    """
    Return the patch that takes *changes* back, null where there was nothing.

    A key that the user has changed since is theirs. From a list only what was added goes.
    """
    patch: dict[str, Any] = {}
    undone = [
        (change, value)
        for change in changes
        if (value := _restored(change, value_at(configuration, change.path)))
        is not _KEPT
    ]
    remaining = json.loads(json.dumps(dict(configuration)))
    for change, value in undone:
        _set(remaining, change.path, value)
    for change, value in undone:
        path = change.path
        while value is None and len(path) > 1 and not value_at(remaining, path[:-1]):
            path = path[:-1]
        _put(patch, path, value)
    return patch


def value_without(change: Change, now: Any) -> Any:
    """Return what would stand there *now* if *change* had not been made."""
    restored = _restored(change, now)
    return now if restored is _KEPT else restored


def digest(configuration: Values) -> str:
    """Return what tells two configurations apart; OpenClaw's own stamp does not count."""
    known = {key: value for key, value in configuration.items() if key != "meta"}
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()


_KEPT = object()


def _restored(change: Change, now: Any) -> Any:
    if now == change.value:
        return change.before
    if isinstance(now, list) and isinstance(change.value, list):
        before = change.before or []
        added = [each for each in change.value if each not in before]
        left = [each for each in now if each not in added]
        return None if not left and change.before is None else left
    return _KEPT


def _put(patch: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for key in path[:-1]:
        inner = patch.setdefault(key, {})
        if not isinstance(inner, dict):
            return  # a table above goes as a whole
        patch = inner
    patch[path[-1]] = value


def _set(configuration: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    """Set *path*, and drop the tables above that become empty."""
    tables = [configuration]
    for key in path[:-1]:
        tables.append(tables[-1].get(key, {}))
    if value is not None:
        tables[-1][path[-1]] = value
        return
    tables[-1].pop(path[-1], None)
    for table, key in zip(reversed(tables[:-1]), reversed(path[:-1]), strict=True):
        if not table.get(key):
            table.pop(key, None)
