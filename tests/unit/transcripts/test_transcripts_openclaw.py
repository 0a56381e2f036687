"""All conversations of an agent: found, told apart, outlined and read."""

from __future__ import annotations

import json
import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from builders_transcripts import (
    GREETED,
    MAIN,
    SHARED,
    Script,
    Store,
    call,
    sessions_folder,
    write_file,
    write_index,
)

from strata.errors import OpenClawNotFound, TranscriptUnreadable, UnsupportedStore
from strata.models import Message, Origin, Session, SessionKind
from strata.transcripts.openclaw import Transcripts

SAMPLES = SHARED / "openclaw" / "samples"
PLANTED = SHARED / "bench" / "planted"
OTHER = "93d796c1-5d8e-4bea-a432-144e431ee5ae"
MOMENT = "2026-11-20T11-14-35.228Z"
PRIVATE = {SessionKind.MAIN, SessionKind.DIRECT}


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def greeting(**options: Any) -> Script:
    return Script(**options).header().user(GREETED[0]).agent(GREETED[1])


def only_session(state: Path, **options: Any) -> Session:
    (session,) = Transcripts(state, **options).sessions()
    return session


def messages(state: Path) -> list[Message]:
    transcripts = Transcripts(state)
    (session,) = transcripts.sessions()
    return list(transcripts.read(session))


def texts(state: Path) -> list[str]:
    return [message.text for message in messages(state)]


def test_message_carries_everything(state: Path) -> None:
    """
    Id, number, role, text, time and origin come from the entry.
    """
    script = Script(at=datetime(2026, 11, 20, 10, 0, tzinfo=UTC))
    write_file(state, script.user("hello there"))
    entry = json.loads(script.lines[0])

    (message,) = messages(state)

    assert message == Message(
        id=entry["id"],
        number=1,
        role="user",
        text="hello there",
        time=datetime(2026, 11, 20, 10, 1, tzinfo=UTC),
        origin=Origin.OWNER,
    )


def test_outline_tells_times_and_roles(state: Path) -> None:
    """
    An outline counts the visible messages and the lines that were broken.
    """
    script = greeting().raw("broken").agent("", call("exec")).result().user("bye")
    write_file(state, script)
    transcripts = Transcripts(state)
    (session,) = transcripts.sessions()

    outline = transcripts.outline(session)

    assert (outline.roles, outline.users, outline.malformed_lines) == (b"uau", 2, 1)
    start = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
    assert [*outline.times] == [
        (start + timedelta(minutes=minute)).timestamp() for minute in (1, 2, 5)
    ]


def test_outline_and_reading_agree_when_turns_were_rewound(state: Path) -> None:
    """
    The outline of a rewound conversation counts what reading it gives.
    """
    script = greeting()
    tip = script.last
    write_file(state, script.user("dead").agent("dead").rewind(tip).user("alive"))
    transcripts = Transcripts(state)
    (session,) = transcripts.sessions()

    outline = transcripts.outline(session)
    read = list(transcripts.read(session))

    assert [*GREETED, "alive"] == [message.text for message in read]
    assert [*outline.times] == [message.time.timestamp() for message in read]


def test_only_wanted_messages_are_read(state: Path) -> None:
    """
    Tools come with the message before them.
    """
    script = greeting().user("run").agent("", call("exec")).result().agent("done")
    write_file(state, script)
    transcripts = Transcripts(state)
    (session,) = transcripts.sessions()

    wanted = list(transcripts.read(session, wanted=lambda number: number == 3))

    assert [(message.number, message.role, message.tool) for message in wanted] == [
        (3, "user", ""),
        (3, "tool", "exec"),
    ]


def test_secrets_are_placeholders(state: Path) -> None:
    """
    What is read has been redacted.
    """
    secret = "sk-ant-api03-" + "F4k3wK3xRhFZztUn6ABoWsMt3tw7R7JjlSMH9qnQ9lowoXUl" * 2
    write_file(state, Script().user(f"use {secret} please"))

    (message,) = messages(state)

    assert secret not in message.text
    assert message.text.startswith("use ⟦")


def test_no_state_directory(state: Path) -> None:
    """
    Where there is no OpenClaw, that is what the error says.
    """
    with pytest.raises(OpenClawNotFound, match="--state-dir"):
        Transcripts(state).sessions()


