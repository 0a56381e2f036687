"""Whatever several hands do to a note, and in whatever order that is heard of."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from strata.jobs.machines.notes import Comparing, seen_in
from strata.models import Block
from strata.notes.daily import put_block, render_block
from strata.notes.parts import Edit, folded_note, is_version, merged_notes, parts_of

_HEADINGS = (
    "# 2026-11-20",
    "## 10:04 session:aaaaaaaa | 4 messages",
    "## 10:09 session:aaaaaaaa | 9 messages",
    "## 11:30 session:bbbbbbbb | 2 messages",
    "## 12:00 remembered",
    "## Notes",
    "### 2026-11-18",
    "# in code",
)
_LINES = ("- one", "- two", "- three", "four", "", "```", "- 五", "six\r")
lines = st.lists(st.sampled_from(_HEADINGS + _LINES), max_size=12)
texts = st.builds(
    lambda each, end: "\n".join(each) + end, lines, st.sampled_from(("", "\n", "\n\n"))
)


@given(texts)
def test_a_note_taken_apart_is_the_same_note(text: str) -> None:
    """
    Parts give the bytes that they came from.
    """
    assert "".join(parts_of(text)) == text


@given(texts, texts)
def test_two_versions_become_one_whichever_comes_first(one: str, other: str) -> None:
    """
    Merging is commutative, changes nothing where both are the same, and loses no line.
    """
    merged = merged_notes(one, other)

    assert merged == merged_notes(other, one)
    assert merged_notes(one, one) == one
    assert _said(merged) >= {each for each in _said(one) | _said(other) if _stays(each)}


@given(st.lists(texts, min_size=3, max_size=3))
def test_three_versions_say_the_same_however_they_meet(versions: list[str]) -> None:
    """
    Which two of three are merged first does not matter to what is said in the end.
    """
    ends = {
        frozenset(filter(_stays, _said(merged_notes(merged_notes(a, b), c))))
        for a, b, c in permutations(versions)
    }

    assert len(ends) == 1


@dataclass
class Hand:
    """
    A machine on which somebody saves the note again and again.
    """

    name: str
    known: dict[str, Any] | None = field(
        default_factory=lambda: {"parts": [], "last": 0}
    )
    told: list[Edit] = field(default_factory=list)
    heard: list[Edit] = field(default_factory=list)
    text: str = ""

    def tell(self) -> None:
        """
        Say what was done to the note here, and take in what was heard.
        """
        edits = [*self.told, *self.heard]
        comparing = Comparing(edits, self.known, self.name, self._edit)
        comparing.seen(self.text)
        self.told += comparing.new
        made = seen_in(folded_note([*edits, *comparing.new]))
        self.text, self.known = (
            made.text,
            made.record([*edits, *comparing.new], self.name),
        )

    def _edit(self, text: str, replaces: tuple[str, ...], after: str) -> Edit:
        self.number = getattr(self, "number", 0) + 1
        at = f"2026-11-20T12:{self.number // 60:02}:{self.number % 60:02}"
        return Edit(self.name, self.number, at, text, replaces, after)


@given(st.lists(texts, min_size=1, max_size=5))
def test_on_one_machine_nothing_is_lost_and_little_moves(saved: list[str]) -> None:
    """
    Who writes alone has what was written, byte for byte where blocks are in their order.
    """
    hand = Hand("a")
    for number, text in enumerate(saved):
        hand.text = text
        hand.tell()

        assert sorted(filter(None, hand.text.split("\n"))) == sorted(
            filter(None, text.split("\n"))
        )
        if number == 0 and _is_in_order(text):
            assert hand.text == text
        again = hand.text
        hand.tell()
        assert hand.text == again


@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.sampled_from("stx"), texts), max_size=8
    ),
    st.randoms(use_true_random=False),
)
def test_two_machines_end_in_the_same_bytes(
    acts: list[tuple[str, str, str]], random: Any
) -> None:
    """
    Whatever was saved where, and whatever was heard late: both have one note in the end.
    """
    hands = {"a": Hand("a"), "b": Hand("b")}
    for name, act, text in acts:
        hand, other = hands[name], hands["b" if name == "a" else "a"]
        if act == "s":
            hand.text = text
        elif act == "t":
            hand.tell()
        else:
            # Of what the other one told some has come, in the order in which it was told.
            hand.heard = other.told[
                : max(random.randint(0, len(other.told)), len(hand.heard))
            ]
            hand.tell()
    for _ in range(3):
        for name, else_ in (("a", "b"), ("b", "a")):
            hands[name].heard = list(hands[else_].told)
            hands[name].tell()

    assert hands["a"].text == hands["b"].text
    edits = [*hands["a"].told, *hands["b"].told]
    random.shuffle(edits)
    assert "".join(part.text for part in folded_note(edits)) == hands["a"].text


def test_a_version_shares_lines_with_its_note() -> None:
    """
    A note of another matter that has a name alike is no version.
    """
    note = "# 2026-11-20\n\n## 10:04 session:aaaaaaaa | 4 messages\n- one\n"

    assert is_version("# 2026-11-20\n\n## Notes\n- quite another\n", note)
    assert not is_version("# Recipes\n- flour\n- milk\n", note)
    assert not is_version("", note)


def test_a_block_that_moves_takes_nothing_along() -> None:
    """
    What a hand wrote right below a block stays where the block goes behind a later one.
    """
    day = date(2026, 11, 20)
    old = Block(day, "10:04", "aaaaaaaa", 4, ("one",))
    late = Block(day, "11:30", "bbbbbbbb", 2, ("two",))
    text = f"{render_block(old)}## Notes\n- mine\n\n{render_block(late)}"
    new = Block(day, "12:00", "aaaaaaaa", 6, ("one", "three"))

    moved = put_block(text, new, old=old)

    assert moved == f"## Notes\n- mine\n\n{render_block(late)}\n{render_block(new)}"


def _said(text: str) -> set[str]:
    return {line.strip() for line in text.split("\n")} - {""}


def _stays(line: str) -> bool:
    """
    The heading of a block may be that of the longer one instead.
    """
    return "session:" not in line


def _is_in_order(text: str) -> bool:
    """
    Say whether the blocks in *text* stand by their time, as Strata writes them.
    """
    times = [line for line in text.split("\n") if line.startswith(("## 1", "### "))]
    return len(set(times)) == len(times) and times == sorted(times)
