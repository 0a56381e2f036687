"""Memory: the page as the agent sees it, and the story of each line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.dashboard.visits import Screen

SCREENS: tuple[Screen, ...] = ()
