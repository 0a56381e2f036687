"""Whose a conversation is, what its memory is called, and who may ask for it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from builders import small_talk
from builders_memory import open_memory
from builders_scopes import CANARIES, LATER, open_agent, populate
from scripted_model import answering, says

from strata.cli import run
from strata.errors import (
    NotFound,
    ScopeNotAllowed,
    UsageError,
    WorkspaceUnavailable,
)
from strata.jobs.capturing.scoping import scope_of_asker
from strata.jobs.doctor import examine
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy, tidy_scopes
from strata.workspace.owners import whose
from strata.workspace.scopes import Scope, Scopes, scope_of_key

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

GROUP = "agent:main:telegram:group:-100123"
PERSON = "agent:main:telegram:direct:888"


@pytest.mark.parametrize(
    ("key", "scope"),
    [
        (GROUP, Scope("group", "telegram", "-100123")),
        (f"{GROUP}:topic:42", Scope("group", "telegram", "-100123")),
        ("agent:b:discord:channel:9:thread:7", Scope("group", "discord", "9")),
        ("agent:main:matrix:room:!aB:ex.org", Scope("group", "matrix", "!aB:ex.org")),
        ("agent:main:group:old", Scope("group", "", "old")),
        ("agent:main:telegram:work:direct:888", Scope("user", "telegram", "888")),
        ("agent:main:direct:alice", Scope("user", "", "alice")),
        ("agent:main:whatsapp:dm:+49151", Scope("user", "whatsapp", "+49151")),
        ("agent:main:main", None),
        ("", None),
    ],
)
def test_keys_name_whose_they_are(key: str, scope: Scope | None) -> None:
    """
    A session key tells the group or the person, and topics are their group's.
    """
    assert scope_of_key(key) == scope


@pytest.mark.parametrize(
    "chat",
    ["../../etc", "a/b", "..", "x" * 5000, "群聊", "\n", "-100123", "C0123", "c0123"],
)
def test_no_id_leads_out(tmp_path: Path, chat: str) -> None:
    """
    Whatever a chat or a channel is called, its folder lies in the one of all scopes.
    """
    scopes = Scopes(tmp_path)

    folder = scopes.make(scopes.name(Scope("group", chat, chat)))

    assert folder.parent == tmp_path / "scopes"
    assert folder.is_dir()


def test_names_differ_and_stay(tmp_path: Path) -> None:
    """
    Two scopes never share a name, a scope keeps its own, and no other workspace has it.
    """
    asked = [
        Scope("group", "telegram", "1"),
        Scope("user", "telegram", "1"),
        Scope("group", "slack", "1"),
        Scope("group", "slack", "C1"),
        Scope("group", "slack", "c1"),
        Scope("group", "sl-ack", "1"),
        Scope("group", "sl_ack", "1"),
    ]
    names = [Scopes(tmp_path / "a").name(each) for each in asked]
    scopes = Scopes(tmp_path / "a")
    first = [scopes.make(scopes.name(each)).name for each in asked]
    again = Scopes(tmp_path / "a")

    assert len({*first}) == len(asked)
    assert [again.make(again.name(each)).name for each in asked] == first
    assert not {*names} & {*(Scopes(tmp_path / "b").name(each) for each in asked)}


def test_scopes_are_found_by_what_they_are_called(tmp_path: Path) -> None:
    """
    A scope is named by its chat's id, with or without the channel, or by its own name.
    """
    scopes = Scopes(tmp_path)
    name = scopes.name(Scope("group", "telegram", "-100123"))
    scopes.make(name)

    assert scopes.find("group:-100123") == name
    assert scopes.find("group:Telegram:-100123") == name
    assert scopes.find(name) == name
    for unknown in ("group:-100124", "user:-100123", "group:slack:-100123"):
        with pytest.raises(NotFound, match="has no memory"):
            scopes.find(unknown)
    with pytest.raises(UsageError, match="no scope"):
        scopes.find("everybody")


@pytest.mark.parametrize(
    ("configuration", "channel", "peer", "expected"),
    [
        ({}, "telegram", "777", "unsure"),
        ({"channels": {"telegram": {}}}, "telegram", "777", "unsure"),
        (
            {"channels": {"telegram": {"allowFrom": ["777"]}}},
            "telegram",
            "777",
            "owner",
        ),
        (
            {"channels": {"telegram": {"allowFrom": ["777"]}}},
            "telegram",
            "888",
            "unsure",
        ),
        ({"channels": {"telegram": {"allowFrom": ["777"]}}}, "", "777", "owner"),
        ({"channels": {"telegram": {"allowFrom": ["777"]}}}, "slack", "777", "unsure"),
        ({"channels": {"telegram": {"allowFrom": [1, 2]}}}, "telegram", "1", "unsure"),
        ({"channels": {"telegram": {"dmPolicy": "open"}}}, "telegram", "1", "unsure"),
        (
            {"commands": {"ownerAllowFrom": ["telegram:777"]}},
            "telegram",
            "777",
            "owner",
        ),
        ({"commands": {"ownerAllowFrom": ["tg:777"]}}, "telegram", "777", "owner"),
        (
            {"commands": {"ownerAllowFrom": ["telegram:777"]}},
            "telegram",
            "888",
            "other",
        ),
        ({"commands": {"ownerAllowFrom": ["telegram:777"]}}, "slack", "777", "other"),
        ({"commands": {"ownerAllowFrom": ["+49151"]}}, "whatsapp", "49151", "owner"),
        ({"commands": {"ownerAllowFrom": ["telegram:777"]}}, "", "777", "owner"),
        ({"commands": {"ownerAllowFrom": ["telegram:777"]}}, "", "77", "other"),
        ({"commands": {"ownerAllowFrom": ["*"]}}, "telegram", "888", "unsure"),
        (
            {
                "commands": {"ownerAllowFrom": ["telegram:777"]},
                "session": {"identityLinks": {"Ada": ["telegram:777", "discord:9"]}},
            },
            "discord",
            "ada",
            "owner",
        ),
    ],
)
def test_configuration_tells_the_owner(
    configuration: dict[str, object], channel: str, peer: str, expected: str
) -> None:
    """
    The owner is whom ownerAllowFrom lists, or the one person whom allowFrom lists.

    Who was paired beside them stands in neither list.
    """
    assert whose(configuration, channel, peer) == expected


def captured(
    root: Path, key: str, configuration: Mapping[str, object]
) -> dict[str, str]:
    """
    Which notes a conversation under *key* leaves, by the kind of their scope.
    """
    talk = small_talk(root / "state")
    talk.key = key
    talk.save()
    (root / "state" / "openclaw.json").write_text(json.dumps(configuration))
    memory = open_memory(root, "2026-11-20T18:00:00+00:00", "capture.groups=true")
    report = sync(memory)
    scopes = {path.split("-")[0] for path in report.paths}
    return {
        "notes": ",".join(sorted(scopes)),
        "why": ",".join(r for _, r in report.skipped),
    }


def test_who_is_not_sure_is_left_out(tmp_path: Path) -> None:
    """
    Where several people are let in or paired and no owner is named, nothing is captured.

    The reason is told, and once the owner is named the conversation is captured.
    """
    let_in = {"channels": {"telegram": {"allowFrom": ["777", "888"]}}}
    paired = {"channels": {"telegram": {"dmPolicy": "pairing"}}}
    unsure = {"notes": "", "why": "not sure whose; see commands.ownerAllowFrom"}

    assert captured(tmp_path, PERSON, let_in) == unsure
    assert captured(tmp_path, PERSON, paired) == unsure
    names = {each.name for each in examine(open_memory(tmp_path), ask_gateway=False)}
    assert "owner" in names
    _, channel, _, account = PERSON.rsplit(":", 3)
    named = {"commands": {"ownerAllowFrom": [f"{channel}:{account}"]}}
    assert captured(tmp_path, PERSON, {**paired, **named})["why"] == ""


def test_emptied_key_of_the_folders_is_named(tmp_path: Path) -> None:
    """
    After a power cut nothing waits for another process, and no folder is made in vain.
    """
    group = Scope("group", "telegram", "-100123")
    made = Scopes(tmp_path).name(group)
    Scopes(tmp_path).make(made)
    key = tmp_path / "scopes" / ".key"
    key.write_bytes(b"")

    with pytest.raises(WorkspaceUnavailable, match="is damaged"):
        Scopes(tmp_path).name(group)


def test_group_keeps_its_memory_when_its_key_is_gone(tmp_path: Path) -> None:
    """
    What a group said before OpenClaw dropped its key goes on in the same notes.
    """
    captured(tmp_path, GROUP, {})
    index = tmp_path / "state" / "agents" / "main" / "sessions" / "sessions.json"
    index.write_text("{}")
    talk = small_talk(tmp_path / "state")
    talk.user("We also decided to rent the garage, because bikes need room.").agent(
        "Ok."
    )
    text = "\n".join(talk.lines)
    path = index.parent / f"{talk.id}.jsonl"
    path.write_text(path.read_text().splitlines()[0] + "\n" + text + "\n")

    memory = open_memory(tmp_path, "2026-11-20T19:00:00+00:00", "capture.groups=true")
    report = sync(memory)

    (path_of_note,) = report.paths
    assert path_of_note.startswith("scopes/group-telegram-")
    assert "garage" in memory.workspace.read(path_of_note)


def test_what_was_captured_before_stays(tmp_path: Path) -> None:
    """
    Blocks of a group in the private notes are left as they are, and doctor names them.
    """
    talk = small_talk(tmp_path / "state")
    talk.key = "agent:main:main"
    talk.save()
    memory = open_memory(tmp_path, "2026-11-20T18:00:00+00:00")
    sync(memory)
    journal = memory.workspace.layout.journal_file
    journal.write_text(journal.read_text().replace('"agent:main:main"', f'"{GROUP}"'))
    before = memory.workspace.read("memory/2026-11-20.md")

    captured(tmp_path, GROUP, {})

    assert memory.workspace.read("memory/2026-11-20.md") == before
    told = {each.name: each for each in examine(memory, ask_gateway=False)}
    assert "1 conversation" in told["group notes"].says


def test_asker_who_is_nobody_is_refused(tmp_path: Path) -> None:
    """
    A chat that no conversation names is the owner's only where the sender is the owner.
    """
    captured(tmp_path, GROUP, {"commands": {"ownerAllowFrom": ["telegram:777"]}})
    memory = open_memory(tmp_path)

    assert scope_of_asker(memory, chat="D9", sender="777") == "private"
    assert scope_of_asker(memory, chat="777", sender="") == "private"
    assert scope_of_asker(memory, chat="-100123", sender="777").startswith("group:")
    with pytest.raises(ScopeNotAllowed, match="ownerAllowFrom"):
        scope_of_asker(memory, chat="D9", sender="888")


# The operator speaks from outside, so there is neither a chat nor a sender.
SESSIONS = [
    ("agent:main:main", "private"),
    ("agent:main:notes", "private"),
    ("agent:main:cron:4f1c:run:9", "private"),
    ("agent:main:main:heartbeat", "private"),
    ("agent:main:dashboard:5e0c", "private"),
    ("agent:main:explicit:portal-123", "private"),
    ("agent:main:main:thread:1777244748", "private"),
    ("main", "private"),
    ("agent:main:heartbeat", "private"),
    ("agent:main:telegram:direct:777", "private"),
    ("agent:main:telegram:direct:777:heartbeat", "private"),
    ("agent:main:cron:group:1", "private"),
    ("agent:main:telegram:group:-100123:subagent:9", "group:"),
    ("agent:main:telegram:group:-100123:heartbeat", "group:"),
    ("agent:main:telegram:direct:888", "user:"),
    ("agent:main:telegram:group:-100123", "group:"),
    ("agent:main:telegram:group:-100123:topic:7", "group:"),
    ("agent:main:discord:channel:55", "group:"),
    # Kinds of chat that nobody has heard of yet.
    ("agent:main:newchat:space:55", ""),
    ("agent:main:newchat:space:heartbeat", ""),
    ("agent:main:acp:binding:discord:default:0a1b", ""),
    ("agent:main:acp:0b1", ""),
    ("agent:main:subagent:0b1", ""),
    ("", ""),
]


@pytest.mark.parametrize(("session", "scope"), SESSIONS)
def test_session_without_a_chat_says_who_asks(
    tmp_path: Path, session: str, scope: str
) -> None:
    """
    Where others talk to the agent too, what may work for them is answered nothing.
    """
    captured(tmp_path, GROUP, {"commands": {"ownerAllowFrom": ["telegram:777"]}})
    memory = open_memory(tmp_path)

    if scope:
        assert scope_of_asker(memory, session=session).startswith(scope)
    else:
        with pytest.raises(ScopeNotAllowed):
            scope_of_asker(memory, session=session)


@pytest.mark.parametrize("session", ["agent:main:subagent:0b1", ""])
def test_helper_asks_for_the_owner_where_nobody_else_talks(
    tmp_path: Path, session: str
) -> None:
    """
    There is nobody for whom it might work.
    """
    captured(tmp_path, "agent:main:main", {})

    assert scope_of_asker(open_memory(tmp_path), session=session) == "private"


@pytest.mark.parametrize("session", ["agent:b:main", GROUP.replace("main", "b")])
def test_conversation_of_another_agent_is_refused(tmp_path: Path, session: str) -> None:
    """
    What one agent asks is answered from its own memory, whichever is opened for it.
    """
    populate(tmp_path, era="sqlite")

    assert scope_of_asker(open_agent(tmp_path, "b"), session=session)
    assert scope_of_asker(open_agent(tmp_path), session="AGENT:Main:main") == "private"
    with pytest.raises(ScopeNotAllowed, match="the agent b asks"):
        scope_of_asker(open_agent(tmp_path), session=session)


def test_owner_in_a_new_group_asks_for_the_group(tmp_path: Path) -> None:
    """
    OpenClaw says the chat and the sender, and no conversation of it is listed yet.
    """
    captured(tmp_path, GROUP, {"commands": {"ownerAllowFrom": ["telegram:777"]}})
    memory = open_memory(tmp_path)
    new = "agent:main:telegram:group:-100999"

    found = scope_of_asker(memory, session=new, chat="-100999", sender="777")

    assert found.startswith("group:")


def test_no_question_to_a_model_mixes_scopes(tmp_path: Path) -> None:
    """
    A model is never shown words of two scopes in one question, and its answers are kept
    with those whose words they are about.
    """
    populate(tmp_path, era="sqlite")
    with answering(lambda _prompt: says({"facts": []})) as model:
        sync(open_agent(tmp_path, "main", LATER, *model.settings))
        night = open_agent(tmp_path, "main", LATER, *model.settings)
        tidy(night)
        tidy_scopes(night)

        shown = [{c for c in CANARIES.values() if c in each} for each in model.prompts]

    assert {len(each) for each in shown} <= {0, 1}
    assert set().union(*shown) >= {CANARIES["main"], CANARIES["other"]}
    caches = tmp_path.glob("workspace/scopes/user-*/.strata/cache/model/*")
    assert [*caches]


def test_agent_looks_after_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    A command for all agents, run by one of them, is done for that one.
    """
    populate(tmp_path, era="sqlite")
    monkeypatch.chdir(tmp_path / "workspace-b")
    monkeypatch.setenv("OPENCLAW_SHELL", "exec")

    run(["--state-dir", str(tmp_path / "state"), "doctor", "--json"])

    assert json.loads(capsys.readouterr().out).keys() == {"b"}
