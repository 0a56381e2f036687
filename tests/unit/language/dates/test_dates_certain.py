"""A date is only told where the words mean it beyond doubt."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from strata.language.dates import sure_dates
from strata.language.wording import with_dates

# A Monday, a Wednesday, a Friday and a Saturday.
MON, WED, FRI, SAT = "2026-06-08", "2026-10-14", "2026-10-23", "2026-10-24"


def told(text: str, day: str, hour: int = 12) -> list[str]:
    anchor = datetime.fromisoformat(f"{day}T{hour:02}:10").replace(
        tzinfo=ZoneInfo("Asia/Shanghai")
    )
    spans = sure_dates(text, anchor=anchor)
    return [
        span.first.isoformat()[: 7 if span.grain == "month" else 10] for span in spans
    ]


@pytest.mark.parametrize(
    ("day", "text", "date"),
    [
        # requests, deliveries, appointments, plans
        (MON, "my niece is 9 on Sunday, find her a kite", "2026-06-14"),
        (MON, "Ordered the kite, delivery on Thursday.", "2026-06-11"),
        (WED, "Get a box of pears sent to his office for Friday", "2026-10-16"),
        (WED, "please have the car washed on Saturday", "2026-10-17"),
        (WED, "The boiler man comes on Friday at nine", "2026-10-16"),
        (WED, "the scaffolding is up until Friday, so no ladders", "2026-10-16"),
        (WED, "I need the figures by Monday noon", "2026-10-19"),
        (WED, "We moved the rehearsal to Thursday", "2026-10-15"),
        (WED, "the launch was pushed back to Monday", "2026-10-19"),
        (WED, "He said he'd ring on Friday", "2026-10-16"),
        (WED, "I've booked the van for Saturday", "2026-10-17"),
        (WED, "we've got a gig Friday", "2026-10-16"),
        (WED, "From Monday all cards live in Linear", "2026-10-19"),
        (WED, "is Friday still free?", "2026-10-16"),
        (WED, "I lost my key, so the locksmith is here Friday", "2026-10-16"),
        (WED, "Booked, Friday at 9:30.", "2026-10-16"),
        (WED, "Tell him I'm not in on Friday", "2026-10-16"),
        (WED, "send the letter tomorrow morning", "2026-10-15"),
        (WED, "version 1.4 will be out in November", "2026-11"),
        (WED, "the licence expires on 3 January", "2027-01-03"),
        # 上, 下 and 本 belong to what stands before
        (WED, "日程上周五有一场评审", "2026-10-16"),
        (WED, "线上周五发布", "2026-10-16"),
        (WED, "晚上周五见", "2026-10-16"),
        (WED, "线下周五聚会", "2026-10-16"),
        (WED, "新版本周五发布", "2026-10-16"),
        (WED, "线上上周五出了故障", "2026-10-09"),
        (WED, "上周五线上出了故障", "2026-10-09"),
        # days of a month that is not named: the nearest one that is not over
        (WED, "我5号到9号出差", "2026-11-05"),
        (WED, "28日至3日我休假", "2026-10-28"),
        (WED, "五号到九号停水", "2026-11-05"),
        (WED, "13号到16号我在杭州", "2026-10-13"),
        (WED, "5号到9号我出差了，刚回来", "2026-10-05"),
        (WED, "这个月5号到9号我在上海", "2026-10-05"),
        (WED, "I'm away from the 23rd to the 27th", "2026-10-23"),
        (WED, "The dentist is on the 3rd.", "2026-11-03"),
        (WED, "the audit starts on the 30th at nine", "2026-10-30"),
        (WED, "the meeting was moved to the 17th.", "2026-10-17"),
        (WED, "as of the 1st, quotes are in euros", "2026-11-01"),
        (WED, "3号看牙医", "2026-11-03"),
        (WED, "会议改到17号", "2026-10-17"),
        (WED, "从1号起报价都用欧元", "2026-11-01"),
        (WED, "15号前把报告交了", "2026-10-15"),
        (WED, "next quarter we hire two people", "2027-01-01"),
        (WED, "下季度招两个人", "2027-01-01"),
        # what has happened
        (WED, "I saw the dentist on the 3rd.", "2026-10-03"),
        (WED, "3号看过牙医了", "2026-10-03"),
        (WED, "the mixer broke on Monday, the belt snapped", "2026-10-12"),
        (WED, "I was in Leeds on Friday", "2026-10-09"),
        (WED, "Shipped version 2.7 on Monday", "2026-10-12"),
        (WED, "she came round on Sunday with soup", "2026-10-11"),
        (WED, "the plumber fixed the drip on Saturday", "2026-10-10"),
        (WED, "the log has been empty since Friday", "2026-10-09"),
        (WED, "We moved to the new depot in January", "2026-01"),
        (MON, "it has leaked since April", "2026-04"),
        (WED, "the hum started last night", "2026-10-13"),
        (WED, "The report finished on Friday", "2026-10-09"),
        (WED, "on Monday the doctor told me to rest", "2026-10-12"),
        # a weekday beside a date is that date
        (WED, "he comes on Thursday, 26 November, at 09:00", "2026-11-26"),
        (WED, "Saturday the 12th of June, both stages", "2027-06-12"),
        (WED, "26 November (Thursday), nine o'clock", "2026-11-26"),
        (WED, "mine until Wednesday the 28th", "2026-10-28"),
        (WED, "23号周五飞厦门", "2026-10-23"),
        (WED, "from the first Monday in April they are paid hourly", "2027-04-05"),
        (WED, "下个月10号动工", "2026-11-10"),
        (WED, "上个月15号提交的专利下来了", "2026-09-15"),
        (WED, "公开课是 11 月 5 号星期四下午第一节", "2026-11-05"),
        (WED, "周四(11月5号)交表", "2026-11-05"),
        # sides that are said
        (WED, "next Monday is a holiday", "2026-10-19"),
        (WED, "the certificate is good till next October", "2027-10"),
        # ahead, in Chinese
        (WED, "约好了,周五 8:40 前上门", "2026-10-16"),
        (WED, "约好了,周五", "2026-10-16"),
        (WED, "周五是小舅子婚礼,买两盒喜糖", "2026-10-16"),
        (WED, "仓库周四之前都在盘点", "2026-10-15"),
        (WED, "录播教室在修,周五才修好", "2026-10-16"),
        (WED, "给我约周六上午十点剪头发", "2026-10-17"),
        (WED, "培训改到周五了", "2026-10-16"),
        (WED, "下周三 8:20 那班船", "2026-10-21"),
        (WED, "合同周五要交了", "2026-10-16"),
        (WED, "从下周一起例会改线上", "2026-10-19"),
        (WED, "去年 3 月那次", "2025-03"),
        # behind, in Chinese
        (WED, "周一到货了", "2026-10-12"),
        (WED, "这个是周一定的", "2026-10-12"),
        (WED, "昨晚导出又卡住了", "2026-10-13"),
        (WED, "上周五发的版", "2026-10-09"),
        (WED, "三天前就修好了", "2026-10-11"),
    ],
)
def test_certain_dates_are_told(day: str, text: str, date: str) -> None:
    """
    Plans lie ahead and reports behind, whichever weekday is nearer.
    """
    assert told(text, day) == [date]


@pytest.mark.parametrize(
    ("day", "text"),
    [
        # what comes back
        (WED, "这个任务只在周日跑"),
        (WED, "家长要找我就约周三晚自习"),
        (WED, "周报改成双周报,周四发"),
        (WED, "不想再搭一个周末进去"),
        (WED, "viewings are a Saturday thing with me"),
        (WED, "send the list every Monday at noon"),
        (WED, "always call on Friday before noon"),
        (WED, "the stock list, each month, goes to Petra on Wednesday 14:00"),
        (FRI, "Tuesdays are for the workshop, never book anything on Monday"),
        (WED, "do viewings of a Friday evening"),
        (WED, "the shop is open Monday to Friday"),
        (WED, "Friday nights are quiz nights"),
        (WED, "the first Monday of the month is stocktaking"),
        (WED, "the last Friday of the month is for the books"),
        (WED, "don't deploy on Friday"),
        (WED, "I look at rents in April, once, and say so"),
        (WED, "rents get looked at in April and at no other time"),
        (WED, "my birthday is on 3 March"),
        (WED, "a daily summary of what got done today"),
        (WED, "every evening send me what's due tomorrow"),
        (WED, "weekly on Monday: water the plants"),
        (WED, "周一上午固定录播客"),
        (WED, "每周五交周报"),
        (WED, "每晚九点整,把明天的课和要带的材料发我一份"),
        (WED, "记着我为什么不在周五发版就行"),
        (WED, "周五发版等于把假期送给用户当客服"),
        (WED, "以后别在周一上午约任何人"),
        (WED, "每月第一个周一盘点"),
        (WED, "一般周五不接单"),
        (WED, "周一我都在门诊,别排事"),
        (WED, "The rent is due on the 3rd."),
        (WED, "report to me on the 1st, always"),
        (WED, "he is paid on the 1st and 15th"),
        (WED, "the file is due on the 3rd of each month"),
        (WED, "工资25号发"),
        (WED, "每月3号对账"),
        (WED, "每个季度盘点一次"),
        (WED, "I file the taxes every quarter"),
        # either side
        (WED, "I had Magda on the phone about Friday"),
        (WED, "the cake you baked for Friday"),
        (WED, "he told me Monday was fine"),
        (WED, "Friday's report is thin"),
        (WED, "I was going to call on Friday"),
        (WED, "the Friday one was better"),
        (MON, "next Friday then"),
        (WED, "this Monday"),
        (WED, "he asks about April"),
        (WED, "prices rise in April"),
        (WED, "周五开的会我没记"),
        (WED, "周五的会取消了"),
        (WED, "交付三天后付尾款"),
        (WED, "周末出门"),
        (WED, 'she wrote "see you on Friday"'),
        (WED, "他说「周五见」"),
        # a weekday that is not the date's
        (WED, "it says Friday, 26 November"),
        (WED, "周五(11月5号)交表"),
        (WED, "two or three days ago the boiler failed"),
        (WED, "I moved house 5 to 10 days ago"),
        (WED, "more than three weeks ago I told you"),
        (WED, "You have one in three weeks."),
        # where it began, and not to which day it looks
        (WED, "The switch has been flaky from Friday"),
        (WED, "I've been on holiday from Friday"),
        (WED, "The outage lasted from Friday until Sunday"),
        # numbers of lines, floors and shops
        (WED, "5号到9号线停运"),
        (WED, "每月5号到9号交电费"),
        (WED, "we moved from the 5th to the 9th floor"),
        (WED, "her office is on the 3rd floor"),
        (WED, "use the 3rd shelf"),
        (WED, "地铁3号线停运"),
        (WED, "3号柜子坏了"),
        (WED, "5号电池要备着"),
    ],
)
def test_doubtful_dates_are_not_told(day: str, text: str) -> None:
    """
    What comes back, is quoted, or could lie on either side gets no date.
    """
    assert told(text, day) == []


def test_small_hours_have_no_tomorrow() -> None:
    """
    After midnight nobody knows whether "tomorrow" is before or after the night's sleep.
    """
    assert told("remind me tomorrow", SAT, hour=1) == []
    assert told("明早提醒我", SAT, hour=1) == []
    assert told("remind me tomorrow", SAT, hour=7) == ["2026-10-25"]
    assert told("it goes out on 20 November", SAT, hour=1) == ["2026-11-20"]


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("from tomorrow on, no meetings on Fridays", ["2026-10-15"]),
        ("从今天起每周五交周报", ["2026-10-14"]),
        ("下个月起周三店休", ["2026-11"]),
        ("We are off from 13 March to the 17th.", ["2027-03-13"]),
        ("He came on Monday and is back on Friday", ["2026-10-12", "2026-10-16"]),
        ("The workshop is on 24 June, not 25 June", ["2027-06-24", "2027-06-25"]),
    ],
)
def test_each_date_is_judged_by_its_own_clause(text: str, dates: list[str]) -> None:
    """
    The beginning of a rule is a day, and neighbouring clauses have their own tense.
    """
    assert told(text, WED) == dates


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        (
            "From Monday on I work from Bonn.",
            "From Monday (2026-10-19) on I work from Bonn.",
        ),
        ("No calls on Monday.", "No calls on Monday."),
        ("I cook from Monday to Friday.", "I cook from Monday to Friday."),
        ("Send me the list on the 3rd.", "Send me the list on the 3rd."),
        ("从1号起报价都用欧元", "从1号(2026-11-01)起报价都用欧元"),
        ("周一别约人", "周一别约人"),
        ("The rent rises next month.", "The rent rises next month (2026-11)."),
        ("下个月房租涨到 900", "下个月(2026-11)房租涨到 900"),
        (
            "No new hires this quarter.",
            "No new hires this quarter (2026-10-01 to 2026-12-31).",
        ),
    ],
)
def test_standing_statement_names_the_day_on_which_it_begins(
    text: str, dated: str
) -> None:
    """
    A weekday or a number in it comes back, unless it is where the rule begins.
    """
    said_at = datetime.fromisoformat(f"{WED}T12:10").replace(
        tzinfo=ZoneInfo("Asia/Shanghai")
    )

    assert with_dates(text, said_at, standing=True) == dated
