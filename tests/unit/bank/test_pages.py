"""A page says what the notes say, where they say it, and nothing breaks its form."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from builders_bank import Listed, said
from hypothesis import given
from hypothesis import strategies as st

from strata.bank.directory import Choices, directory_of
from strata.bank.pages import OPINIONS, WORLD, bank_of, names_in
from strata.bank.statements import Kind
from strata.notes.bank import Page, render_page
from strata.notes.bank_marks import YOURS, is_page, yours_in

if TYPE_CHECKING:
    from strata.bank.pages import Bank
    from strata.bank.statements import Stated
    from strata.models import Language

TODAY = date(2026, 11, 20)
ANNA = "memory/bank/people/anna.md"
TOLD = [
    said("Anna lives in Porto.", "Anna", "Porto/place", day=2, number=4),
    said("The user likes Anna's tea.", "Anna", day=2, kind=Kind.OPINION, number=5),
    said("Anna came by.", "Anna", day=4, kind=Kind.EVENT, number=6),
    said(
        "Anna lives in Faro now, no longer in Porto.",
        *("Anna", "Porto/place", "Faro/place"),
        day=6,
        talk="1b2c3d4e",
        number=9,
    ),
    said("The gate code is 4471.", day=7, number=4),
]
ODD = [
    '"',
    "]",
    ", x]",
    "a\nb",
    "\n---\n",
    "---",
    "<script>alert(1)</script>",
    "[[x]]",
    "\u202eevil\u202c",
    "\u2028# x",
    "\\",
    "\\n",
    ": #",
    "'",
    "{{ x }}",
    "<!-- strata:yours -->",
    f"\n{YOURS}\n",
    "(src: 2026-01-01#L1)",
    "\x00",
    "\ufeff",
    "\ud800",
]


def bank(
    *told: Stated, language: Language = "en", choices: Choices | None = None
) -> Bank:
    """
    The bank of *told*.
    """
    reading = Listed()
    directory = directory_of(told, reading.common, choices)
    return bank_of(told, directory, TODAY, language, reading)


def page(path: str, *told: Stated, language: Language = "en") -> str:
    """
    The page at *path* as it is written.
    """
    return render_page(bank(*told, language=language).pages[path], language)


def front_of(text: str) -> dict[str, Any]:  # Any: YAML
    """
    The front matter, as a program reads it.
    """
    _, front, _ = text.split("---\n", 2)
    found = yaml.safe_load(front)
    assert isinstance(found, dict)
    return found


def test_page_tells_what_holds_what_was_and_where_it_was_said() -> None:
    """
    The whole page of somebody who moved, in English.
    """
    assert page(ANNA, *TOLD) == (
        "---\n"
        "made_by: strata\n"
        'type: "person"\n'
        'name: "Anna"\n'
        "aliases: []\n"
        "first_seen: 2026-11-02\n"
        "last_seen: 2026-11-06\n"
        "mentions: 4\n"
        "confidence: 0.67\n"
        'sensitivity: "normal"\n'
        "last_confirmed: 2026-11-06\n"
        "---\n"
        "# Anna\n"
        "\n"
        "## Now\n"
        "- Anna lives in Faro now, no longer in Porto. (src: 2026-11-06#L9)\n"
        "\n"
        "## Opinions\n"
        "- The user likes Anna's tea. (1 day for, 0 against, last 2026-11-02,"
        " confidence 0.67) (src: 2026-11-02#L5)\n"
        "\n"
        "## Timeline\n"
        "- 2026-11-02 to 2026-11-06: Anna lives in Porto. (src: 2026-11-02#L4)\n"
        "- 2026-11-04: Anna came by. (src: 2026-11-04#L6)\n"
        "\n"
        "## Related\n"
        "- [[porto]]\n"
        "\n"
        "## Yours\n"
        "<!-- strata:yours -->\n"
    )


def test_page_speaks_chinese_to_whom_does() -> None:
    """
    The headings and the words of the program; what was said stays as it was.
    """
    told = page(ANNA, *TOLD, language="zh")

    assert "## 现状\n- Anna lives in Faro now" in told
    assert "## 看法\n" in told
    assert "- 2026-11-02 至 2026-11-06：Anna lives in Porto." in told
    assert f"## 你写的\n{YOURS}\n" in told


def test_what_tells_of_nobody_is_on_a_page_of_its_own() -> None:
    """
    And every opinion is on the page of opinions, whomever it is about.
    """
    pages = bank(*TOLD).pages

    assert set(pages) == {ANNA, "memory/bank/things/porto.md", WORLD, OPINIONS}
    assert "The gate code is 4471." in page(WORLD, *TOLD)
    assert "Anna" not in page(WORLD, *TOLD)
    assert "The user likes Anna's tea." in page(OPINIONS, *TOLD)


def test_front_matter_is_yaml() -> None:
    """
    Days are days, numbers numbers, and names a list.
    """
    told = [*TOLD, said('Anna is "Nan" to us.', "Anna", '"Nan"', day=8)]

    front = front_of(page(ANNA, *told))

    assert front["made_by"] == "strata"
    assert front["first_seen"] == date(2026, 11, 2)
    assert front["last_seen"] == date(2026, 11, 8)
    assert front["mentions"] == 5
    assert isinstance(front["aliases"], list)


@pytest.mark.parametrize("odd", ODD)
def test_name_of_any_signs_breaks_no_page(odd: str) -> None:
    """
    A program reads the front matter, and the page has its headings and no more.
    """
    name = f"Anna{odd}Lee"
    rows = {"now": ["Anna lives. (src: 2026-11-02#L4)"], "related": ["[[porto]]"]}
    text = render_page(
        Page(name, {"name": name, "aliases": [name, odd], "mentions": 2}, rows), "en"
    )

    front = front_of(text)
    assert front["name"].startswith("Anna")
    assert front["name"].endswith("Lee")
    assert len(front["aliases"]) == 2
    assert front["mentions"] == 2
    assert is_page(text)
    assert yours_in(text) == ""
    assert re.findall("^#+ (?:Now|Related|Yours|Anna)", text, re.MULTILINE) == [
        *("# Anna", "## Now", "## Related", "## Yours")
    ]


@pytest.mark.parametrize("odd", ODD)
def test_words_of_any_signs_break_no_page(odd: str) -> None:
    """
    A hand may have written anything into a note: one line stays one, and forges nothing.
    """
    told = [*TOLD, said(f"Anna has {odd} a dog.", "Anna", day=8, number=7)]

    text = page(ANNA, *told)

    (line,) = (each for each in text.split("\n") if "a dog." in each)
    assert line.startswith("- Anna has ")
    assert line.endswith(" (src: 2026-11-08#L7)")
    assert front_of(text)["mentions"] == 5
    assert yours_in(text) == ""
    assert "[[x]]" not in line
    assert "<script" not in line
    assert not set("\u202e\u202c\u2028\x00\ufeff") & set(line)
    assert line.count("(src: 20") == 1


@given(st.text(max_size=40))
def test_any_name_is_read_back_by_a_program(name: str) -> None:
    """
    Whatever stands in it, the front matter is YAML with the keys it was given.
    """
    text = render_page(Page(name, {"name": name, "aliases": (name,)}), "en")

    assert set(front_of(text)) == {"made_by", "name", "aliases"}
    assert yours_in(text) == ""


@given(st.text().filter(lambda text: "\r" not in text))
def test_what_stands_below_the_mark_is_kept(yours: str) -> None:
    """
    Whatever it is, byte for byte, as often as the page is written.
    """
    made = bank(*TOLD).pages[ANNA]

    text = render_page(made, "en", yours)

    assert yours_in(text) == yours
    assert render_page(made, "en", yours_in(text)) == text


def test_mark_in_the_owners_own_words_changes_nothing() -> None:
    """
    Theirs begins at the first one.
    """
    yours = f"mine\n{YOURS}\nmine too\n---\n# Anna\n"
    made = bank(*TOLD).pages[ANNA]

    assert yours_in(render_page(made, "en", yours)) == yours


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Anna\n",
        f"# Anna\n{YOURS}\nmine\n",
        f"---\ntitle: Anna\n---\n{YOURS}\nmine\n",
        f"---\ntitle: 'x made_by: strata'\n---\n{YOURS}\nmine\n",
        f" ---\nmade_by: strata\n---\n{YOURS}\nmine\n",
    ],
)
def test_page_of_somebody_else_is_none_of_ours(text: str) -> None:
    """
    What does not say so in its front matter was not made by Strata.
    """
    assert not is_page(text)
    assert yours_in(text) == ""


def test_every_line_cites_a_place_that_says_so() -> None:
    """
    Each source is the day and the line of a statement with the words of the line.
    """
    places = {(each.source, each.shown) for each in TOLD}

    for path, made in bank(*TOLD).pages.items():
        rows = [
            row
            for name, rows in made.parts.items()
            for row in rows
            if name != "related"
        ]
        assert rows, path
        for row in rows:
            cited = re.findall(r"20\d\d-\d\d-\d\d#L\d+", row)
            assert cited, row
            assert all(
                any(source == place and words in row for place, words in places)
                for source in cited
            ), row


def test_line_of_a_week_is_not_cited_as_one_of_its_day() -> None:
    """
    The number counts in the file that has it: that file is named.
    """
    said_then = said("Anna has a dog.", "Anna", day=3, number=12)
    week = replace(said_then, path="memory/weekly/2026-11-02.md")

    text = page(ANNA, *TOLD, week)

    (line,) = (each for each in text.split("\n") if "a dog." in each)
    assert "(src: 2026-11-03#L12)" not in line


def test_many_sources_are_the_first_and_the_last_ones() -> None:
    """
    Who said so first, and who said so of late.
    """
    told = [
        said("Anna has a dog.", "Anna", day=day, talk=f"{day}0a1b2c3")
        for day in range(1, 16)
    ]

    text = page(ANNA, *told)

    cited = re.findall(r"2026-11-(\d\d)#L4", text.split("## Now", 1)[1])
    assert cited == ["01", "11", "12", "13", "14", "15"]


def test_opinion_that_was_not_said_for_long_says_so() -> None:
    """
    It fades, and stays.
    """
    told = [
        said(
            "The user likes Anna's tea.",
            "Anna",
            day=date(2026, 1, day),
            kind=Kind.OPINION,
        )
        for day in (4, 5, 6)
    ]

    text = page(ANNA, *told)

    assert "3 days for, 0 against, last 2026-01-06, confidence 0.68" in text
    assert "not said again since 2026-01-06" in text


def test_two_of_one_slug_have_two_pages() -> None:
    """
    And each is related to the other by its own name.
    """
    told = [
        said("C and C++ and C# are old.", "C++/thing", "C#/thing", day=day)
        for day in (2, 3)
    ]

    pages = bank(*told).pages

    paths = sorted(path for path in pages if "/things/" in path)
    assert len(paths) == 2
    first, second = (path.rpartition("/")[2].removesuffix(".md") for path in paths)
    assert pages[paths[0]].parts["related"] == [f"[[{second}]]"]
    assert pages[paths[1]].parts["related"] == [f"[[{first}]]"]


def test_related_are_those_who_are_named_together() -> None:
    """
    The most frequent first, and never somebody of another line.
    """
    told = [
        said("Anna met Bob.", "Anna", "Bob", day=2),
        said("Anna met Bob and Cleo.", "Anna", "Bob", "Cleo", day=3),
        said("Cleo swims.", "Cleo", day=4),
        said("Dan swims.", "Dan", day=4),
        said("Dan rides.", "Dan", day=5),
    ]

    pages = bank(*told).pages

    assert pages[ANNA].parts["related"] == ["[[bob]]", "[[cleo]]"]
    assert pages["memory/bank/people/dan.md"].parts["related"] == []


def test_name_of_two_leads_to_no_page() -> None:
    """
    A name that one has alone leads to that one's.
    """
    told = [
        said("Fergus Daly rides.", "Fergus Daly", day=2),
        said("Fergus Daly swims.", "Fergus Daly", day=3),
        said("Anna rides.", "Anna", day=2),
        said("Anna swims.", "Anna", day=3),
    ]
    choices = Choices(called={"anna": "Fergus Daly"})

    assert names_in(bank(*told))["anna"] == ANNA
    assert "fergus daly" not in names_in(bank(*told, choices=choices))


def test_pages_are_the_same_however_often_they_are_made() -> None:
    """
    Nothing but the statements and the day is in them.
    """
    assert bank(*TOLD).pages == bank(*TOLD).pages
