"""People and projects: the pages of the bank, and the owner's decisions about names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.dashboard.visits import Screen

SCREENS: tuple[Screen, ...] = ()
