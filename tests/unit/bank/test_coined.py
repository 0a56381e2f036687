"""Words that hardly anybody but the owner uses are names where they come again."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from builders_bank import Listed, said

from strata.bank.coined import coined_words, with_coined
from strata.bank.directory import directory_of
from strata.judges.naming import Named, tagger

if TYPE_CHECKING:
    from strata.bank.statements import Stated

MONDAY, TUESDAY = date(2026, 11, 2), date(2026, 11, 3)


def test_what_nobody_says_is_unheard() -> None:
    """
    A word of which neither the people nor the vocabulary know; figures and marks are none.
    """
    text = "the zorblat leaks again, 14 litres"

    assert [text[a:b] for a, b in tagger().unheard(text)] == ["zorblat"]


def test_hanzi_are_unheard_only_beside_a_dictionary() -> None:
    """
    Two that are no word of it; without one nobody can tell.
    """

    def cut(run: str) -> list[tuple[str, str]]:
        known = {"冰箱": "fridge", "坏": "bad", "了": ""}
        found: list[tuple[str, str]] = []
        while run:
            word = next((w for w in known if run.startswith(w)), run[0])
            found.append((word, known.get(word, "")))
            run = run[len(word) :]
        return found

    text = "冰箱绿擎坏了"

    assert tagger().unheard(text) == ()
    places = [text[a:b] for a, b in tagger().unheard(text, cut)]
    assert "绿擎" in places
    assert "冰箱" not in places


@pytest.mark.parametrize(
    ("texts", "days", "coined"),
    [
        (["zorblat leaks", "fix zorblat", "zorblat!"], [MONDAY, MONDAY, TUESDAY], True),
        (["zorblat leaks", "fix zorblat", "zorblat!"], [MONDAY] * 3, False),
        (["zorblat leaks", "fix zorblat"], [MONDAY, TUESDAY], False),
    ],
)
def test_coined_word_comes_three_times_on_two_days(
    texts: list[str], days: list[date], *, coined: bool
) -> None:
    """
    What was typed wrongly once, or on one day, is no name.
    """
    unheard = [tagger().unheard(text) for text in texts]

    assert coined_words(texts, days, unheard) == ({"zorblat"} if coined else set())


@pytest.mark.parametrize(
    ("texts", "coined"),
    [
        (["绿擎好", "换绿擎", "绿擎的柜子"], {"绿擎"}),
        # Each of the two stands with many others as often.
        (
            ["去那边", "那去年", "去那里", "去哪", "去过", "那里", "那天", "去那"] * 2,
            set(),
        ),
    ],
)
def test_hanzi_are_a_word_where_they_hold_together(
    texts: list[str], coined: set[str]
) -> None:
    """
    One of the two hardly stands elsewhere.
    """
    pair = "绿擎" if coined else "去那"
    places = [text.find(pair) for text in texts]
    unheard = [((at, at + 2),) if at >= 0 else () for at in places]
    days = [MONDAY, *[TUESDAY] * (len(texts) - 1)]

    assert coined_words(texts, days, unheard) == coined


def test_name_that_was_read_stays_as_it_was() -> None:
    """
    A coined word is no name where one stands already.
    """
    text = "Zorblat Ltd sent the zorblat."
    read = (Named(0, 11, "Zorblat Ltd", "organisation", 0.9),)

    found = with_coined(text, read, ((0, 7), (21, 28)), {"zorblat"})

    assert [(each.text, each.sort) for each in found] == [
        ("Zorblat Ltd", "organisation"),
        ("zorblat", "thing"),
    ]


def pages(*told: Stated) -> set[str]:
    """
    Whose pages there are, where "lad" is a word that many use.
    """
    common = Listed(common=("old", "young", "lad", "bites", "sleeps")).common
    return {each.name for each in directory_of(told, common).entities}


def test_two_that_differ_in_the_word_before_are_two() -> None:
    """
    A name goes on with the words that stand beside it again and again.
    """
    told = [
        said("Old Duke is retired now.", "Duke", day=2),
        said("put Old Duke in the barn", "Duke", day=3),
        said("Young Duke hates pipes.", "Duke", day=2),
        said("schooled Young Duke today", "Duke", day=4),
    ]

    assert pages(*told) == {"Old Duke", "Young Duke"}


def test_name_that_was_cut_short_is_taken_whole() -> None:
    """
    What almost always stands beside it belongs to it.
    """
    told = [
        said("石站今天七十二个人。弹子石站满编。", "石站/place", day=2),
        said("去弹子石站开会", "石站/place", day=3),
        said("弹子石站换电了", "石站/place", day=4),
        said("弹子石站的柜子坏了", "石站/place", day=5),
    ]

    assert pages(*told) == {"弹子石站"}


def test_what_many_say_beside_a_name_is_not_part_of_it() -> None:
    """
    Nor is the same sentence, said again.
    """
    told = [
        *(
            said(f"Duke bites the {what}.", "Duke", day=2)
            for what in ("vet", "boy", "post")
        ),
        *(said("Rex sleeps outside.", "Rex", day=day) for day in (2, 3, 4)),
    ]

    assert pages(*told) == {"Duke", "Rex"}


def test_short_name_of_two_leads_to_neither() -> None:
    """
    Also where one conversation tells which of them is meant there.
    """
    told = [
        said("Craig Henshaw comes on Friday.", "Craig Henshaw", day=2),
        said("tell Craig to wait", "Craig", day=2),
        said("Craig Henshaw was here.", "Craig Henshaw", day=5, talk="3b2c3d4e"),
        said("Craig Mather has the key.", "Craig Mather", day=3, talk="1b2c3d4e"),
        said("Craig Mather moved.", "Craig Mather", day=4, talk="2b2c3d4e"),
    ]
    entities = directory_of(told, Listed().common).entities
    henshaw = next(each for each in entities if each.name == "Craig Henshaw")

    assert "Craig" not in henshaw.forms
    assert len(henshaw.told) == 3


def test_names_with_accents_are_words_not_hanzi() -> None:
    """
    A short form with one means whom memory has in full, and it may go on as others do.
    """
    told = [
        said("Zoë Müller sent the plan.", "Zoë Müller", day=2),
        said("Müller wants it signed.", "Müller", day=2),
        said("ask Müller again", "Müller", day=3),
        said("Kererū Block is dry.", "Kererū", day=2),
        said("the gate of Kererū Block", "Kererū", day=3),
        said("Kererū Block needs a pump", "Kererū", day=4),
    ]

    assert pages(*told) == {"Zoë Müller", "Kererū Block"}
    assert [
        text[a:b] for text in ("the pūkeko bug",) for a, b in tagger().unheard(text)
    ] == ["pūkeko"]
