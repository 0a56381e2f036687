"""What people say when they change their mind, and what then stands in MEMORY.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strata.judges.entries import extract_facts
from strata.judges.folding import fold_claims
from strata.judges.law import refusal
from strata.judges.verdicts import judge
from strata.models import Mention, Message, Origin, Tag
from strata.notes.entries import worded
from strata.statements.lapsing import endings_in, lapsed
from strata.statements.tightening import tightened
from strata.statements.turning import turns_around

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_WRONG, MOST_STALE = 52, 19
DATA = Path(__file__).parents[2] / "data"
FIRST_DAY = datetime(2026, 11, 3, 10, tzinfo=UTC)


@dataclass
class Dialogue:
    """Conversations, each a list of speakers and words, and the lines they end in."""

    conversations: list[list[tuple[str, str]]]
    now: list[str]
    gone: list[str]


def dialogues() -> Iterator[tuple[str, Dialogue]]:
    """
    Read the tables: ``U:`` the owner, ``A:`` the agent, ``==`` the owner days later.

    ``+`` is a pattern that some line must match, ``-`` one that none may; ``~`` marks
    what was not understood when the table was written.
    """
    paths = [*DATA.glob("reversals_*.txt"), *DATA.glob("talk_*.txt")]
    for path in sorted(paths):
        blocks = path.read_text(encoding="utf-8").strip().split("\n\n")
        for number, block in enumerate(blocks):
            yield f"{path.stem}-{number}", _dialogue(block)


def _dialogue(block: str) -> Dialogue:
    found = Dialogue([[]], [], [])
    for line in block.splitlines():
        mark, _, words = line.partition(" ")
        if mark == "==":
            found.conversations.append([("U:", words)])
        elif mark in {"U:", "A:"}:
            found.conversations[-1].append((mark, words))
        elif mark in {"+", "-"}:
            (found.now if mark == "+" else found.gone).append(words)
    return found


def memory_after(conversations: list[list[tuple[str, str]]]) -> list[str]:
    """Return the lines that the rules find worth a place in MEMORY.md."""
    mentions = [
        mention
        for number, said in enumerate(conversations)
        for mention in _mentions(said, FIRST_DAY + timedelta(days=3 * number), number)
    ]
    if not mentions:
        return []
    endings, today = endings_in(mentions), mentions[-1].day
    judged = [(claim, judge(claim)) for claim in fold_claims(mentions).current]
    return [
        tightened(judgement.text)
        for claim, judgement in judged
        if not refusal(claim, judgement.text)
        and judgement.prevents_mistake.holds
        and judgement.broadly_applicable.holds
        and judgement.self_contained.holds
        and not lapsed(claim, judgement.text, today, endings)
    ]


def _mentions(
    said: list[tuple[str, str]], at: datetime, number: int
) -> Iterator[Mention]:
    messages = [
        Message(
            f"m{number}-{place}",
            place + 1,
            "user" if who == "U:" else "assistant",
            words,
            at + timedelta(minutes=place),
            Origin.OWNER if who == "U:" else Origin.AGENT,
        )
        for place, (who, words) in enumerate(said)
    ]
    for fact in extract_facts(messages, timezone=UTC):
        first = fact.evidence[0]
        time, path = f"{first.said_at:%H:%M:%S}", f"memory/{at.date()}.md"
        text, label = worded(fact.entry), f"s{number}"
        yield Mention(
            text,
            fact.tag,
            at.date(),
            time,
            path,
            label,
            text,
            "",
            first.origin,
            fact.estimate,
        )


def test_last_word_counts() -> None:
    """
    What was said last stands in MEMORY.md, what it turned around does not.

    The talk is of all kinds, most without a word such as "always"; a learned judge gets
    some of it wrong, and must not get more of it wrong than it did.
    """
    wrong = [name for name, told in dialogues() if not _is_right(told)]

    assert len(wrong) <= MOST_WRONG, wrong


def _is_right(dialogue: Dialogue) -> bool:
    lines = memory_after(dialogue.conversations)
    now = all(any(re.search(each, line) for line in lines) for each in dialogue.now)
    return now and not any(
        re.search(each, line) for each in dialogue.gone for line in lines
    )


def test_what_an_entry_is_about_replaces_nothing() -> None:
    """
    A decision stays, although what was said next stands in the note as about it.
    """
    decided = (
        "我们决定把温室项目部署在新加坡的云主机上\uff0c因为家里的上传带宽只有 20 Mbps。"
    )
    lines = memory_after(
        [
            [
                ("U:", decided),
                (
                    "A:",
                    "好的\uff0c温室项目部署在新加坡的云主机上\uff0c预计每月费用 48 元。",
                ),
                (
                    "U:",
                    "上线日期定在 12 月 5 日。另外,以后给我的周报请用中文写,不超过一页。",
                ),
            ]
        ]
    )

    assert any("新加坡" in line for line in lines)
    assert any("周报" in line for line in lines)


def test_what_was_turned_around_is_gone() -> None:
    """
    Few dialogues leave a line that no longer holds.
    """
    stale = [
        name
        for name, told in dialogues()
        for lines in [memory_after(told.conversations)]
        if any(re.search(each, line) for each in told.gone for line in lines)
    ]

    assert len(stale) <= MOST_STALE, stale


@pytest.mark.parametrize(
    ("older", "message"),
    [
        # The same rule again, with a sigh.
        ("Use the blue ink for drafts.", "Red ink again! Drafts get the blue ink."),
        ("合同一律双面打印", "又单面了!我说了多少遍,合同双面打印。"),
        # The same person, another matter.
        (
            "Ruben wants his drafts by mail, always.",
            "Ruben is off sick. Water the ferns on Mondays from now on.",
        ),
        ("老周的稿子一律发邮箱", "老周又病了。往后周一浇花。"),
        # More about the same thing.
        (
            "The choir folders lie in the vestry, always.",
            "The choir folders get a new label from now on.",
        ),
        ("合唱团的谱夹都放在储藏室", "往后合唱团的谱夹要贴标签。"),
        # A time for what had none.
        ("Reports go to Anna as PDF.", "From now on the reports are due at 17:00."),
    ],
)
def test_other_matters_stay(older: str, message: str) -> None:
    """
    A rule said again, more about a thing, or something else replace nothing.
    """
    assert not turns_around(older, message, message)


def test_neighbouring_entry_tells_what_is_left() -> None:
    """
    The complaint stands in one entry of a message, what holds from then on in the next.
    """
    complaint = "The kiln timer at 22:00 wakes the whole house."
    order = "Set the kiln timer to 06:30"

    assert turns_around(
        "Start the kiln timer at 22:00.", order, f"{complaint}\n{order}"
    )


def _mention(text: str, tag: Tag | None, day: int) -> Mention:
    said = FIRST_DAY.date().replace(day=day)
    path = f"memory/{said}.md"
    return Mention(text, tag, said, "10:00:00", path, f"s{day}", text, "", Origin.OWNER)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            "放学以后我不回家长,急事除外,回了一次就有第二次",
            "按年收费家长嫌烦,改包月吧,300 块一次付清",
        ),
        (
            "啥 Java 啊,小程序是 PHP 写的,打小林来第一天就是 PHP",
            "小程序有人说要弄打赏,咱永远不做打赏。写进去,别再让小林提",
        ),
    ],
)
def test_word_in_common_turns_nothing(older: str, newer: str) -> None:
    """
    A figure that both have is no topic, and half a word takes no place.
    """
    assert not turns_around(older, newer, newer)
