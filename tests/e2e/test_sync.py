"""From a conversation to a note: the same notes, whatever happens on the way."""

from __future__ import annotations

import shutil
import subprocess
import sys
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from builders import SHARED, Conversation, small_talk, tree
from killing import ROOT, run_killed_at

from strata.errors import NotFound, OpenClawNotFound, TranscriptUnreadable
from strata.jobs import capture
from strata.jobs.capturing.captured import write_block
from strata.jobs.capturing.extraction import Extraction
from strata.jobs.settle import settle
from strata.jobs.sync import SyncReport, sync
from strata.memory import Memory
from strata.transcripts.openclaw import Outline, Transcripts

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from strata.models import Session

NOW = "2026-11-20T12:00:00+00:00"
DAY = "memory/2026-11-20.md"


def run(workspace: Path, state: Path, **options: object) -> SyncReport:
    memory = Memory.open(
        workspace=str(workspace),
        state_dir=str(state),
        now=NOW,
        overrides=["timezone=UTC"],
    )
    return sync(memory, **options)  # type: ignore[arg-type]


def headings(workspace: Path, path: str = DAY) -> list[str]:
    text = (workspace / path).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.startswith("## ")]


def test_conversation_becomes_a_block(workspace: Path, state: Path) -> None:
    """
    Decision, preference and finding stand in the note of the day, tagged.
    """
    small_talk(state).save()

    report = run(workspace, state)

    text = (workspace / DAY).read_text(encoding="utf-8")
    assert text.startswith("# 2026-11-20\n\n## 10:06 session:61871d67 | 6 messages\n- ")
    assert "PostgreSQL 16" in text
    assert "[preference]" in text
    assert "[finding]" in text
    assert [block.messages for _, block, _ in report.captured] == [6]


def test_second_sync_changes_no_byte(workspace: Path, state: Path) -> None:
    """
    A sync with nothing new leaves every file as it is.
    """
    small_talk(state).save()
    run(workspace, state)
    before = tree(workspace)

    report = run(workspace, state)

    assert report.captured == []
    assert tree(workspace) == before


def test_block_grows_with_its_stretch(workspace: Path, state: Path) -> None:
    """
    What is said soon after joins the block, which stands as if captured at once.
    """
    conversation = small_talk(state)
    conversation.save()
    run(workspace, state)
    first = (workspace / DAY).read_text(encoding="utf-8")

    conversation.user("Remember: releases are on Tuesdays only.").agent("Noted.").save()
    run(workspace, state)

    assert headings(workspace) == ["## 10:08 session:61871d67 | 8 messages"]
    text = (workspace / DAY).read_text(encoding="utf-8")
    assert set(first.splitlines()[3:]) < set(text.splitlines())
    assert "Tuesdays" in text


@pytest.mark.parametrize("ended", ["reset", "pause"])
def test_what_follows_a_reset_or_a_pause_is_a_block_of_its_own(
    workspace: Path, state: Path, ended: str
) -> None:
    """
    OpenClaw keeps one conversation over /new; the block of what was before stays.
    """
    conversation = small_talk(state)
    conversation.save()
    run(workspace, state)
    first = (workspace / DAY).read_text(encoding="utf-8")
    if ended == "reset":
        conversation.reset()

    after = timedelta(minutes=1 if ended == "reset" else 60)
    conversation.user("Remember: releases are on Tuesdays only.", after=after)
    conversation.agent("Noted.").save()
    run(workspace, state)

    text = (workspace / DAY).read_text(encoding="utf-8")
    assert text.startswith(first)
    assert len(headings(workspace)) == 2
    assert headings(workspace)[1].endswith("session:61871d67 | 8 messages")
    assert "Tuesdays" in text[len(first) :]


