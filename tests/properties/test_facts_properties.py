"""What holds for every conversation."""

from __future__ import annotations

from datetime import timedelta
from itertools import count, pairwise
from time import process_time

import pytest
from builders_talk import NOON, ZONE, claim, talk
from hypothesis import example, given, settings
from hypothesis import strategies as st

from strata.judges.entries import extract_facts
from strata.language.dates import find_dates
from strata.models import Fact, Message
from strata.notes.entries import worded
from strata.statements.grounding.agreement import disagreement, missing
from strata.statements.grounding.proposals import unsaid, unsupported

PHRASES = st.sampled_from(
    [
        "from now on use metric units",
        "we decided on oak, not walnut",
        "the latter",
        "no. please remember: ask Jonas about keys (jonas@a.example)",
        "found it: the valve sticks on Tuesdays",
        'he says "never eat bread"',
        "haha",
        "just kidding",
        "Do you want A or B?",
        "until Friday, 14:00, room 5",
        "以后一律用公制",
        "后面那个。整个系统都这么办",
        "查到根因了,是 7710 端口,不是 7700",
        "周四之前别动 /srv/data",
        "thanks",
    ]
)
TEXTS = st.one_of(
    PHRASES,
    st.lists(PHRASES, min_size=1, max_size=4).map(" ".join),
    st.text(max_size=200),
)
# What is left where dates and words are taken away, and what stands between words.
ODD = st.one_of(
    TEXTS,
    st.lists(
        st.sampled_from(
            [
                *(
                    "2026-11-23",
                    "(2026-11)",
                    "tomorrow",
                    "周五",
                    "3",
                    "14:00",
                    "两",
                    "B2",
                ),
                *(" ", ".", "。", ",", "(", ")", '"', "-", "/", "\n", "⟦secret:key⟧"),
                *(
                    "not",
                    "不",
                    "never",
                    "only",
                    "the",
                    "than",
                    "Ann",
                    "老王",
                    "is",
                    "by",
                ),
            ]
        ),
        max_size=8,
    ).map("".join),
)
LINES = st.lists(
    st.tuples(st.sampled_from("UUUAAT"), TEXTS).map(
        lambda line: f"{line[0]}: {line[1]}"
    ),
    max_size=30,
)


def extract(lines: list[str]) -> tuple[list[Message], list[Fact]]:
    messages = talk(*lines)
    return messages, extract_facts(messages, timezone=ZONE)


@given(LINES)
@settings(max_examples=150, deadline=None)
def test_entries_are_lines_of_bounded_length(lines: list[str]) -> None:
    """
    Each entry is one line of at most 300 characters, and they are in order of saying.
    """
    _, found = extract(lines)

    assert all("\n" not in fact.text and 0 < len(fact.text) <= 300 for fact in found)
    assert [f.evidence[0].said_at for f in found] == sorted(
        f.evidence[0].said_at for f in found
    )


@given(LINES)
@settings(max_examples=150, deadline=None)
def test_entries_stand_on_the_words_they_cite(lines: list[str]) -> None:
    """
    Every entry passes the check for grounding, and quotes its messages to the letter.
    """
    messages, found = extract(lines)
    said = {message.id: message.text for message in messages}

    assert [unsupported(fact, ZONE) for fact in found] == [None] * len(found)
    for evidence in (item for fact in found for item in fact.evidence):
        assert evidence.quote in said[evidence.message_id]


@given(ODD, st.lists(ODD, min_size=1, max_size=3))
@settings(max_examples=300, deadline=None)
def test_every_wording_is_judged(text: str, quotes: list[str]) -> None:
    """
    Whatever somebody would write down, it is borne out by the words or there is a reason.
    """
    fact = claim(text, *quotes)

    verdicts = (
        unsaid(text, fact.evidence, ZONE),
        disagreement(text, text, quotes, strictly=True),
        missing(text, quotes[0]),
    )

    assert all(verdict is None or verdict.strip() for verdict in verdicts)


@given(LINES)
@settings(max_examples=50, deadline=None)
def test_extraction_is_repeatable(lines: list[str]) -> None:
    """
    The same messages give the same facts, as a list or as a stream.
    """
    messages, found = extract(lines)

    assert found == extract_facts(iter(messages), timezone=ZONE)


@example(
    [
        "U: from now on use metric units",
        "U: 查到根因了,是 7710 端口,不是 7700",
        "A: 查到根因了,是 7710 端口,不是 7700",
    ]
)
@example(
    [
        "U: from now on use metric units",
        "U: 0:0",
        "A: no. please remember: ask Jonas about keys (jonas@a.example)",
        "U: 0:0",
    ]
)
@given(LINES)
@settings(max_examples=50, deadline=None)
def test_no_entry_twice(lines: list[str]) -> None:
    """
    No two entries say the same: who speaks, what, and about what.
    """
    _, found = extract(lines)

    assert len({worded(fact.entry) for fact in found}) == len(found)


@given(st.text(max_size=300), st.sampled_from(["past", "future"]))
@settings(max_examples=300, deadline=None)
def test_dates_lie_inside_the_text(text: str, prefer: str) -> None:
    """
    Spans are ordered, do not overlap, lie inside the text and do not run backwards.
    """
    side = "past" if prefer == "past" else "future"
    spans = find_dates(text, anchor=NOON, prefer="past" if side == "past" else "future")

    assert all(0 <= s.start < s.end <= len(text) and s.first <= s.last for s in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))


@pytest.mark.parametrize(
    "part",
    [
        "a-",
        "a ",
        "a, not b ",
        "“",
        '"',
        "不是",
        "每",
        "1.",
        "a.b",
        "((",
        "i use ",
        "x: ",
    ],
)
def test_no_text_is_expensive(part: str) -> None:
    """
    A long run of anything is read in bounded time.
    """
    message = (part * 50_000)[:100_000]
    began = process_time()
    extract([f"U: {message}", f"A: {message}", "U: ok"])

    assert process_time() - began < 2


def test_memory_does_not_grow_with_the_conversation() -> None:
    """
    Messages are read one by one; only a bounded number of them is ever held.
    """
    held: list[int] = []

    class Counted(str):
        alive = 0
        __slots__ = ()

        def __init__(self, *_: object) -> None:
            Counted.alive += 1

        def __del__(self) -> None:
            Counted.alive -= 1

    def stream() -> object:
        [template] = talk("U: x")
        for number in count():
            if number == 3000:
                return
            held.append(Counted.alive)
            text = Counted(f"from now on shelf {number} holds item {number * 3}")
            at = NOON + timedelta(seconds=number)
            yield Message(str(number), number, "user", text, at, template.origin)

    found = extract_facts(stream(), timezone=ZONE)  # type: ignore[arg-type]

    assert len(found) <= 3000
    assert max(held) < 1000
