"""Until when a statement holds."""

from __future__ import annotations

from datetime import date

import pytest

from strata.statements.expiry import valid_until

# A Friday.
SAID = date(2026, 11, 20)

UNTIL = [
    ("The office is closed until Friday 27 November 2026.", "2026-11-27"),
    ("Code freeze until 2026-12-04.", "2026-12-04"),
    ("我 5 号到 9 号出差。", "2026-12-09"),
    ("从28号到3号放假。", "2026-12-03"),
    ("19号到22号停车场施工。", "2026-11-22"),
    ("我5号到9号(2026-12-05 to 2026-12-09)出差。", "2026-12-09"),
    ("I'm away from the 23rd to the 27th.", "2026-11-27"),
    ("I'm on vacation till 3 December.", "2026-12-03"),
    ("The discount runs through 30 November 2026.", "2026-11-30"),
    ("My passport expires on 4 May 2031.", "2031-05-04"),
    ("The Hetzner contract runs until the end of March 2027.", "2027-03-31"),
    ("Send the draft by Friday (2026-11-27).", "2026-11-27"),
    ("Submit the expense report before 30 November.", "2026-11-30"),
    ("The deadline is 2026-12-15.", "2026-12-15"),
    ("Use the backup server until next Wednesday (2026-11-25).", "2026-11-25"),
    ("The invoice is due on 12 December 2026.", "2026-12-12"),
    ("The trial ends on 2026-12-01.", "2026-12-01"),
    ("Keep replies in English this week only.", "2026-11-22"),
    ("No meetings for the rest of the week.", "2026-11-22"),
    ("Write to Anna instead of Tom for the next two weeks.", "2026-12-04"),
    ("Over the next 10 days I work from Lisbon.", "2026-11-30"),
    ("I am out of office for three weeks.", "2026-12-11"),
    ("Just for today, answer in German.", "2026-11-20"),
    ("Use the old printer until the end of the month.", "2026-11-30"),
    ("For the coming month I have no car.", "2026-12-20"),
    ("Dentist on 2026-11-27 at 10:00.", "2026-11-27"),
    ("The demo for Acme is on 3 December 2026.", "2026-12-03"),
    ("My flight to Lisbon leaves tomorrow (2026-11-21).", "2026-11-21"),
    ("We will launch the shop on 1 December.", "2026-12-01"),
    ("I am in Vienna from 23 to 27 November 2026.", "2026-11-27"),
    ("No later than 2026-12-10 the report must be in.", "2026-12-10"),
    ("Tom covers for me until 2 January 2027.", "2027-01-02"),
    ("Every Friday until 18 December 2026 there is no standup.", "2026-12-18"),
    ("Support for Node 20 ends in April 2027.", "2027-04-30"),
    ("The grant pays me until the end of 2027.", "2027-12-31"),
    ("They play on Saturday 12 June 2027 (2027-06-12), next year.", "2027-06-12"),
    ("This month I am on call.", "2026-11-30"),
    ("到11月30日为止不要部署。", "2026-11-30"),
    ("优惠截止到2026年12月5日。", "2026-12-05"),
    ("护照有效期至2031年5月4日。", "2031-05-04"),
    ("12月10日之前交报告。", "2026-12-10"),
    ("周五(2026-11-27)前把初稿发给客户。", "2026-11-27"),
    ("冻结代码,直到12月4日。", "2026-12-04"),
    ("接下来两周我在上海出差。", "2026-12-04"),
    ("未来三天不要发邮件给客户。", "2026-11-23"),
    ("这两周先用备用服务器。", "2026-12-04"),
    ("本周只用英文回复。", "2026-11-22"),
    ("月底前把合同签好。", "2026-11-30"),
    ("12月3日给客户演示。", "2026-12-03"),
    ("明天(2026-11-21)飞里斯本。", "2026-11-21"),
    ("请假两周,有事找小李。", "2026-12-04"),
    ("年底前不招人。", "2026-12-31"),
    ("活动到2026-12-24结束。", "2026-12-24"),
    ("项目在12月15日(2026-12-15)交付。", "2026-12-15"),
    ("今晚8点开会。", "2026-11-20"),
    ("发票12月12日到期。", "2026-12-12"),
]
OPEN = [
    "Use the staging server until further notice.",
    "No deploys on Fridays.",
    "Standup every Friday at 9:30.",
    "Keep backups for 30 days.",
    "Sprints last two weeks.",
    "The notice period is three months.",
    "Sessions time out after 30 minutes.",
    "From 1 December 2026 on use the new API.",
    "As of 2026-12-01 Maria owns billing.",
    "Starting 1 January 2027 we invoice in euros.",
    "Lena's birthday is on 3 March.",
    "We moved to Berlin on 2024-03-01.",
    "Tax returns are due on 31 July every year.",
    "We chose Postgres this week.",
    "Today we decided to use Fastify.",
    "Pin the Stripe API version 2026-12-18.",
    "Use pnpm, never npm.",
    "The office is open Monday to Friday.",
    "Never call me before 9.",
    "Reports go out monthly.",
    "Use feature flags, because the launch is on 2026-12-03.",
    "We used MySQL until 2024-05-01.",
    "Our wedding anniversary is 12 December.",
    "另行通知之前都用测试服务器。",
    "周五不要部署。",
    "每周五九点半站会。",
    "备份保留30天。",
    "每个冲刺两周。",
    "从12月1日起用新接口。",
    "自2026年12月1日开始由小李负责账单。",
    "妈妈的生日是3月3日。",
    "每月5号前交报销单。",
    "今天决定用Fastify。",
    "这周我们定了用Postgres。",
    "营业时间是周一到周五。",
    "每年7月31日前报税。",
    "2024年3月搬到柏林。",
    "会话30分钟后超时。",
    "长期使用简体中文。",
]


@pytest.mark.parametrize(("text", "day"), UNTIL)
def test_bound_stretch_or_event_ends_a_statement(text: str, day: str) -> None:
    """
    A statement holds up to the day that it names, in either language.
    """
    assert date.fromisoformat(day) == valid_until(text, SAID)


@pytest.mark.parametrize("text", OPEN)
def test_rule_habit_and_history_have_no_end(text: str) -> None:
    """
    What comes back, begins, has happened or only lasts a while tells no end.
    """
    assert valid_until(text, SAID) is None
