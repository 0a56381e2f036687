"""A short sentence is noted as what it is about."""

from __future__ import annotations

from datetime import UTC

import pytest
from builders_talk import facts, texts

from strata.statements.grounding.proposals import unsupported


def test_accepted_proposal_carries_its_proviso_and_its_topic() -> None:
    """
    What the owner adds to a proposal stays as it was said, and is about the proposal.
    """
    fact = facts(
        "U: 退货的包裹堆了一屋子,客服小妹都快哭了",
        "A: 要不以后每天下午五点集中拆一次,让小惠专门管?",
        "U: 好嘞,双十一那几天除外。",
    )[-1]

    assert fact.text == "双十一那几天除外。"
    assert "小惠" in fact.topic
    assert "退货" in fact.topic
    assert {each.message_id for each in fact.evidence} == {"m0", "m1", "m2"}


@pytest.mark.parametrize(
    ("offer", "answer", "chosen", "rejected"),
    [
        ("Signal green, oxford blue or oyster?", "Green it is.", "green", "oyster"),
        ("有三个:墨绿、砖红、米白。", "第二个吧。", "砖红", "墨绿"),
        ("The 480 one, or the 920 one?", "I'll take the cheap one.", "480", "920"),
    ],
)
def test_chosen_option_stands_alone(
    offer: str, answer: str, chosen: str, rejected: str
) -> None:
    """
    Of several things the one that was named, placed or measured is noted, no other.
    """
    lines = texts("U: 帮我想想颜色", f"A: {offer}", f"U: {answer}")

    assert any(chosen in line.lower() for line in lines)
    assert not any(rejected in line for line in lines)


@pytest.mark.parametrize(
    ("stated", "reply", "right", "about"),
    [
        (
            "Put the overdraft fee down as 2.4 %.",
            "Done, 2.4 %.",
            "Actually make it 1.5 %.",
            "Put the overdraft fee down as …",
        ),
        (
            "食堂那批椅子要订了,40把。",
            "记下了,椅子40把。",
            "不是40把,是60把。",
            "食堂那批椅子要订了,…",
        ),
        (
            "The exam's in room 214 on the 8th.",
            "Exam on the 8th, room 214.",
            "Make that 241, I'm dyslexic",
            "The exam's in room … on the 8th",
        ),
    ],
)
def test_correction_is_about_the_statement_without_the_wrong_value(
    stated: str, reply: str, right: str, about: str
) -> None:
    """
    The right value stands in the owner's own words; the old statement is gone.
    """
    fact = facts(f"U: {stated}", f"A: {reply}", f"U: {right}")[-1]
    lines = texts(f"U: {stated}", f"A: {reply}", f"U: {right}")

    assert fact.text.rstrip(".。") == right.rstrip(".。")
    assert fact.topic.startswith(about)
    assert {each.message_id for each in fact.evidence} >= {"m0", "m2"}
    assert stated not in lines


def test_two_things_of_a_kind_are_no_correction() -> None:
    """
    The same said of another thing, with other values, puts nothing right.
    """
    lines = texts(
        "U: Box 3 goes to cellar 21, always.",
        "A: Ok.",
        "U: Box 4 goes to cellar 28, always.",
        "A: Ok.",
    )

    assert len([line for line in lines if "cellar" in line]) == 2


@pytest.mark.parametrize(
    ("talk", "gone"),
    [
        (
            (
                "U: I'd like to sell the caravan this summer.",
                "A: Shall I draft an advert?",
                "U: Ach, forget it, the kids would cry.",
            ),
            "caravan",
        ),
        (
            (
                "U: 我想给店里弄个咖啡机,一万左右的。",
                "A: 可以,我去比几个型号。",
                "U: 算了,当我没说。",
            ),
            "咖啡机",
        ),
    ],
)
def test_what_was_taken_back_leaves_nothing(talk: tuple[str, ...], gone: str) -> None:
    """
    A retraction takes back the statement before it.
    """
    assert not any(gone in line for line in texts(*talk))


