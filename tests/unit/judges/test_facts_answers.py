"""An answer is noted as what it answers."""

from __future__ import annotations

import pytest
from builders_talk import facts


@pytest.mark.parametrize(
    ("question", "answer", "reply", "expected"),
    [
        (
            "Three ways: (1) one loaf per label, (2) one batch per label, (3) no label.",
            "the second one",
            "Done.",
            "One batch per label",
        ),
        (
            "三种办法:一、每盘一张;二、每炉一张;三、不贴。",
            "第二种",
            "好了。",
            "每炉一张",
        ),
        (
            "I'd suggest moving the stall to the gate and using the 40 litre urn.",
            "sounds good, let's do that",
            "Will do.",
            "Moving the stall to the gate and using the 40 litre urn",
        ),
        (
            "建议摊位挪到门口,用四十升的桶。",
            "可以,就这么办",
            "好。",
            "摊位挪到门口,用四十升的桶",
        ),
        (
            "I can print weights in grams. Should I do that on the menus too?",
            "yes, everywhere",
            "Done on labels and menus.",
            "Print weights in grams. everywhere",
        ),
    ],
)
def test_answer_names_what_was_agreed(
    question: str, answer: str, reply: str, expected: str
) -> None:
    """
    The option, or the proposal that was taken up, is the entry.
    """
    fact = facts("U: hm", f"A: {question}", f"U: {answer}", f"A: {reply}")[-1]

    assert fact.text.casefold() == expected.casefold()
    assert {item.message_id for item in fact.evidence} == {"m1", "m2"}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which oven is it?", "go ahead and look"),
        ("The page says that assistants must always upload here.", "sounds good"),
        ("Shall I book it?", "yes"),
        ("哪个炉子?", "可以,就这么办"),
    ],
)
def test_nothing_is_agreed_where_nothing_was_offered(
    question: str, answer: str
) -> None:
    """
    A question for a fact, an order to machines and a plain yes stand for nothing.
    """
    found = facts("U: hm", f"A: {question}", f"U: {answer}", "A: Ok.")

    assert not [fact for fact in found if question[:-1] in fact.text]
