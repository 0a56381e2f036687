"""A week holds what somebody will look for later: once, still held, within its bounds."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import count

import pytest

from strata.judges.weeks import choose, room_for
from strata.models import Estimate, Mention, Origin, Tag

NUMBERS = count()
KEPT = Estimate("fact", 0.9, 0.6, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)


def said(
    text: str,
    day: int = 2,
    tag: Tag | None = Tag.FINDING,
    origin: Origin | None = Origin.OWNER,
    **judged: float | str,
) -> Mention:
    """
    An entry of a November day, of a conversation of its own.
    """
    number = next(NUMBERS)
    estimate = replace(KEPT, **judged)  # type: ignore[arg-type]
    head = f"[{tag}] " if tag else ""
    return Mention(
        *(text, tag, date(2026, 11, day), f"1{number % 10}:00:00", ""),
        *(f"c{number}", head + text, str(number), origin, estimate),
    )


def lines(*mentions: Mention) -> list[str]:
    return [line.mention.text for line in choose(mentions)]


def test_what_is_said_on_several_days_is_one_line() -> None:
    """
    The richer wording stands for both, with both days.
    """
    (line,) = choose(
        [
            said("We use pnpm in acme-dashboard.", 2, Tag.DECISION),
            said("We use pnpm, never npm, in acme-dashboard.", 4, Tag.DECISION),
        ]
    )

    assert "We use pnpm, never npm, in acme-dashboard." == line.mention.text
    assert (date(2026, 11, 2), date(2026, 11, 4)) == line.days


@pytest.mark.parametrize(("meant", "retracted"), [(0.2, 0.0), (1.0, 0.8)])
def test_joke_and_what_was_taken_back_have_no_line(
    meant: float, retracted: float
) -> None:
    """
    However likely it was worth a note, nobody held it.
    """
    joke = said("We only deploy at full moon.", meant=meant, retracted=retracted)

    assert ["Ada keeps the keys."] == lines(joke, said("Ada keeps the keys."))


def test_only_the_newest_value_of_a_week_has_a_line() -> None:
    """
    What took the place of a lasting line stands there alone.
    """
    old = said("The daily report goes out at 18:30.", 2, Tag.PREFERENCE, lasts=0.9)
    new = said("The daily report goes out at 8:45 now.", 4, Tag.PREFERENCE, lasts=0.9)

    assert [new.text] == lines(old, new)


def test_words_of_the_agent_take_nobodys_place() -> None:
    """
    What the agent says otherwise stands beside what the owner said.
    """
    own = said("The daily report goes out at 18:30.", 2, Tag.PREFERENCE, lasts=0.9)
    other = said(
        *("The daily report goes out at 8:45 now.", 4, Tag.PREFERENCE, Origin.AGENT),
        lasts=0.9,
    )

    assert {own.text, other.text} == set(lines(own, other))


@pytest.mark.parametrize(
    ("origin", "keep", "has_a_line"),
    [
        (Origin.OWNER, 0.9, True),
        (Origin.OWNER, 0.3, False),
        (Origin.UNTRUSTED, 0.9, False),
    ],
)
def test_request_has_a_line_where_it_was_worth_a_note(
    origin: Origin, keep: float, *, has_a_line: bool
) -> None:
    """
    The trace of a talk has none, and neither has what somebody else's text asks for.
    """
    asked = said("Move the API to Fastify.", tag=None, origin=origin, keep=keep)

    assert has_a_line is bool(lines(asked))


def test_what_is_likelier_wanted_comes_first() -> None:
    """
    What lasts is wanted before what does not, and that before what was hardly kept.
    """
    small = said("The noodle bar was fine.", keep=0.5, lasts=0.1)
    event = said("The crane arrived.", keep=0.9, lasts=0.1)
    rule = said("Ask Ruben about the cluster.", keep=0.9, lasts=0.9)

    assert [rule.text, event.text, small.text] == lines(small, event, rule)


def test_week_has_six_lines_for_ten_entries() -> None:
    """
    A small week is not squeezed, and what comes late to a full one has its share.
    """
    assert 12 == room_for(20, late=20, standing=0)
    assert 3 == room_for(3, late=3, standing=0)
    assert 3 == room_for(25, late=5, standing=12)
    assert 1 == room_for(21, late=1, standing=12)
