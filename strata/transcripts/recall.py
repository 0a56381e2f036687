"""What a tool call looks at; what it reads back of memory must not be learned again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.transcripts.entries import Json, ToolCall

_RECALL_TOOL = re.compile(
    r"(?:.*[_:.])?(?:memory|memories)[_-](?:search|get|recall|query|read|list)"
    r"|(?:.*[_:.])?strata[_-]+(?:query|get|recall|search)",
    re.IGNORECASE,
)
_RECALL_COMMAND = re.compile(
    r"\b(?:strata|qmd|memsearch)(?:\.py)?\b[^|;&\n]*\s(?:query|get|recall|search|vsearch)\b"
    r"|\bscripts/(?:query|get|recall)(?:\.py)?\b"
    r"|\bopenclaw\s+memory\s+(?:search|get)\b",
)
_MEMORY_FILE = re.compile(
    r"(?:^|[\s\"'/=])(?:MEMORY\.md|memory/(?:[^\s\"'|;&>]*(?:\.md|\*|/))?)"
    r"(?=$|[\s\"'|;&)])"
)
_APPENDS = re.compile(r">>?\s*[\"']?[^\s\"']*(?:MEMORY\.md|memory/)")
_READERS = frozenset({"read", "read_file", "view", "cat", "grep", "glob", "find", "ls"})
_SHELLS = frozenset({"exec", "bash", "shell", "process", "run"})
_PLACES = ("url", "uri", "href", "path", "file_path", "file", "filename")
_ADDRESS = re.compile(r"https?://[^\s\"'|;&<>]{1,300}")
_LONGEST_SOURCE = 300
_WRAPPERS = frozenset({"tool_call"})


def tool_name(call: ToolCall) -> str:
    """Name the tool that is meant; OpenClaw 2026.9 hides some behind ``tool_call``."""
    return _effective(call)[0]


def recalls(call: ToolCall) -> bool:
    """Whether the call brings back what memory already holds."""
    name, arguments = _effective(call)
    if _RECALL_TOOL.fullmatch(name):
        return True
    words = " ".join(_strings(arguments))
    if name in _READERS:
        return _MEMORY_FILE.search(words) is not None
    if name in _SHELLS:
        reads = _MEMORY_FILE.search(words) and not _APPENDS.search(words)
        return _RECALL_COMMAND.search(words) is not None or bool(reads)
    return False


def looked_at(call: ToolCall) -> str:
    """Return the address or the file that a tool was to look at, else its first words."""
    name, arguments = _effective(call)
    named = arguments if isinstance(arguments, dict) else {}
    places = [named.get(key) for key in _PLACES]
    words = [each for each in places if isinstance(each, str)] or _strings(arguments)
    told = words[0] if words else ""
    address = _ADDRESS.search(told) if name in _SHELLS else None
    return address[0] if address else told[:_LONGEST_SOURCE]


def _effective(call: ToolCall) -> tuple[str, Json]:
    inner = call.arguments
    if call.name in _WRAPPERS and isinstance(inner, dict):
        name = inner.get("id") or inner.get("name")
        if isinstance(name, str):
            return name.rsplit(":", 1)[-1], inner.get("args", inner.get("arguments"))
    return call.name, call.arguments


def _strings(value: Json) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for item in value for text in _strings(item)]
    return []
