"""Health: what doctor finds, settings, cost, and who read what."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.dashboard.visits import Screen

SCREENS: tuple[Screen, ...] = ()