@pytest.mark.parametrize("agent", ["work", "", "..", "../agents/main"])
def test_unknown_agent(state: Path, agent: str) -> None:
    """
    An agent that is not there is named with those that are.
    """
    write_file(state, greeting())

    with pytest.raises(OpenClawNotFound, match="main"):
        Transcripts(state, agent).sessions()


def test_fresh_install_has_no_conversations(state: Path) -> None:
    """
    An agent without sessions is no error.
    """
    (state / "agents" / "main").mkdir(parents=True)

    assert Transcripts(state).sessions() == []


@pytest.mark.parametrize(
    "ending",
    [
        "",
        ".zst",
        f".reset.{MOMENT}",
        f".reset.{MOMENT}.zst",
        f".deleted.{MOMENT}",
        f".deleted.{MOMENT}.7fa92b5a33994b1aa54f5328912e4cfb.zst",
    ],
)
def test_every_kind_of_file_is_read(state: Path, ending: str) -> None:
    """
    Live, reset and deleted transcripts, plain and compressed.
    """
    write_file(state, greeting(), ending)

    assert [*GREETED] == texts(state)


def test_other_files_are_left_alone(state: Path) -> None:
    """
    Trajectories, checkpoints, locks and folders are no conversations.
    """
    write_file(state, greeting())
    folder = sessions_folder(state)
    for name in (
        f"{OTHER}.trajectory.jsonl",
        f"{OTHER}.trajectory-path.json",
        f"{OTHER}.checkpoint.5968e62c-c8ca-49ba-9c12-81cc1a0c3b83.jsonl",
        f"{OTHER}.jsonl.lock",
        f"{OTHER}.jsonl.tmp",
    ):
        (folder / name).write_bytes(greeting().content())
    (folder / "folder.jsonl").mkdir()

    assert only_session(state).id == Script().id


def test_live_file_and_archives_are_one_conversation(state: Path) -> None:
    """
    Parts of a conversation come in the order in which they were said, each once.
    """
    script = Script()
    write_file(state, script.user("one"), ".reset.2026-11-20T10-00-00.000Z")
    write_file(state, script.agent("two"), ".reset.2026-11-21T10-00-00.000Z.zst")
    rest = Script(at=script.at, last=None).header().user("three")
    write_file(state, rest)

    assert texts(state) == ["one", "two", "three"]


def test_conversation_that_moved_to_sqlite_is_read_once(state: Path) -> None:
    """
    After OpenClaw's migration the old file repeats what the store holds.
    """
    script = greeting()
    write_file(state, script)
    Store(state).add(script.user("said later"))

    assert [*GREETED, "said later"] == texts(state)


def test_numbers_survive_the_move_to_sqlite(state: Path) -> None:
    """
    A message keeps its number when the store takes over, and when the old file goes.
    """
    script = greeting()
    path = write_file(state, script)
    before = messages(state)
    Store(state).add(script.user("said later"))
    both = messages(state)
    path.unlink()

    assert before == both[:2]
    assert both == messages(state)


def test_what_the_store_rewound_stays_out(state: Path) -> None:
    """
    An older copy does not bring back what was rewound since.
    """
    script = greeting().user("dead")
    write_file(state, script)
    Store(state).add(script.user("alive"), dead=frozenset({3}))

    assert [*GREETED, "alive"] == texts(state)


def test_messages_that_only_the_old_file_holds_are_kept(state: Path) -> None:
    """
    What the migration missed is still read, in its place.
    """
    script = Script()
    write_file(state, script.user("one").user("missed").user("three"))
    kept = Script(
        at=script.at, last=script.last, lines=[script.lines[0], script.lines[2]]
    )
    Store(state).add(kept.user("four"))

    assert texts(state) == ["one", "missed", "three", "four"]


