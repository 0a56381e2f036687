"""What a search of the index found, before it is ranked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from strata.search.manifest import Row
    from strata.search.store import Found


@dataclass(frozen=True, slots=True)
class Candidates:
    """Ids with their scores, and the chunks that the ids stand for."""

    found: Found
    rows: Mapping[str, Row]
