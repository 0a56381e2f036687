"""Search: as `strata query`, with what else may be asked for, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.dashboard.visits import Screen

SCREENS: tuple[Screen, ...] = ()
