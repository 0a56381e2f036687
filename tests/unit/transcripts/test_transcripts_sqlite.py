"""The SQLite store: rows, active branch, archives, and files that are none of it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from builders_transcripts import GREETED, MAIN, SHARED, Script, Store, pack

from strata.errors import Busy, TranscriptUnreadable, UnsupportedStore
from strata.models import Session, SessionKind
from strata.transcripts.openclaw import Transcripts

SAMPLE = SHARED / "openclaw" / "samples" / "openclaw-agent.sqlite"
needs_sample = pytest.mark.skipif(
    not SAMPLE.exists(), reason="the samples are not beside this checkout"
)


def read(state: Path) -> list[str]:
    transcripts = Transcripts(state)
    (session,) = transcripts.sessions()
    return [message.text for message in transcripts.read(session)]


def only_session(state: Path) -> Session:
    (session,) = Transcripts(state).sessions()
    return session


def greeting() -> Script:
    return Script().header().user(GREETED[0]).agent(GREETED[1])


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.mark.parametrize("packed", [False, True])
def test_rows_are_read_plain_and_compressed(state: Path, *, packed: bool) -> None:
    """
    A row is JSON text or a zstd frame; both give the same messages.
    """
    Store(state).add(greeting(), packed=packed)

    assert [*GREETED] == read(state)


def test_dead_rows_stay_dead(state: Path) -> None:
    """
    Rows that are not on the active branch are not read.
    """
    script = greeting().user("retried").user("second try").agent("done")
    Store(state).add(script, dead=frozenset({3}))

    assert [*GREETED, "second try", "done"] == read(state)


@pytest.mark.parametrize("how", ["rebuild", "missing"])
def test_active_branch_is_found_without_openclaws_list(state: Path, how: str) -> None:
    """
    While OpenClaw rebuilds its list of active rows, the links of the rows tell the path.
    """
    script = greeting()
    tip = script.last
    script.user("dead").rewind(tip).user("alive")
    store = Store(state)
    store.add(script, dead=frozenset(range(9)) if how == "missing" else frozenset())
    if how == "rebuild":
        store.db.execute("update session_transcript_index_state set needs_rebuild = 1")
    store.db.commit()

    assert [*GREETED, "alive"] == read(state)


def test_broken_rows_are_counted(state: Path) -> None:
    """
    A row that is no JSON, or does not decompress, is malformed and nothing more.
    """
    store = Store(state)
    store.add(greeting().raw("not json").raw("[1]").user("after"), packed=True)
    store.db.execute("update transcript_events set event_zstd = x'00' where seq = 1")
    store.db.commit()
    transcripts = Transcripts(state)
    (session,) = transcripts.sessions()

    outline = transcripts.outline(session)

    assert outline.malformed_lines == 3
    assert [GREETED[1], "after"] == read(state)


def test_store_is_read_while_the_gateway_writes(state: Path) -> None:
    """
    What another connection has committed is seen, and what it is doing is no obstacle.
    """
    script = greeting()
    store = Store(state)
    store.db.execute("pragma journal_mode = wal")
    store.add(script)
    script.user("written a moment ago")
    store.extend(script, 3)
    store.db.execute("update session_windows set updated_at = 1")

    assert [*GREETED, "written a moment ago"] == read(state)
    store.db.rollback()


def test_reading_goes_on_when_the_gateway_starts_in_between(state: Path) -> None:
    """
    A long conversation is read to its end although the file comes into use meanwhile.
    """
    script = Script()
    for number in range(1000):
        script.user(f"message {number}")
    store = Store(state)
    store.db.execute("pragma journal_mode = wal")
    store.add(script)
    store.db.close()
    transcripts = Transcripts(state)
    (session,) = transcripts.sessions()
    messages = transcripts.read(session)
    first = next(messages)

    gateway = sqlite3.connect(store.path)
    gateway.execute("update session_windows set updated_at = 2")
    gateway.commit()
    rest = list(messages)
    gateway.close()

    assert [1, *range(2, 1001)] == [each.number for each in (first, *rest)]


def test_reading_leaves_no_trace(state: Path) -> None:
    """
    A store that nobody has open is read without a file appearing beside it.
    """
    store = Store(state)
    store.db.execute("pragma journal_mode = wal")
    store.add(greeting())
    store.db.close()
    before = {path: path.stat().st_mtime_ns for path in state.rglob("*")}

    read(state)

    assert before == {path: path.stat().st_mtime_ns for path in state.rglob("*")}


READ_AS_NOBODY = """
import os, sys, urllib.parse
sys.path.insert(0, sys.argv[1])
from pathlib import Path
import strata.transcripts.announced
from strata.errors import StrataError
from strata.transcripts.openclaw import Transcripts
if os.getuid() == 0:
    os.setgid(65534); os.setuid(65534)
try:
    transcripts = Transcripts(Path(sys.argv[2]))
    (session,) = transcripts.sessions()
    print([message.text for message in transcripts.read(session)])
except StrataError as error:
    print(type(error).__name__, error)