def test_index_tells_key_kind_and_start(state: Path) -> None:
    """
    What sessions.json lists has a key; its other sessions are older windows.
    """
    write_file(state, greeting())
    write_file(state, greeting(id=OTHER), f".reset.{MOMENT}")
    entry = {"sessionId": OTHER, "sessionStartedAt": 1795173340570}
    write_index(state, agent__main__main=entry)

    sessions = {session.id: session for session in Transcripts(state).sessions()}

    assert sessions[OTHER].key == MAIN
    assert (sessions[OTHER].kind, sessions[OTHER].listed) == (SessionKind.MAIN, True)
    assert sessions[OTHER].started_at == datetime.fromtimestamp(1795173340.57, UTC)
    older = sessions[Script().id]
    assert (older.key, older.kind, older.listed) == ("", SessionKind.DIRECT, False)


def test_earlier_windows_that_the_index_remembers(state: Path) -> None:
    """
    Ids that an entry calls its family are of the same kind.
    """
    write_file(state, greeting(), f".deleted.{MOMENT}")
    write_file(state, greeting(id=OTHER))
    entry = {"sessionId": OTHER, "usageFamilySessionIds": [Script().id, OTHER]}
    write_index(state, agent__main__telegram__group__1=entry)

    kinds = {session.kind for session in Transcripts(state).sessions()}

    assert kinds == {SessionKind.GROUP}


def test_least_private_key_decides(state: Path) -> None:
    """
    A conversation that is a group chat under one of its keys is a group chat.
    """
    write_file(state, greeting())
    entry = {"sessionId": Script().id}
    write_index(
        state, agent__main__main=entry, agent__main__discord__channel__7=dict(entry)
    )

    assert only_session(state).kind is SessionKind.GROUP


def test_known_kind_is_believed_where_nothing_is_listed(state: Path) -> None:
    """
    A group chat that was deleted is still one to who knew it.
    """
    write_file(state, greeting(), f".deleted.{MOMENT}")
    known = {Script().id: SessionKind.GROUP}

    assert only_session(state, known_kinds=known).kind is SessionKind.GROUP
    assert only_session(state).kind is SessionKind.DIRECT


def test_index_overrides_what_was_known(state: Path) -> None:
    """
    What OpenClaw says now goes before what it said then.
    """
    write_file(state, greeting())
    write_index(state, agent__main__main={"sessionId": Script().id})
    known = {Script().id: SessionKind.CRON}

    assert only_session(state, known_kinds=known).kind is SessionKind.MAIN


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        ("[cron:1 x] go", SessionKind.CRON),
        ("[Subagent Context] go", SessionKind.SUBAGENT),
        ("[Discord #flatmates] Ines: hi", SessionKind.GROUP),
        ("hello", SessionKind.DIRECT),
    ],
)
@pytest.mark.parametrize("ending", ["", f".reset.{MOMENT}.zst"])
def test_unlisted_session_is_judged_by_its_beginning(
    state: Path, prompt: str, kind: SessionKind, ending: str
) -> None:
    """
    Where nothing else tells, the first lines do.
    """
    write_file(state, Script().header().user(prompt).agent("ok"), ending)

    assert only_session(state).kind is kind


@pytest.mark.parametrize("told", ["$STATE/agents/main/sessions/{}", "{}", "absolute"])
def test_transcript_file_that_the_index_names(state: Path, told: str) -> None:
    """
    A file under another name belongs to the session that names it, archives included.
    """
    name = f"{Script().id}-topic-17.jsonl"
    path = write_file(state, greeting())
    path.rename(path.with_name(name))
    told = str(path.with_name(name)) if told == "absolute" else told.format(name)
    write_index(state, agent__main__main={"sessionId": OTHER, "sessionFile": told})

    session = only_session(state)

    assert (session.id, session.kind) == (OTHER, SessionKind.MAIN)
    assert [*GREETED] == texts(state)


@pytest.mark.parametrize(
    "told",
    ["../../../../outside.jsonl", "/etc/passwd", "$STATE/nothing.jsonl", "\0", ""],
)
def test_transcript_file_out_of_reach_is_not_followed(state: Path, told: str) -> None:
    """
    A file outside the state directory, or none at all, is not what the index may name.
    """
    write_file(state, greeting())
    (state.parent / "outside.jsonl").write_bytes(greeting().user("outside").content())
    write_index(
        state, agent__main__main={"sessionId": Script().id, "sessionFile": told}
    )

    assert [*GREETED] == texts(state)


