"""What is read of OpenClaw's state folder of another machine, and of a workspace."""

from __future__ import annotations

import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders_import_formats import openclaw_state
from builders_imports import write_folder, write_zip
from builders_transcripts import SHARED, Script, Store, write_file, write_index

from strata.imports.bundles import Bundle
from strata.imports.formats import recognised
from strata.imports.talks import Derived, Read, Skipped, Talk
from strata.notes.words import LANGUAGES, words_in

if TYPE_CHECKING:
    from strata.models import Language

SAMPLE = SHARED / "openclaw" / "samples" / "openclaw-agent.sqlite"
JANUARY = datetime(2026, 1, 15, 12, tzinfo=UTC)


def read(source: Path) -> list[Read]:
    with Bundle(source) as bundle:
        found = recognised(bundle)
        assert found is not None
        assert "openclaw" == found.name
        return list(found.read(bundle))


def talks(found: list[Read]) -> list[Talk]:
    return [each for each in found if isinstance(each, Talk)]


def lines(found: list[Read]) -> list[tuple[str, datetime | None, str]]:
    return [
        (each.text, each.at, each.kind) for each in found if isinstance(each, Derived)
    ]


def test_state_folder_and_its_zip_say_the_same(tmp_path: Path) -> None:
    """
    Conversations of both eras come first, then the pages and notes of the workspace.
    """
    state = openclaw_state(tmp_path / "state")
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path, "state")

    found = read(state)

    first, second = sorted(talks(found), key=lambda talk: talk.id)
    assert "11111111-1111-4222-8333-444444444444" == first.id
    assert [("user", "I moved to Oslo."), ("assistant", "Noted.")] == [
        (each.role, each.text) for each in first.utterances
    ]
    assert datetime(2026, 2, 1, 9, 1, tzinfo=UTC) == first.utterances[0].at
    assert "My sister is Anna." == second.utterances[0].text
    assert [
        ("Prefers tea", JANUARY, "memory"),
        ("**Name:** Kim", None, "memory"),
        ("Bought a kettle.", JANUARY, "note"),
    ] == lines(found)
    again = read(Path(packed))
    assert {talk.id: talk for talk in talks(found)} == {
        talk.id: talk for talk in talks(again)
    }
    assert lines(found) == lines(again)


def test_only_what_a_person_said_alone_is_read(tmp_path: Path) -> None:
    """
    Groups, jobs and subagents are left out; secrets, and what was off the record, too.
    """
    scripts = [
        Script(id=f"{number}1d67a1b-1111-4222-8333-444444444444").header()
        for number in range(4)
    ]
    main, group, cron, quiet = scripts
    key = "sk-ant-api03-" + "Ab1" * 31 + "AA"
    main.user(f"The key is {key}").agent("Kept safe.")
    for script in (group, cron):
        script.user("Hello").agent("Hi")
    write_file(tmp_path, main)
    write_file(tmp_path, group)
    write_file(tmp_path, cron)
    write_file(tmp_path, quiet)
    write_index(
        tmp_path,
        agent__main__main={"sessionId": main.id},
        **{"agent__main__telegram__group__-1": {"sessionId": group.id}},
        agent__main__cron__1={"sessionId": cron.id},
        agent__main__telegram__direct__1={"sessionId": quiet.id},
    )

    found = read(tmp_path)

    (talk,) = talks(found)
    assert main.id == talk.id
    assert key not in talk.utterances[0].text
    assert {
        Skipped(group.id, "not-alone"),
        Skipped(cron.id, "not-alone"),
        Skipped(quiet.id, "empty"),
    } == {each for each in found if isinstance(each, Skipped)}


def test_each_agent_is_read(tmp_path: Path) -> None:
    """
    Whatever their names, and wherever in a zip the folder lies.
    """
    files = {
        f"backup/.openclaw/agents/{agent}/sessions/{agent}.jsonl": Script(id=agent)
        .header()
        .user(f"I am with {agent}.")
        .content()
        for agent in ("main", "second")
    }

    found = talks(read(write_zip(tmp_path / "a.zip", files)))

    assert {"main": "I am with main.", "second": "I am with second."} == {
        each.id: each.utterances[0].text for each in found
    }


@pytest.mark.skipif(not SAMPLE.is_file(), reason="the sample is not in this clone")
def test_store_of_a_real_gateway_is_read(tmp_path: Path) -> None:
    """
    One that OpenClaw 2026.9.6 wrote, with groups, jobs and subagents in it.
    """
    folder = tmp_path / "agents" / "main" / "agent"
    folder.mkdir(parents=True)
    shutil.copy(SAMPLE, folder)

    found = read(tmp_path)

    assert talks(found)
    assert {"not-alone"} <= {each.why for each in found if isinstance(each, Skipped)}
    assert ["openclaw-agent.sqlite"] == [each.name for each in folder.iterdir()]


