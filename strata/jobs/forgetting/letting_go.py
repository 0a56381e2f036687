"""What this process still has in mind of words, let go of once they are forgotten."""

from __future__ import annotations

import gc
from functools import lru_cache

_CACHE = type(lru_cache(len))


def let_go() -> None:
    """
    Empty every cache of ours that is kept by what was asked of it: that may be words.

    A command ends soon; the dashboard, and what answers for an agent, go on for hours.
    """
    for each in gc.get_objects():
        # Asked for its class, a stand-in for something heavy would load that.
        if type(each) is _CACHE and _is_ours(each):
            each.cache_clear()


def _is_ours(cached: object) -> bool:
    """Say whether *cached* is ours, and more than one table that we bring along."""
    code = getattr(getattr(cached, "__wrapped__", None), "__code__", None)
    asked = code is None or code.co_argcount + code.co_kwonlyargcount > 0
    return asked and str(cached.__module__).startswith("strata.")
