"""Where a conversation worked is noted while it is read, and costs no second reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders import START, Conversation

from strata.transcripts.entries import parse_entry
from strata.transcripts.openclaw import Transcripts

if TYPE_CHECKING:
    from pathlib import Path

LONG_AGO, NEVER = 0.0, 1e12


def read(state: Path) -> list[str]:
    """
    The folders of the only conversation in *state*, once it was read.
    """
    transcripts = Transcripts(state)
    (session,) = transcripts.sessions()
    assert transcripts.folders(session, LONG_AGO, NEVER) == []
    assert list(transcripts.read(session))
    return transcripts.folders(session, LONG_AGO, NEVER)


def test_tools_tell_and_the_beginning_comes_last(tmp_path: Path) -> None:
    """
    The most used folder comes first; of a file the folder it lies in counts.
    """
    talk = Conversation(tmp_path, folder="/begun").user("Build it.")
    talk.tool("read", "ok", path="/a/file.py")
    talk.tool("exec", "ok", command="make", workdir="/b")
    talk.tool("exec", "ok", command="make test", workdir="/b", path="/c/file")
    talk.tool("exec", "ok", command="ls", workdir="relative")
    talk.agent("Done.").save()

    assert read(tmp_path) == ["/b", "/a", "/begun"]


def test_only_what_was_called_meanwhile_counts(tmp_path: Path) -> None:
    """
    A stretch has the folders of its own calls, and where all of it began.
    """
    talk = Conversation(tmp_path, folder="/begun").user("Build it.")
    talk.tool("exec", "ok", command="make", workdir="/a").agent("Done.")
    between = talk.at.timestamp() + 1
    talk.user("And that.").tool("exec", "ok", command="make", workdir="/b")
    talk.agent("Done.").save()
    transcripts = Transcripts(tmp_path)
    (session,) = transcripts.sessions()

    assert transcripts.begun(session) == "/begun"
    list(transcripts.read(session))

    assert transcripts.folders(session, START.timestamp(), between) == ["/a", "/begun"]
    assert transcripts.folders(session, between, NEVER) == ["/b", "/begun"]


def test_header_of_any_shape_is_read() -> None:
    """
    What is no folder in a first line is none, and stops nothing.
    """
    for value in (7, None, ["/a"], {"b": 1}):
        assert parse_entry({"type": "session", "cwd": value}).folder == ""
        assert parse_entry({"type": "session", "imported": value}).folder == ""
