"""A fact says no more than the words that it cites."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders_talk import ZONE, claim

from strata.statements.grounding.proposals import unsaid

if TYPE_CHECKING:
    from strata.models import Fact

PROJECT = Path(__file__).parents[3]


def verdict(fact: Fact) -> str | None:
    return unsaid(fact.text, fact.evidence, ZONE)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Keep PostgreSQL 16.", "we keep PostgreSQL 16 as the only database"),
        ("Use pnpm, never npm.", "pnpm please, never npm again"),
        ("Maintenance until Monday (2026-11-23)", "in maintenance until Monday"),
        ("Due 2026-11-23", "it's due on Monday"),
        ("Trip in July (2027-07)", "a trip in July"),
        ("Three shelves, 40 cm", "three shelves of 40 cm each"),
        ("User asked: print 2 copies", "print two copies"),
        ("All in that's 1204", "that's 1,204 all in"),
        ("交付日 9 月 3 日(2026-09-03)", "交付日是 9 月 3 号,合同上写的"),
        ("不接加急订单", "作坊不接任何加急订单"),
        ("Kyle时薪13.2", "不对\uff0cKyle时薪13.2\uff0c9月给涨过了"),
        ("发票找吴姐,分机 206", "发票和报销都找吴姐,她是我们的会计,分机 206"),
        ("The cyclers log at 10 Hz", "10 Hz, not 1 Hz, the cyclers log that"),
    ],
)
def test_supported(text: str, quote: str) -> None:
    """
    A paraphrase that keeps numbers, names, dates and negations stands.
    """
    assert verdict(claim(text, quote)) is None


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        ("Port 7700", "port 7710", "'7700' is not in the words"),
        (
            "Anna Kost moved to Lisbon",
            "Anna Kost moved to Porto last week, she works for Galp",
            "'lisbon' is not in the words",
        ),
        ("Ruff 0.12", "ruff 0.11", "'0.12' is not in the words"),
        ("See /data/raw/x", "see /data/raw", "'/data/raw/x'"),
        ("Mail eve@b.example", "mail bob@b.example", "'eve@b.example'"),
        ("Ask Marta about it", "ask her about it", "'marta'"),
        ("报销找老王", "报销找她", "'老王'"),
        ("Ends 2026-11-24", "it ends on Monday", "the date '2026-11-24'"),
        ("下周三(2026-11-26)", "下周三见", "the date '2026-11-26'"),
        ("Never use npm", "use npm", "the words affirm"),
        ("不要备份", "记得备份", "the words affirm"),
        ("The cyclers log at 1 Hz", "the cyclers: 10 Hz, not 1 Hz", "words"),
        ("Name the customer in mails", "never name the customer in mails", "deny"),
        ("全文检索用 ES", "全文检索不用 ES", "the words deny"),
    ],
)
def test_unsupported(text: str, quote: str, expected: str) -> None:
    """
    A number, name, path, date or negation that was not said is named as the reason.
    """
    assert expected in (verdict(claim(text, quote)) or "")


def test_fact_without_words() -> None:
    """
    A fact that cites nothing is not supported by anything.
    """
    assert verdict(claim("Anything")) == "it cites no words"
    assert verdict(claim("Anything", "  ")) == "it cites no words"


@pytest.mark.parametrize("text", ["2026-11-23", "(2026-11-23)", "。", "..."])
def test_nothing_but_a_date_or_marks(text: str) -> None:
    """
    A fact in which no word is left beside its date is read like any other.
    """
    assert verdict(claim(text, "it's due on Monday")) is None
    assert verdict(claim(text, "2026-11-23")) is None


def test_several_quotes_support_together() -> None:
    """
    What is not in one quote may be in the other.
    """
    fact = claim("10 Hz (about: cyclers of Tomo)", "10 Hz", "the cyclers of Tomo?")

    assert verdict(fact) is None


def test_full_width_and_markup_do_not_matter() -> None:
    """
    The same words in another width or with emphasis are the same words.
    """
    wide = "\uff11\uff10 \uff28\uff5a, **really**"

    assert verdict(claim("10 Hz, really", wide)) is None


def test_reason_is_the_same_in_every_run() -> None:
    """
    A model is asked with the reason: another wording of it would be another question.
    """
    text = "Never paint the old garden fence"
    said = ["Paint the old garden fence."]
    program = (
        "from strata.statements.grounding.agreement import disagreement;"
        f"print(disagreement({text!r}, {text!r}, {said!r}))"
    )

    reasons = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=PROJECT,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(5)
    }

    assert reasons == {"the words affirm 'fenc, garden, paint'\n"}
