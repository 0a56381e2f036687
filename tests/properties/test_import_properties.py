"""Whatever was said to another tool: its export says it, and nothing else."""

from __future__ import annotations

import json
from html import escape
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from builders_import_formats import (
    ACTIVITY,
    ClaudeMemStore,
    gemini_record,
    mem0_memory,
)
from builders_imports import (
    LONG_AGO,
    MINUTE,
    Said,
    chatgpt_talk,
    claude_talk,
    code_session,
    write_folder,
)
from builders_transcripts import Script, write_file
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.imports import json_lists
from strata.imports.bundles import Bundle
from strata.imports.formats import format_named
from strata.imports.talks import Derived, Read, Skipped, Talk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

# Letters, figures, marks and blanks of any script; markup has tests of its own.
LETTERS = st.characters(
    categories=("L", "N", "P", "Zs", "So"), exclude_characters="<⟦⟧"
)
WORDS = st.sampled_from(
    ["Always use pnpm.", "周报每周五下午发。", "a\nb", 'I\'m "Kim"', "\\u0041"]
)
TEXTS = (
    st.lists(WORDS | st.text(LETTERS, max_size=20), min_size=1, max_size=4)
    .map(" ".join)
    .map(lambda text: f"So {text.strip()}.")
)
ROLES = ("user", "assistant")


def in_turn(texts: list[str]) -> list[Said]:
    """
    *texts*, said by a person and a program by turns.
    """
    return [(ROLES[at % 2], text) for at, text in enumerate(texts)]


TALKS = st.lists(TEXTS, min_size=2, max_size=8).map(in_turn)


def read(form: str, source: Path) -> list[Read]:
    with Bundle(source) as bundle:
        return list(format_named(form).read(bundle))


def said_in(found: Sequence[Read]) -> list[list[Said]]:
    talks = [each for each in found if isinstance(each, Talk)]
    return [[(each.role, each.text) for each in talk.utterances] for talk in talks]


@given(st.lists(TALKS, min_size=1, max_size=3))
@settings(max_examples=50, deadline=None)
def test_talks_come_back_as_they_were_said(told: list[list[Said]]) -> None:
    """
    ChatGPT's, Claude's and Claude Code's exports give each word, by whom it was, in order.
    """
    names = [f"talk-{number}" for number, _ in enumerate(told)]
    named = list(zip(names, told, strict=True))
    exports: dict[str, dict[str, object]] = {
        "chatgpt": {"conversations.json": [chatgpt_talk(*each) for each in named]},
        "claude": {"conversations.json": [claude_talk(*each) for each in named]},
        "claude-code": {f"p/{name}.jsonl": code_session(name, t) for name, t in named},
    }
    for form, files in exports.items():
        with TemporaryDirectory() as folder:
            found = read(form, write_folder(Path(folder), files))

        assert told == said_in(found)
        assert names == [each.id for each in found if isinstance(each, Talk)]


# What comes from another agent is read as our own is, and so without secrets.
PLAIN = st.sampled_from(
    ["We keep PostgreSQL.", "周报每周五下午发。", "Tea, no milk.", "Why?"]
)


@given(st.lists(PLAIN, min_size=2, max_size=8).map(in_turn))
@settings(max_examples=40, deadline=None)
def test_agents_own_talk_comes_back(told: list[Said]) -> None:
    """
    So does a conversation with an agent of OpenClaw on another machine.
    """
    script = Script().header()
    for role, text in told:
        script = script.user(text) if role == "user" else script.agent(text)
    with TemporaryDirectory() as folder:
        write_file(Path(folder), script)
        found = read("openclaw", Path(folder))

    assert [told] == said_in(found)


