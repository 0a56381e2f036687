"""The net of the local judge: the same words are the same, whatever else is judged."""

from __future__ import annotations

import numpy as np
import pytest

from strata.judges.features import Remark
from strata.judges.local import HEADS, WEIGHTS, local_judge
from strata.judges.net import NET, Net

RULE = Remark("always use pnpm, never npm", before="Which package manager?")
REMARKS = [
    RULE,
    Remark("ta"),
    Remark("以后报告一律用 A4 纸双面打印", before="报告打好了吗?", after="好的"),
    Remark("🙂"),
    Remark("", before="And then?"),
]


@pytest.fixture(scope="module")
def net() -> Net:
    return Net(NET)


def test_company_changes_nothing(net: Net) -> None:
    """
    A sentence is judged by itself, also in a batch with longer ones.
    """
    together = net.read(REMARKS)

    alone = np.concatenate([net.read([each]) for each in REMARKS])
    assert together.shape == (len(REMARKS), len(HEADS))
    np.testing.assert_allclose(together, alone, atol=1e-4)


def test_what_is_around_counts(net: Net) -> None:
    """
    The same words say something else beside other words.
    """
    joked = Remark(RULE.text, before=RULE.before, after="haha just kidding")

    assert np.abs(net.read([RULE]) - net.read([joked])).max() > 0.1


def test_judge_takes_both_into_account() -> None:
    """
    The probabilities are those of n-grams and net together.
    """
    judge = local_judge()

    [rule, thanks] = judge.judge([RULE, Remark("ta", before="Done.")])

    assert rule.lasts > 0.5 > thanks.keep
    assert judge.judge([]) == []


def test_weights_are_small() -> None:
    """
    What was learned comes with the code, and takes no more than two megabytes.
    """
    assert WEIGHTS.stat().st_size + NET.stat().st_size <= 2_000_000
