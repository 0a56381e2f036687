"""What kind of conversation a session is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from builders_transcripts import Script

from strata.models import SessionKind
from strata.transcripts.classification import (
    kind_of_entry,
    kind_of_key,
    kind_of_prompts,
)
from strata.transcripts.entries import Said, parse_entry


def said(script: Script) -> list[Said]:
    entries = [parse_entry(json.loads(line)) for line in script.lines]
    return [entry.said for entry in entries if entry.said]


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("agent:main:main", SessionKind.MAIN),
        ("agent:work:main", SessionKind.MAIN),
        ("global", SessionKind.MAIN),
        ("agent:main:telegram:direct:777", SessionKind.DIRECT),
        ("agent:main:main:thread:42", SessionKind.DIRECT),
        ("agent:main:explicit:my-own-id", SessionKind.DIRECT),
        ("agent:main:telegram:group:-100123", SessionKind.GROUP),
        ("agent:main:slack:channel:c1:thread:17.3", SessionKind.GROUP),
        ("agent:main:matrix:room:!x:server", SessionKind.GROUP),
        ("agent:main:cron:3c9abf06", SessionKind.CRON),
        ("agent:main:cron:3c9abf06:run:1", SessionKind.CRON),
        ("agent:main:main:heartbeat", SessionKind.HEARTBEAT),
        ("agent:main:subagent:41338fae", SessionKind.SUBAGENT),
        ("agent:main:cron:x:subagent:y", SessionKind.CRON),
        ("agent:main:telegram:direct:7:subagent:y", SessionKind.SUBAGENT),
        ("agent:main:hook:gmail:17", SessionKind.HOOK),
        ("agent:main:explicit:model-run-1234", SessionKind.PROBE),
        ("agent:main:internal-session-effects:flush", SessionKind.INTERNAL),
        ("agent:main:incognito:1234", SessionKind.INCOGNITO),
        ("agent:main:dashboard:incognito:12", SessionKind.INCOGNITO),
        ("AGENT:MAIN:CRON:X", SessionKind.CRON),
        ("", SessionKind.DIRECT),
    ],
)
def test_kind_by_key(key: str, kind: SessionKind) -> None:
    """
    The session key tells most kinds.
    """
    assert kind is kind_of_key(key)


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        ({}, SessionKind.DIRECT),
        ({"chatType": "direct"}, SessionKind.DIRECT),
        ({"chatType": "group"}, SessionKind.GROUP),
        ({"chatType": "channel"}, SessionKind.GROUP),
        ({"groupId": "-100123"}, SessionKind.GROUP),
        ({"spawnedBy": "agent:main:main"}, SessionKind.SUBAGENT),
        ({"createdVia": "cron"}, SessionKind.CRON),
        ({"createdVia": "run"}, SessionKind.DIRECT),
        ({"hookExternalContentSource": "gmail"}, SessionKind.HOOK),
        ({"incognito": True}, SessionKind.INCOGNITO),
        ({"heartbeatIsolatedBaseSessionKey": "agent:main:main"}, SessionKind.HEARTBEAT),
    ],
)
def test_kind_by_entry(entry: dict[str, object], kind: SessionKind) -> None:
    """
    Where the key says direct, the entry may know better.
    """
    assert kind is kind_of_entry("agent:main:webchat:direct:1", entry)
    assert kind_of_entry("agent:main:cron:x", entry) is SessionKind.CRON


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        ({}, SessionKind.MAIN),
        ({"chatType": "shared-main"}, SessionKind.MAIN),
        ({"chatType": "group"}, SessionKind.GROUP),
        ({"createdVia": "cron"}, SessionKind.CRON),
        ({"createdVia": "spawn"}, SessionKind.SUBAGENT),
        ({"createdVia": "plugin"}, SessionKind.INTERNAL),
        ({"createdVia": "internal"}, SessionKind.INTERNAL),
        ({"createdVia": "channel"}, SessionKind.MAIN),
        ({"spawnedBy": "agent:main:main"}, SessionKind.SUBAGENT),
        ({"hookExternalContentSource": "gmail"}, SessionKind.HOOK),
    ],
)
def test_kind_by_columns(columns: dict[str, Any], kind: SessionKind) -> None:
    """
    The SQLite store tells how a session came to be.
    """
    assert kind is kind_of_entry("agent:main:main", columns)


@pytest.mark.parametrize(
    ("prompts", "kind"),
    [
        ([], SessionKind.DIRECT),
        (["hello"], SessionKind.DIRECT),
        (["[cron:1 x] go", "[cron:1 x] again"], SessionKind.CRON),
        (["[cron:1 x] go", "thanks"], SessionKind.DIRECT),
        (["[Subagent Context] You are"], SessionKind.SUBAGENT),
        (["[OpenClaw heartbeat poll]"], SessionKind.HEARTBEAT),
        (["/new", "[cron:1 x] go"], SessionKind.CRON),
        (
            ["[Discord #flatmates] Ines: hi", "[Discord #flatmates] Ola: ho"],
            SessionKind.GROUP,
        ),
        (["[Telegram Friends id:-100123 2026-01-19 12:52] Leo: hi"], SessionKind.GROUP),
        (["[Telegram Nia id:703 2026-01-19 12:52] hi"], SessionKind.DIRECT),
        (
            ['Conversation info:\n```json\n{"is_group_chat": true}\n```'],
            SessionKind.GROUP,
        ),
        (["[Discord #x] pasted", "and what do you think?"], SessionKind.DIRECT),
    ],
)
def test_kind_by_first_prompts(prompts: list[str], kind: SessionKind) -> None:
    """
    A session that nothing lists is judged by its first prompts, all of them.
    """
    script = Script()
    for prompt in prompts:
        script.user(prompt).agent("ok")

    assert kind is kind_of_prompts(said(script))


@pytest.mark.parametrize(
    ("provenance", "kind"),
    [
        ("inter_session", SessionKind.SUBAGENT),
        ("internal_system", SessionKind.INTERNAL),
    ],
)
def test_kind_by_provenance(provenance: str, kind: SessionKind) -> None:
    """
    A machine that says who it is needs no words to be known by.
    """
    script = Script().user("check", provenance={"kind": provenance}).agent("ok")

    assert kind is kind_of_prompts(said(script))
