"""What the owner says off the record is never read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Conversation
from hypothesis import given
from hypothesis import strategies as st

from strata.jobs.sync import sync
from strata.memory import Memory
from strata.transcripts.private import Privacy

if TYPE_CHECKING:
    from pathlib import Path


def heard(*texts: str) -> list[str]:
    privacy = Privacy()
    return [privacy.heard(text, by_owner=True) for text in texts]


@pytest.mark.parametrize(
    "order",
    [
        "off the record: my salary is 5000",
        "Ok, this is off the record.",
        "This stays off the record please",
        "Let's go off the record for a moment",
        "don't record this",
        "Please do not remember any of this.",
        "Don't write down the following: x",
        "Don't log this.",
        "这段不用记",
        "stop taking notes please",
        "keep this between us",
        "别记这段",
        "接下来的话不要记",
        "这段别记，我要离职",
        "先别记录",
        "不要记下来哦",
        "暂停记录",
        "私下说：我想换工作",
    ],
)
def test_nothing_is_heard_until_the_owner_resumes(order: str) -> None:
    """
    From the order on nothing is read, the order itself included, until the word to go on.
    """
    assert heard(order, "secret plans", "back on the record. Use pnpm", "and tabs") == [
        "",
        "",
        "Use pnpm",
        "and tabs",
    ]


@pytest.mark.parametrize("word", ["可以记了", "继续记录。", "恢复记录", "开始记吧"])
def test_the_chinese_word_to_go_on(word: str) -> None:
    """
    The owner goes on in Chinese as in English.
    """
    assert heard("别记这段", "x", f"{word}", "以后用 pnpm") == [
        "",
        "",
        "",
        "以后用 pnpm",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "I don't remember this",
        "Never put off-the-record remarks into the notes",
        "don't log this header in production",
        "The token stands in the header, don't log that.",
        "Remove the banner; don't keep this.",
        "调试信息，不用记录。",
        "这个函数别记录日志",
        "别记错了，是三号",
        "不要记录用户的 IP",
        "he told me something off the record yesterday about the merger",
        "always record the demo",
        "remember this: use tabs",
        "记住我对核桃过敏",
    ],
)
def test_other_sentences_are_heard(text: str) -> None:
    """
    Words that only sound like the order change nothing.
    """
    assert heard(text, "next") == [text, "next"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("use tabs <private>my pay is 5000</private> always", "use tabs   always"),
        ("<PRIVATE>all of it", ""),
        ("记一下 <私密>工资五千</私密>用 pnpm", "记一下  用 pnpm"),
        ("[private]x[/private] y", "y"),
    ],
)
def test_marked_words_are_cut_out(text: str, left: str) -> None:
    """
    What stands between the marks is never read; a mark that is not closed goes on.
    """
    assert heard(text) == [left]


def test_what_stands_before_the_order_is_heard() -> None:
    """
    One message may hold both, and only what follows the order is private.
    """
    assert heard("Always use tabs. Off the record: I leave", "in May") == [
        "Always use tabs",
        "",
    ]


def test_the_agent_cannot_end_it() -> None:
    """
    Only the owner says when it is on the record again.
    """
    privacy = Privacy()
    privacy.heard("off the record", by_owner=True)

    assert privacy.heard("We are back on the record", by_owner=False) == ""
    assert privacy.off


def test_no_byte_of_it_is_kept(tmp_path: Path) -> None:
    """
    A sync that begins in the middle of such a stretch still knows that it is private.
    """
    (tmp_path / "w").mkdir()
    conversation = (
        Conversation(tmp_path / "state")
        .user("Always use pnpm, never npm, in the shop")
        .agent("Ok.")
        .user("别记这段")
        .agent("Understood, zorvane stays between us.")
    )
    for text in ("I decided to leave zorvane in May", "From now on call it zorvane"):
        conversation.save()
        memory = Memory.open(
            workspace=str(tmp_path / "w"),
            state_dir=str(tmp_path / "state"),
            now="2026-11-20T20:00:00+00:00",
        )
        sync(memory)
        conversation.user(text).agent("I see, zorvane.")
    conversation.user("Back on the record: always write British English").agent(
        "Ok"
    ).save()
    sync(memory)

    left = b"".join(p.read_bytes() for p in (tmp_path / "w").rglob("*") if p.is_file())
    assert b"British" in left
    assert b"pnpm" in left
    assert b"zorvane" not in left


@given(st.lists(st.text(max_size=60)))
def test_what_is_heard_was_said(texts: list[str]) -> None:
    """
    Whatever people write, what is heard of it are its own words.
    """
    for text, left in zip(texts, heard(*texts), strict=True):
        assert left in text or "<" in text or "[" in text or "【" in text
