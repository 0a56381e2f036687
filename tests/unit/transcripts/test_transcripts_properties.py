"""What holds for every transcript, however it was written and broken."""

from __future__ import annotations

import io
import json
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from builders_transcripts import Script, Store, call, read_entries, write_file
from hypothesis import given
from hypothesis import strategies as st

from strata.transcripts.branches import BranchFinder
from strata.transcripts.entries import Entry, parse_entry
from strata.transcripts.filtering import Conversation
from strata.transcripts.openclaw import Transcripts
from strata.transcripts.sources import find_branch, mark_path

if TYPE_CHECKING:
    from strata.models import Message

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("user"), st.text(max_size=30)),
        st.tuples(st.just("agent"), st.text(max_size=30)),
        st.sampled_from(
            [
                ("user", "/new"),
                ("user", "[OpenClaw heartbeat poll]"),
                ("agent", "NO_REPLY"),
                ("tool", "exec"),
                ("tool", "memory_search"),
                ("other", "compaction"),
                ("other", "reset"),
            ]
        ),
    ),
    max_size=20,
)
BROKEN_LINES = st.one_of(
    st.text(max_size=40).filter(lambda text: "\n" not in text and "\r" not in text),
    st.sampled_from(
        [
            "{",
            "42",
            "null",
            '{"type":"message","message":null}',
            '{"type":"message","id":"x","parentId":"nowhere"}',
            '{"type":"message","timestamp":"2026-11-20T10:00:00Z"}',
            '{"type":"message","message":{"role":"user","content":"no time"}}',
        ]
    ),
)


def script_of(steps: list[tuple[str, str]]) -> Script:
    script = Script().header()
    for kind, text in steps:
        if kind == "user":
            script.user(text)
        elif kind == "agent":
            script.agent(text)
        elif kind == "tool":
            script.agent("", call(text)).result(text)
        else:
            script.entry(text)
    return script


def visible(content: bytes) -> list[Message]:
    marked = mark_path(lambda: read_entries(io.BytesIO(content)))
    return list(Conversation().messages(entry for entry, counts in marked if counts))


@given(STEPS, st.lists(st.tuples(st.integers(0, 40), BROKEN_LINES), max_size=8))
def test_broken_lines_change_no_message(
    steps: list[tuple[str, str]], broken: list[tuple[int, str]]
) -> None:
    """
    Wherever broken lines stand, the messages are those of the lines around them.
    """
    script = script_of(steps)
    torn = Script(lines=[*script.lines])
    for place, line in broken:
        torn.lines.insert(place % (len(torn.lines) + 1), line)

    assert visible(torn.content()) == visible(script.content())


@given(STEPS, st.data())
def test_lost_line_costs_its_own_message_only(
    steps: list[tuple[str, str]], data: st.DataObject
) -> None:
    """
    A message whose line was destroyed takes no other with it.
    """
    script = script_of([step for step in steps if step[0] in ("user", "agent")])
    place = data.draw(st.integers(0, len(script.lines) - 1))
    torn = Script(lines=[*script.lines])
    torn.lines[place] = torn.lines[place][:20]
    entries = list(read_entries(io.BytesIO(torn.content())))

    marked = list(mark_path(lambda: entries))

    assert all(counts for _, counts in marked)
    assert len(marked) == len(script.lines)


@given(STEPS, st.integers(0, 5000))
def test_growing_file_keeps_its_numbers(steps: list[tuple[str, str]], cut: int) -> None:
    """
    What was seen of a file is how the messages of the whole file begin.
    """
    content = script_of(steps).content()

    seen = visible(content[:cut])

    spoken = [each for each in visible(content) if each.role != "tool"]
    seen_spoken = [each for each in seen if each.role != "tool"]
    assert seen_spoken == spoken[: len(seen_spoken)]


@given(STEPS)
def test_numbers_rise_by_one(steps: list[tuple[str, str]]) -> None:
    """
    Spoken messages are numbered without gaps; a tool has the number before it.
    """
    messages = visible(script_of(steps).content())

    numbers = [each.number for each in messages if each.role != "tool"]
    assert numbers == [*range(1, len(numbers) + 1)]
    for before, message in pairwise(messages):
        assert message.number - before.number == (message.role != "tool")


@given(STEPS)
def test_every_place_gives_the_same_messages(steps: list[tuple[str, str]]) -> None:
    """
    A file, its compressed archive, rows, packed rows, and several of them at once.
    """
    script = script_of(steps)
    readings = []
    with TemporaryDirectory() as folder:
        for number, place in enumerate(("", ".zst", "rows", "packed", "both")):
            state = Path(folder, str(number))
            if place in ("", ".zst", "both"):
                write_file(state, script, place.removeprefix("both"))
            if place in ("rows", "packed", "both"):
                Store(state).add(script, packed=place == "packed")
            transcripts = Transcripts(state)
            (session,) = transcripts.sessions()
            outline = transcripts.outline(session)
            messages = list(transcripts.read(session))
            assert len(outline.times) == sum(each.role != "tool" for each in messages)
            readings.append(messages)

    assert all(reading == readings[0] for reading in readings)


@given(st.lists(st.integers(0, 30), max_size=30))
def test_branch_is_the_path_from_the_tip(parents: list[int]) -> None:
    """
    Ranges and jumps give the same entries as walking from the last one to the root.
    """
    script = Script()
    ids = [script.user("root").last]
    for number, parent in enumerate(parents, 1):
        script.rewind(ids[parent % len(ids)]).agent(str(number))
        ids.append(script.last)
    entries = [parse_entry(json.loads(line)) for line in script.lines]

    marked = mark_path(lambda: entries)

    assert [entry.id for entry, counts in marked if counts] == _path(entries)


def _path(entries: list[Entry]) -> list[str]:
    by_id = {entry.id: entry for entry in entries}
    path, current = [], entries[-1].id
    while current:
        path.append(current)
        current = by_id[current].parent or ""
    return path[::-1]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "id",
                    "parentId",
                    "targetId",
                    "timestamp",
                    "message",
                    "role",
                    "content",
                    "text",
                    "arguments",
                    "provenance",
                    "__openclaw",
                    "kind",
                    "row",
                    "event_json",
                ]
            ),
            inner | st.sampled_from(["message", "leaf", "user", "assistant", "text"]),
            max_size=6,
        )
    ),
    max_leaves=20,
)


@given(st.lists(st.dictionaries(st.text(max_size=5), JSON) | JSON, max_size=6))
def test_no_json_breaks_the_reader(values: list[object]) -> None:
    """
    Whatever JSON a line holds, it is an entry, a malformed one at worst.
    """
    content = "".join(json.dumps(value) + "\n" for value in values).encode()

    entries = list(read_entries(io.BytesIO(content)))

    assert len(entries) == len(values)
    list(Conversation().messages(entries))
    finder = BranchFinder()
    for entry in entries:
        finder.add(entry)
    assert find_branch(lambda: entries).length == len(entries)
