"""What is worth keeping is found, in the words in which it was said."""

from __future__ import annotations

import pytest
from builders_talk import NOON, ZONE, facts, talk, texts

from strata.judges.entries import extract_facts
from strata.models import Origin, Tag


def test_date_is_made_absolute() -> None:
    """
    A relative date is followed by the day it means; a date is told once.
    """
    [line] = texts("U: the oven is being serviced until Tuesday evening", "A: Noted.")

    assert line == "The oven is being serviced until Tuesday evening (2026-11-24)"
    assert texts("U: 烤箱周二之前在检修,别排蛋糕", "A: 好。") == [
        "烤箱周二(2026-11-24)之前在检修,别排蛋糕"
    ]


def test_what_comes_back_gets_no_date() -> None:
    """
    A weekday in a standing rule is every such weekday, not the next one.
    """
    lines = texts("U: from now on send the order list every Monday at noon", "A: Ok.")

    assert lines == ["From now on send the order list every Monday at noon"]


def test_past_weekday_lies_behind() -> None:
    """
    What has happened on a weekday happened on the last one.
    """
    [line] = texts("U: the mixer broke on Wednesday, the belt snapped", "A: Oh.")

    assert line == "The mixer broke on Wednesday (2026-11-18), the belt snapped"


def test_greeting_and_filler_are_cut() -> None:
    """
    The line begins with what is stated.
    """
    assert texts("U: ok: heads-up, flour goes on the left shelf, always", "A: Ok") == [
        "Flour goes on the left shelf, always"
    ]
    assert texts("U: 对了,顺便,以后面粉一律放左边", "A: 好") == ["以后面粉一律放左边"]


def test_correction_brings_its_topic_along() -> None:
    """
    An elliptic correction names what it corrects, and what that was asked about.
    """
    [fact] = facts(
        "U: start the proof",
        "A: Is the oven the old Miele?",
        "U: it's a Rational, model 61",
    )[-1:]

    assert fact.text == "It's a Rational, model 61"
    assert fact.topic == "start the proof / Is the oven the old Miele?"
    assert [item.message_id for item in fact.evidence] == ["m2", "m0", "m1"]
    assert [item.origin for item in fact.evidence] == [
        Origin.OWNER,
        Origin.OWNER,
        Origin.AGENT,
    ]


def test_a_value_is_about_what_had_one() -> None:
    """
    "No, 27 nov" is about the sentence that named a day, not about the question before.
    """
    told = facts(
        "U: is the carp real?",
        "A: Real carp? I would not know. The inspection of the van shows as 3 December.",
        "U: nope 27 nov, the paper is in my hand",
    )
    [fact] = [each for each in told if "27 nov" in each.text]

    assert "inspection of the van" in fact.text + fact.topic


def test_nothing_is_about_a_joke() -> None:
    """
    What nobody meant does not come back as what something else is about.
    """
    told = facts(
        "U: from now on we only move people without furniture haha, two monks and a kettle",
        "A: Noted, monks only. Shall I ask for a deposit?",
        "U: a flat 50 when they book, yes",
    )

    assert not any("monks" in fact.topic for fact in told)


@pytest.mark.parametrize("name", ["Melanie", "Samuel"])
def test_short_form_of_a_name_is_no_correction(name: str) -> None:
    """
    Who calls somebody Sam puts nobody right who wrote Samuel, and the other way round.
    """
    for agent, owner in ((name, name[:3]), (name[:3], name)):
        told = f"U: that sounds great, {owner}! We plant 12 apple trees on Saturday"
        found = facts(f"A: {agent} wrote about the apple trees.", told, "A: Ok")
        assert not [fact for fact in found if "corrected" in fact.text]


def test_word_that_begins_a_sentence_is_no_name() -> None:
    """
    "The" puts nobody right who wrote "Three".
    """
    told = "U: the signature is just Nia, everywhere. The formal thing annoyed people"
    found = facts("A: Three figures are in the draft.", told, "A: Ok")

    assert not [fact for fact in found if "corrected" in fact.text]


