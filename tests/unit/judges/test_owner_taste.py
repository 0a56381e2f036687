"""What the owner decided about statements like one is told with it."""

from __future__ import annotations

from strata.judges.owner import taste_of

RULE = "Always use pnpm in the dashboard."


def test_decisions_are_counted_in_words() -> None:
    """
    One is one, and several are several.
    """
    taste = taste_of(wanted=[RULE], refused=[RULE, RULE])

    assert taste.told(RULE) == (
        "you took one statement like this and you declined 2 statements like this"
    )
