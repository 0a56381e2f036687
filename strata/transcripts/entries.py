"""One entry of an OpenClaw transcript, of either era: from its JSON to plain values."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import orjson

from strata.models import IMPORTED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# What the parser returns is whatever somebody else's JSON holds.
Json = Any

_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC).timestamp()
_LATEST = datetime(2201, 1, 1, tzinfo=UTC).timestamp()
_MILLISECONDS_FROM = 10**11
_SPOKEN_ROLES = frozenset({"user", "assistant", "toolResult"})
_TEXT_PARTS = frozenset({"text", "input_text", "output_text"})
_CALL_PARTS = frozenset({"toolCall", "toolUse", "tool_use"})
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the assistant asked for; *arguments* is JSON of any shape."""

    id: str
    name: str
    arguments: Json


@dataclass(frozen=True, slots=True)
class Said:
    """
    What an entry of type ``message`` says, before any filtering.

    *text* is empty for tool results, whose *output* nobody said. *owner* is None where
    OpenClaw does not tell who sent it. *source* is the provider and model.
    """

    role: str
    text: str
    time: float
    calls: tuple[ToolCall, ...] = ()
    output: str = ""
    tool: str = ""
    call_id: str = ""
    failed: bool = False
    provenance: str = ""
    owner: bool | None = None
    source: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Entry:
    """
    One line or row: its place in the tree, and what was said if it is a message.

    *linked* tells an explicit ``parentId`` of null from a missing one. *time* is in
    seconds since the epoch. A malformed entry may still link its neighbours. The first
    one says in which *folder* it began, or of what project another tool took it to be.
    """

    id: str = ""
    parent: str | None = None
    linked: bool = False
    type: str = ""
    time: float | None = None
    side: bool = False
    target: str | None = None
    cursor: str | None = None
    said: Said | None = None
    malformed: bool = False
    folder: str = ""


BROKEN = Entry(malformed=True)


def parse_entry(line: Mapping[str, Json]) -> Entry:
    """Turn the JSON object of one transcript line into an entry; never raise."""
    kind = line.get("type")
    if not isinstance(kind, str):
        return _cold_record(line)
    if kind == "session":
        theirs = _field(line.get(IMPORTED), "project")
        folder = _name(line.get("cwd")) or _name(theirs)
        return Entry(type=kind, time=epoch(line.get("timestamp")), folder=folder)
    if kind == "message":
        return _message(line)
    if kind == "leaf" and "targetId" not in line:
        kind = "unusable leaf"
    return _link(line, kind, epoch(line.get("timestamp")), said=None)


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


def entry_in(text: str | bytes) -> Entry:
    """Return the entry that the JSON *text* is, a broken one where it is none."""
    try:
        event = decode(text)
    except ValueError:
        return BROKEN
    return parse_entry(event) if isinstance(event, dict) else BROKEN


def epoch(value: Json) -> float | None:
    """Seconds since the epoch of an ISO date or of milliseconds; None if impossible."""
    seconds = _seconds(value)
    return seconds if seconds and _EARLIEST <= seconds < _LATEST else None


def _seconds(value: Json) -> float | None:
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value / 1000 if value >= _MILLISECONDS_FROM else float(value)
    except (ValueError, OverflowError):
        pass
    return None


def _cold_record(line: Mapping[str, Json]) -> Entry:
    # OpenClaw's cold archives wrap each event: {"kind": "event", "row": {"event_json"}}.
    kind, row = line.get("kind"), line.get("row")
    if kind == "event" and isinstance(row, dict):
        return entry_in(row.get("event_json") or "")
    return Entry(type=kind) if isinstance(kind, str) else BROKEN


def _message(line: Mapping[str, Json]) -> Entry:
    message = line.get("message")
    if not isinstance(message, dict):
        return _link(line, "message", None, said=None, malformed=True)
    time = epoch(line.get("timestamp")) or epoch(message.get("timestamp"))
    role = message.get("role")
    if role not in _SPOKEN_ROLES:
        return _link(line, "message", time, None, malformed=not isinstance(role, str))
    text = _text(message.get("content"))
    if text is None or time is None:
        return _link(line, "message", time, said=None, malformed=True)
    return _link(line, "message", time, _said(message, role, text, time))


def _link(
    line: Mapping[str, Json],
    kind: str,
    time: float | None,
    said: Said | None,
    *,
    malformed: bool = False,
) -> Entry:
    target = _name(line.get("targetId")) or None if kind == "leaf" else None
    return Entry(
        id=_name(line.get("id")),
        parent=_name(line.get("parentId")) or None,
        linked="parentId" in line,
        type=kind,
        time=time,
        side=line.get("appendMode") == "side",
        target=target,
        cursor=_name(line.get("appendParentId")) or target,
        said=said,
        malformed=malformed,
    )


def _said(message: Mapping[str, Json], role: str, text: str, time: float) -> Said:
    if role == "toolResult":
        return Said(
            role="tool",
            text="",
            output=text,
            time=time,
            tool=_name(message.get("toolName")),
            call_id=_name(message.get("toolCallId")),
            failed=message.get("isError") is True,
        )
    provenance, marks = message.get("provenance"), message.get("__openclaw")
    return Said(
        role=role,
        text=text,
        time=time,
        calls=_calls(message["content"]) if role == "assistant" else (),
        provenance=_name(_field(provenance, "kind")),
        owner=_field(marks, "senderIsOwner"),
        source=(_name(message.get("provider")), _name(message.get("model"))),
    )


def _text(content: Json) -> str | None:
    if isinstance(content, str):
        return content
    return "\n".join(_texts(content)) if isinstance(content, list) else None


def _texts(parts: Iterable[Json]) -> Iterable[str]:
    for part in parts:
        text = _field(part, "text") if _field(part, "type") in _TEXT_PARTS else part
        if isinstance(text, str):
            yield text


def _calls(content: Json) -> tuple[ToolCall, ...]:
    if not isinstance(content, list):
        return ()
    return tuple(
        ToolCall(
            _name(part.get("id")),
            _name(part.get("name")),
            part.get("arguments", part.get("input")),
        )
        for part in content
        if _field(part, "type") in _CALL_PARTS
    )


def _field(value: Json, name: str) -> Json:
    return value.get(name) if isinstance(value, dict) else None


def _name(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _whole(value: Json) -> Json:
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    return value