def test_choice_is_resolved_by_the_echo() -> None:
    """
    "The latter" becomes what the agent understood, with the owner's scope.
    """
    [fact] = facts(
        "U: how do we charge delivery",
        "A: A flat fee is simpler, distance is fairer. Flat fee or by distance?",
        "U: the latter, for all orders",
        "A: Delivery is charged by distance for all orders.",
    )[-1:]

    assert fact.text.startswith("Delivery is charged by distance for all orders")
    assert {item.message_id for item in fact.evidence} == {"m2", "m3"}


def test_choice_is_resolved_without_an_echo() -> None:
    """
    Where the agent only says "done", the chosen option comes from its question.
    """
    [line] = texts(
        "U: delivery?",
        "A: Delivery by a flat fee, or by distance?",
        "U: the former. for every order",
        "A: Done.",
    )[-1:]

    assert line == "Delivery by a flat fee. for every order"


def test_chinese_choice_is_resolved() -> None:
    """
    后面那个 becomes what the agent understood.
    """
    [fact] = facts(
        "U: 运费怎么算",
        "A: 一口价简单,按里程公平。运费一口价,还是按里程算?",
        "U: 后面那个。所有订单都这么办",
        "A: 好,所有订单运费按里程算。",
    )[-1:]

    assert fact.text == "所有订单运费按里程算。所有订单都这么办"


def test_rule_is_kept_apart_from_the_request() -> None:
    """
    A message that asks for something and sets a rule gives the rule by itself.
    """
    found = facts(
        "U: print the menu again. Prices are always written without decimals", "A: Ok"
    )

    assert (Tag.PREFERENCE, "Prices are always written without decimals") in [
        (fact.tag, fact.text) for fact in found
    ]


def test_requests_fill_up_a_thin_note() -> None:
    """
    Where little was stated, requests and even questions are noted, without a tag.
    """
    lines = texts(
        "U: what is the weather in Aarhus",
        "A: Rain.",
        "U: book a table for two",
        "A: Booked.",
    )

    assert lines
    assert all(line.startswith(("User asked: ", "User said: ")) for line in lines)


def test_small_talk_leaves_nothing() -> None:
    """
    Pure chatter has no entry, however long nothing else is said.
    """
    assert texts("U: thanks, ok night", "A: Good night!", "U: :)", "A: :)") == []


def test_same_words_twice_are_one_entry() -> None:
    """
    The owner's statement and its repetition, or the agent's echo, are noted once.
    """
    lines = texts(
        "U: from now on label every jar with the batch number",
        "T: exec",
        "A: Labelled 12 jars: every jar gets the batch number from now on.",
        "U: as I said, from now on label every jar with the batch number",
    )

    assert len([line for line in lines if "batch number" in line]) == 1


def test_similar_statements_with_other_figures_both_stay() -> None:
    """
    Two lines that differ in a number say different things.
    """
    lines = texts(
        "U: oven 1 stays at 180 degrees, always",
        "A: Ok",
        "U: oven 2 stays at 210 degrees, always",
        "A: Ok",
    )

    assert len(lines) == 2


def test_language_follows_the_words() -> None:
    """
    Each entry is in the language in which it was said.
    """
    found = facts(
        "U: always answer me in Danish", "A: Ok", "U: 以后发票一律开公司抬头,记住"
    )

    assert [fact.language for fact in found] == ["en", "zh"]


@pytest.mark.parametrize("text", ["", "  ", "👍", "…"])
def test_messages_without_words(text: str) -> None:
    """
    A message without words leaves nothing and breaks nothing.
    """
    assert texts(f"U: {text}", "A: Ok") == []


def test_nothing_said() -> None:
    """
    No messages, no facts.
    """
    assert extract_facts([], timezone=ZONE) == []


def test_nothing_that_is_worth_it_is_left_out() -> None:
    """
    A conversation has as many entries as it has statements, in their order.
    """
    lines = [
        f"U: From now on always keep box {n} in cellar {n * 7}." for n in range(40)
    ]
    found = extract_facts(talk(*lines), timezone=ZONE)

    assert len(found) == 40
    assert sorted(found, key=lambda f: f.evidence[0].said_at) == found
    assert found[0].evidence[0].said_at >= NOON