def test_store_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """
    Damaged, or of a version to come: the workspace is read all the same.
    """
    damaged = openclaw_state(tmp_path / "damaged")
    newer = openclaw_state(tmp_path / "newer")
    store = "agents/main/agent/openclaw-agent.sqlite"
    whole = (damaged / store).read_bytes()
    (damaged / store).write_bytes(whole[:100] + b"\0" * 4000)
    with sqlite3.connect(newer / store) as database:
        database.execute("alter table session_windows rename to windows_v2")

    for source in (damaged, newer):
        found = read(source)

        assert [Skipped("main", "store-unread")] == found[:1]
        assert 3 == len(lines(found))


def test_copy_of_a_running_store_keeps_to_itself(tmp_path: Path) -> None:
    """
    What waits in its journal is read, and nothing is written beside it.
    """
    live = tmp_path / "live"
    store = Store(live)
    store.db.execute("pragma journal_mode=wal")
    store.add(Script().header().user("I moved to Oslo."))
    copy = tmp_path / "copy" / "agents" / "main" / "agent"
    copy.mkdir(parents=True)
    for end in ("", "-wal"):
        shutil.copy(f"{store.path}{end}", copy)
    before = {each.name for each in copy.iterdir()}

    (talk,) = talks(read(tmp_path / "copy"))

    assert "I moved to Oslo." == talk.utterances[0].text
    assert before == {each.name for each in copy.iterdir()}


def test_keys_of_an_agent_are_not_copied(tmp_path: Path) -> None:
    """
    Of a zip only conversations are unpacked: beside them lie keys to other services.
    """
    files: dict[str, object] = {
        "agents/main/sessions/a.jsonl": Script(id="a").header().user("Hello").content(),
        "agents/main/agent/auth-profiles.json": {"key": "secret"},
    }
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with Bundle(write_zip(tmp_path / "a.zip", files), scratch) as bundle:
        found = recognised(bundle)
        assert found is not None
        assert talks(list(found.read(bundle)))

        assert ["a.jsonl"] == [
            each.name for each in scratch.rglob("*") if each.is_file()
        ]
    assert not list(scratch.iterdir())


def test_zip_that_names_a_file_and_a_folder_alike_is_told(tmp_path: Path) -> None:
    """
    What cannot be unpacked is left out; the other conversations are read.
    """
    talk = Script(id="a").header().user("Hello").content()
    files: dict[str, object] = {
        "agents/main/sessions/a.jsonl": talk,
        "agents/main/sessions/b": b"",
        "agents/main/sessions/b/c.jsonl": talk,
    }

    found = read(write_zip(tmp_path / "a.zip", files))

    assert "a" == talks(found)[0].id
    assert Skipped("agents/main/sessions/b/c.jsonl", "unreadable") in found


def test_workspace_is_read_without_its_rules_and_other_people(tmp_path: Path) -> None:
    """
    Only its own pages and the notes in `memory` are memory.
    """
    files = {
        "MEMORY.md": "# Memory\n\n- Prefers tea <!-- trigger: tea -->\n- Prefers tea\n",
        "AGENTS.md": "- Be kind.\n",
        "users/bob/USER.md": "- Bob likes milk.\n",
        "skills/x/MEMORY.md": "- A skill.\n",
        "memory/2026-01-15-kettle.md": "- Bought a kettle.\n",
        "memory/.dreams/2026-01-16.md": "- A dream.\n",
        "memory/weeks/2026-W03.md": "- A week.\n",
        "memory/empty.md": "# Nothing\n",
        "notes/2026-01-17.md": "- No memory.\n",
    }

    found = read(write_folder(tmp_path, files))

    assert [
        ("Prefers tea", None, "memory"),
        ("Bought a kettle.", JANUARY, "note"),
    ] == lines(found)
    assert [Skipped("memory/empty.md", "empty")] == [
        each for each in found if isinstance(each, Skipped)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_head_of_a_page_of_ours_says_nothing(
    tmp_path: Path, language: Language
) -> None:
    """
    What Strata puts above each page is no line of memory, whatever ends its lines.
    """
    page = f"{words_in(language).top}\n## A\n\n- Prefers tea\n".replace("\n", "\r\n")
    write_folder(tmp_path, {"MEMORY.md": page.encode()})

    found = read(tmp_path / "MEMORY.md")

    assert ["Prefers tea"] == [text for text, *_ in lines(found)]


def test_single_page_is_read(tmp_path: Path) -> None:
    """
    Whoever has no more than a grown ``MEMORY.md`` names that.
    """
    write_folder(
        tmp_path, {"MEMORY.md": "Likes tea.\n\n## Work\n\n* Uses Postgres 16\n"}
    )

    found = read(tmp_path / "MEMORY.md")

    assert ["Likes tea.", "Uses Postgres 16"] == [text for text, *_ in lines(found)]
