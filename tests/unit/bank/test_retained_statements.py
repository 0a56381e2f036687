"""A line that an agent retained is a statement as any other, with the tags it has."""

from __future__ import annotations

from datetime import date

import pytest
from builders_bank import Listed

from strata.bank.directory import directory_of
from strata.bank.pages import EXPERIENCE, bank_of
from strata.bank.standing import standing
from strata.bank.statements import Kind, Stated, statements
from strata.models import Mention, Origin, Retained
from strata.notes.retain import said_by_retained, tag_of

TODAY = date(2026, 11, 20)


def mention(retained: Retained, *, day: int = 18, number: int = 8) -> Mention:
    """
    What an agent retained in the note of a day, borne out by one talk of it.
    """
    return Mention(
        text=said_by_retained(retained),
        tag=tag_of(retained),
        day=date(2026, 11, day),
        time="10:01:00",
        path=f"memory/2026-11-{day}.md",
        label="18871d67",
        entry="as it stands there",
        entry_id="0123456789ab",
        origin=Origin.AGENT if retained.kind == "B" else Origin.OWNER,
        number=number,
        retained=retained,
    )


def stated(*lines: Retained, names: tuple[str, ...] = ()) -> list[Stated]:
    """
    The statements that *lines* are, read by who knows *names*.
    """
    told = [mention(each, number=place) for place, each in enumerate(lines, 8)]
    return statements(told, Listed(*names))


@pytest.mark.parametrize(
    ("letter", "kind"),
    [("W", Kind.WORLD), ("B", Kind.EXPERIENCE), ("O", Kind.OPINION)],
)
def test_letter_is_the_kind(letter: str, kind: Kind) -> None:
    """
    What is so, what the agent did, what the owner thinks.
    """
    (found,) = stated(Retained(letter, "It is so.", sure=0.8))

    assert (found.kind, found.sure) == (kind, 0.8)
    assert found.source == "2026-11-18#L8"


def test_tags_are_names_where_nobody_took_them_for_one() -> None:
    """
    Each at its place in what is shown, of the sort that the words tell.
    """
    line = Retained("W", "Porto is where Anna Kost lives.", ("Anna Kost", "Gloria"))

    (found,) = stated(line, names=("Anna Kost", "Porto/place"))

    assert found.shown == "@Anna Kost, @Gloria: Porto is where Anna Kost lives."
    assert found.text == "Gloria: Porto is where Anna Kost lives."
    assert [(each.text, each.sort) for each in found.names] == [
        ("Anna Kost", "person"),
        ("Gloria", "thing"),
        ("Porto", "place"),
        ("Anna Kost", "person"),
    ]
    for each in found.names:
        assert found.shown[each.start : each.end] == each.text


def test_tagged_name_gets_a_page() -> None:
    """
    Also where it is said in another case, and no statement names it otherwise.
    """
    lines = [Retained("W", f"gloria {does}.", ("Gloria",)) for does in ("a", "b", "c")]
    found = stated(*lines)

    (entity,) = directory_of(found, Listed().common).entities

    assert entity.name == "Gloria"
    assert entity.told == (0, 1, 2)


def test_tag_that_is_short_for_a_name_of_its_line_means_that_one() -> None:
    """
    Also where the same talk has another name in full for which it may be short.
    """
    names = "Anna Kost", "Anna Lee"
    rows = [(name, does) for does in ("swims", "sings", "rides") for name in names]
    lines = [Retained("W", f"{name} {does}.", ("Anna",)) for name, does in rows]
    found = stated(*lines, names=("Anna", *names))

    directory = directory_of(found, Listed().common)

    assert [(each.name, each.told) for each in directory.entities] == [
        ("Anna Kost", (0, 2, 4)),
        ("Anna Lee", (1, 3, 5)),
    ]
    assert directory.doubts == ()


def test_confidence_is_limited_by_that_of_the_agent() -> None:
    """
    Where the talk itself was captured, that counts as it is.
    """
    unsure = stated(Retained("O", "No to Electron.", sure=0.2))
    sure = [*unsure, *stated(Retained("O", "No to Electron."))]

    (low,) = standing(unsure, TODAY, Listed()).opinions
    (high,) = standing(sure, TODAY, Listed()).opinions

    assert low.confidence(TODAY) == pytest.approx(0.55)
    assert high.confidence(TODAY) == pytest.approx(0.67)


def test_what_the_agent_did_before_stays_on_the_page() -> None:
    """
    What took its place does not make it undone.
    """
    done = [
        Retained("B", "I updated Anna's address in contacts.yaml."),
        Retained("B", "I updated Bob's address in contacts.yaml."),
    ]
    found = stated(*done)
    directory = directory_of(found, Listed().common)

    page = bank_of(found, directory, TODAY, "en", Listed()).pages[EXPERIENCE]

    told = [line for lines in page.parts.values() for line in lines]
    assert all(any(each.text in line for line in told) for each in done)