"""


def read_as_nobody(state: Path) -> str:
    root = Path(__file__).parents[3]
    for folder in (state, *state.parents):
        if folder.is_relative_to(Path(os.environ.get("TMPDIR", "/tmp"))):  # noqa: S108 - only compared
            folder.chmod(folder.stat().st_mode | 0o055)
    for path in state.rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    command = [sys.executable, "-c", READ_AS_NOBODY, str(root), str(state)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    for path in (state, *state.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_read_only_folder_is_read(state: Path) -> None:
    """
    Nothing needs to be written next to a store that was closed properly.
    """
    store = Store(state)
    store.db.execute("pragma journal_mode = wal")
    store.add(greeting())
    store.db.close()

    assert str([*GREETED]) in read_as_nobody(state)


def test_read_only_folder_with_unfinished_writes_is_refused(state: Path) -> None:
    """
    What a crash left in the journal cannot be seen without writing, so nothing is guessed.
    """
    store = Store(state)
    store.db.execute("pragma journal_mode = wal")
    store.add(greeting())
    wal = Path(f"{store.path}-wal").read_bytes()
    store.db.close()
    Path(f"{store.path}-wal").write_bytes(wal)

    assert "UnsupportedStore" in read_as_nobody(state)


def test_locked_store_is_busy(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A lock that does not go away is a reason to try again later.
    """
    monkeypatch.setattr("strata.transcripts.sqlite_file._BUSY_SECONDS", 0.01)
    store = Store(state)
    store.add(greeting())
    store.db.execute("pragma locking_mode = exclusive")
    store.db.execute("begin exclusive")
    store.db.execute("update session_windows set updated_at = 1")

    with pytest.raises(Busy, match="locked by another process"):
        read(state)

    store.db.rollback()


@pytest.mark.parametrize(
    ("version", "advice"), [(24, "update Strata"), (22, "OpenClaw")]
)
def test_unknown_schema_version_is_named(
    state: Path, version: int, advice: str
) -> None:
    """
    A store of another schema stops the reading with version, file and advice.
    """
    store = Store(state)
    store.add(greeting())
    store.db.execute(f"pragma user_version = {version}")

    with pytest.raises(UnsupportedStore) as caught:
        Transcripts(state).sessions()

    message = str(caught.value)
    assert str(version) in message
    assert str(store.path) in message
    assert advice in message
    assert "\n" not in message