def test_words_are_not_lost_where_a_hand_changes_the_block_meanwhile(
    workspace: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    The block cannot be written any more as it was planned; the next sync looks again.
    """
    conversation = small_talk(state)
    conversation.save()
    run(workspace, state)
    conversation.user("Remember: releases are on Tuesdays only.").agent("Noted.").save()

    def late(*arguments: Any, **named: Any) -> bool:
        with (workspace / DAY).open("a", encoding="utf-8") as note:
            note.write("- and mind the stairs\n")
        return write_block(*arguments, **named)

    with monkeypatch.context() as patched:
        patched.setattr(capture, "write_block", late)
        assert run(workspace, state).captured == []
    run(workspace, state)

    text = (workspace / DAY).read_text(encoding="utf-8")
    assert "stairs" in text
    assert text.count("Tuesdays") == 1


def test_block_that_a_hand_changed_does_not_grow(workspace: Path, state: Path) -> None:
    """
    The owner's words in a block stay; what is said later gets a further block.
    """
    conversation = small_talk(state)
    conversation.save()
    run(workspace, state)
    by_hand = (workspace / DAY).read_text(encoding="utf-8") + "- and mind the stairs\n"
    (workspace / DAY).write_text(by_hand, encoding="utf-8")

    for text in (
        "Remember: releases are on Tuesdays only.",
        "Never deploy on Fridays.",
    ):
        conversation.user(text).agent("Noted.").save()
        run(workspace, state)

    text = (workspace / DAY).read_text(encoding="utf-8")
    assert text.startswith(by_hand)
    assert headings(workspace) == [
        "## 10:06 session:61871d67 | 6 messages",
        "## 10:10 session:61871d67 | 10 messages",
    ]
    assert "Tuesdays" in text
    assert "Fridays" in text


def test_day_without_an_end_is_kept_whole(workspace: Path, state: Path) -> None:
    """
    Of a hundred decisions in a conversation that nobody ever resets none is left out.
    """
    rooms = [f"{one}{two}" for one in "ABCDEFGHIJ" for two in range(10)]
    conversation = Conversation(state)
    for room in rooms:
        conversation.user(f"We decided that room {room} gets the paint no. {room}7.")
        conversation.agent("Noted.")
    conversation.save()

    run(workspace, state)

    text = (workspace / DAY).read_text(encoding="utf-8")
    assert [room for room in rooms if f"room {room} " not in text] == []


def test_conversation_across_midnight_is_in_both_notes(
    workspace: Path, state: Path
) -> None:
    """
    Each day's words stand in that day's note.
    """
    conversation = small_talk(state)
    conversation.user(
        "We decided to ship version 2.1 on Monday.", after=timedelta(hours=15)
    ).agent("Monday it is.").save()

    run(workspace, state)

    assert headings(workspace) == ["## 10:06 session:61871d67 | 6 messages"]
    assert headings(workspace, "memory/2026-11-21.md") == [
        "## 01:07 session:61871d67 | 8 messages"
    ]


def test_same_start_of_two_ids_is_told_apart(workspace: Path, state: Path) -> None:
    """
    The later of two conversations whose ids begin alike gets a longer name.
    """
    small_talk(state).save()
    other = Conversation(
        state, id="61871d67-9999-4222-8333-444444444444", key="agent:main:x"
    )
    other.at += timedelta(hours=1)
    other.user("Always answer me in French.").agent("Oui.").user(
        "Never use emoji."
    ).save()

    run(workspace, state)
    before = tree(workspace)
    run(workspace, state)

    assert headings(workspace) == [
        "## 10:06 session:61871d67 | 6 messages",
        "## 11:03 session:61871d67-9 | 3 messages",
    ]
    assert tree(workspace) == before


def test_conversation_keeps_its_label_when_it_is_settled_alone(
    workspace: Path, state: Path
) -> None:
    """
    The end of one conversation names only that one; another with its start still counts.
    """
    older = small_talk(state)
    older.save()
    newer = _second_talk(state, "61871d67-9999-4222-8333-444444444444", older.at)

    run(workspace, state, only=newer.id)
    run(workspace, state)

    assert headings(workspace) == [
        "## 10:06 session:61871d67 | 6 messages",
        "## 10:10 session:61871d67-9 | 4 messages",
    ]


def test_conversation_keeps_its_label_when_an_older_one_is_gone(
    workspace: Path, state: Path
) -> None:
    """
    OpenClaw deletes old transcripts; what the younger one says later is still captured.
    """
    older = small_talk(state)
    path = older.save()
    newer = _second_talk(state, "61871d67-9999-4222-8333-444444444444", older.at)
    run(workspace, state)
    path.unlink()

    newer.user("We decided to keep nginx 1.27 for the proxy.").agent("Kept.").save()
    run(workspace, state)

    assert headings(workspace)[1:] == ["## 10:12 session:61871d67-9 | 6 messages"]


def test_transcript_with_an_unusual_name_is_captured_once(
    workspace: Path, state: Path
) -> None:
    """
    A copy that somebody made by hand has a name that no heading can hold.
    """
    talk = small_talk(state)
    talk.id = "群聊 一二三四五六"
    talk.save()
    run(workspace, state)
    before = tree(workspace, without=".strata")

    run(workspace, state)

    assert len(headings(workspace)) == 1
    assert tree(workspace, without=".strata") == before


def _second_talk(state: Path, session_id: str, at: datetime) -> Conversation:
    talk = (
        Conversation(state, session_id, "agent:main:second", at)
        .user("Let's decide the queue. We take RabbitMQ 3.13 for acme-mail.")
        .agent("RabbitMQ it is.")
        .user("From now on always run ruff before you commit.")
        .agent("Always.")
    )
    talk.save()
    return talk


def test_rewound_conversation_adds_only_the_new_branch(
    workspace: Path, state: Path
) -> None:
    """
    Words of a branch that was left are not captured again, new ones are.
    """
    conversation = small_talk(state)
    conversation.save()
    run(workspace, state)

    conversation.rewind(2).user("We use Bazel for builds from now on.").agent(
        "OK."
    ).save()
    run(workspace, state)

    text = (workspace / DAY).read_text(encoding="utf-8")
    assert text.count("Bazel") == 1
    assert text.count("PostgreSQL 16") == 1
    assert headings(workspace)[1] == "## 10:08 session:61871d67 | 6 messages"


@pytest.mark.parametrize("which", [0, 1, 2])
def test_deleted_block_is_written_again(
    workspace: Path, state: Path, which: int
) -> None:
    """
    Whichever block of a conversation somebody deletes, its words come back, once.
    """
    conversation = Conversation(state)
    said = [
        "We use Bazel.",
        "Always run the linter first.",
        "We decided on Postgres 16.",
    ]
    for text in said:
        conversation.user(text).agent("OK.").user(
            "Never skip the tests of " + text
        ).save()
        run(workspace, state)
    before = (workspace / DAY).read_text(encoding="utf-8")
    blocks = before.split("\n## ")
    kept = blocks[: which + 1] + blocks[which + 2 :]
    (workspace / DAY).write_text("\n## ".join(kept), encoding="utf-8")

    run(workspace, state)

    after = (workspace / DAY).read_text(encoding="utf-8")
    assert sorted(after.split()) == sorted(before.split())


def test_overwritten_note_is_captured_again(workspace: Path, state: Path) -> None:
    """
    A note that an agent replaced keeps the agent's words and gets its block back.
    """
    small_talk(state).save()
    run(workspace, state)
    block = (workspace / DAY).read_text(encoding="utf-8").split("\n\n", 1)[1]
    (workspace / DAY).write_text("my own summary\n", encoding="utf-8")

    run(workspace, state)

    text = (workspace / DAY).read_text(encoding="utf-8")
    assert text == f"my own summary\n\n{block}"


def test_lost_private_folder_loses_nothing(workspace: Path, state: Path) -> None:
    """
    Without .strata the notes alone say what has been captured.
    """
    conversation = small_talk(state)
    conversation.save()
    run(workspace, state)
    conversation.user("Remember: releases are on Tuesdays only.").agent("Noted.").save()
    run(workspace, state)
    before = tree(workspace, without=".strata")
    shutil.rmtree(workspace / ".strata")

    report = run(workspace, state)

    assert report.captured == []
    assert tree(workspace, without=".strata") == before


def test_single_message_is_not_a_conversation_yet(workspace: Path, state: Path) -> None:
    """
    One message waits; with the second the whole is captured.
    """
    conversation = Conversation(state).user("We use Bazel for everything.").agent("OK.")
    conversation.save()

    assert run(workspace, state).skipped == [(conversation.id, "1 user message")]

    conversation.user("Never use Make.").save()

    assert len(run(workspace, state).captured) == 1
    assert "Bazel" in (workspace / DAY).read_text(encoding="utf-8")


def test_repeated_statement_stands_once(workspace: Path, state: Path) -> None:
    """
    What a conversation says again is not written again.
    """
    conversation = small_talk(state)
    conversation.save()
    run(workspace, state)
    conversation.user("From now on always use pnpm, never npm, in acme-dashboard.")
    conversation.agent("Yes.").user("Never push to main on Fridays.").save()

    run(workspace, state)

    text = (workspace / DAY).read_text(encoding="utf-8")
    assert text.count("never npm") == 1
    assert "Fridays" in text


def test_what_was_worth_nothing_is_not_read_again(
    workspace: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A stretch without a block is settled too; only what follows it is judged.
    """
    conversation = Conversation(state).user("hello").agent("Hi.").user("thanks")
    conversation.agent("Bye.").save()
    assert run(workspace, state).captured == []
    conversation.user("hi again", after=timedelta(hours=1)).agent("Hi.").save()
    judged: list[tuple[int, int]] = []
    real = Extraction.read

    def read(
        extraction: Extraction, session: Session, spans: list[tuple[int, int]]
    ) -> object:
        judged.extend(spans)
        return real(extraction, session, spans)

    monkeypatch.setattr(Extraction, "read", read)

    run(workspace, state)
    assert judged == [(1, 4), (5, 6)]
    conversation.user("We decided to move to Valkey 8.").agent("Moved.").save()
    run(workspace, state)

    assert judged[2:] == [(5, 8)]
    assert "Valkey" in (workspace / DAY).read_text(encoding="utf-8")


def test_secret_never_reaches_the_disk(workspace: Path, state: Path) -> None:
    """
    A password that was said is in no byte of the workspace; the rest of the line is.
    """
    password = "tulip-" + "Harbour.19"
    conversation = small_talk(state).user(
        f"Remember the staging host stage.acme.example, my password is {password}"
    )
    conversation.agent("OK.").save()

    run(workspace, state)

    assert not [
        path for path, data in tree(workspace).items() if password.encode() in data
    ]


def test_number_in_a_session_key_never_reaches_the_disk(
    workspace: Path, state: Path
) -> None:
    """
    OpenClaw names a conversation by the number of the person one talks to.
    """
    talk = small_talk(state)
    talk.key = "agent:main:whatsapp:direct:+8613812345678"
    talk.save()
    owners = '{"commands": {"ownerAllowFrom": ["whatsapp:+8613812345678"]}}'
    (state / "openclaw.json").write_text(owners)

    assert run(workspace, state).captured
    assert not [
        name for name, data in tree(workspace).items() if b"13812345678" in data
    ]


def test_link_in_a_circle_keeps_no_conversation_back(
    workspace: Path, state: Path
) -> None:
    """
    What lies beside the transcripts and cannot be looked at is none of them.
    """
    folder = small_talk(state).save().parent
    (folder / "loop.jsonl").symlink_to("loop.jsonl")
    (folder / "gone.jsonl").symlink_to("nowhere.jsonl")

    assert len(run(workspace, state).captured) == 1


def test_event_of_an_unreadable_conversation_is_tried_again(
    workspace: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Whoever names one conversation hears that it could not be read.
    """
    small_talk(state).save()

    def unreadable(_transcripts: Transcripts, session: Session) -> Outline:
        raise TranscriptUnreadable(f"cannot read {session.id}")

    monkeypatch.setattr(Transcripts, "outline", unreadable)
    memory = Memory.open(workspace=str(workspace), state_dir=str(state), now=NOW)

    with pytest.raises(TranscriptUnreadable, match="cannot read 61871d67"):
        settle(memory, "61871d67")


def test_dry_run_writes_nothing(workspace: Path, state: Path) -> None:
    """
    A dry run tells what would be captured and leaves the workspace untouched.
    """
    small_talk(state).save()

    report = run(workspace, state, dry_run=True)

    assert [path for _, _, path in report.captured] == [DAY]
    assert tree(workspace) == {}


def test_only_one_conversation_can_be_named(workspace: Path, state: Path) -> None:
    """
    --session captures that one; an unknown id is an error that says how to find ids.
    """
    small_talk(state).save()

    assert len(run(workspace, state, only="61871d67").captured) == 1
    with pytest.raises(NotFound, match="lists their ids"):
        run(workspace, state, only="ffffffff")


def test_missing_state_directory_says_what_to_do(
    workspace: Path, tmp_path: Path
) -> None:
    """
    Without OpenClaw the message names the option.
    """
    with pytest.raises(OpenClawNotFound, match="--state-dir"):
        run(workspace, tmp_path / "nowhere")


COMMAND = [sys.executable, "-m", "strata", "--now", NOW, "--set", "timezone=UTC"]


def test_three_syncs_at_once_write_once(workspace: Path, state: Path) -> None:
    """
    Syncs that start together leave the notes of one.
    """
    small_talk(state).save()
    where = ["--workspace", str(workspace), "--state-dir", str(state)]
    runs = [
        subprocess.Popen(
            [*COMMAND, *where, "sync"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(3)
    ]

    assert [process.wait() for process in runs] == [0, 0, 0]
    assert headings(workspace) == ["## 10:06 session:61871d67 | 6 messages"]
    for process in runs:
        process.communicate()


PROGRAM = """
from strata.memory import Memory
from strata.transcripts.openclaw import Outline, Transcripts
from strata.jobs.sync import sync
sync(Memory.open(workspace=sys.argv[1], state_dir=sys.argv[2], now=sys.argv[3],
                 overrides=["timezone=UTC"]))
"""


@pytest.mark.slow
def test_kill_at_any_step_gives_the_same_notes(tmp_path: Path, state: Path) -> None:
    """
    Killed before any change on disk, the next sync ends with the very same notes.
    """
    conversation = small_talk(state)
    conversation.user(
        "We decided to ship version 2.1 on Monday.", after=timedelta(hours=15)
    ).agent("Monday it is.").save()
    calm = tmp_path / "calm"
    calm.mkdir()
    run(calm, state)
    expected = tree(calm, without=".strata")

    for step in range(1, 200):
        workspace = tmp_path / str(step)
        workspace.mkdir()
        killed = run_killed_at(
            step, workspace, PROGRAM, str(workspace), str(state), NOW
        )
        run(workspace, state)

        assert tree(workspace, without=".strata") == expected
        if not killed:
            break
    assert not killed
    assert step > 10


PRIVATE_ONES = {"43a51396", "bfa857a5", "93d796c1", "35b3650c", "1de33993"}

needs_shared = pytest.mark.skipif(
    not (SHARED / "openclaw" / "samples").is_dir(),
    reason="the samples of real transcripts are not beside this checkout",
)


@needs_shared
def test_real_transcripts_of_both_eras(workspace: Path, state: Path) -> None:
    """
    Exactly the private conversations with two messages of the owner or more are captured.
    """
    samples = SHARED / "openclaw" / "samples"
    shutil.copytree(samples / "jsonl-2026.7.1", state / "agents/main/sessions")
    (state / "agents/main/agent").mkdir()
    shutil.copy(samples / "openclaw-agent.sqlite", state / "agents/main/agent")

    report = run(workspace, state)
    before = tree(workspace)
    again = run(workspace, state)

    assert {session_id[:8] for session_id, _, _ in report.captured} == PRIVATE_ONES
    assert again.captured == []
    assert tree(workspace) == before


@needs_shared
def test_a_copy_is_read_where_it_lies(workspace: Path) -> None:
    """
    A store and transcripts copied out of OpenClaw's folders are captured all the same.
    """
    report = run(workspace, SHARED / "openclaw" / "samples")

    assert {session_id[:8] for session_id, _, _ in report.captured} == PRIVATE_ONES
