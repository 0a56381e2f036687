"""What an agent retained of a talk never takes the place of what was said there."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from strata.judges.folding import fold_claims
from strata.models import Mention, Origin, Retained, Tag

OLD = "Always use port 5433 for staging."
NEW = "From now on always use port 5434 for staging, not 5433."


def said(text: str, *, time: str = "10:01:00", retained: bool = False) -> Mention:
    """
    What the owner said in a talk, or what an agent *retained* of it.
    """
    return Mention(
        text=text,
        tag=Tag.PREFERENCE,
        day=date(2026, 11, 18),
        time=time,
        path="memory/2026-11-18.md",
        label="18871d67",
        entry=text,
        entry_id="",
        origin=Origin.OWNER,
        retained=Retained("O", text) if retained else None,
    )


@pytest.mark.parametrize(
    ("own", "line"),
    [
        (NEW, OLD),
        ("提交信息一律用中文写，不要用英文。", "提交信息一律用英文写。"),
    ],
)
def test_retained_line_takes_no_place(own: str, line: str) -> None:
    """
    Of another talk it is news as any other.
    """
    told, later = said(own), said(line, time="10:05:00", retained=True)
    of_another = replace(later, label="19871d67")

    assert own in [each.text for each in fold_claims([told, later]).current]
    assert not fold_claims([told, later]).replaced
    assert not fold_claims([told, later]).waiting
    other = fold_claims([told, of_another])
    assert other.replaced or other.waiting


def test_words_of_the_owner_stay() -> None:
    """
    However much more it says, and whichever comes first.
    """
    own = said("Always use pnpm, never npm.")
    line = said("Always use pnpm for everything, never npm.", retained=True)

    for order in ([own, line], [line, own]):
        (claim,) = fold_claims(order).current
        assert claim.text == own.text
    (longer,) = fold_claims([own, replace(line, retained=None)]).current
    assert longer.text == line.text
