"""Whether the words that a fact cites support it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import tzinfo

    from strata.models import Fact


def unsupported(fact: Fact, *, timezone: tzinfo) -> str | None:
    """Return why *fact* is not supported by its evidence, or None."""
    del fact, timezone
    return None
