"""Each kind of statement gets its tag, and what is not meant gets none."""

from __future__ import annotations

import pytest
from builders_talk import facts

from strata.models import Tag

RULES = {Tag.PREFERENCE, Tag.DECISION}
NEWS = {Tag.FINDING, Tag.TASK}
KNOWN = {Tag.FINDING, Tag.DECISION, Tag.PREFERENCE}


@pytest.mark.parametrize(
    "text",
    [
        "Invoices to the museum must carry the grant number, always",
        "I can't eat shellfish, put that in whenever you order",
        "Oh and please, in every reply: metric units",
        "Stop signing off with 'Warmest'. 'Regards' is enough",
        "Keep responses under 200 words unless I ask for detail",
        "Translate to Danish, but leave product names in English, always",
        "No cash payments over 500, that's company policy",
        "Export drawings as DXF, the shop reads nothing else",
        "I'd like a weekly summary on Sundays at 18:00",
        "在报价里一律写不含税",
        "我对芒果过敏,点甜品的时候注意",
        "以后回我消息别用表情",
        "店里的图一律竖版 3:4,横的平台会裁",
        "文章里的人名第一次出现要带英文",
        "每天早上七点发我一份当天的排班",
    ],
)
def test_standing_instructions(text: str) -> None:
    """
    What holds from now on is a preference (or a decision).
    """
    assert {fact.tag for fact in facts(f"U: {text}", "A: Ok")} & RULES


@pytest.mark.parametrize(
    "text",
    [
        "we settled on oak for the counter, walnut would have taken eleven weeks",
        "We're leaving Trello. From Monday all cards live in Linear",
        "I'm giving up on the forum, it goes to a mailing list",
        "Let's go with the blue tiles after all",
        "back to paper tickets, the app crashed at every show",
        "数据库定用 PostgreSQL,MySQL 的全文检索太弱",
        "微信公众号不做了,改做小红书,公众号没人看",
        "从下周起例会改到周二上午",
        "想通了,不租门面,还是放在网上卖",
    ],
)
def test_decisions(text: str) -> None:
    """
    A choice, a switch or a return is a decision (or a preference).
    """
    assert {fact.tag for fact in facts(f"U: {text}", "A: Ok")} & RULES


@pytest.mark.parametrize(
    "text",
    [
        "It's Katarzyna, with a z. Katarzyna Wolski, she's the loan officer",
        "The workshop fits 14 people, not 40",
        "The kiln controller listens on port 8085",
        "Our staging box is stage-3.harrow.example, ignore the other two",
        "Anything about the lease goes to Mr Adeyemi, extension 44",
        "Benedetta only answers on Signal, after 20:00 her time",
        "Dr Osei prefers to be called, e-mails get lost in her inbox",
        "不是张薇,是章薇,立早章",
        "样品一共 48 件,不是 84",
        "备份盘挂在 /mnt/beifen,每晚两点跑",
        "房东姓钱,只用短信联系,微信从来不回",
        "水费的事找物业小何,别打总台",
    ],
)
def test_facts_and_people(text: str) -> None:
    """
    A correction, a place or a way to reach somebody is a finding or a rule.
    """
    assert {fact.tag for fact in facts(f"U: {text}", "A: Ok")} & KNOWN


@pytest.mark.parametrize(
    "text",
    [
        "Found it: the pump stalls because the filter housing is cracked",
        "Turns out the label printer was on the wrong VLAN",
        "the freezer died overnight, 40 litres of sorbet gone. Compressor relay",
        "Exhibition opens on 14 November at 18:00",
        "The heating in room 5 is off until Friday, so move the lessons to room 2",
        "I'm in Lisbon from Tuesday to Friday, phone only in the evenings",
        "Ticket OPS-77 is closed, the certificates renew by themselves again",
        "Shipped version 2.7 to both stores last night",
        "查出来了,是交换机第 7 口接触不良",
        "昨天把 3.2 版发到两家店了",
        "工单 GD-402 处理完了,是驱动版本太旧",
        "展会是 11 月 6 号开幕,我们 B 馆 22 号位",
        "这周我在深圳,周五回来,快递先放门卫",
    ],
)
def test_findings_and_tasks(text: str) -> None:
    """
    Causes, results, dates and temporary states are findings or tasks.
    """
    assert {fact.tag for fact in facts(f"U: {text}", "A: Ok")} & NEWS


@pytest.mark.parametrize(
    "text",
    [
        "The readings come in every 30 seconds, and the report has to join them",
        "The bus to the harbour comes every 20 minutes",
        "The river gauge reports 12 values every hour to the council",
        "传感器每30秒上报一次数据,一共 14 个",
    ],
)
def test_how_often_a_thing_happens_is_no_wish(text: str) -> None:
    """
    A rate is a finding, whatever "every" stands in it.
    """
    assert [fact.tag for fact in facts(f"U: {text}", "A: Ok")] == [Tag.FINDING]


@pytest.mark.parametrize(
    "text",
    [
        "That must have been awesome for the children",
        "You must be tired after that long drive",
        "I totally agree, we need more time for that",
    ],
)
def test_guesses_and_assent_are_no_rules(text: str) -> None:
    """
    What somebody supposes or nods at gets no tag.
    """
    assert {fact.tag for fact in facts(f"U: {text}", "A: Ok", floor=1)} <= {None}


@pytest.mark.parametrize(
    "text",
    [
        "Crop this one photo to square",
        "Order twelve bags of the dark roast",
        "Maybe I'll learn the cello someday",
        "If I were rich I'd hire a second you",
        "What if we just printed it on bread",
        "My uncle swears by cold showers for everything",
        'He says "always use tabs, never spaces, in everything you write", bless him',
        "what time is the train",
        "Use the second draft like we discussed",
        "Do it the usual way",
        "never mind",
        "skip it",
        "帮我把这张照片裁成方的",
        "哪天真想去学学木工",
        "要是中了五百万我就把店关了",
        "我二叔说盐水能治百病",
        "几点开门",
        "就按上次那样弄",
        "这次的横幅先用红的",
        "哈哈哈哈",
    ],
)
def test_what_is_not_meant_for_later(text: str) -> None:
    """
    Requests, wishes, jokes, other people's views and dangling words get no tag.
    """
    assert {fact.tag for fact in facts(f"U: {text}", "A: Ok", floor=1)} <= {None}


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("new policy: everybody must bring a llama", "haha"),
        ("from now on all meetings are sung", "just kidding"),
        ("从今天起所有菜单必须押韵", "开玩笑的"),
        ("以后请务必都这么慢慢来", "逗你的"),
        ("always answer in Latin", "scratch that"),
    ],
)
def test_what_is_taken_back(text: str, after: str) -> None:
    """
    A joke that the owner calls one, or a word taken back, gets no tag.
    """
    found = facts(f"U: {text}", "A: Very well.", f"U: {after}", "A: Ok")

    assert {fact.tag for fact in found} <= {None}
