"""What kind of conversation a session is, from its key, its entry, or its first prompts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.models import SessionKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from strata.transcripts.entries import Json, Said

_KEY_STARTS = (
    ("cron:", SessionKind.CRON),
    ("subagent:", SessionKind.SUBAGENT),
    ("hook:", SessionKind.HOOK),
    ("explicit:model-run-", SessionKind.PROBE),
    ("internal-session-effects:", SessionKind.INTERNAL),
    ("boot", SessionKind.INTERNAL),
    ("acp:", SessionKind.INTERNAL),
    ("dreaming-", SessionKind.INTERNAL),
    ("temp:", SessionKind.INTERNAL),
)
_SHARED = re.compile(r":(?:group|channel|room):")
_SHARED_CHATS = frozenset({"group", "channel", "room"})
_ENTRY_FIELDS = (
    ("incognito", SessionKind.INCOGNITO),
    ("heartbeatIsolatedBaseSessionKey", SessionKind.HEARTBEAT),
    ("spawnedBy", SessionKind.SUBAGENT),
    ("hookExternalContentSource", SessionKind.HOOK),
    ("groupId", SessionKind.GROUP),
)
_CREATED_VIA = {
    "cron": SessionKind.CRON,
    "spawn": SessionKind.SUBAGENT,
    "plugin": SessionKind.INTERNAL,
    "internal": SessionKind.INTERNAL,
}
# Kinds in which a person speaks with the agent alone.
PRIVATE = frozenset({SessionKind.MAIN, SessionKind.DIRECT})

_PROMPT_STARTS = (
    (re.compile(r"\[cron:"), SessionKind.CRON),
    (re.compile(r"\[Subagent (?:Context|Task)\]"), SessionKind.SUBAGENT),
    (re.compile(r"\[OpenClaw heartbeat poll\]"), SessionKind.HEARTBEAT),
    (re.compile(r"Read HEARTBEAT\.md if it exists"), SessionKind.HEARTBEAT),
)
_COMMANDS = ("/", "A new session was started via /new")
_CHANNEL = (
    r"\[(?:Discord|Slack|Telegram|WhatsApp|Signal|Matrix|iMessage|MSTeams|Feishu)"
)
_GROUP_STAMP = re.compile(
    rf"{_CHANNEL}[^\]\n]*?(?: #| group\b| channel\b|id:-100| id:[\w-]*@g\.us)",
    re.IGNORECASE,
)
_GROUP_ENVELOPE = re.compile(
    r'"is_group_chat": ?true|"group_subject": ?"|"chat_type": ?"(?:group|channel)"'
)


def kind_of_key(key: str) -> SessionKind:
    """Tell from a session key alone: ``agent:<agent>:<what>``."""
    parts = key.lower().split(":", 2)
    rest = parts[2] if len(parts) > 2 and parts[0] == "agent" else key.lower()  # noqa: PLR2004 - agent, its id, the rest
    if "incognito" in rest.split(":"):
        return SessionKind.INCOGNITO
    for start, kind in _KEY_STARTS:
        if rest.startswith(start):
            return kind
    if rest.endswith(":heartbeat") or rest == "heartbeat":
        return SessionKind.HEARTBEAT
    if ":subagent:" in rest:
        return SessionKind.SUBAGENT
    if _SHARED.search(f":{rest}"):
        return SessionKind.GROUP
    return SessionKind.MAIN if rest in ("main", "global") else SessionKind.DIRECT


def kind_of_entry(key: str, entry: Mapping[str, Json]) -> SessionKind:
    """Tell from what OpenClaw's index or store says about the session *key*."""
    kind = kind_of_key(key)
    if kind not in PRIVATE:
        return kind
    for name, told in _ENTRY_FIELDS:
        if entry.get(name):
            return told
    if entry.get("chatType") in _SHARED_CHATS:
        return SessionKind.GROUP
    return _CREATED_VIA.get(str(entry.get("createdVia")), kind)


def kind_of_prompts(said: Iterable[Said]) -> SessionKind:
    """
    Guess from the first messages of a session that no index lists.

    An older window of the main chat and that of a cron job look alike from outside; only
    if all prompts are of one other kind is it taken for that.
    """
    first = None
    for message in said:
        is_command = message.text.lstrip().startswith(_COMMANDS)
        if message.role == "user" and not is_command:
            kind = _kind_of_prompt(message)
            if kind is SessionKind.DIRECT or kind is not (first or kind):
                return SessionKind.DIRECT
            first = kind
    return first or SessionKind.DIRECT


def _kind_of_prompt(prompt: Said) -> SessionKind:
    text = prompt.text.lstrip()
    for start, kind in _PROMPT_STARTS:
        if start.match(text):
            return kind
    if prompt.provenance == "inter_session":
        return SessionKind.SUBAGENT
    if prompt.provenance == "internal_system":
        return SessionKind.INTERNAL
    if _GROUP_STAMP.match(text) or _GROUP_ENVELOPE.search(text[:4000]):
        return SessionKind.GROUP
    return SessionKind.DIRECT
