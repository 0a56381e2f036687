"""Lines of a transcript: whole, broken, unfinished, too long."""

from __future__ import annotations

import io
import json

import pytest
from builders_transcripts import Script, read_entries

from strata.transcripts.entries import Entry, epoch, parse_entry
from strata.transcripts.jsonl import UNREADABLE, BoundedLines


def entries(content: bytes) -> list[Entry]:
    return list(read_entries(io.BytesIO(content)))


def texts(content: bytes) -> list[str]:
    return [entry.said.text for entry in entries(content) if entry.said]


def malformed(content: bytes) -> int:
    return sum(entry.malformed for entry in entries(content))


def test_empty_file_has_no_entries() -> None:
    """
    A file of zero bytes is no error.
    """
    assert entries(b"") == []


def test_string_and_array_content_are_the_same_text() -> None:
    """
    Text parts are joined by line ends; thinking is left out.
    """
    parts = [
        {"type": "thinking", "thinking": "hmm"},
        {"type": "text", "text": "one"},
        {"type": "image", "data": "…"},
        {"type": "text", "text": "two"},
    ]

    content = Script().user("one\ntwo").user(parts).content()

    assert texts(content) == ["one\ntwo", "one\ntwo"]


def message_line(timestamp: str, message: dict[str, object]) -> str:
    return json.dumps({"type": "message", "timestamp": timestamp, "message": message})


@pytest.mark.parametrize(
    "line",
    [
        '{"type":"message","id":"b","parentId":"a","timestamp":"2026-11-20T10:00:0',
        "]]]{x",
        "42",
        '"string"',
        "null",
        "[]",
        "{}",
        "\x00\x00\x00",
        '{"type":"message","id":"b"}',
        '{"type":"message","id":"b","message":null}',
        '{"type":"message","id":"b","message":"words"}',
        '{"type":"message","id":"b","message":{"role":"user","content":"no time"}}',
        message_line("2026-11-20T10:00:00Z", {"role": "user"}),
        message_line(
            "2026-11-20T10:00:00Z", {"role": "user", "content": {"text": "x"}}
        ),
        message_line("2026-11-20T10:00:00Z", {"content": "nobody's"}),
        message_line("1999-12-31T23:59:59Z", {"role": "user", "content": "too old"}),
        message_line("2026-02-30T10:00:00Z", {"role": "user", "content": "no day"}),
        message_line("9999-12-31T10:00:00Z", {"role": "user", "content": "too late"}),
    ],
)
def test_broken_line_is_counted_and_skipped(line: str) -> None:
    """
    What stands around a broken line is read as if the line were not there.
    """
    content = Script().user("before").raw(line).user("after").content()

    assert texts(content) == ["before", "after"]
    assert malformed(content) == 1


def test_custom_roles_are_not_malformed() -> None:
    """
    Roles that nobody speaks in need no content.
    """
    content = Script().said({"role": "bashExecution", "command": "ls"}).content()

    assert malformed(content) == 0


def test_blank_lines_are_nothing() -> None:
    """
    Empty lines are neither entries nor malformed.
    """
    assert texts(Script().user("a").raw("").raw("  ").user("b").content()) == ["a", "b"]


@pytest.mark.parametrize("kept", [1, 20, 60, 90])
def test_unfinished_last_line_is_left_for_later(kept: int) -> None:
    """
    Half a line at the end is neither used nor counted.
    """
    whole = Script().user("first").user("second").content()
    first = whole.index(b"\n") + 1

    content = whole[: first + kept]

    assert texts(content) == ["first"]
    assert malformed(content) == 0


def test_last_line_without_end_counts_once_it_is_whole() -> None:
    """
    A complete object at the end of the file is a line.
    """
    assert texts(Script().user("first").content().rstrip(b"\n")) == ["first"]


def test_line_torn_within_a_character_is_unfinished() -> None:
    """
    A file that ends in the middle of a Chinese character is still being written.
    """
    whole = Script().user("first").user("小明").content()

    content = whole[: whole.index("小".encode()) + 1]

    assert texts(content) == ["first"]
    assert malformed(content) == 0


def test_absurdly_long_line_is_not_held_in_memory() -> None:
    """
    A line over the limit comes out as one that cannot be read, and costs no more.
    """
    stream = io.BytesIO(b"short\n" + b"x" * 5000 + b"\nnext\n" + b"y" * 5000)

    lines = list(BoundedLines(stream, limit=100))

    assert lines == [b"short\n", UNREADABLE, b"next\n", UNREADABLE]


def test_half_an_emoji_does_not_cost_the_message() -> None:
    """
    A lone surrogate, as JavaScript leaves it where it cuts text, becomes U+FFFD.
    """
    script = Script().user("cut here X").user("intact 😀")
    content = script.content().replace(b"X", b"\\ud83d")

    assert texts(content) == ["cut here �", "intact 😀"]


def test_time_of_the_entry_goes_before_that_of_the_message() -> None:
    """
    Where the entry has no usable time, the message's milliseconds do.
    """
    message = {"role": "user", "content": "x", "timestamp": 1795172225549}
    entry = {"type": "message", "timestamp": "2026-11-20T10:57:16.549Z"}

    both = parse_entry({**entry, "message": message})
    fallback = parse_entry({**entry, "timestamp": "soon", "message": message})

    assert both.time == 1795172236.549
    assert fallback.time == 1795172225.549


def test_times_of_all_kinds() -> None:
    """
    ISO dates with and without zone, milliseconds; booleans and nonsense are no times.
    """
    assert epoch("2026-11-20T10:00:00Z") == epoch("2026-11-20T18:00:00+08:00")
    assert epoch("2026-11-20T10:00:00") == 1795168800.0
    assert epoch(1795168800000) == 1795168800.0
    nonsense_of_all_kinds: tuple[object, ...] = (
        True,
        None,
        "",
        "yesterday",
        -1,
        0,
        1e300,
        10**400,
        float("inf"),
        [],
        {},
    )
    for nonsense in nonsense_of_all_kinds:
        assert epoch(nonsense) is None


def test_cold_record_is_unwrapped() -> None:
    """
    Cold archives keep each event as JSON within JSON; other records are nothing.
    """
    script = Script().user("kept")

    content = script.cold()

    assert texts(content) == ["kept"]
    assert malformed(content) == 0
    assert malformed(b'{"kind":"event","row":{"event_json":"{"}}\n') == 1