@given(st.lists(TEXTS, min_size=2, max_size=6))
@settings(max_examples=40, deadline=None)
def test_prompts_come_back(told: list[str]) -> None:
    """
    So do prompts and answers of Gemini, and prompts that claude-mem has kept.
    """
    with TemporaryDirectory() as folder:
        records = [
            gemini_record(
                f"Prompted {text}", f"<p>{escape(text)}</p>", at=at, chats=["c"]
            )
            for text, at in zip(told, times(len(told)), strict=True)
        ]
        source = write_folder(Path(folder, "g"), {f"{ACTIVITY}.json": records})
        gemini = said_in(read("gemini", source))
        store = ClaudeMemStore(Path(folder, "m", "claude-mem.db"))
        own: dict[str, Any] = {"memory_session_id": "memory-1", "project": "shop"}
        store.add("sdk_sessions", content_session_id="one", **own)
        for number, text in enumerate(told, 1):
            prompt: dict[str, Any] = {"prompt_number": number, "prompt_text": text}
            store.add(
                "user_prompts",
                LONG_AGO + number * MINUTE,
                content_session_id="one",
                **prompt,
            )
        claude_mem = said_in(read("claude-mem", store.close().parent))

    # What is in HTML has no blanks but plain ones.
    blank = [" ".join(text.split()) for text in told]
    [talk] = gemini
    assert blank == [" ".join(text.split()) for role, text in talk if role == "user"]
    assert blank == [" ".join(text.split()) for role, text in talk if role != "user"]
    assert [[("user", text) for text in told]] == claude_mem


def times(count: int) -> list[datetime]:
    return [LONG_AGO + number * MINUTE for number in range(count)]


@given(st.lists(TEXTS, min_size=1, max_size=6))
@settings(max_examples=40, deadline=None)
def test_memories_come_back(told: list[str]) -> None:
    """
    What mem0 keeps comes as what another tool made, word by word.
    """
    listed = [mem0_memory(f"m{number}", text) for number, text in enumerate(told)]
    with TemporaryDirectory() as folder:
        source = write_folder(Path(folder), {"memories.json": {"results": listed}})
        found = read("mem0", source)

    assert told == [each.text for each in found if isinstance(each, Derived)]


@given(st.lists(TALKS, min_size=2, max_size=4), st.floats(0, 1))
@settings(max_examples=60, deadline=None)
def test_what_comes_before_a_cut_is_read(told: list[list[Said]], share: float) -> None:
    """
    Wherever a download broke off, the talks before it are there, and it is told once.
    """
    builders = {"chatgpt": chatgpt_talk, "claude": claude_talk}
    for form, build in builders.items():
        with TemporaryDirectory() as folder:
            listed = [build(f"talk-{n}", talk) for n, talk in enumerate(told)]
            source = write_folder(Path(folder), {"conversations.json": listed})
            file = source / "conversations.json"
            whole = file.read_bytes()
            file.write_bytes(whole[: int(share * (len(whole) - 1))])
            found = read(form, source)

        said = said_in(found)
        assert told[: len(said)] == said
        assert 1 == sum(isinstance(each, Skipped) for each in found)


SIGNS = st.text(st.sampled_from('[]{},:"\\\\/ab 据'), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | SIGNS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(SIGNS, inner, max_size=4)
    ),
    max_leaves=12,
)


@given(
    listed=st.lists(JSON, max_size=6),
    indent=st.sampled_from([None, 0, 2]),
    escaped=st.booleans(),
    chunk=st.integers(1, 40),
    most=st.integers(1, 60),
)
@settings(max_examples=300, deadline=None)
def test_lists_are_cut_into_their_elements(
    *, listed: list[Any], indent: int | None, escaped: bool, chunk: int, most: int
) -> None:
    """
    However JSON is written, and wherever a piece of it ends, each element comes whole.
    """
    told = json.dumps(listed, indent=indent, ensure_ascii=escaped).encode()

    with patch.object(json_lists, "_CHUNK_BYTES", chunk):
        whole = [*json_lists.elements(BytesIO(told), "a.json", len(told))]
        small = [*json_lists.elements(BytesIO(told), "a.json", most)]

    assert listed == [json.loads(each or "") for each in whole]
    for element, kept in zip(whole, small, strict=True):
        # White space around an element may count as well.
        assert kept in {element, None}
        assert kept is None or len(kept) <= most
