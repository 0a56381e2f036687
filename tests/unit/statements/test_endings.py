"""What has ended, and what rests on it."""

from __future__ import annotations

import pytest

from strata.statements.endings import depends_on, ended

ENDED = [
    ("We shut down Borealis.", "Borealis"),
    ("We dropped Redis.", "Redis"),
    ("We dropped Redis last week because Postgres is enough.", "Redis"),
    ("We have abandoned the Kestrel project.", "Kestrel"),
    ("I no longer use Notion.", "Notion"),
    ("We stopped using Slack.", "Slack"),
    ("We moved from Svelte to React.", "Svelte"),
    ("We've switched from Jira to Linear.", "Jira"),
    ("They replaced Jenkins with GitHub Actions.", "Jenkins"),
    ("Heroku was replaced by Hetzner.", "Heroku"),
    ("Project Borealis is finished.", "Project Borealis"),
    ("Borealis is finished.", "Borealis"),
    ("The Kestrel project has been cancelled.", "Kestrel"),
    ("Kestrel has ended.", "Kestrel"),
    ("Webpack is no longer used.", "Webpack"),
    ("Evernote isn't used any more.", "Evernote"),
    ("We don't use Trello anymore.", "Trello"),
    ("We got rid of Kubernetes.", "Kubernetes"),
    ("I gave up on Haskell.", "Haskell"),
    ("We migrated away from Heroku.", "Heroku"),
    ("We finally retired legacy-portal.", "legacy-portal"),
    ("We decided to drop Tailwind.", "Tailwind"),
    ("[decision] Drop Redis, Postgres does the queue as well.", "Redis"),
    ("Acme is no longer a client.", "Acme"),
    ("I stopped working for Initech.", "Initech"),
    ("Orion is dead.", "Orion"),
    ("Orion has been discontinued.", "Orion"),
    ("We pulled the plug on Orion.", "Orion"),
    ("We finished Nightingale and archived the repository.", "Nightingale"),
    ("MongoDB is gone.", "MongoDB"),
    ("我们不再使用Redis。", "Redis"),
    ("不再用Notion了。", "Notion"),
    ("项目Borealis已经结束。", "Borealis"),
    ("北极星项目已经结束了。", "北极星"),
    ("我们砍掉了猎户座项目。", "猎户座"),
    ("Kestrel项目取消了。", "Kestrel"),
    ("Jenkins已经停用。", "Jenkins"),
    ("我们放弃了Kubernetes。", "Kubernetes"),
    ("从Svelte换到React了。", "Svelte"),
    ("我们从Jira迁移到了Linear。", "Jira"),
    ("把MySQL换成PostgreSQL。", "MySQL"),
    ("Heroku被Hetzner取代了。", "Heroku"),
    ("停止维护legacy-portal。", "legacy-portal"),
    ("Trello不用了。", "Trello"),
    ("蓝鲸计划正式下线。", "蓝鲸"),
    ("Webpack已经淘汰了。", "Webpack"),
]
GOING_ON = [
    "Use Redis for the cache.",
    "Don't drop Redis.",
    "Should we drop Redis?",
    "If we drop Redis, Postgres must do the queue.",
    "We might shut down Borealis.",
    "We will shut down Borealis in March.",
    "We want to abandon Kestrel.",
    "Phase 1 of Borealis is finished.",
    "The Borealis migration is done.",
    "I finished the report.",
    "We dropped Redis in the billing service.",
    "We moved the blog from Svelte to React.",
    "I moved from Berlin to Munich.",
    "We have not abandoned Kestrel.",
    "The Friday meeting is cancelled.",
    "Maria is done with the review.",
    "The office is closed on Mondays.",
    "The shop is closed until Monday.",
    "We dropped the idea.",
    "I think about dropping Tailwind.",
    "要不要放弃Redis?",
    "如果不再用Redis,队列就交给Postgres。",
    "我们打算关掉Borealis。",
    "北极星项目还没结束。",
    "不要弃用Redis。",
    "报告写完了。",
    "周五的会取消了。",
    "缓存用Redis。",
    "可能会砍掉Kestrel项目。",
    "博客从Svelte换到React了。",
]


@pytest.mark.parametrize(("text", "name"), ENDED)
def test_end_is_declared(text: str, name: str) -> None:
    """
    What is said to be finished, dropped or replaced is named.
    """
    assert name in ended(text)


@pytest.mark.parametrize("text", GOING_ON)
def test_plan_part_or_refusal_ends_nothing(text: str) -> None:
    """
    What is planned, denied, or given up in one place alone goes on.
    """
    assert frozenset() == ended(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Cache sessions in Redis for an hour.", "Redis"),
        ("Borealis deploys on Tuesdays.", "Borealis"),
        ("The database is Postgres 16.", "PostgreSQL"),
        ("会话缓存放Redis。", "Redis"),
        ("北极星项目每周二发版。", "北极星"),
        ("In legacy-portal use npm.", "legacy-portal"),
    ],
)
def test_statement_about_a_thing_depends_on_it(text: str, name: str) -> None:
    """
    What is affirmed with a name holds only with it.
    """
    assert depends_on(text, name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Never use Redis.", "Redis"),
        ("We moved from Redis to Valkey.", "Redis"),
        ("We dropped Redis.", "Redis"),
        ("Use Redis or Memcached for the cache.", "Redis"),
        ("Use pnpm.", "npm"),
        ("不再用Redis。", "Redis"),
        ("Maria owns billing.", "Borealis"),
    ],
)
def test_denied_left_or_other_names_carry_nothing(text: str, name: str) -> None:
    """
    A statement that denies a name or can do without it does not depend on it.
    """
    assert not depends_on(text, name)
