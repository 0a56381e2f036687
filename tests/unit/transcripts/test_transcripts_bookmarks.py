"""A long conversation is read from where it was read before, with the same outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders_transcripts import Script, Store, call, write_file, write_index

from strata.errors import TranscriptUnreadable
from strata.transcripts import bookmarks, openclaw, sources
from strata.transcripts.openclaw import Transcripts

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from strata.models import Message
    from strata.transcripts.bookmarks import Bookmark
    from strata.transcripts.openclaw import Outline


class Kept:
    """
    Bookmarks that are kept in memory.
    """

    def __init__(self) -> None:
        self.marks: dict[str, Bookmark] = {}

    def find(self, session_id: str) -> Bookmark | None:
        return self.marks.get(session_id)

    def keep(self, session_id: str, mark: Bookmark) -> None:
        stored = bookmarks.unpacked(bookmarks.packed(mark))
        assert stored == mark
        self.marks[session_id] = mark


@pytest.fixture(autouse=True)
def _short_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openclaw, "LONG_BYTES", 0)
    monkeypatch.setattr(bookmarks, "_MESSAGES_AFTER", 12)
    monkeypatch.setattr(bookmarks, "_MESSAGES_BETWEEN", 4)
    monkeypatch.setattr(openclaw, "MESSAGES_BEFORE", 6)


def talk(script: Script, turns: int) -> Script:
    """
    Turns of all kinds: with tools, machine prompts, off the record, and resets.
    """
    for turn in range(turns):
        match turn % 6:
            case 1:
                script.user(f"Look up {turn}").agent("", call("memory_search"))
                script.result().agent(f"It was {turn}.")
            case 2:
                script.user("[cron:1] do it").agent("Done by the clock.")
            case 3:
                script.user("Off the record: no.").agent("Fine.")
            case 4:
                script.user("We are back on the record.").entry("reset", reason="new")
            case _:
                script.user(f"The code of door {turn} is?").agent(f"{turn}-a-{turn}")
    return script


def looked(
    state: Path, kept: Kept | None, first: int | None = None
) -> tuple[Outline, list[Message]]:
    transcripts = Transcripts(state, bookmarks=kept)
    [session] = transcripts.sessions()
    outline = transcripts.outline(session)
    last = first or len(outline.times) - 4
    said = transcripts.read(session, wanted=lambda number: number >= last, first=last)
    return outline, list(said)


@pytest.mark.parametrize("stored", [False, True])
def test_resumed_reading_says_the_same(tmp_path: Path, *, stored: bool) -> None:
    """
    Whatever was said before, in files and rows; and only the end is read again.
    """
    script, kept = talk(Script().header(), 12), Kept()
    store = Store(tmp_path) if stored else None
    if store:
        store.add(script)
        store.db.commit()
    places: list[int] = []
    for more in range(8):
        if store is None:
            write_file(tmp_path, script)
            write_index(tmp_path, agent__main__main={"sessionId": script.id})
        outline, said = looked(tmp_path, kept)
        assert (outline, said) == looked(tmp_path, None)
        places.append(kept.marks[script.id].place)
        begin = len(script.lines)
        talk(script, more)
        if store:
            store.extend(script, begin)
            store.db.commit()

    assert places == sorted(places)
    assert places[-1] > places[0] > 0


def test_rewritten_or_rewound_conversation_is_read_from_its_beginning(
    tmp_path: Path,
) -> None:
    """
    What does not lie before the bookmark as it lay there is not relied on.
    """
    script, kept = talk(Script().header(), 14), Kept()
    write_file(tmp_path, script)
    write_index(tmp_path, agent__main__main={"sessionId": script.id})
    looked(tmp_path, kept)
    assert kept.marks

    early = next(line for line in script.lines if "door 5" in line)
    script.lines = [line for line in script.lines if line != early]
    write_file(tmp_path, script)
    assert looked(tmp_path, kept) == looked(tmp_path, None)

    first = script.lines[3].split('"id": "')[1][:8]
    script.rewind(first).user("Let me start over.").agent("Go on.")
    write_file(tmp_path, script)
    assert looked(tmp_path, kept) == looked(tmp_path, None)
    assert len(looked(tmp_path, kept)[0].times) < 10


def test_file_that_cannot_be_read_any_more_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    With a bookmark in it as without: other conversations are not kept back.
    """
    kept = Kept()
    write_file(tmp_path, talk(Script().header(), 14))
    looked(tmp_path, kept)
    assert kept.marks

    def refuse(_path: Path) -> BinaryIO:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(sources, "open_transcript", refuse)
    with pytest.raises(TranscriptUnreadable, match="Permission denied"):
        looked(tmp_path, kept)