def test_declined_proposal_stands_nowhere() -> None:
    """
    What the agent proposed and the owner refused is in no entry, nor in a topic.
    """
    found = facts(
        "U: My back's killing me after that shift.",
        "A: Shall I book you a massage for Sunday?",
        "U: Nah.",
    )

    assert not any("massage" in fact.text + fact.topic for fact in found)


def test_question_mark_alone_says_nothing() -> None:
    """
    A message without a word is no statement, whatever was said before it.
    """
    found = facts(
        "U: From now on print labels on the blue roll.",
        "A: The blue roll is for the freezer, shall I use it everywhere?",
        "U: ?",
    )

    assert [fact.evidence[0].message_id for fact in found] == ["m0"]


def test_wrong_figure_alone_is_left_out_of_what_it_was_written_with() -> None:
    """
    Of "50ml" the figure alone is wrong; what was put together stands on both messages.
    """
    [fact] = facts(
        "U: Mix 50ml of oxalic acid per hive, as always.",
        "A: 50ml per hive.",
        "U: No, not 50, 40.",
    )[-1:]

    assert fact.topic.startswith("Mix …ml of oxalic acid per hive")
    assert unsupported(fact, UTC) is None


def test_answer_to_a_question_accepts_nothing_else() -> None:
    """
    Who answers a plain question has not taken up what was proposed before it.
    """
    found = facts(
        "U: I'm wondering what to do about the flat in Leith.",
        "A: You could sell it. Are you married?",
        "U: Yes, since 2019.",
    )

    assert not any("sell" in fact.text + fact.topic for fact in found)
    assert any("2019" in fact.text and "married" in fact.topic for fact in found)


def test_remark_against_an_option_stays_a_remark() -> None:
    """
    Who says what speaks against one of several things has not chosen it.
    """
    lines = texts(
        "U: where should mum stay in june",
        "A: Two rooms are free: the Bellevue or the Seaview.",
        "U: Bellevue is too expensive for her.",
    )

    assert any("too expensive" in line for line in lines)


def test_later_remark_is_not_about_what_was_declined() -> None:
    """
    A question that the owner refused to answer is no topic of what comes next.
    """
    found = facts(
        "U: Sam and I had words again.",
        "A: Would you like to divorce Sam, in Rome?",
        "U: No, don't.",
        "A: Understood. Anything else?",
        "U: We marry off our daughter on 4 April, in Rome.",
    )

    assert any("4 April" in fact.text for fact in found)
    assert not any("divorce" in fact.text + fact.topic for fact in found)


def test_word_put_right_stands_with_the_statement_that_it_replaces() -> None:
    """
    Where no value tells which word was wrong, the whole statement is what it is about.
    """
    found = facts(
        "U: I'm allergic to penicillin, keep that for the hospital form.",
        "A: Kept.",
        "U: No wait, it's codeine, I mixed them up.",
    )

    assert [fact.text for fact in found if "penicillin" in fact.text] == []
    assert any("codeine" in f.text and "hospital form" in f.topic for f in found)


def test_same_answer_to_two_questions_is_two_statements() -> None:
    """
    What is told apart by nothing but what it is about is no twin.
    """
    found = facts(
        "U: i'm away all of august",
        "A: Shall I water the ferns in the greenhouse every day?",
        "U: Yes, but only on weekdays after nine.",
        "A: Should I also clean the aquarium in the lobby every day?",
        "U: Yes, but only on weekdays after nine.",
    )
    told = [fact.text + fact.topic for fact in found]

    assert any("ferns" in each for each in told)
    assert any("aquarium" in each for each in told)


def test_choice_is_about_what_the_agent_asked() -> None:
    """
    Where the owner had said nothing of it, the agent's question tells what was chosen.
    """
    found = facts(
        "U: hi there",
        "A: Which colour for the jars, green or blue?",
        "U: Green it is.",
        "A: And for the lids, green or blue?",
        "U: Green it is.",
    )

    assert ["jars" in fact.topic for fact in found] == [True, False]
    assert "lids" in found[1].topic
    assert [unsupported(fact, UTC) for fact in found] == [None, None]
