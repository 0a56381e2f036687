"""Which names are one person or thing, and which statements tell of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders_bank import Listed, said

from strata.bank.directory import Choices, Doubt, Entity, directory_of
from strata.bank.names import key_of

if TYPE_CHECKING:
    from strata.bank.directory import Directory
    from strata.bank.statements import Stated

COMMON = ("sister", "landlord", "vet", "want", "craft", "房东")


def found(*told: Stated, choices: Choices | None = None) -> Directory:
    """
    Who and what *told* tell of.
    """
    return directory_of(told, Listed(common=COMMON).common, choices)


def names(directory: Directory) -> set[str]:
    """
    Everybody who has enough for a page.
    """
    return {each.name for each in directory.entities}


def entity(directory: Directory, name: str) -> Entity:
    """
    Whom *name* means.
    """
    (found,) = (
        each
        for each in directory.entities
        if key_of(name) in {each.key, *map(key_of, each.forms)}
    )
    return found


def of(name: str, *days: int, talk: str = "0a1b2c3d") -> list[Stated]:
    """
    On each of *days* something else is said of *name*.
    """
    return [
        said(f"{name} has the key of shed {day}.", name, day=day, talk=talk)
        for day in days
    ]


def test_two_days_make_a_page() -> None:
    """
    Two statements of one day wait.
    """
    once = [said("Anna has a dog.", "Anna"), said("Anna has a car.", "Anna", number=5)]

    assert names(found(*once)) == set()
    assert names(found(*once[:1], *of("Anna", 3))) == {"Anna"}


def test_three_statements_make_a_page() -> None:
    """
    The same one three times does not.
    """
    words = ("a dog", "a car", "a boat")
    three = [said(f"Anna has {each}.", "Anna") for each in words]

    assert names(found(*three)) == {"Anna"}
    assert names(found(*[three[0]] * 3)) == set()


def test_name_is_one_in_every_spelling() -> None:
    """
    Case, possessive, article and traditional characters are no other name.
    """
    told = [
        said("Anna's dog is old.", "Anna", day=2),
        said("anna has a car.", "anna", day=3),
        said("ANNA moved.", "ANNA", day=4),
        said("\u5f35\u5049有狗。", "\u5f35\u5049", day=2),
        said("张伟有车。", "张伟", day=3),
    ]

    directory = found(*told)

    assert entity(directory, "Anna").told == (0, 1, 2)
    assert entity(directory, "张伟").told == (3, 4)
    assert len(directory.entities) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [("ASR1603", "ASR1605"), ("张伟", "张伟明"), ("Old Duke", "Young Duke")],
)
def test_lookalikes_stay_two(first: str, second: str) -> None:
    """
    Each has its own statements and no name of the other.
    """
    told = [*of(first, 2, 3), *of(second, 2, 3)]

    directory = found(*told)

    assert entity(directory, first).told == (0, 1)
    assert entity(directory, second).told == (2, 3)
    assert all(each.forms == () for each in directory.entities)


def test_numbers_never_merge_whoever_says_so() -> None:
    """
    Neither a sentence nor the owner makes ASR1603 an ASR1605.
    """
    told = [*of("ASR1603", 2, 3), *of("ASR1605", 2, 3)]
    told.append(said("ASR1603 is ASR1605.", "ASR1603", "ASR1605", day=4))

    directory = found(*told, choices=Choices(one=(("asr1603", "asr1605"),)))

    assert names(directory) == {"ASR1603", "ASR1605"}


def test_short_form_means_whom_the_talk_has_in_full() -> None:
    """
    Of two Craigs each talk has its own.
    """
    told = [
        said("Craig Mather is the groom.", "Craig Mather", day=2, talk="1"),
        said("Craig has a key.", "Craig", day=2, talk="1"),
        said("Craig Henshaw is the farrier.", "Craig Henshaw", day=3, talk="2"),
        said("Craig wants cash.", "Craig", day=3, talk="2"),
        *[said(f"{n} was ill.", n, day=4) for n in ("Craig Mather", "Craig Henshaw")],
    ]

    directory = found(*told)

    assert entity(directory, "Craig Mather").told == (0, 1, 4)
    assert entity(directory, "Craig Henshaw").told == (2, 3, 5)
    assert directory.doubts == ()


def test_short_form_means_the_only_one_it_may() -> None:
    """
    In a later talk too, and it is another name of that one.
    """
    told = [*of("Bethany Tulley", 2, 3), *of("Bethany", 5), *of("建平", 6)]
    told += of("杨建平", 2, 3)
    told.sort(key=lambda each: each.day)

    directory = found(*told)

    assert entity(directory, "Bethany Tulley").forms == ("Bethany",)
    assert entity(directory, "Bethany").name == "Bethany Tulley"
    assert entity(directory, "建平").name == "杨建平"


def test_name_with_two_candidates_is_a_doubt() -> None:
    """
    What nobody in the talk tells belongs to neither.
    """
    told = [*of("Craig Mather", 2, 3), *of("Craig Henshaw", 2, 3)]
    told.append(said("Craig is late.", "Craig", day=5))

    directory = found(*told)

    assert directory.doubts == (Doubt("craig", ("craig henshaw", "craig mather")),)
    assert entity(directory, "Craig Mather").told == (0, 1)
    assert entity(directory, "Craig Henshaw").told == (2, 3)


def test_role_of_one_is_another_name_of_that_one() -> None:
    """
    Where it was said once, the role alone tells of who has it.
    """
    told = [
        said("My sister Ana lives in Porto.", "sister", "Ana", day=2),
        said("Ana has a dog.", "Ana", day=3),
        said("My sister rides a bike.", "sister", day=4),
    ]

    assert entity(found(*told), "Ana").told == (0, 1, 2)


def test_role_that_two_have_means_neither() -> None:
    """
    A sister with two names is two sisters.
    """
    told = [
        said("My sister Ana lives in Porto.", "sister", "Ana", day=2),
        said("My sister Eve lives in Faro.", "sister", "Eve", day=3),
        said("My sister rides a bike.", "sister", day=4),
        said("Ana has a dog.", "Ana", day=5),
        said("Eve has a cat.", "Eve", day=5),
    ]

    directory = found(*told)

    assert entity(directory, "Ana").told == (0, 3)
    assert entity(directory, "Eve").told == (1, 4)


def test_what_many_are_is_no_name_of_one() -> None:
    """
    There is one mother, and any number of vets.
    """
    told = [
        said("The vet Bruno came.", "vet", "Bruno", day=2),
        said("Bruno has a dog.", "Bruno", day=3),
        said("The vet was rude.", "vet", day=4),
    ]

    directory = found(*told)

    assert entity(directory, "Bruno").told == (0, 1)
    assert entity(directory, "Bruno").forms == ()


def test_words_in_capitals_before_a_name_make_it_two() -> None:
    """
    Also where the name alone was taken for one; in lower case they are found again.
    """
    told = [
        said("We gave Old Duke a rest.", "Duke", day=2),
        said("So the farrier shod Young Duke.", "Duke", day=3),
        said("Then old duke was lame.", day=4),
        said("I sold young duke.", day=5),
    ]

    directory = found(*told)

    assert [(each.name, each.told) for each in directory.entities] == [
        ("Old Duke", (0, 2)),
        ("Young Duke", (1, 3)),
    ]


def test_unit_of_a_figure_is_no_name() -> None:
    """
    Whoever has a figure before the name now and then is somebody.
    """
    told = [
        said("The line does 300 Mbps.", "Mbps", day=2),
        said("Upload is 25 Mbps, and at 3 Anna called.", "Mbps", "Anna", day=3),
        said("Mbps 40 would do, or 30 Mbps.", "Mbps", day=4),
        said("Anna has a key.", "Anna", day=4),
    ]

    assert [each.name for each in found(*told).entities] == ["Anna"]


def test_nobody_is_old_and_young() -> None:
    """
    Whatever the case, and where the words begin a sentence.
    """
    told = [
        said("Old Duke is lame.", "Duke", day=2),
        said("young duke is well.", "duke", day=3),
        said("I gave old duke a roll.", "duke", day=4),
        said("Young Duke ate it.", "Duke", day=5),
    ]

    directory = found(*told)

    assert [(each.name, each.told) for each in directory.entities] == [
        ("Old Duke", (0, 2)),
        ("Young Duke", (1, 3)),
    ]


@pytest.mark.parametrize(
    "texts",
    [
        ("Poor Duke is lame.", "Dear Duke is well."),
        ("Old Duke is lame.", "Old Duke is well."),
        ("I met Old Duke.", "I met Duke."),
        ("On Monday Duke came.", "On Friday Duke left."),
        ("I asked my Sister Duke.", "I asked my Vet Duke."),
    ],
)
def test_words_that_may_be_in_capitals_anyway_make_nobody_two(
    texts: tuple[str, ...],
) -> None:
    """
    A beginning, one word alone, days, and what somebody is.
    """
    told = [said(text, "Duke", day=day) for day, text in enumerate(texts, 2)]

    assert [each.name for each in found(*told).entities] == ["Duke"]


def test_alias_is_one_only_where_it_is_said() -> None:
    """
    Two names in one talk are two; "that's" makes them one.
    """
    told = [*of("Zhang Wei", 2, 3), *of("张伟", 2, 3)]
    same = said("Zhang Wei, that's 张伟, called.", "Zhang Wei", "张伟", day=4)

    assert len(found(*told).entities) == 2
    assert entity(found(*told, same), "张伟").told == (0, 1, 2, 3, 4)


def test_word_that_is_no_name_elsewhere_is_none_there() -> None:
    """
    What is mostly taken for none makes no page; a name is known wherever it stands.
    """
    told = [
        said("craft is fun.", "craft", day=2),
        *[said(f"Each craft of ours is fun on day {d}.", day=d) for d in (3, 4, 5)],
        said("Anna has a dog.", "Anna", day=2),
        said("i met anna at the club.", day=6),
    ]

    directory = found(*told)

    assert names(directory) == {"Anna"}
    assert entity(directory, "Anna").told == (4, 5)


def test_merge_stands_above_what_is_found() -> None:
    """
    Names that nobody ever said to be one are one where the owner says so.
    """
    told = [*of("Gloria", 2, 3), *of("Horsebox", 2, 3)]

    merged = found(*told, choices=Choices(one=(("gloria", "horsebox"),)))

    assert len(merged.entities) == 1
    assert entity(merged, "Gloria") is entity(merged, "Horsebox")
    assert entity(merged, "Gloria").told == (0, 1, 2, 3)


def test_split_stands_above_what_is_found() -> None:
    """
    A name that is said to be another, or short for it, is kept apart.
    """
    told = [*of("Bethany Tulley", 2, 3), *of("Bethany", 4, 5)]
    told.append(said("Gloria is Horsebox.", "Gloria", "Horsebox", day=6))
    told += [*of("Gloria", 7), *of("Horsebox", 7)]
    pairs = (("bethany", "bethany tulley"), ("gloria", "horsebox"))

    directory = found(*told, choices=Choices(apart=frozenset(map(frozenset, pairs))))

    assert names(directory) == {"Bethany Tulley", "Bethany", "Gloria", "Horsebox"}


def test_merge_of_a_doubtful_name_ends_the_doubt() -> None:
    """
    Who the owner says is meant is meant, and nobody is asked again.
    """
    told = [*of("Craig Mather", 2, 3), *of("Craig Henshaw", 2, 3), *of("Craig", 5)]

    directory = found(*told, choices=Choices(one=(("craig", "craig mather"),)))

    assert entity(directory, "Craig Mather").told == (0, 1, 4)
    assert directory.doubts == ()


def test_split_of_one_candidate_ends_the_doubt() -> None:
    """
    Of two who may be meant the other is left.
    """
    told = [*of("Craig Mather", 2, 3), *of("Craig Henshaw", 2, 3), *of("Craig", 5)]
    pair = frozenset(("craig", "craig henshaw"))

    directory = found(*told, choices=Choices(apart=frozenset({pair})))

    assert entity(directory, "Craig Mather").told == (0, 1, 4)
    assert directory.doubts == ()


def test_rename_changes_the_name_and_keeps_the_old_one() -> None:
    """
    The old one is another name of it from then on.
    """
    choices = Choices(called={"bethany tulley": "Beth"})

    directory = found(*of("Bethany Tulley", 2, 3), choices=choices)

    (only,) = directory.entities
    assert (only.name, only.forms) == ("Beth", ("Bethany Tulley",))


def test_rename_by_another_name_of_it_counts() -> None:
    """
    Who is called by a short form is renamed by it too.
    """
    told = [*of("Bethany Tulley", 2, 3), *of("Bethany", 4)]

    directory = found(*told, choices=Choices(called={"bethany": "Beth"}))

    assert names(directory) == {"Beth"}


def test_merge_names_a_short_form() -> None:
    """
    What is short for somebody means that one where the owner names it as well.
    """
    told = [*of("Bethany Tulley", 2, 3), *of("Bethany", 4), *of("Mop", 5, 6)]

    directory = found(*told, choices=Choices(one=(("bethany", "mop"),)))

    assert entity(directory, "Mop") is entity(directory, "Bethany Tulley")


def test_entities_come_in_the_order_in_which_they_were_met() -> None:
    """
    Whatever the order of their names.
    """
    told = [*of("Zoe", 2, 3), *of("Anna", 3, 4)]

    assert [each.name for each in found(*told).entities] == ["Zoe", "Anna"]


def test_nothing_said_names_nobody() -> None:
    """
    An empty memory has an empty directory.
    """
    assert found().entities == ()


def test_choice_by_a_name_as_it_is_written_counts() -> None:
    """
    A page that is called by a plural is decided about by that.
    """
    told = [
        *of("Calder", 1),
        *(said(f"The Calders want form {day}.", day=day) for day in (2, 3, 4)),
        *of("Quill Insurance", 5, 6),
    ]
    assert {each.name for each in found(*told).entities} == {
        "Calder",
        "Quill Insurance",
    }

    merged = found(*told, choices=Choices(one=(("calders", "quill insurance"),)))
    renamed = found(*told, choices=Choices(called={"calders": "Ours"}))

    assert len(merged.entities) == 1
    assert {"Calder", "Calders"} == {*merged.entities[0].forms}
    assert "Ours" in names(renamed)


def test_names_without_a_page_are_told() -> None:
    """
    Once each, with capitals where they ever had some; they may be made one with others.
    """
    told = [*of("Anna Kost", 1, 2), *of("zelda marsh", 3), *of("Bela", 4)]

    directory = found(*told)

    assert {"zelda marsh", "Bela"} <= {*directory.rare}
    assert "Anna Kost" not in directory.rare