def test_transcript_file_elsewhere_in_the_state_directory(state: Path) -> None:
    """
    A file in another folder of the state directory is read.
    """
    path = write_file(state, greeting())
    elsewhere = state / "moved" / path.name
    elsewhere.parent.mkdir()
    path.rename(elsewhere)
    told = {"sessionId": Script().id, "sessionFile": str(elsewhere)}
    write_index(state, agent__main__main=told)

    assert [*GREETED] == texts(state)


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b'{"a": '])
def test_broken_index_stops_with_a_reason(state: Path, content: bytes) -> None:
    """
    Without its index nobody can tell private conversations from group chats.
    """
    write_file(state, greeting())
    (sessions_folder(state) / "sessions.json").write_bytes(content)

    with pytest.raises(UnsupportedStore, match=r"sessions\.json"):
        Transcripts(state).sessions()


@pytest.mark.parametrize("content", [b"", b"[]", b'{"k": 1, "l": {"sessionId": 7}}'])
def test_index_that_says_nothing(state: Path, content: bytes) -> None:
    """
    An empty index, and entries that are none, list nothing.
    """
    write_file(state, greeting())
    (sessions_folder(state) / "sessions.json").write_bytes(content)

    assert only_session(state).listed is False


def test_empty_file_is_a_conversation_without_messages(state: Path) -> None:
    """
    A transcript of zero bytes is fine.
    """
    write_file(state, Script())
    transcripts = Transcripts(state)
    (session,) = transcripts.sessions()

    assert list(transcripts.read(session)) == []
    assert len(transcripts.outline(session).times) == 0


def test_fingerprint_follows_the_file(state: Path) -> None:
    """
    Growing and archiving change the fingerprint; nothing else does.
    """
    script = greeting()
    path = write_file(state, script)
    before = only_session(state).fingerprint
    assert before == only_session(state).fingerprint

    write_file(state, script.user("more"))
    grown = only_session(state).fingerprint
    path.rename(f"{path}.reset.{MOMENT}")

    assert len({before, grown, only_session(state).fingerprint}) == 3


def test_conversation_that_is_archived_while_it_is_read(state: Path) -> None:
    """
    A file that was renamed since the sessions were listed is found again.
    """
    path = write_file(state, greeting())
    transcripts = Transcripts(state)
    (session,) = transcripts.sessions()

    path.rename(f"{path}.reset.{MOMENT}")

    assert [*GREETED] == [message.text for message in transcripts.read(session)]


def test_conversation_that_is_gone(state: Path) -> None:
    """
    A conversation that was removed is an error of that conversation.
    """
    path = write_file(state, greeting())
    transcripts = Transcripts(state)
    (session,) = transcripts.sessions()

    path.unlink()

    with pytest.raises(TranscriptUnreadable, match=session.id):
        transcripts.outline(session)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file_is_an_error_of_its_conversation(state: Path) -> None:
    """
    A file without permission does not keep the others back.
    """
    write_file(state, greeting())
    write_file(state, greeting(id=OTHER)).chmod(0)
    transcripts = Transcripts(state)
    good, bad = sorted(transcripts.sessions(), key=lambda session: session.id)

    assert len(list(transcripts.read(good))) == 2
    with pytest.raises(TranscriptUnreadable, match="permissions"):
        transcripts.outline(bad)


