"""An entry keeps what its words lean on, and ends where a clause does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from builders_talk import claim, talk, texts

from strata.language.origins import with_origins
from strata.models import Frame, Origin


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        (
            [
                "U: here is the invoice of the carpenter",
                "A: Filed the carpenter's invoice.",
                "U: same procedure, as PDF into ~/house/paid, always",
            ],
            "invoice",
        ),
        (
            ["U: For now let's store the weights in CouchDB on the shelf server"],
            "CouchDB",
        ),
    ],
)
def test_entry_says_what_it_is_about(lines: list[str], kept: str) -> None:
    """
    "Same procedure", "that pan": the words before say of what.
    """
    assert kept in "\n".join(texts(*lines))


def test_particle_of_an_answer_is_no_clause() -> None:
    """
    The option that was chosen stands for 后面那个吧, particle and all.
    """
    kept = texts(
        "A: 座位是会员优先,还是一律先到先坐?",
        "U: 后面那个吧,省得解释,以后都这么办",
    )

    assert "先到先坐。省得解释" in kept[0]


def test_words_of_others_have_one_label() -> None:
    """
    "User asked" goes where somebody else's text is named.
    """
    (message,) = talk("U: 送货上门")
    message = replace(message, origin=Origin.UNTRUSTED)
    for frame in ("用户要求：", "用户要求:"):
        fact = replace(claim(f"{frame}送货上门", "送货上门"), language="zh")
        kept = with_origins(fact, {each.message_id: message for each in fact.evidence})
        assert (kept.frame, kept.text) == (Frame.READ, "送货上门")


def test_labels_are_punctuated_as_chinese_is() -> None:
    """
    What a note adds to Chinese words has marks of full width, as its other labels.
    """
    assert texts("U: 帮我看看周五的排班表", "A: 好") == [
        "用户要求：帮我看看周五的排班表"
    ]
