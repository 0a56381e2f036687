"""When two names are one, and what a name is called in a file."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from strata.bank.names import figures_in, is_short_for, key_of, parts_of, slug_of

ONE = [
    ("Anna", "anna"),
    ("ANNA", "anna"),
    ("Anna's", "anna"),
    ("Anna\u2019s", "anna"),
    ("the Harbour Club", "harbour club"),
    ("our Bethany", "bethany"),
    ("  Old   Duke ", "old duke"),
    ("\uff21\uff33\uff32\uff11\uff16\uff10\uff13", "ASR1603"),
    ("\u300c\u8d77\u822a\u300d", "\u8d77\u822a"),
    ("\u5f35\u5049", "张伟"),
    ("\u694a\u5efa\u5e73", "杨建平"),
    ("Stra\u00dfe", "STRASSE"),
    ("Ame\u0301lie", "Am\u00e9lie"),
    ("Mrs. Daly", "Mrs Daly"),
]
TWO = [
    ("ASR1603", "ASR1605"),
    ("Pixel 8", "Pixel 9"),
    ("张伟", "张伟明"),
    ("Anna", "Ana"),
    ("Old Duke", "Young Duke"),
]
SHORT = [
    ("Fergus", "Fergus Daly"),
    ("Daly", "Fergus Daly"),
    ("Mrs Daly", "Old Mrs Daly"),
    ("建平", "杨建平"),
]
# Of one of these nothing is left that is the other.
NOT_SHORT = [
    ("张伟", "张伟明"),
    ("张", "张伟"),
    ("伟", "张伟"),
    ("ASR1603", "ASR1605 Rev B"),
    ("Pixel", "Pixel 9"),
    ("Fergus", "Fergus"),
    ("Fergus Daly", "Fergus"),
    ("Dal", "Fergus Daly"),
    ("Mrs Daly", "Mrs Ann Daly"),
    ("Fergus Daly", "Fergus Ian Daly Senior"),
    ("", "Fergus Daly"),
]


@pytest.mark.parametrize(("first", "second"), ONE)
def test_spelling_case_and_script_make_no_other_name(first: str, second: str) -> None:
    """
    Width, capitals, traditional characters, an article, a possessive and quotes go.
    """
    assert key_of(first) == key_of(second)


@pytest.mark.parametrize(("first", "second"), TWO)
def test_numbers_and_letters_make_another_name(first: str, second: str) -> None:
    """
    What looks alike is not the same, nor does it lie in the same file.
    """
    assert key_of(first) != key_of(second)
    assert slug_of(first) != slug_of(second)


@pytest.mark.parametrize(("short", "full"), SHORT)
def test_part_of_a_name_may_stand_for_it(short: str, full: str) -> None:
    """
    Words that stand in a row, or a given name in hanzi; never the other way round.
    """
    assert is_short_for(key_of(short), key_of(full))
    assert not is_short_for(key_of(full), key_of(short))


@pytest.mark.parametrize(("short", "full"), NOT_SHORT)
def test_what_is_no_part_of_a_name_stands_for_nothing(short: str, full: str) -> None:
    """
    A beginning in hanzi is another person, and a number is never left away.
    """
    assert not is_short_for(key_of(short), key_of(full))


def test_parts_are_words_and_hanzi() -> None:
    """
    And the numbers of a name are told apart from them.
    """
    assert parts_of(key_of("Mrs O'Daly")) == ("mrs", "o", "daly")
    assert parts_of("张伟") == ("张", "伟")
    assert figures_in(key_of("ASR1603 v2")) == ("1603", "2")


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Fergus Daly", "fergus-daly"),
        ("张伟", "张伟"),
        ("\u5f35\u5049", "张伟"),
        ("../../etc/passwd", "etc-passwd"),
        ("a/b\\c:d*e?", "a-b-c-d-e"),
        ("...", "unnamed"),
        ("", "unnamed"),
        ("x" * 300, "x" * 60),
    ],
)
def test_slug_is_the_name_as_a_file(name: str, slug: str) -> None:
    """
    In one case, with nothing that leads out of the folder.
    """
    assert slug_of(name) == slug


@given(st.text())
def test_any_name_makes_a_file(name: str) -> None:
    """
    Every system takes it.
    """
    slug = slug_of(name)

    assert 1 <= len(slug) <= 60
    assert not set(slug) & set('./\\:*?"<>|\n\r\t\0 ')
    assert slug == slug.strip("-_")


@given(st.text(alphabet="abcDEF 张\u5f35伟", min_size=1, max_size=12), st.data())
def test_name_in_any_spelling_has_one_key(name: str, data: st.DataObject) -> None:
    """
    And what was compared once is compared as the same again.
    """
    assume(name.strip())
    change = data.draw(
        st.sampled_from([str.upper, str.lower, "{}'s".format, "「{}」".format])
    )

    assert key_of(change(name)) == key_of(name)
    assert key_of(key_of(name)) == key_of(name)