def test_file_that_cannot_be_opened_is_an_error_of_its_conversation(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Whatever the system says, the message names the file.
    """
    write_file(state, greeting())
    transcripts = Transcripts(state)
    (session,) = transcripts.sessions()

    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)

    with pytest.raises(TranscriptUnreadable, match=session.id):
        transcripts.outline(session)


def test_sessions_are_sorted_by_start_then_id(state: Path) -> None:
    """
    The order does not depend on the order of the folder.
    """
    for number in range(20):
        script = greeting(id=f"{number * 7919 % 100:08d}-0000-4000-8000-000000000000")
        path = write_file(state, script)
        moment = 1_795_000_000 + number % 3
        os.utime(path, (moment, moment))

    sessions = Transcripts(state).sessions()

    order = [(session.started_at, session.id) for session in sessions]
    assert order == sorted(order)
    assert len(order) == 20


def test_copied_files_keep_their_order(state: Path) -> None:
    """
    Where files have the time of a copy, the index tells which conversation came first.
    """
    write_file(state, greeting())
    write_file(state, greeting(id=OTHER))
    earlier = {"sessionId": max(Script().id, OTHER), "updatedAt": 1795000000000}
    later = {"sessionId": min(Script().id, OTHER), "updatedAt": 1795000600000}
    write_index(state, agent__main__main=later, agent__main__dashboard=earlier)

    sessions = Transcripts(state).sessions()

    told = [earlier["sessionId"], later["sessionId"]]
    assert [session.id for session in sessions] == told


def test_agents_have_conversations_of_their_own(state: Path) -> None:
    """
    Another agent's folder is another list.
    """
    write_file(state, greeting())
    shutil.copytree(state / "agents" / "main", state / "agents" / "work")
    write_file(state, greeting(id=OTHER))

    assert only_session(state, agent="work").agent == "work"
    assert len(Transcripts(state).sessions()) == 2


@pytest.mark.skipif(
    not SAMPLES.exists(), reason="the samples are not beside this checkout"
)
def test_samples_of_both_eras(tmp_path: Path) -> None:
    """
    In OpenClaw's own transcripts exactly five private conversations have two prompts.
    """
    folder = tmp_path / "agents" / "main"
    shutil.copytree(SAMPLES / "jsonl-2026.7.1", folder / "sessions")
    (folder / "agent").mkdir()
    shutil.copy(SAMPLES / "openclaw-agent.sqlite", folder / "agent")
    transcripts = Transcripts(tmp_path)

    worth = [
        session.id[:8]
        for session in transcripts.sessions()
        if session.kind in PRIVATE and transcripts.outline(session).users >= 2
    ]

    assert sorted(worth) == ["1de33993", "35b3650c", "43a51396", "93d796c1", "bfa857a5"]


@pytest.mark.skipif(
    not PLANTED.exists(), reason="the scenarios are not beside this checkout"
)
@pytest.mark.parametrize("name", ["dev_en", "dev_zh"])
def test_planted_conversations(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Of every scripted conversation exactly the spoken lines come out, and no canary.
    """
    pytest.importorskip("yaml")
    monkeypatch.syspath_prepend(str(PLANTED))
    monkeypatch.setattr("strata.transcripts.disclosure.redact", lambda text, **_: text)
    monkeypatch.setattr("strata.transcripts.announced.opening", lambda *_: iter(()))
    plantlib = __import__("plantlib")
    scenario = plantlib.Scenario(PLANTED / "scenarios" / f"{name}.yaml")
    end = max(each.end for each in scenario.sessions) + timedelta(days=1)
    for path, (content, _) in plantlib.state_at(scenario, end).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    transcripts = Transcripts(tmp_path)
    sessions = {session.id: session for session in transcripts.sessions()}
    canaries = [
        scenario.canaries[each]["word"] for each in ("N03", "N07", "N08", "N10")
    ]

    assert len(sessions) == len(scenario.sessions)
    for scripted in scenario.sessions:
        session = sessions[scripted.uuid]
        read = [m for m in transcripts.read(session) if m.role != "tool"]
        assert _spoken(scripted.lines) == [(m.role, m.text) for m in read], scripted.sid
        if session.kind in PRIVATE:
            words = " ".join(message.text for message in read)
            assert [word for word in canaries if word in words] == []


def _spoken(lines: list[Any]) -> list[tuple[str, str]]:
    """
    What the script says, told without the parser under test.
    """
    spoken: list[tuple[str, str]] = []
    by_person = True
    for line in lines:
        text = line.text
        if line.role == "assistant":
            content = json.loads(line.raw)["message"]["content"]
            parts = [part["text"] for part in content if part["type"] == "text"]
            text = "".join(parts).removeprefix("[[reply_to_current]] ")
        elif line.role in ("user", "system", "boot") and text:
            starts = ("[cron:", "[Subagent Context]", "/new", "A new session")
            by_person = line.role == "user" and not text.startswith(starts)
            text = text.rsplit("</relevant-memories>")[-1].strip()
        silent = text in ("", "NO_REPLY", "HEARTBEAT_OK")
        if by_person and not silent and line.role in ("user", "assistant"):
            spoken.append((line.role, text))
    return spoken
