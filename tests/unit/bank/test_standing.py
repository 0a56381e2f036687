"""What holds of somebody, what held before, and how sure that is."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from builders_bank import Listed, said

from strata.bank.standing import FADING_DAYS, Held, standing
from strata.bank.statements import Kind
from strata.models import Tag

if TYPE_CHECKING:
    from strata.bank.standing import Standing
    from strata.bank.statements import Stated
    from strata.statements.relations import Relation

TODAY = date(2026, 11, 20)
ONE, TWO, THREE = "0a1b2c3d", "1b2c3d4e", "2c3d4e5f"
PORT = "The staging port is 5433."
NEW_PORT = "The staging port is 5434 now, not 5433."


def found(*told: Stated, today: date = TODAY) -> Standing:
    """
    What *told* come to.
    """
    return standing(told, today, Listed())


def texts(held: tuple[Held, ...]) -> list[str]:
    """
    What each of them says.
    """
    return [each.text for each in held]


def test_newer_value_ends_the_older_one() -> None:
    """
    On the day on which it was said; the old one stays with its end.
    """
    standing = found(said(PORT, day=2), said(NEW_PORT, day=5, talk=TWO))

    assert texts(standing.now) == [NEW_PORT]
    (was,) = standing.past
    assert (was.text, was.first.day, was.until) == (
        PORT,
        date(2026, 11, 2),
        date(2026, 11, 5),
    )
    assert [each.text for each in was.against] == [NEW_PORT]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The rent is 1,450 euros.", "The rent is now 1,520 euros."),
        ("站会是九点半。", "站会改到十点了。"),
        ("The frontend is written in Svelte", "We moved the frontend to React"),
        ("Anna lives in Porto.", "Anna moved from Porto to Faro."),
    ],
)
def test_change_in_either_language_ends_what_was(older: str, newer: str) -> None:
    """
    In the words in which people say it.
    """
    standing = found(said(older, day=2), said(newer, day=5))

    assert texts(standing.now) == [newer]
    assert texts(standing.past) == [older]


def test_what_is_about_something_else_ends_nothing() -> None:
    """
    Another port stays.
    """
    standing = found(said(PORT), said("The client gets a report on Fridays.", day=5))

    assert len(standing.now) == 2
    assert standing.past == ()


def test_value_that_comes_back_holds_again() -> None:
    """
    Both ends are in the past, and the first one does not rise.
    """
    standing = found(
        said(PORT, day=2),
        said(NEW_PORT, day=5),
        said("The staging port is 5433 again, not 5434.", day=8),
    )

    assert texts(standing.now) == ["The staging port is 5433 again, not 5434."]
    assert [each.until for each in standing.past] == [
        date(2026, 11, 5),
        date(2026, 11, 8),
    ]


def test_same_said_again_is_evidence() -> None:
    """
    One line, borne out by both, and surer than before.
    """
    again = said("每天站会是九点半", day=5, talk=TWO)
    first = said("Daily standup is at 9:30", day=2)

    (once,) = found(first).now
    (twice,) = found(first, again).now

    assert twice.borne == (first, again)
    assert twice.confidence(TODAY) > once.confidence(TODAY)


def test_repetition_within_a_talk_is_no_proof() -> None:
    """
    Conversations count: five times in one are as good as once.
    """
    five = [said(PORT, number=number) for number in range(4, 9)]

    (held,) = found(*five).now

    assert len(held.borne) == 5
    assert held.confidence(TODAY) == found(said(PORT)).now[0].confidence(TODAY)


def test_denial_makes_less_sure_and_more_talks_make_surer() -> None:
    """
    Each moves it by less than the one before.
    """
    talks = (ONE, TWO, THREE)
    borne = tuple(
        said(PORT, day=day, talk=talk)
        for day, talk in zip((2, 3, 4), talks, strict=True)
    )
    sure = [
        Held(PORT, Kind.WORLD, borne[: count + 1]).confidence(TODAY)
        for count in range(3)
    ]
    denied = Held(PORT, Kind.WORLD, borne, (said(NEW_PORT, day=6),)).confidence(TODAY)

    assert sure == [0.67, 0.75, 0.8]
    assert denied == 0.67


def test_what_is_not_said_again_fades_after_half_a_year() -> None:
    """
    Towards one half, and until then not at all.
    """
    held = Held(PORT, Kind.WORLD, (said(PORT, day=2),))
    first = date(2026, 11, 2)
    ages = (0, FADING_DAYS, FADING_DAYS + 1, 2 * FADING_DAYS, 20 * FADING_DAYS)
    sure = [held.confidence(first + timedelta(days=age)) for age in ages]

    assert sure[0] == sure[1] == 0.67
    assert sure == sorted(sure, reverse=True)
    assert sure[3] == 0.58
    assert sure[4] == 0.5


def test_day_that_is_still_to_come_makes_nothing_surer() -> None:
    """
    A note that is dated ahead is as sure as one of today.
    """
    held = Held(PORT, Kind.WORLD, (said(PORT, day=28),))

    assert held.confidence(TODAY) == 0.67


def test_opinion_stands_apart_and_a_reversal_ends_it() -> None:
    """
    What the owner likes is no fact; the successor begins with its own evidence.
    """
    standing = found(
        said("Meetings in the morning are fine.", day=1),
        said("I prefer tabs in the editor.", day=2, kind=Kind.OPINION),
        said("I prefer spaces now, not tabs, in the editor.", day=6, kind=Kind.OPINION),
    )

    assert texts(standing.now) == ["Meetings in the morning are fine."]
    (holds,) = standing.opinions
    assert holds.text == "I prefer spaces now, not tabs, in the editor."
    assert len(holds.borne) == 1
    assert texts(standing.past) == ["I prefer tabs in the editor."]


def test_preference_is_an_opinion_though_it_was_a_fact_before() -> None:
    """
    What is of another kind is no proof of it, and does not hide in its line.
    """
    words = "The weekly report goes to the office in Faro."
    fact, wish = said(words, day=2), said(words, day=5, kind=Kind.OPINION)

    standing = found(fact, wish)

    assert [each.borne for each in standing.now] == [(fact,)]
    assert [each.borne for each in standing.opinions] == [(wish,)]


def test_what_only_shares_a_place_is_not_the_same() -> None:
    """
    A line cites nothing but what says it.
    """
    told = [
        said(
            "We decided that the new office goes to Bilbyhausen, because rents are low."
        ),
        said("从现在起，周报一律寄到 Bilbyhausen，不要寄到旧办公室。", number=5),
    ]

    assert [held.borne for held in found(*told).now] == [(told[1],), (told[0],)]


def test_what_happened_is_past_and_ends_nothing() -> None:
    """
    Each event stands for itself, in the order in which they came.
    """
    standing = found(
        said(PORT, day=2),
        said("The staging port was 5434 for an hour.", day=3, kind=Kind.EVENT),
        said("The staging port was 5434 for an hour.", day=4, kind=Kind.EVENT),
    )

    assert texts(standing.now) == [PORT]
    assert [each.first.day.day for each in standing.past] == [3, 4]
    assert all(each.until is None for each in standing.past)


def test_what_says_its_end_has_ended_after_it() -> None:
    """
    On its last day it still holds.
    """
    told = said("The parking pass is valid until 2026-11-10.", day=2)

    assert texts(found(told, today=date(2026, 11, 10)).now) == [told.text]
    after = found(told, today=date(2026, 11, 11))
    assert after.now == ()
    assert after.past[0].until == date(2026, 11, 10)


def test_newer_decision_ends_the_older() -> None:
    """
    Two about one topic exclude each other; what is told beside them ends neither.
    """
    told = [
        said("We keep PostgreSQL 16.", day=2, tag=Tag.DECISION),
        said("We keep PostgreSQL 17.", day=3, tag=Tag.DECISION),
        said("PostgreSQL is fast.", day=4, tag=Tag.FINDING),
    ]

    assert texts(found(*told).now) == ["PostgreSQL is fast.", "We keep PostgreSQL 17."]


def test_newest_comes_first() -> None:
    """
    By the day of its last word.
    """
    told = [
        said("The dog is called Rex.", day=2),
        said("The gate code is 4471.", day=3),
        said("The dog is called Rex.", day=6, talk=TWO),
    ]

    assert [each.last.day.day for each in found(*told).now] == [6, 3]


def test_names_that_all_have_in_common_bring_nothing_together() -> None:
    """
    Of two lines that share the name alone the second is not compared with the first.
    """
    compared: list[str] = []

    class Compared(Listed):
        def relation(self, older: str, newer: str) -> Relation:
            compared.append(older)
            return super().relation(older, newer)

    reading = Compared()
    told = [said("Anna rides."), said("Anna paints.", day=3)]

    standing(told, TODAY, reading, reading.terms("Anna"))

    assert compared == []


def test_same_words_are_one_though_they_say_little_beside_the_name() -> None:
    """
    Where nothing is left without the name, what is equal is still the same.
    """
    told = [said("Use Anna.", day=day) for day in (2, 3, 4)]
    reading = Listed()

    (held,) = standing(told, TODAY, reading, reading.terms("Anna")).now

    assert held.borne == tuple(told)


def test_nothing_said_is_nothing_held() -> None:
    """
    Neither now nor in the past.
    """
    assert found() == standing([], TODAY, Listed())
    assert not any((found().now, found().opinions, found().past))


@pytest.mark.parametrize(
    ("own", "retained"),
    [
        (NEW_PORT, "The staging port is 5433."),
        ("We moved the frontend from Svelte to React.", "The frontend is in Svelte."),
        ("Anna lives in Braga now, not in Porto.", "Anna lives in Porto."),
        ("站会改到十点了。", "站会是九点半。"),
    ],
)
def test_retained_line_takes_no_place_of_what_was_said_there(
    own: str, retained: str
) -> None:
    """
    It repeats a part of that talk; of another talk it is news as any other.
    """
    told = said(own, day=5, talk=TWO)
    line = replace(said(retained, day=5, talk=TWO, number=9), retained=True)
    of_another = replace(line, label=THREE)

    assert own in texts(found(told, line).now)
    assert found(told, line).past == ()
    assert own not in texts(found(told, of_another).now)


def test_retained_line_does_not_replace_the_owners_words() -> None:
    """
    They stay as they were said, however much more it says, with its place.
    """
    told = said(PORT, day=5, talk=TWO)
    longer = "The staging port is 5433 for sure."
    line = replace(said(longer, day=5, talk=TWO, number=9), retained=True)

    (held,) = found(told, line).now

    assert held.text == PORT
    assert held.borne == (told, line)
    assert texts(found(told, replace(line, retained=False)).now) == [longer]