@pytest.mark.parametrize(
    "content", [b"no database at all", b"", b"SQLite format 3\x00" + b"x" * 5000]
)
def test_something_else_under_the_name_is_refused(state: Path, content: bytes) -> None:
    """
    A file that is no database, an empty one and a damaged one give one clear line.
    """
    store = Store(state)
    store.db.close()
    store.path.write_bytes(content)

    with pytest.raises(UnsupportedStore) as caught:
        Transcripts(state).sessions()

    assert str(store.path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_database_of_another_program_is_refused(state: Path) -> None:
    """
    A foreign SQLite file is told from a store of conversations.
    """
    store = Store(state)
    store.db.close()
    store.path.unlink()
    foreign = sqlite3.connect(store.path)
    foreign.execute("create table recipes (name text)")
    foreign.commit()
    foreign.close()

    with pytest.raises(UnsupportedStore, match="no store of OpenClaw conversations"):
        Transcripts(state).sessions()


def test_store_that_lacks_a_table_is_refused(state: Path) -> None:
    """
    A store of the right version that is incomplete names what it lacks.
    """
    store = Store(state)
    store.db.execute("drop table session_transcript_active_events")

    with pytest.raises(UnsupportedStore, match="session_transcript_active_events"):
        Transcripts(state).sessions()


def test_optional_tables_may_be_missing(state: Path) -> None:
    """
    OpenClaw creates the archive tables with the first archive.
    """
    store = Store(state)
    store.add(greeting())
    for table in (
        "session_transcript_archives",
        "session_transcript_cold_archives",
        "session_transcript_index_state",
        "transcript_rewrite_watermarks",
    ):
        store.db.execute(f"drop table {table}")

    assert [*GREETED] == read(state)


def test_agent_database_before_the_move_is_no_store(state: Path) -> None:
    """
    OpenClaw 2026.6.5 to 2026.7.1 has the file, but keeps conversations as JSON lines.
    """
    store = Store(state)
    store.db.execute("drop table transcript_events")
    store.db.execute("pragma user_version = 2")

    assert Transcripts(state).sessions() == []


@pytest.mark.parametrize("packed", [False, True])
def test_deleted_conversation_is_read_from_its_archive(
    state: Path, *, packed: bool
) -> None:
    """
    What OpenClaw deletes it archives first, with the key it had.
    """
    Store(state).archive(greeting(), "agent:main:telegram:direct:7", packed=packed)

    session = only_session(state)

    assert (session.kind, session.listed) == (SessionKind.DIRECT, False)
    assert [*GREETED] == read(state)


def test_deleted_group_is_still_a_group(state: Path) -> None:
    """
    The archive of a group chat does not become a private conversation.
    """
    Store(state).archive(greeting(), "agent:main:telegram:group:-1", packed=True)

    assert only_session(state).kind is SessionKind.GROUP


@pytest.mark.parametrize("place", ["sqlite", "sessions", "agent"])
def test_cold_conversation_is_read(state: Path, place: str) -> None:
    """
    Cold storage is a blob in the store or a file in either folder.
    """
    script = greeting()
    tip = script.last
    script.user("dead").rewind(tip).user("alive")
    store = Store(state)
    store.add(script)
    archive = store.freeze(script, file=place != "sqlite")
    cold = state / "agents" / "main" / place / "cold"
    if place != "sqlite":
        cold.mkdir(parents=True)
        (cold / ("a" * 64 + ".jsonl.zst")).write_bytes(archive)

    assert [*GREETED, "alive"] == read(state)


def test_lost_cold_file_is_reported(state: Path) -> None:
    """
    A cold archive that is gone is an error of that conversation, not an empty one.
    """
    store = Store(state)
    store.add(greeting())
    store.freeze(greeting(), file=True)

    with pytest.raises(TranscriptUnreadable, match="restore it from a backup"):
        read(state)


def test_conversation_that_thawed_is_read_once(state: Path) -> None:
    """
    Rows and an archive of the same messages give each message once.
    """
    script = greeting()
    store = Store(state)
    store.add(script)
    store.freeze(script, file=False)
    store.extend(script.user("again"), 0)

    assert [*GREETED, "again"] == read(state)


@pytest.mark.parametrize(
    "change",
    [
        "append",
        "update session_transcript_index_state set leaf_event_id = 'x'",
        "update session_transcript_index_state set active_event_count = 1",
        "rewrite",
        "archive",
        "update session_windows set transcript_updated_at = 9",
    ],
)
def test_fingerprint_follows_every_change(state: Path, change: str) -> None:
    """
    Growing, rewinding, rewriting and archiving change the fingerprint; reading does not.
    """
    script = greeting()
    store = Store(state)
    store.add(script)
    before = only_session(state).fingerprint
    assert before == only_session(state).fingerprint

    if change == "append":
        store.extend(script.user("more"), 3)
    elif change == "archive":
        store.archive(script, MAIN, packed=True)
    elif change == "rewrite":
        row = (script.id, "g2", 1)
        store.db.execute(
            "insert into transcript_rewrite_watermarks values (?, ?, ?)", row
        )
        store.db.commit()
    else:
        store.db.execute(change)
        store.db.commit()

    assert before != only_session(state).fingerprint


def test_windows_of_one_key_are_conversations_of_their_own(state: Path) -> None:
    """
    An idle reset starts another session id under the same key.
    """
    store = Store(state)
    store.add(greeting())
    store.add(Script(id="bfa857a5-0dc7-466a-9264-bf6c6195cdbf").user("x"), updated_at=1)

    sessions = Transcripts(state).sessions()

    assert [session.key for session in sessions] == [MAIN, MAIN]
    assert len({session.id for session in sessions}) == 2


def test_damaged_page_is_an_error_of_its_conversation(state: Path) -> None:
    """
    Damage in the rows of one conversation does not keep the others back.
    """
    store = Store(state)
    store.add(greeting())
    bad = Script(id="bfa857a5-0dc7-466a-9264-bf6c6195cdbf")
    for number in range(3000):
        bad.user(f"message {number} " + "x" * 200)
    store.add(bad)
    store.db.close()
    content = bytearray(store.path.read_bytes())
    place = content.index(b"message 1500 ") // 4096 * 4096
    content[place : place + 4096] = b"\xff" * 4096
    store.path.write_bytes(content)
    transcripts = Transcripts(state)
    good, damaged = sorted(transcripts.sessions(), key=lambda each: each.id)

    assert [*GREETED] == [message.text for message in transcripts.read(good)]
    with pytest.raises(TranscriptUnreadable, match="openclaw doctor"):
        transcripts.outline(damaged)


@needs_sample
def test_sample_store_has_the_real_schema(tmp_path: Path) -> None:
    """
    Every column that is asked for stands in a store that OpenClaw 2026.9.6 wrote.
    """
    path = tmp_path / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
    path.parent.mkdir(parents=True)
    shutil.copy(SAMPLE, path)

    sessions = Transcripts(tmp_path).sessions()

    assert len(sessions) == 11
    kinds = sorted(session.kind.value for session in sessions)
    assert (
        kinds
        == ["cron"] * 4
        + ["direct", "group", "heartbeat", "main", "main"]
        + ["subagent"] * 2
    )


def test_row_over_the_limit_is_malformed(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    An absurdly long row is not held in memory.
    """
    monkeypatch.setattr("strata.transcripts.sqlite_store.LIMIT_BYTES", 100)
    store = Store(state)
    store.add(Script().user("x" * 5000))
    store.db.execute(
        "update transcript_events set event_json = null, event_zstd = ?,"
        " event_utf8_bytes = 5200",
        (pack(b"x" * 5200),),
    )
    store.db.commit()
    transcripts = Transcripts(state)

    assert transcripts.outline(only_session(state)).malformed_lines == 1
