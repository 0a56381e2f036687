"""Time: what happened on which day, and how the page grew."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.dashboard.visits import Screen

SCREENS: tuple[Screen, ...] = ()
