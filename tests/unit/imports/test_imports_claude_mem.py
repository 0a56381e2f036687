"""What is read of the database of claude-mem."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from builders_import_formats import (
    CLAUDE_MEM_OLD_SCHEMA,
    CLAUDE_MEM_SCHEMA,
    ClaudeMemStore,
    claude_mem,
)
from builders_imports import LONG_AGO, MINUTE, Json

from strata.imports.bundles import Bundle
from strata.imports.formats import format_named, recognised
from strata.imports.talks import Derived, Skipped, Talk, Utterance

if TYPE_CHECKING:
    from pathlib import Path

    from strata.imports.talks import Read

FOREIGN = "create table notes (id integer primary key, text text);"


def read(source: Path) -> list[Read]:
    with Bundle(source) as bundle:
        found = recognised(bundle)
        assert found is not None
        assert "claude-mem" == found.name
        return list(found.read(bundle))


def test_prompts_are_the_owners_words_and_all_else_is_derived(tmp_path: Path) -> None:
    """
    A session is a talk in which only one spoke; facts, summaries and rules stand apart.
    """
    store = ClaudeMemStore(claude_mem(tmp_path / "claude-mem.db"), "")
    store.add("directives", content="Never push.", updated_at_epoch=0)
    store.add("directives", content="Old.", status="retired", updated_at_epoch=0)

    assert [
        Talk(
            "one",
            "The shop",
            (
                Utterance("user", "We keep PostgreSQL 16.", LONG_AGO + MINUTE),
                Utterance("user", "No ORM, please.", LONG_AGO + 2 * MINUTE),
            ),
            "shop",
        ),
        Derived("memory-1/memory-1-0", "PostgreSQL 16 stays", LONG_AGO, "memory"),
        Derived("memory-1/memory-1-1", "There is no ORM", LONG_AGO, "memory"),
        Derived("memory-1/summary-1-0", "Plan", LONG_AGO, "summary"),
        Derived("memory-1/summary-1-2", "Nothing new", LONG_AGO, "summary"),
        Derived("manual/instructions-1-0", "Never push.", LONG_AGO, "instructions"),
    ] == read(store.close())


def test_observation_without_facts_says_what_it_has(tmp_path: Path) -> None:
    """
    Its title and what is told below it, whatever its list of facts has become.
    """
    store = ClaudeMemStore(tmp_path / "claude-mem.db")
    own: Json = {"memory_session_id": "m", "project": "p", "type": "change"}
    store.add("observations", title="A", narrative="B", facts="[]", **own)
    store.add("observations", title="A", text="old", facts="not JSON", **own)
    store.add("observations", title="", narrative="B", facts='{"a": 1}', **own)
    store.add("observations", facts='["C", 5, " "]', **own)
    store.add("observations", **own)

    found = [each.text for each in read(store.close()) if isinstance(each, Derived)]

    assert ["A: B", "A: old", "B", "C"] == found


def test_older_schema_is_read(tmp_path: Path) -> None:
    """
    It has other names for sessions, and of the prompts the first alone.
    """
    store = ClaudeMemStore(tmp_path / "claude-mem.db", CLAUDE_MEM_OLD_SCHEMA)
    names: Json = {"claude_session_id": "one", "sdk_session_id": "m", "project": "shop"}
    store.add("sdk_sessions", user_prompt="We keep PostgreSQL 16.", **names)
    store.add(
        "observations", sdk_session_id="m", project="shop", text="A", type="feature"
    )

    assert [
        Talk(
            "one", "", (Utterance("user", "We keep PostgreSQL 16.", LONG_AGO),), "shop"
        ),
        Derived("m/memory-1-0", "A", LONG_AGO, "memory"),
    ] == read(store.close())


def test_newer_schema_makes_no_difference(tmp_path: Path) -> None:
    """
    Tables and columns that nobody has heard of are passed by, and so is one that is gone.
    """
    store = ClaudeMemStore(claude_mem(tmp_path / "claude-mem.db"), "")
    expected = read(tmp_path)
    store.db.executescript(
        "alter table user_prompts add column mood text default 'good';"
        "alter table observations drop column metadata;"
        "alter table session_summaries rename to summaries_v2;"
        "create table principles (id text primary key, content text);"
        "insert into schema_versions values (99, 99, '2027-01-01');"
    )

    found = read(store.close())

    assert [
        each for each in expected if "summary" not in getattr(each, "kind", "")
    ] == found


def test_database_of_another_shape_is_told(tmp_path: Path) -> None:
    """
    Whoever names the format gets one clear reason; by itself it is not recognised.
    """
    store = ClaudeMemStore(tmp_path / "claude-mem.db", FOREIGN)
    with Bundle(store.close()) as bundle:
        claude = format_named("claude-mem")

        assert not claude.recognises(bundle)
        assert [Skipped("claude-mem.db", "unknown-shape")] == list(claude.read(bundle))


def test_damaged_database_gives_what_it_has(tmp_path: Path) -> None:
    """
    A page that is gone, or all from some place on, is told, after what can be read.
    """
    store = ClaudeMemStore(tmp_path / "claude-mem.db")
    own: Json = {"memory_session_id": "m", "project": "p", "type": "change"}
    for number in range(1000):
        store.add("observations", narrative=f"{number} " + "x" * 500, **own)
    whole = store.close().read_bytes()
    half = len(whole) // 2
    rotten = whole[:half] + b"\xff" * 8192 + whole[half + 8192 :]

    for content, least in ((rotten, 100), (whole[:half], 0)):
        (tmp_path / "claude-mem.db").write_bytes(content)
        *found, damaged = read(tmp_path)

        assert Skipped("claude-mem.db", "store-unread") == damaged
        assert least <= len(found) < 1000


def test_what_no_person_asked_is_left_out(tmp_path: Path) -> None:
    """
    Messages of tasks, and the sessions of claude-mem's own model, are no talk.
    """
    store = ClaudeMemStore(tmp_path / "claude-mem.db")
    task = "<task-notification>\n<id>1</id>\n</task-notification>"
    asked = [
        ("one", "shop", f"{task} and go on"),
        ("one", "shop", task),
        ("two", "shop", task),
        ("three", "observer-sessions", "You observe."),
        ("stray", "", "Nobody knows this session."),
    ]
    for number, (session, project, text) in enumerate(asked):
        if project and session not in {each for each, *_ in asked[:number]}:
            store.add("sdk_sessions", content_session_id=session, project=project)
        store.add(
            "user_prompts",
            content_session_id=session,
            prompt_number=number,
            prompt_text=text,
        )

    found = read(store.close())

    assert [
        ("one", ["and go on"]),
        ("stray", ["Nobody knows this session."]),
    ] == [
        (each.id, [said.text for said in each.utterances])
        for each in found
        if isinstance(each, Talk)
    ]
    assert [Skipped("two", "empty"), Skipped("three", "tools-own")] == [
        each for each in found if isinstance(each, Skipped)
    ]


def test_running_database_is_read_to_its_last_row(tmp_path: Path) -> None:
    """
    What still waits in its journal is there; and of a copy nothing is left beside it.
    """
    live = ClaudeMemStore(
        tmp_path / "live" / "claude-mem.db", "pragma journal_mode=wal;"
    )
    live.db.executescript(CLAUDE_MEM_SCHEMA)
    live.add("user_prompts", content_session_id="a", prompt_number=1, prompt_text="Now")
    live.add("sdk_sessions", content_session_id="a", project="shop")
    copy = tmp_path / "copy"
    copy.mkdir()
    for end in ("", "-wal"):
        shutil.copy(f"{live.path}{end}", copy)
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", copy)

    sources = (live.path.parent, copy, type(copy)(packed))
    found = [read(each) for each in sources]

    said = (Utterance("user", "Now", LONG_AGO),)
    assert [[Talk("a", "", said, "shop")]] * 3 == found
    assert {"claude-mem.db", "claude-mem.db-wal"} == {
        each.name for each in copy.iterdir()
    }
    live.close()


def test_many_sessions_are_read_in_order(tmp_path: Path) -> None:
    """
    Each with its prompts in the order in which they were asked.
    """
    store = ClaudeMemStore(tmp_path / "claude-mem.db")
    store.db.execute("create index a on user_prompts (content_session_id)")
    store.db.executemany(
        "insert into sdk_sessions (content_session_id, project, started_at,"
        " started_at_epoch) values (?, 'p', '', ?)",
        ((f"s{number}", int(LONG_AGO.timestamp() * 1000)) for number in range(3000)),
    )
    store.db.executemany(
        "insert into user_prompts (content_session_id, prompt_number, prompt_text,"
        " created_at, created_at_epoch) values (?, ?, ?, '', ?)",
        (
            (f"s{number % 3000}", number // 3000, f"{number}", 1741597200000 + number)
            for number in range(9000)
        ),
    )
    store.db.commit()

    found = [each for each in read(store.close()) if isinstance(each, Talk)]

    assert [f"s{number}" for number in range(3000)] == [each.id for each in found]
    assert ["7", "3007", "6007"] == [each.text for each in found[7].utterances]
