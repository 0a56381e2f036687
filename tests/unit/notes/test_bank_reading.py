"""A page of the bank, read again, is what was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from strata.notes.bank import Page, render_page
from strata.notes.bank_reading import PageLine, parse_page
from strata.notes.words import LANGUAGES, words_in

if TYPE_CHECKING:
    from strata.models import Language

CITED = "(src: 2026-11-05#L4, weekly/2026-11-02#L7)"
SOURCES = ("2026-11-05#L4", "weekly/2026-11-02#L7")
FOR = "3 days for, 0 against, last 2026-11-05, confidence 0.81"
PAGE = Page(
    "Bethany",
    {"type": "person", "aliases": ("Beth",), "mentions": 4},
    {
        "now": [f"Lives in Faro (about: Porto). {CITED}"],
        "opinions": [f"Tea (black) is best ({FOR}) {CITED}"],
        "past": [f"2026-11-02: Lives in Porto. {CITED}", "no source (src: here"],
        "related": ["[[craig]]", "[[杨建平]]"],
    },
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_parts_are_known_in_both_languages(language: Language) -> None:
    """
    With each line's words, weight and sources apart.
    """
    page = parse_page(render_page(PAGE, language))

    words = words_in(language).bank
    assert page.title == "Bethany"
    assert page.front["type"] == "person"
    assert page.front["mentions"] == "4"
    assert page.related == ("craig", "杨建平")
    assert page.parts == {
        "now": (
            words["now"],
            (PageLine("Lives in Faro (about: Porto).", sources=SOURCES),),
        ),
        "opinions": (
            words["opinions"],
            (PageLine("Tea (black) is best", FOR, SOURCES),),
        ),
        "past": (
            words["past"],
            (
                PageLine("2026-11-02: Lives in Porto.", sources=SOURCES),
                PageLine("no source (src: here"),
            ),
        ),
    }


@pytest.mark.parametrize(
    "yours", ["", "\n", "## Now\n- mine (src: x)\r\n\n", "---\n- a"]
)
def test_what_the_owner_wrote_is_no_part(yours: str) -> None:
    """
    Whatever it looks like, it is given byte for byte.
    """
    page = parse_page(render_page(PAGE, "en", yours))

    assert page.yours == yours
    assert page.parts == parse_page(render_page(PAGE, "en")).parts


@pytest.mark.parametrize("text", ["", "---", "# Only a title", "## Now\n- a"])
def test_text_that_is_hardly_a_page_is_read_as_far_as_it_goes(text: str) -> None:
    """
    A hand may have changed anything.
    """
    assert parse_page(text).front == {}
