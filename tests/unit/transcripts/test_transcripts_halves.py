"""A secret that comes in parts, one in each message, is a secret all the same."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from builders import Conversation

from strata.transcripts.announced import Announced
from strata.transcripts.openclaw import Transcripts
from strata.transcripts.redaction import redact

if TYPE_CHECKING:
    from pathlib import Path

    from strata.models import Role

HEAD, REST = "Kestrel" + "-4", "82!q" + "Wz"
FIRST, SECOND = "t6ulN4el" + "DB", "PWn9cYmj" + "6x08jMhB"


def told(*lines: str) -> list[str]:
    """
    What is left of *lines* such as ``U: hello``, one a message.
    """
    announced, left = Announced(), []
    for line in lines:
        role: Role = "user" if line.startswith("U") else "assistant"
        text = line[3:]
        left.append(redact(announced.redacted(role, text)))
        announced.hear(role, text)
    return left


@pytest.mark.parametrize(
    "lines",
    [
        (
            f"U: first half of the password: {HEAD}",
            "A: go on",
            f"U: second half: {REST}",
        ),
        (f"U: the password starts with {HEAD}", f"U: and ends with {REST}"),
        (f"U: the key is sk-{FIRST}", "A: ok", f"U: then {SECOND}"),
        (f"U: token: {FIRST}", f"U: {SECOND}"),
        (f"U: 密码前半段是 {HEAD}", "A: 嗯", f"U: 后半段是 {REST}"),
        (f"U: 密钥开头是 {FIRST}", "U: 记下了吗", f"U: 接着是 {SECOND}"),
    ],
)
def test_no_part_is_left(lines: tuple[str, ...]) -> None:
    """
    Neither the first part nor what continues it within two messages is kept.
    """
    left = " ".join(told(*lines))

    assert not any(part in left for part in (HEAD, REST, FIRST, SECOND))


@pytest.mark.parametrize(
    "lines",
    [
        ("U: the key is a good breakfast", "U: then v2ray"),
        ("U: the first part of the code is done", "U: then restart web01"),
        ("U: the password is in the vault", "U: web01 is down"),
        ("U: token limit is 4096", "A: ok", "U: and the port is 8443"),
        ("U: 密码在保险箱里", "U: 然后重启 web01"),
        ("U: the error code is E42", "U: what does it mean"),
    ],
)
def test_other_messages_stay(lines: tuple[str, ...]) -> None:
    """
    What goes on without a value, or about something else, stays as it is.
    """
    assert told(*lines) == [line[3:] for line in lines]


def test_a_third_message_is_about_something_else() -> None:
    """
    A value that comes later is no part of it.
    """
    lines = (f"U: token: {FIRST}", "U: thanks", "U: hello", "U: web01")

    assert told(*lines)[-1] == "web01"


@pytest.mark.parametrize(
    "piece", ["key ", "and ", "the rest ", "key is ", "然后", "a1"]
)
def test_no_text_takes_long(piece: str) -> None:
    """
    A long message of any kind is looked through in a moment.
    """
    began = time.process_time()

    told("U: the key is sk-abc", f"U: {piece * (60_000 // len(piece))}")

    assert time.process_time() - began < 2


def test_rest_is_known_although_only_it_is_wanted(tmp_path: Path) -> None:
    """
    What was captured before is not told again; a secret may have begun in it.
    """
    talk = Conversation(tmp_path).user("hello").agent("Hi.")
    talk.user(f"first half of the password: {HEAD}").agent("go on")
    talk.user(f"second half: {REST}").save()
    transcripts = Transcripts(tmp_path)
    [session] = transcripts.sessions()

    [last] = transcripts.read(session, wanted=lambda number: number == 5)

    assert REST not in last.text
