"""What people say when they change their mind, and what then stands in MEMORY.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strata.distillation.extraction.facts import extract_facts
from strata.distillation.verification.admission import refusal
from strata.distillation.verification.claims import fold_claims
from strata.distillation.verification.dimensions import judge
from strata.distillation.verification.gist import gist_of
from strata.distillation.verification.lapsing import endings_in, lapsed
from strata.distillation.verification.tightening import tightened
from strata.distillation.verification.turning import turns_around
from strata.models import Claim, Mention, Message, Origin, Tag

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = Path(__file__).parents[2] / "data"
FIRST_DAY = datetime(2026, 11, 3, 10, tzinfo=UTC)


@dataclass
class Dialogue:
    """Conversations, each a list of speakers and words, and the lines they end in."""

    conversations: list[list[tuple[str, str]]]
    now: list[str]
    gone: list[str]


def dialogues() -> Iterator[object]:
    """
    Read the tables: ``U:`` the owner, ``A:`` the agent, ``==`` the owner days later.

    ``+`` is a pattern that some line must match, ``-`` one that none may; ``~`` marks
    what the rules do not understand yet.
    """
    paths = [*DATA.glob("reversals_*.txt"), *DATA.glob("talk_*.txt")]
    for path in sorted(paths):
        blocks = path.read_text(encoding="utf-8").strip().split("\n\n")
        for number, block in enumerate(blocks):
            marks = [pytest.mark.xfail(strict=True)] if "\n~" in block else []
            name = f"{path.stem}-{number}"
            yield pytest.param(_dialogue(block), id=name, marks=marks)


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
    endings, today = endings_in(mentions), mentions[-1].day
    judged = [(claim, judge(claim)) for claim in fold_claims(mentions).current]
    return [
        tightened(judgement.text)
        for claim, judgement in judged
        if not refusal(claim, judgement)
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
        text, label = fact.text, f"s{number}"
        yield Mention(
            text, fact.tag, at.date(), time, path, label, text, "", first.origin
        )


@pytest.mark.parametrize("dialogue", list(dialogues()))
def test_last_word_counts(dialogue: Dialogue) -> None:
    """
    What was said last stands in MEMORY.md, what it turned around does not.

    The talk in ``talk_*.txt`` is of all kinds: asides, corrections, requests of the moment.
    """
    lines = memory_after(dialogue.conversations)

    for pattern in dialogue.now:
        assert any(re.search(pattern, line) for line in lines), lines
    for pattern in dialogue.gone:
        assert not any(re.search(pattern, line) for line in lines), lines


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


def test_turn_of_a_rule_is_a_rule() -> None:
    """
    What takes a rule's place needs no word such as "always", and its line no frame.
    """
    older = _mention("Always send the tide table at 20:00.", Tag.PREFERENCE, 3)
    told = _mention("The tide table at 20:00 is useless, I sleep.", Tag.FINDING, 9)
    newer = _mention("User asked: send the tide table at 05:15", None, 9)

    fold = fold_claims([older, told, newer])

    (claim,) = (each for each in fold.current if each.turns)
    assert claim.text == "Send the tide table at 05:15"
    assert judge(claim).section == "User Preferences"
    assert judge(claim).broadly_applicable.holds
    assert [each.claim.mentions[0] for each in fold.replaced] == [older]


def test_request_for_one_day_turns_nothing_around() -> None:
    """
    "Only tonight" leaves the rule as it is.
    """
    older = _mention("Always send the tide table at 20:00.", Tag.PREFERENCE, 3)
    newer = _mention("User asked: just this once send the tide table at 23:00", None, 9)

    assert fold_claims([older, newer]).current == (Claim(older.text, (older,)),)


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        (
            "The harbour mixed us up. It's berth C-41, not C-14, on the plan it's wrong",
            "The harbour mixed us up. It's berth C-41, not C-14, on the plan it's wrong",
        ),
        (
            'Hanna Moser, she runs the desk, she\'d be cross at "Mozer"',
            'Hanna Moser, she runs the desk, she\'d be cross at "Mozer"',
        ),
        ("啥 Java 啊,报名页是 PHP 写的", "啥 Java 啊,报名页是 PHP 写的"),
    ],
)
def test_corrections_keep_what_is_right(entry: str, line: str) -> None:
    """
    A correction is a fact, in whatever tone, and its line holds the right value.
    """
    gist = gist_of(entry, Tag.FINDING)

    assert (gist.text, gist.kind) == (line, "fact")


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
