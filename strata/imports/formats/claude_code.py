"""What Claude Code keeps in `~/.claude/projects`: a file of JSON lines a session."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from strata.errors import SourceUnreadable
from strata.imports.json_streams import block_texts, lines
from strata.imports.moments import in_order
from strata.imports.talks import Skipped, Talk, Utterance

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.imports.bundles import Bundle
    from strata.imports.json_streams import Json
    from strata.imports.talks import Read

_FEW = 20
# Written by the program in the person's name, or by somebody it had sent.
_NOT_SAID = (
    "isMeta",
    "isSidechain",
    "isCompactSummary",
    "isVisibleInTranscriptOnly",
    "forkedFrom",
    "toolUseResult",
)
# What it puts around or beside words is in tags with names of several words.
_TAGGED = re.compile(r"<([a-z]+(?:[-_][a-z]+)+)(?:\s[^>\n]*)?>.*?</\1>", re.DOTALL)
_INTERRUPTED = re.compile(r"\[Request interrupted by user[^\]\n]*\]")
_TITLES = {"custom-title": "customTitle", "ai-title": "aiTitle", "summary": "summary"}


class ClaudeCode:
    """The sessions of Claude Code, in the folder where it keeps them."""

    name = "claude-code"

    def recognises(self, source: Bundle) -> bool:
        """Say whether files of JSON lines hold sessions of Claude Code."""
        return any(
            b'"sessionId"' in head and b'"parentUuid"' in head
            for name in source.names("*.jsonl")[:_FEW]
            for head in [source.head(name)]
        )

    def read(self, source: Bundle) -> Iterator[Read]:
        """Yield the sessions."""
        for name in source.names("*.jsonl"):
            try:
                yield from _session(source, name)
            except SourceUnreadable as error:
                yield Skipped.of(name, error)


def _session(source: Bundle, file: str) -> Iterator[Read]:
    entries, broken, title, project = [], 0, "", ""
    for told in lines(source, file):
        if told is None:
            broken += 1
            continue
        key = _TITLES.get(str(told.get("type")))
        title = str(told.get(key) or title) if key else title
        project = project or str(told.get("cwd") or "")
        if "uuid" in told:
            entries.append(_slim(told))
    if broken:
        yield Skipped(file, "damaged-lines")
    talk = Talk(PurePosixPath(file).stem, title, tuple(_said(entries)), project)
    if talk.utterances:
        yield talk
    elif not broken:
        yield Skipped(file, "empty")


def _slim(told: dict[str, Json]) -> dict[str, Json]:
    """Keep of a line its place, and what was said: what tools gave may be megabytes."""
    text = "" if any(told.get(each) for each in _NOT_SAID) else _text(told)
    role = told.get("type") if text else ""
    parent = told.get("parentUuid") or told.get("logicalParentUuid")
    place = {"uuid": told["uuid"], "parent": parent, "side": told.get("isSidechain")}
    return place | {"role": role, "text": text, "at": told.get("timestamp")}


def _said(entries: Sequence[dict[str, Json]]) -> Iterator[Utterance]:
    by_id = {each["uuid"]: each for each in entries}
    at: dict[str, Json] | None = next(
        (each for each in reversed(entries) if not each["side"]), None
    )
    branch: list[dict[str, Json]] = []
    while at and len(branch) < len(entries):
        branch.append(at)
        at = by_id.get(at["parent"])
    spoken = ((each["at"], each) for each in reversed(branch) if each["text"])
    for time, each in in_order(spoken, None):
        if each["role"] in {"user", "assistant"}:
            role = each["role"]
            yield Utterance(
                "user" if role == "user" else "assistant", each["text"], time
            )


def _text(told: dict[str, Json]) -> str:
    message = told.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    parts = [content] if isinstance(content, str) else block_texts(content)
    text = "\n\n".join(parts)
    if told.get("type") == "user":
        text = _INTERRUPTED.sub("", _TAGGED.sub("", text))
    return text.strip()


FORMAT = ClaudeCode()
