"""A configuration in several files, as OpenClaw lets people write it: ``$include``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strata.errors import OpenClawNotFound
from strata.messages import Notice

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# Whatever the files hold.
Json = Any

DIRECTIVE = "$include"
# OpenClaw's own limit.
_DEEPEST = 10


def with_includes(
    value: Json, file: Path, read: Callable[[Path], Json], depth: int = 0
) -> Json:
    """
    Return *value*, which stands in *file*, with the files that it includes in their place.

    Several are merged, the later over the earlier, and what stands beside over them all.
    """
    if isinstance(value, list):
        return [with_includes(each, file, read, depth) for each in value]
    if not isinstance(value, dict):
        return value
    own = {
        key: with_includes(each, file, read, depth)
        for key, each in value.items()
        if key != DIRECTIVE
    }
    if DIRECTIVE not in value:
        return own
    if depth == _DEEPEST:
        raise OpenClawNotFound(
            Notice("openclaw.includes-itself", file=file, directive=DIRECTIVE)
        )
    named = value[DIRECTIVE]
    merged: Json = {}
    for name in named if isinstance(named, list) else [named]:
        path = file.parent / str(name)
        merged = _merged(merged, with_includes(read(path), path, read, depth + 1))
    return _merged(merged, own) if own else merged


def _merged(below: Json, above: Json) -> Json:
    if isinstance(below, dict) and isinstance(above, dict):
        both = {key: _merged(below[key], above[key]) for key in below.keys() & above}
        return {**below, **above, **both}
    if isinstance(below, list) and isinstance(above, list):
        return below + above
    return above
