"""However and whenever conversations are captured: the notes end in the same bytes."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from builders import tree
from hypothesis import given, settings
from hypothesis import strategies as st
from killing import Killed, killed_before

from strata.jobs.settle import settle
from strata.jobs.sync import sync
from strata.memory import Memory
from strata.transcripts import bookmarks, openclaw

if TYPE_CHECKING:
    from collections.abc import Iterator

START = datetime(2026, 11, 20, 21, 30, tzinfo=UTC)
SESSIONS = (
    "61871d67-1111-4222-8333-444444444444",
    "9b2f00aa-1111-4222-8333-444444444444",
)
# Some of it is said in both, some is taken back, some is worth nothing.
SAID = (
    "We decided to keep PostgreSQL 16, because the reports need ACID.",
    "From now on always use pnpm, never npm, in acme-dashboard.",
    "I found out why the build is slow: the cache key contains the date.",
    "Actually make it PostgreSQL 17.",
    "Scratch that, forget what I just said.",
    "ok thanks",
    "我对花生过敏，以后订餐都不要放花生。",
    "Should we move the office party to Friday?",
)
ANSWERS = ("Noted.", "Done.", "I suggest Friday at 18:00 in the Saal Nord.", "好的。")


@dataclass(frozen=True)
class Said:
    """What is said in a session after so many minutes; nothing where it is reset."""

    session: int
    minutes: int
    text: str
    role: str


@dataclass(frozen=True)
class Capture:
    """
    A capture after so many of the messages: of one session or of all, and after how many
    changes on disk it is killed.
    """

    after: int
    only: int | None
    killed: int


said = st.builds(
    Said,
    st.integers(0, 1),
    st.sampled_from([1, 2, 30, 61, 61, 75, 90, 60 * 9]),
    st.sampled_from([*SAID, *SAID, ""]),
    st.just("user"),
)
answered = st.builds(
    Said,
    st.integers(0, 1),
    st.sampled_from([0, 1]),
    st.sampled_from(ANSWERS),
    st.just("assistant"),
)
# Enough for several stretches in each session.
talks = st.lists(st.one_of(said, said, answered), min_size=8, max_size=24)
captures = st.lists(
    st.builds(
        Capture,
        st.integers(1, 24),
        st.sampled_from([None, None, 0, 1]),
        st.sampled_from([0, 0, 1, 2, 3]),
    ),
    max_size=6,
)


def write(state: Path, talk: list[Said]) -> datetime:
    """
    Write what OpenClaw has on disk after *talk*, and return the moment of its end.
    """
    folder = state / "agents" / "main" / "sessions"
    folder.mkdir(parents=True, exist_ok=True)
    at, index = START, {}
    lines: list[list[str]] = [[], []]
    last: list[str | None] = [None, None]
    for number, each in enumerate(talk):
        at += timedelta(minutes=each.minutes)
        entry = {"id": f"e{number:07d}", "parentId": last[each.session]}
        entry["timestamp"] = at.isoformat().replace("+00:00", "Z")
        content = [{"type": "text", "text": each.text}]
        told = {"message": {"role": each.role, "content": content}} if each.text else {}
        kind = {"type": "message" if each.text else "reset"}
        lines[each.session].append(json.dumps(kind | entry | told))
        last[each.session] = entry["id"]
    for name, written in zip(SESSIONS, lines, strict=True):
        if written:
            index[f"agent:main:{name}"] = {"sessionId": name, "chatType": "direct"}
            (folder / f"{name}.jsonl").write_text("\n".join(written) + "\n")
    (folder / "sessions.json").write_text(json.dumps(index))
    return at


def opened(root: Path, state: Path, now: datetime) -> Memory:
    """
    The memory of a workspace below *root* at *now*.
    """
    (root / "workspace").mkdir(parents=True, exist_ok=True)
    return Memory.open(
        workspace=str(root / "workspace"),
        state_dir=str(state),
        now=now.isoformat(),
        overrides=["timezone=Europe/Berlin"],
    )


def notes(root: Path) -> dict[str, bytes]:
    """
    The notes below *root*.
    """
    return tree(root / "workspace", without=".strata")


@pytest.fixture(scope="module", autouse=True)
def _short_is_long() -> Iterator[None]:
    """
    A few messages already have a bookmark.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(openclaw, "LONG_BYTES", 0)
        patched.setattr(bookmarks, "_MESSAGES_AFTER", 4)
        patched.setattr(bookmarks, "_MESSAGES_BETWEEN", 2)
        patched.setattr(openclaw, "MESSAGES_BEFORE", 3)
        yield


@settings(max_examples=40, deadline=None)
@given(talks, captures)
def test_notes_do_not_tell_how_they_came_about(
    talk: list[Said], schedule: list[Capture]
) -> None:
    """
    Live, late, twice, killed between any two changes, or all at once in a backfill.
    """
    with TemporaryDirectory() as folder:
        root = Path(folder)
        state = root / "state"
        for each in sorted(schedule, key=lambda capture: capture.after):
            now = write(state, talk[: each.after])
            memory = opened(root / "live", state, now)
            with suppress(Killed), killed_before(each.killed):
                if each.only is None:
                    sync(memory)
                else:
                    settle(memory, SESSIONS[each.only])
        now = write(state, talk)
        sync(opened(root / "live", state, now))
        sync(opened(root / "backfill", state, now + timedelta(days=3)))

        assert notes(root / "live") == notes(root / "backfill")
