"""JSON text becomes values; the only place that knows which parser does it."""

from __future__ import annotations

import json
import re
from typing import Any

import orjson

# JSON of any shape.
Json = Any

_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def decode(text: str | bytes) -> Json:
    """
    Parse one JSON document.

    Raise `ValueError` if it is none. JavaScript cuts strings between the two halves of an
    emoji and writes the half that is left, which orjson refuses: such halves become U+FFFD,
    so that a message is not lost for the sake of an emoji.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        if not _HALF.search(text if isinstance(text, str) else text.decode("utf-8")):
            raise
    try:
        return _whole(json.loads(text))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _whole(value: Json) -> Json:
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    return value
