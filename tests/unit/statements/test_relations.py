"""How two statements stand to each other."""

from __future__ import annotations

import pytest

from strata.statements.relations import (
    Relation,
    folded_terms,
    relation,
    richer,
)

SAME = [
    (
        "Use pnpm, never npm, in acme-dashboard.",
        "In acme-dashboard always use pnpm, not npm",
    ),
    ("Indent with 4 spaces", "Use four spaces for indentation"),
    ("Daily standup is at 9:30", "每天站会是九点半"),
    ("Never deploy on Fridays.", "周五不要部署"),
    ("数据库用PostgreSQL", "The database is Postgres"),
    ("客户的周报每周五发", "The weekly report goes to the client on Fridays"),
]
DIFFERENT = [
    ("Tom reports to Lena", "Lena reports to Tom"),
    ("Maria owns billing", "Maria owns checkout"),
    ("Use pnpm in acme-dashboard", "Use npm in legacy-portal"),
    ("周报每周五发给客户", "周会每周五开"),
]
AT_ODDS = [
    ("Use pnpm", "Use npm"),
    ("Never deploy on Fridays.", "Deploy on Fridays is fine"),
    ("Standup is at 9:30", "Standup is at 10:00"),
]
NEWS = [
    ("Use npm", "Use pnpm, never npm"),
    ("The staging database is on port 5432.", "It's 5433, not 5432"),
    ("The frontend is written in Svelte", "We moved the frontend from Svelte to React"),
    ("Maria owns billing", "Tom owns billing now"),
    ("Standup is at 9:30", "站会改到10点了"),
    ("数据库用PostgreSQL", "数据库换成MySQL了"),
    ("I live in Lisbon.", "I moved from Lisbon to Porto."),
    ("Export figures as SVG.", "The journal rejects SVG. Export figures as PNG then."),
    ("The rent is 1,450 euros.", "The rent is now 1,520 euros."),
    (
        "Send the mixes over WeTransfer",
        "I'm done with WeTransfer, send mixes by Dropbox.",
    ),
]
UNTOUCHED = [
    ("The dashboard is in Svelte.", "We moved the blog from Svelte to React."),
    ("The meeting with Acme is at 10:00.", "The meeting with Globex moved to 11:00."),
    ("Redis is used for caching.", "We dropped Redis for the job queue."),
    ("缓存用Redis。", "队列不再用Redis。"),
    ("邮件客户端用Thunderbird。", "聊天从钉钉换到飞书了。"),
]


@pytest.mark.parametrize(("older", "newer"), SAME)
def test_other_words_for_one_thing_are_the_same(older: str, newer: str) -> None:
    """
    Two wordings of one statement are the same, in either language and order.
    """
    assert Relation.SAME == relation(older, newer)
    assert Relation.SAME == relation(newer, older)


@pytest.mark.parametrize(("older", "newer"), DIFFERENT)
def test_one_topic_is_not_one_statement(older: str, newer: str) -> None:
    """
    What shares words but says something else is different.
    """
    assert Relation.DIFFERENT == relation(older, newer)


@pytest.mark.parametrize(("older", "newer"), AT_ODDS)
def test_another_value_without_a_sign_contradicts(older: str, newer: str) -> None:
    """
    Two values for one slot contradict each other, in either order.
    """
    assert Relation.CONTRADICTS == relation(older, newer)
    assert Relation.CONTRADICTS == relation(newer, older)


@pytest.mark.parametrize(("older", "newer"), NEWS)
def test_change_and_correction_update(older: str, newer: str) -> None:
    """
    What says that it replaces the older statement updates it.
    """
    assert Relation.UPDATES == relation(older, newer)


@pytest.mark.parametrize(("older", "newer"), UNTOUCHED)
def test_change_of_another_thing_updates_nothing(older: str, newer: str) -> None:
    """
    A change replaces only what it is about.
    """
    assert Relation.DIFFERENT == relation(older, newer)


def test_rule_said_again_is_the_same() -> None:
    """
    A short reminder of a rule that stays is no second rule.
    """
    rule = "Ask me before you start anything on the cluster that runs over 30 minutes."

    assert Relation.SAME == relation(
        rule, "The rule stays: ask before anything over 30 min"
    )


def test_vectors_vouch_for_one_unknown_word() -> None:
    """
    A high cosine lets one word differ that the dictionary does not know, but no name.
    """
    one, other = "The gizmo for the lab is 30 cm", "The widget for the lab is 30 cm"

    assert Relation.DIFFERENT == relation(one, other)
    assert Relation.SAME == relation(one, other, similarity=0.95)


def test_richer_statement_says_more() -> None:
    """
    Of two statements of one thing the one with the reason is richer.
    """
    plain, reasoned = "Use pnpm", "Use pnpm, because npm is slow"

    assert reasoned == richer(plain, reasoned) == richer(reasoned, plain)


def test_terms_meet_across_languages() -> None:
    """
    The same statement in two languages has terms in common.
    """
    assert folded_terms("周五不要部署") & folded_terms("Never deploy on Fridays")
