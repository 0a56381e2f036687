"""What a statement leans on tells of whom it is, where it names nobody itself."""

from __future__ import annotations

from datetime import date

import pytest
from builders_bank import Listed

from strata.bank.statements import statements
from strata.models import Mention, Origin


def mention(entry: str) -> Mention:
    """
    A line of a note, said by the owner.
    """
    return Mention(
        text=entry,
        tag=None,
        day=date(2026, 11, 18),
        time="10:01:00",
        path="memory/2026-11-18.md",
        label="18871d67",
        entry=entry,
        entry_id="0123456789ab",
        origin=Origin.OWNER,
        number=8,
    )


@pytest.mark.parametrize(
    ("text", "names", "who"),
    [
        # A role and a line are nobody whom "she" could be.
        ("Her husband drives a tram on line 3", ("husband", "line 3/thing"), True),
        ("她老公在三号线开车", ("老公", "三号线/place"), True),
        ("Always late, as ever", (), True),
        ("She can't stand Tom", ("Tom",), False),
        ("The tram on line 3 is late", ("line 3/thing",), False),
    ],
)
def test_she_is_whom_the_statement_is_about(
    text: str, names: tuple[str, ...], *, who: bool
) -> None:
    """
    Where it names no person: then its topic tells of whom it is.
    """
    about = "（所指：Anna 管排班）" if "她" in text else " (about: Anna does the rota)"
    reading = Listed("Anna", *names, common=("husband", "老公"))

    (found,) = statements([mention(f"[finding] {text}{about}")], reading)

    assert ("Anna" in {each.text for each in found.names}) is who
    assert all(found.shown[e.start : e.end] == e.text for e in found.names)
    assert all(found.start <= e.start and e.end <= found.end for e in found.names)
