"""What is read of the exports of ChatGPT, Claude.ai and Claude Code."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from builders_imports import (
    LONG_AGO,
    MINUTE,
    Json,
    chatgpt_message,
    chatgpt_talk,
    claude_talk,
    code_session,
    grow,
    write_folder,
    write_zip,
)

from strata.imports.bundles import Bundle
from strata.imports.formats import format_named, recognised
from strata.imports.talks import Derived, HasAccount, Skipped, Talk, Utterance

if TYPE_CHECKING:
    from pathlib import Path

    from strata.imports.talks import Read

SAID = [("user", "We keep PostgreSQL 16."), ("assistant", "It stays.")]


def read(source: Path, name: str) -> list[Read]:
    """
    All that *source* holds, which must be recognised as the format *name*.
    """
    with Bundle(source) as bundle:
        found = recognised(bundle)
        assert found is not None
        assert name == found.name
        return list(found.read(bundle))


def talks(source: Path, name: str) -> list[Talk]:
    return [each for each in read(source, name) if isinstance(each, Talk)]


@pytest.mark.parametrize("packed", [True, False])
def test_chatgpt_zip_and_folder_say_the_same(tmp_path: Path, *, packed: bool) -> None:
    """
    Conversations in one file or in numbered ones are read in the order of the files.
    """
    files = {
        "out/conversations-000.json": [chatgpt_talk("one", SAID)],
        "out/conversations-001.json": [chatgpt_talk("two", SAID, title="B")],
        "out/chat.html": "<html>conversations</html>",
        "out/shared_conversations.json": [{"id": "no"}],
        "out/user.json": {"id": "user-1", "email": "a@example.com"},
    }
    source = (
        write_zip(tmp_path / "a.zip", files)
        if packed
        else write_folder(tmp_path / "a", files)
    )

    found = talks(source, "chatgpt")

    assert ["one", "two"] == [each.id for each in found]
    assert "B" == found[1].title
    assert (
        Utterance("user", "We keep PostgreSQL 16.", LONG_AGO),
        Utterance("assistant", "It stays.", LONG_AGO + MINUTE),
    ) == found[0].utterances


def test_chatgpt_gives_the_branch_that_stands(tmp_path: Path) -> None:
    """
    What was edited or generated again leads nowhere, and is not read.
    """
    talk = chatgpt_talk("one", SAID)
    nodes, current = talk["mapping"], talk["current_node"]
    message = chatgpt_message("assistant", "MySQL it is.", LONG_AGO + 9 * MINUTE)
    grow(nodes, "dead", "one-0", message)

    (found,) = talks(write_folder(tmp_path, {"conversations.json": [talk]}), "chatgpt")
    talk["current_node"] = "dead"
    (other,) = talks(write_folder(tmp_path, {"conversations.json": [talk]}), "chatgpt")
    talk["current_node"] = None
    (latest,) = talks(write_folder(tmp_path, {"conversations.json": [talk]}), "chatgpt")

    assert current != "dead"
    assert "It stays." == found.utterances[-1].text
    assert "MySQL it is." == other.utterances[-1].text
    assert other == latest


def test_chatgpt_hides_what_nobody_saw(tmp_path: Path) -> None:
    """
    Hidden messages, tools, thoughts and calls are no talk; citation signs are no words.
    """
    talk = chatgpt_talk("one", SAID)
    nodes, last = talk["mapping"], talk["current_node"]
    at = LONG_AGO + 5 * MINUTE
    unseen = [
        chatgpt_message("system", "Be brief.", at),
        chatgpt_message("user", "Hidden.", at, hidden=True),
        chatgpt_message("tool", "A page says: always pay.", at),
        chatgpt_message("assistant", "import os", at, recipient="python"),
        chatgpt_message("assistant", "", at)
        | {"content": {"content_type": "thoughts", "thoughts": []}},
    ]
    for number, message in enumerate(unseen):
        last = grow(nodes, f"u{number}", last, message)
    spoken = {"content_type": "audio_transcription", "text": "Spoken aloud."}
    parts = [{"content_type": "image_asset_pointer", "asset_pointer": "x"}, spoken]
    voice = chatgpt_message("user", "", at)
    voice["content"] = {"content_type": "multimodal_text", "parts": parts}
    last = grow(nodes, "voice", last, voice)
    cited = chatgpt_message("assistant", "Yes.\ue200cite\ue202turn0search0\ue201", at)
    talk["current_node"] = grow(nodes, "cited", last, cited)

    (found,) = talks(write_folder(tmp_path, {"conversations.json": [talk]}), "chatgpt")

    said = [each.text for each in found.utterances[2:]]
    assert ["Spoken aloud.", "Yes."] == said


def test_chatgpt_memories_and_instructions_are_derived(tmp_path: Path) -> None:
    """
    What ChatGPT kept in mind comes apart from what was said, with its day.
    """
    talk = chatgpt_talk("one", SAID)
    nodes, last = talk["mapping"], talk["current_node"]
    context = chatgpt_message("assistant", "", LONG_AGO, hidden=True)
    context["content"] = {
        "content_type": "model_editable_context",
        "model_set_context": "1. [2024-05-03]. Likes tea.\n2. [2024-06-01]. Has a cat.",
    }
    last = grow(nodes, "context", last, context)
    profile = chatgpt_message("user", "", LONG_AGO, hidden=True)
    profile["content"] = {
        "content_type": "user_editable_context",
        "user_profile": "I am a nurse.",
        "user_instructions": "",
    }
    last = grow(nodes, "profile", last, profile)
    bio = chatgpt_message("assistant", "Moved to Porto.", LONG_AGO, recipient="bio")
    talk["current_node"] = grow(nodes, "bio", last, bio)

    found = read(write_folder(tmp_path, {"conversations.json": [talk]}), "chatgpt")

    derived = [each for each in found if isinstance(each, Derived)]
    assert [
        ("Likes tea.", "memory", datetime(2024, 5, 3, tzinfo=UTC)),
        ("Has a cat.", "memory", datetime(2024, 6, 1, tzinfo=UTC)),
        ("I am a nurse.", "instructions", LONG_AGO),
        ("Moved to Porto.", "memory", LONG_AGO),
    ] == [(each.text, each.kind, each.at) for each in derived]


def test_chatgpt_leaves_out_what_it_does_not_know(tmp_path: Path) -> None:
    """
    A conversation of another shape, an empty one, and one off the record say why.
    """
    listed = [
        {"conversation_id": "newer", "messages": []},
        chatgpt_talk("silent", []),
        chatgpt_talk("private", SAID, is_do_not_remember=True),
        chatgpt_talk("one", SAID),
        "no conversation",
    ]
    found = read(write_folder(tmp_path, {"conversations.json": listed}), "chatgpt")

    assert [
        Skipped("newer", "unknown-shape"),
        Skipped("silent", "empty"),
        Skipped("private", "off-the-record"),
        Skipped("conversations.json", "unknown-shape"),
    ] == [each for each in found if isinstance(each, Skipped)]


def test_times_that_are_missing_are_those_before(tmp_path: Path) -> None:
    """
    A message without a time was said when the one before it was, or when all began.
    """
    talk = chatgpt_talk("one", [*SAID, ("user", "And then?")])
    for name in ("one-0", "one-2"):
        talk["mapping"][name]["message"]["create_time"] = None

    (found,) = talks(write_folder(tmp_path, {"conversations.json": [talk]}), "chatgpt")

    assert [timedelta(), MINUTE, MINUTE] == [e.at - LONG_AGO for e in found.utterances]


def test_claude_gives_text_blocks_projects_and_memories(tmp_path: Path) -> None:
    """
    Of Claude.ai's blocks the text is said; projects name themselves, memories are derived.
    """
    talk = claude_talk("one", SAID, project={"uuid": "p1"})
    old = claude_talk("old", SAID)
    for message in old["chat_messages"]:
        message["content"] = []
        del message["parent_message_uuid"]
    files = {
        "conversations.json": [talk, old],
        "projects.json": [
            {
                "uuid": "p1",
                "name": "Greenhouse",
                "prompt_template": "Answer in verse.",
                "docs": [{"filename": "plan.pdf", "content": "…"}],
            }
        ],
        "memories.json": [
            {
                "conversations_memory": "**Work**\n\nKeeps bees.\n- Lives in Porto.",
                "project_memories": {"p1": "The greenhouse has two zones."},
                "account_uuid": "account-1",
            }
        ],
        "users.json": [{"uuid": "account-1", "email_address": "a@example.com"}],
    }
    source = write_zip(tmp_path / "a.zip", files)

    found = read(source, "claude")

    one, two = (each for each in found if isinstance(each, Talk))
    assert ("one", "Greenhouse") == (one.id, one.project)
    assert SAID == [(each.role, each.text) for each in one.utterances]
    assert one.utterances == two.utterances
    assert [
        ("Answer in verse.", "instructions"),
        ("Keeps bees.", "memory"),
        ("Lives in Porto.", "memory"),
        ("The greenhouse has two zones.", "memory"),
    ] == [(each.text, each.kind) for each in found if isinstance(each, Derived)]
    assert [Skipped("plan.pdf", "project-document")] == [
        each for each in found if isinstance(each, Skipped)
    ]


def test_claude_gives_the_branch_that_stands(tmp_path: Path) -> None:
    """
    What was asked again in other words stands, and not what was asked before.
    """
    talk = claude_talk("one", SAID)
    again = claude_talk("two", [("user", "We keep SQLite."), ("assistant", "Good.")])
    talk["chat_messages"] += again["chat_messages"]
    source = write_folder(tmp_path, {"conversations.json": [talk]})

    (found,) = talks(source, "claude")
    talk["current_leaf_message_uuid"] = "one-1"
    write_folder(tmp_path, {"conversations.json": [talk]})
    (chosen,) = talks(source, "claude")

    assert ["We keep SQLite.", "Good."] == [each.text for each in found.utterances]
    assert [text for _, text in SAID] == [each.text for each in chosen.utterances]


def test_claude_code_gives_what_was_typed_and_answered(tmp_path: Path) -> None:
    """
    Commands, tools, side chains and summaries of a session are no talk.
    """
    lines = code_session("one", SAID)
    last = lines[-1]
    quiet: list[Json] = [
        {"isMeta": True, "message": {"role": "user", "content": "Caveat: …"}},
        {"isCompactSummary": True, "message": {"role": "user", "content": "So far: …"}},
        {
            "message": {
                "role": "user",
                "content": "<command-name>/clear</command-name>\n"
                "<local-command-stdout></local-command-stdout>",
            }
        },
        {
            "message": {
                "role": "user",
                "content": [{"type": "tool_result", "content": "always pay"}],
            }
        },
        {
            "message": {
                "role": "user",
                "content": "<system-reminder>Be brief.</system-reminder>\nThank you.",
            }
        },
    ]
    for number, each in enumerate(quiet):
        line = {**last, "type": "user", "uuid": f"q{number}", **each}
        lines.append(line | {"parentUuid": lines[-1]["uuid"]})
    side = {**last, "uuid": "side", "parentUuid": "one-1", "isSidechain": True}
    lines += [side, {"type": "ai-title", "aiTitle": "Databases"}]
    source = write_folder(tmp_path, {"-home-a-b/one.jsonl": lines})

    (found,) = talks(source, "claude-code")

    assert ("one", "Databases", "/home/a/b") == (found.id, found.title, found.project)
    assert [*SAID, ("user", "Thank you.")] == [
        (each.role, each.text) for each in found.utterances
    ]


def test_claude_code_survives_torn_lines(tmp_path: Path) -> None:
    """
    A line that is no JSON is told, and a last one that is still being written is not.
    """
    lines = [json.dumps(each) for each in code_session("one", SAID)]
    lines.insert(1, '{"type": "user", "mess')
    text = "\n".join([*lines, '{"type": "assis'])
    source = write_folder(tmp_path, {"one.jsonl": text})

    damaged, talk = read(source, "claude-code")

    assert Skipped("one.jsonl", "damaged-lines") == damaged
    assert isinstance(talk, Talk)
    assert SAID == [(each.role, each.text) for each in talk.utterances]


def test_what_comes_before_the_damage_is_read(tmp_path: Path) -> None:
    """
    An export that was cut off, or is in no UTF-8 from some place on, gives what it has.
    """
    listed = [chatgpt_talk("one", SAID), chatgpt_talk("two", SAID, title="数据库")]
    whole = json.dumps(listed, ensure_ascii=False).encode()
    for content, why in (
        (whole[:-300], "cut-off"),
        # Within a letter, as most places in Chinese are.
        (whole[: whole.index("据".encode()) + 1], "cut-off"),
        (whole.replace(b"two", "tw\xe4".encode("latin-1")), "not-utf8"),
    ):
        source = write_folder(tmp_path, {"conversations.json": content})

        one, damaged = read(source, "chatgpt")

        assert isinstance(one, Talk)
        assert Skipped("conversations.json", why) == damaged


@pytest.mark.parametrize("name", ["conversations (1).json", "talks.json"])
def test_file_that_was_named_anew_is_read_alone(tmp_path: Path, name: str) -> None:
    """
    A browser counts what it downloads; a file that is given by itself is what it holds.
    """
    for form, talk in (
        ("chatgpt", chatgpt_talk("one", SAID)),
        ("claude", claude_talk("one", SAID)),
    ):
        folder = write_folder(tmp_path / form, {name: [talk]})

        (found,) = talks(folder / name, form)

        assert "one" == found.id


def test_conversations_below_a_key_are_told(tmp_path: Path) -> None:
    """
    A file that became an object says nothing that is known, and is not passed in silence.
    """
    for form, talk in (
        ("chatgpt", chatgpt_talk("one", SAID)),
        ("claude", claude_talk("one", SAID)),
    ):
        files = {"conversations.json": {"version": 2, "conversations": [talk]}}

        found = read(write_folder(tmp_path / form, files), form)

        assert [Skipped("conversations.json", "unknown-shape")] == found


def test_account_is_told(tmp_path: Path) -> None:
    """
    Exports that say whose they are do so before anything else is read.
    """
    files = {
        "conversations.json": [chatgpt_talk("one", SAID)],
        "user.json": {"id": "user-1"},
    }
    with Bundle(write_zip(tmp_path / "a.zip", files)) as bundle:
        chatgpt = format_named("chatgpt")

        assert isinstance(chatgpt, HasAccount)
        assert "user-1" == chatgpt.account(bundle)
