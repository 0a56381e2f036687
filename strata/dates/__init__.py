"""Dates that people write, in English and Chinese, made absolute."""

from __future__ import annotations

from strata.dates.certainty import sure_dates
from strata.dates.finding import find_dates
from strata.dates.spans import DateSpan, Grain, Preference

__all__ = ["DateSpan", "Grain", "Preference", "find_dates", "sure_dates"]
