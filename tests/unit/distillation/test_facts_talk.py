"""Tags are earned, and talk that says nothing leaves nothing beside what says something."""

from __future__ import annotations

import pytest
from builders_talk import facts, texts

from strata.models import Tag

RULES = {Tag.PREFERENCE, Tag.DECISION}
# Three statements, so that nothing is noted merely to fill up a thin note.
ENOUGH = (
    "U: from now on flour goes on the left shelf",
    "A: Ok",
    "U: the mixer stops because its belt is worn",
    "A: Ok",
    "U: 面粉的事一律找老何",
    "A: 好",
)


@pytest.mark.parametrize(
    "text",
    [
        "What a way to spend an evening",
        "He'll go far",
        "Whatever",
        "Can't sleep",
        "That was rather sweet",
        "I can't stop thinking about sourdough",
        "Back again, 700 of them. Help",
        "I dreamt that I was late for my own wedding",
        "I'll have words with myself",
        "这就是问题",
        "累死我了",
        "人山人海,再也不来了",
        "好乖",
        "像个蘑菇",
    ],
)
def test_moods_leave_nothing_beside_statements(text: str) -> None:
    """
    How somebody feels, a quip or a fragment is no entry where three things were stated.
    """
    others = texts(*ENOUGH)

    assert texts(*ENOUGH, f"U: {text}", "A: Ok") == others


@pytest.mark.parametrize(
    "text",
    [
        "I have looked in every drawer but the right one",
        "The baker's forever on about rye",
        "Sunday, a cup of tea, and the accounts",
        "Someone in the queue told him they put it up twice a year",
        "A customer asks whether the price is negotiable",
        "She also wants us to only buy local",
        "If I win the raffle I'll close for the rest of my days",
        "I need to pick an oven for the new place this week",
        "Show me what the timer was set to",
        "You're a gem. Get two tickets for the matinee on the 14th",
        "My cousin's cross with me. Get a box of pears sent to her for Friday",
        "Bin it, write me one yourself",
        "阿梅,下午好。烤箱在我这儿又点不着了,看看",
        "我妈明天六十,蛋糕订八寸的,送到家里",
        "排班怎么分你给个主意",
        "平时账单应该找谁来着,你说说",
        "我要是照着做,第二天就得关门",
        "拿妹妹手机发的,我的进水了",
        "昨天的订单拉一下,看看",
    ],
)
def test_tags_are_earned(text: str) -> None:
    """
    Requests, other people's wishes, daydreams and scenes are no rule and no finding.
    """
    assert {fact.tag for fact in facts(f"U: {text}", "A: Ok", floor=1)} <= {None}


@pytest.mark.parametrize(
    "text",
    [
        "If a customer writes after 6 pm, answer the next morning, unless it's the mill",
        "Vouchers up to 20 euros you may hand out without asking me",
        "Ask me first before you order anything from Hansen",
        "Receipts go in the green folder",
        "Price lists go out as PDF, printers choke on the rest",
        "The tall oven is what bakes with me, so put that down",
        "In this shop every loaf stays under 900 grams",
        "The corner table stays free for Mrs Dahl",
        "顾客八点以后来信,第二天早上再回,除非是磨坊,磨坊马上给我打电话",
        "二十块以内的退款你直接退,不用问我",
        "黄油买无盐的,有盐的做不了酥皮",
        "价目表统一写整数,这条没得商量",
        "你回我别写那么长,两句话以内",
        "外包的活我从来不接,问也没用",
    ],
)
def test_rules_without_their_usual_words(text: str) -> None:
    """
    A condition, a permission or the way things are done is a rule as well.
    """
    assert {fact.tag for fact in facts(f"U: {text}", "A: Ok")} & RULES


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("The spring fair is cancelled, the sponsor pulled out", {Tag.FINDING}),
        ("Doors open at 15:00 on both days", {Tag.FINDING}),
        ("Oven B gave 41 loaves an hour, oven A only 36", {Tag.FINDING}),
        ("It has to be with the bank by Friday, he leaves after that", {Tag.TASK}),
        ("Clause 9 comes out, the option for five years goes in", {Tag.DECISION}),
        ("那我们决定把店开在河边,因为老街的房租太贵", {Tag.DECISION}),
        ("算了算了不住海边了,改住山上的民宿", {Tag.DECISION}),
        ("营业执照批下来了,编号 3302-77", {Tag.FINDING}),
    ],
)
def test_kinds_are_told_apart(text: str, tags: set[Tag]) -> None:
    """
    An event is no task, a deadline no rule, a draft's clause a decision.
    """
    assert tags <= {fact.tag for fact in facts(f"U: {text}", "A: Ok")}


def test_joke_that_is_followed_by_earnest() -> None:
    """
    "For real though" says that what stood before was not meant.
    """
    found = facts(
        "U: new house rule: all bread is delivered by owl",
        "A: Very well.",
        "U: For real though, deliveries are booked in the shared calendar, always",
        "A: Ok",
    )

    assert [fact.text for fact in found if fact.tag] == [
        "Deliveries are booked in the shared calendar, always"
    ]


def test_entries_begin_with_a_capital() -> None:
    """
    An entry begins as a sentence does, unless its first word is a command or a file.
    """
    assert texts("U: shelves are dusted daily, always", "A: Ok") == [
        "Shelves are dusted daily, always"
    ]
    assert texts("U: npm is never used here, always pnpm", "A: Ok") == [
        "npm is never used here, always pnpm"
    ]
    assert texts("U: till.csv is always the first to open", "A: Ok") == [
        "till.csv is always the first to open"
    ]


def test_answers_before_a_statement_are_cut() -> None:
    """
    "Let him." answers the agent and says nothing later.
    """
    assert texts("U: Let him. We never lend the van to anybody", "A: Ok") == [
        "We never lend the van to anybody"
    ]


def test_each_piece_of_news_is_an_entry() -> None:
    """
    Three facts in one breath are three entries; an announcement stays with its news.
    """
    lines = texts(
        "U: The budget is 61,000 now. Tove handles the tents. Doors open at 14:00.",
        "A: Ok",
        "U: Day two. Oven 4 is dead, its fan is jammed",
        "A: Ok",
    )

    assert lines == [
        "The budget is 61,000 now.",
        "Tove handles the tents.",
        "Doors open at 14:00.",
        "Day two. Oven 4 is dead, its fan is jammed",
    ]


def test_blanks_stand_for_punctuation() -> None:
    """
    Who types Chinese without punctuation is understood all the same.
    """
    [fact] = facts("U: 六个 还有以后账单都按周发别按月", "A: 好")[-1:]

    assert "以后账单都按周发别按月" in fact.text
    assert fact.tag is Tag.PREFERENCE
