"""Statements that look alike and must never be merged."""

from __future__ import annotations

import pytest

from strata.statements.relations import Relation, relation

UNLIKE = [
    ("Send drafts to Julia.", "Send drafts to Julia and Mark."),
    (
        "Deploys to production happen on Tuesdays.",
        "Deploys of the billing API to production happen on Tuesdays.",
    ),
    ("The meeting with Acme is at 10:00.", "The meeting with Globex moved to 10:00."),
    ("My phone number is 555-0134.", "Her phone number is 555-0134."),
    ("Lena's birthday is on 3 March.", "My birthday is on 3 March."),
    ("I want a dog.", "I have a dog."),
    ("Tests must pass before merging.", "Tests must pass after merging."),
    (
        "Use at least 8 characters for passwords.",
        "Use at most 8 characters for passwords.",
    ),
    ("Backups are kept for 30 days.", "Backups are kept for 30 weeks."),
    (
        "Set the thermostat to 19 degrees at night.",
        "Set the thermostat to 19 degrees in the morning.",
    ),
    ("The old server is called atlas.", "The new server is called atlas."),
    ("Ship orders over 50 euros for free.", "Ship orders under 50 euros for free."),
    (
        "Import customers from Stripe into the CRM.",
        "Export customers from the CRM into Stripe.",
    ),
    ("Tell Anna about delays.", "Tell Ben about delays."),
    ("Anna pays Ben 300 euros.", "Ben pays Anna 300 euros."),
    ("Ask before deleting files.", "Ask after deleting files."),
    ("Use Python 3.12 for new services.", "Use Python 3.12 for old services."),
    ("Only admins may deploy.", "Admins may deploy."),
    ("Some tests are slow.", "All tests are slow."),
    ("The first invoice is due in March.", "The last invoice is due in March."),
    ("Open the shop at 9.", "Close the shop at 9."),
    ("The server restarts at 3:00.", "The server restarts at 3:00 on Sundays."),
    ("Emma is Tom's sister.", "Tom is Emma's brother."),
    ("Emma's sister lives in Paris.", "Emma lives in Paris."),
    ("Node 18 is used in CI.", "Node 20 is used in CI."),
    ("Release 2.4 fixes the login bug.", "Release 2.5 fixes the login bug."),
    ("Budget for ads is 500 euros.", "Budget for ads is 500 dollars."),
    ("Meet on the left side of the station.", "Meet on the right side of the station."),
    ("I don't like meetings in the morning.", "I like meetings in the morning."),
    ("Cats may enter the bedroom.", "Cats may not enter the bedroom."),
    ("Merge when one reviewer approves.", "Merge when two reviewers approve."),
    ("Turn the heating on at 6.", "Turn the heating off at 6."),
    (
        "Grandma takes her pills in the morning.",
        "Grandma takes her pills in the evening.",
    ),
    ("Reply to Karl in German.", "Reply to Karla in German."),
    ("The key is under the mat.", "The key is under the pot."),
    ("The API key rotates monthly.", "The API key rotated monthly until May."),
    ("Put errors in the log.", "Put warnings in the log."),
    ("The staging URL is staging.acme.io.", "The staging URL is staging.acme.dev."),
    ("The main branch is protected.", "The main branch is not protected yet."),
    ("Order 20 bottles.", "Order 20 boxes."),
    ("Write unit tests for the parser.", "Write integration tests for the parser."),
    ("Use Redis for sessions.", "Use Redis for sessions in staging."),
    (
        "The invoice template is in the finance folder.",
        "The contract template is in the finance folder.",
    ),
    ("Standup at 9:30 on Mondays.", "Standup at 9:30 on Tuesdays."),
    ("Print the labels in A4.", "Print the labels in A5."),
    (
        "Mia has piano on Wednesdays and swimming on Fridays.",
        "Mia has swimming on Wednesdays and piano on Fridays.",
    ),
    (
        "Staging is on port 5432, production on port 5433.",
        "Staging is on port 5433, production on port 5432.",
    ),
    ("Call the plumber before 17:00.", "Call the plumber after 17:00."),
    ("把初稿发给林晓。", "把终稿发给林晓。"),
    ("合并前跑测试。", "合并后跑测试。"),
    ("密码至少8位。", "密码最多8位。"),
    ("老服务器叫阿特拉斯。", "新服务器叫阿特拉斯。"),
    ("周一和周三值班。", "周二和周四值班。"),
    ("我爸对花生过敏。", "我妈对花生过敏。"),
    ("小李给小王发工资。", "小王给小李发工资。"),
    ("会议室在三楼。", "会议室在四楼。"),
    ("每周一开会。", "每周一写周报。"),
    ("他的电话是13800000001。", "我的电话是13800000001。"),
    ("客户经理是陈芳。", "客户经理是陈方。"),
    ("只有管理员能部署。", "管理员能部署。"),
    ("仓库门朝南。", "仓库门朝北。"),
    ("订单满50元包邮。", "订单不满50元包邮。"),
    ("空调调到26度。", "空调调到-26度。"),
    ("部署前要备份。", "部署前不用备份。"),
    ("奶奶早上吃药。", "奶奶晚上吃药。"),
    ("发票抬头写公司名。", "发票抬头写个人名。"),
    ("给李总的邮件用敬语。", "给王总的邮件用敬语。"),
    ("Deploy before 10am.", "10点后部署。"),
    ("The office is on the 3rd floor.", "办公室在四楼。"),
    ("Ask Tom for access.", "找Tim要权限。"),
    ("Keep the window open.", "关窗。"),
    ("Müller pays the rent.", "Möller pays the rent."),
    ("Answer in 100 words.", "Answer in 1.00 words."),
    ("Write it in C.", "Write it in C++."),
]


@pytest.mark.parametrize(("one", "other"), UNLIKE)
def test_what_looks_alike_is_not_merged(one: str, other: str) -> None:
    """
    Another number, name, scope, order, opposite or owner makes another statement.
    """
    assert Relation.SAME != relation(one, other)
    assert Relation.SAME != relation(other, one)
