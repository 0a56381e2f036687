"""Whom and what a model says an entry tells of: held to the talk, used before the judge."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from builders_bank import Listed, said

from strata.bank.directory import Choices, Directory, directory_of
from strata.bank.subjects import grounded, named_by
from strata.models import Subject

if TYPE_CHECKING:
    from strata.bank.statements import Stated

COMMON = ("the", "open", "day", "vet", "webbing", "harness")
IMRAN = Subject("Imran Sheikh", "person", ("Goldleaf",))
OPEN_DAY = Subject("open day", "thing")


def told(
    text: str,
    *of: Subject,
    day: int = 2,
    talk: str = "0a1b2c3d",
    number: int = 4,
) -> Stated:
    """
    A statement of which a model said whom and what it tells of.
    """
    one = said(text, day=day, talk=talk, number=number)
    return replace(one, of=of, names=named_by(of, text, is_common))


def is_common(name: str) -> bool:
    return all(word in COMMON for word in name.lower().split())


def found(*stated: Stated, choices: Choices | None = None) -> Directory:
    return directory_of(stated, Listed(common=COMMON).common, choices)


def called(directory: Directory) -> dict[str, tuple[str, ...]]:
    """
    Everybody who has a page, with all names that lead there.
    """
    return {each.name: each.forms for each in directory.entities}


@pytest.mark.parametrize(
    "name",
    ["Imran Sheik", "Lahore", "", "it", "x" * 61, "<b>Imran</b>", "9 foot brush"],
)
def test_name_that_nobody_said_is_none(name: str) -> None:
    """
    Nor is one of small words, a long one, or one with markup.
    """
    talk = ["Imran Sheikh lines it, <b>Imran</b> says", f"it is {'x' * 61}"]

    assert grounded([Subject(name, "person")], talk[:1], talk) == ()


def test_name_may_stand_anywhere_in_the_talk() -> None:
    """
    As the talk spells it, whatever the case, and once.
    """
    given = [Subject("imran  sheikh", "person"), Subject("Imran Sheikh", "thing")]

    kept = grounded(given, ["he only takes drawings"], ["Imran Sheikh paints.", "ok"])

    assert kept == (Subject("imran sheikh", "person"),)


@pytest.mark.parametrize(
    ("also", "words", "kept"),
    [
        ("Goldleaf", "mail from Goldleaf, thats imran", ("Goldleaf",)),
        ("Goldleaf", "mail from Goldleaf, dont bin it", ()),
        ("Imran", "Imran Sheikh, I say Imran", ()),
        ("Imrana", "Imrana came with Imran", ()),
        ("Lazarus", "imran paints", ()),
    ],
)
def test_other_name_needs_words_that_have_both(
    also: str, words: str, kept: tuple[str, ...]
) -> None:
    """
    Of the owner; one that looks alike is another's, one that is left of it needs none.
    """
    given = [Subject("Imran Sheikh", "person", (also,))]

    (subject,) = grounded(given, [words], [words, "Imran Sheikh does the paint"])

    assert subject.also == kept


def test_name_is_found_by_what_is_left_of_it() -> None:
    """
    Words that many use are not, nor what two of them may mean.
    """
    feeds, sons = (
        Subject("Rowell Feeds", "organisation"),
        Subject("Rowell Sons", "thing"),
    )

    assert [n.text for n in named_by([IMRAN], "goldleaf: imran is off", is_common)] == [
        "goldleaf",
        "imran",
    ]
    assert named_by([OPEN_DAY], "a fine day", is_common) == ()
    assert named_by([feeds, sons], "the Rowell lot", is_common) == ()
    assert [n.text for n in named_by([OPEN_DAY], "the Open Day is on", is_common)] == [
        "Open Day"
    ]


def test_thing_in_plain_words_has_a_page() -> None:
    """
    Which nobody takes for a name who reads the line alone.
    """
    lines = "The open day is on the 19th.", "58 came to the open day."

    without = found(said(lines[0], day=2), said(lines[1], day=5))
    directory = found(told(lines[0], OPEN_DAY), told(lines[1], OPEN_DAY, day=5))

    assert called(without) == {}
    assert called(directory) == {"open day": ()}


def test_line_that_lacks_the_name_tells_of_it() -> None:
    """
    As the model has read it in the talk.
    """
    directory = found(
        told("Imran Sheikh does the paint.", IMRAN),
        told("Only works from drawings.", IMRAN, day=5, talk="1b2c3d4e"),
    )

    (entity,) = directory.entities
    assert (entity.name, entity.sort, entity.told) == ("Imran Sheikh", "person", (0, 1))


def test_short_name_means_whom_the_model_says() -> None:
    """
    Also where the talk has two in full.
    """
    mather, henshaw = (Subject(f"Craig {e}", "person") for e in ("Mather", "Henshaw"))
    directory = found(
        told("Craig Mather has a key.", mather),
        told("Craig Henshaw shoes Fridays.", henshaw, number=5),
        told("Craig cannot do Saturdays.", mather, number=6),
        told("Craig takes cash.", henshaw, day=5, talk="1b2c3d4e"),
        told("Craig is off.", mather, day=6, talk="2c3d4e5f"),
    )

    assert {each.name: each.told for each in directory.entities} == {
        "Craig Mather": (0, 2, 4),
        "Craig Henshaw": (1, 3),
    }


def test_who_is_named_apart_in_a_talk_is_another() -> None:
    """
    Of two whom a bare name may mean, it is not the one named otherwise right there.
    """
    mather, henshaw = (Subject(f"Craig {e}", "person") for e in ("Mather", "Henshaw"))
    craig = Subject("craig", "person")
    directory = found(
        told("Craig Mather has a key.", mather),
        told("Craig Henshaw shoes Fridays.", henshaw, day=3, talk="1b2c3d4e"),
        told("Craig Henshaw comes at 8.", henshaw, day=5, talk="2c3d4e5f"),
        told("craig can do Saturdays now.", craig, day=5, talk="2c3d4e5f", number=5),
        told("craig has a new van.", craig, day=6, talk="3d4e5f6a"),
    )

    told_of = {each.name: each.told for each in directory.entities}
    assert told_of["Craig Henshaw"] == (1, 2)
    assert [each.name for each in directory.doubts] == ["craig"]


def test_alias_is_one_with_the_name() -> None:
    """
    Where both are written, and by the name.
    """
    lines = (
        told("Goldleaf on the mail, thats Imran Sheikh.", IMRAN),
        told(
            "Goldleaf sent the crest.",
            Subject("Goldleaf", "person"),
            day=5,
            talk="1b2c3d4e",
        ),
    )

    assert called(found(*lines))["Imran Sheikh"] == ("Goldleaf",)


def test_owner_keeps_apart_what_a_model_joins() -> None:
    """
    And what many are is nobody's name.
    """
    apart = Choices(apart=frozenset({frozenset({"imran sheikh", "goldleaf"})}))
    vet = Subject("Beth Arkwright", "person", ("vet",))
    lines = [
        told(text, *of, day=day, talk=f"{day}a1b2c3d")
        for day in (2, 5)
        for text, *of in (
            (f"Goldleaf and Imran Sheikh sent {day} crests.", IMRAN),
            (f"Beth Arkwright the vet came {day} times.", vet),
        )
    ]

    assert set(called(found(*lines, choices=apart))) == {
        "Imran Sheikh",
        "Goldleaf",
        "Beth Arkwright",
    }


def test_local_judge_reads_what_no_model_has() -> None:
    """
    Both kinds of entries make one page.
    """
    directory = found(
        told("Imran Sheikh does the paint.", IMRAN),
        said("Imran Sheikh wants drawings.", "Imran Sheikh", day=5, talk="1b2c3d4e"),
    )

    assert [each.told for each in directory.entities] == [(0, 1)]
