"""Below which heading of MEMORY.md each line stands, and whether somebody put it there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strata.jobs.deciding.budget import section_of
from strata.notes.long_term import placed_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from strata.history.ledger import Ledger
    from strata.jobs.deciding.budget import Place


class Whereabouts:
    """
    Where the lines of MEMORY.md *text* are.

    *present* are Strata's, with the record of each. What stands below another heading than
    the one it was written to was *put_elsewhere* by somebody, and stays there.
    """

    def __init__(
        self, text: str, present: Mapping[str, dict[str, Any]], ledger: Ledger
    ) -> None:
        self._section = {line: section for section, line in placed_lines(text)}
        self.put_elsewhere = {
            line
            for section, line in placed_lines(text)
            if line in present
            and ledger.is_settled(present[line])
            and section is not section_of(str(present[line].get("section")))
        }

    def holds(self, place: Place) -> bool:
        """Say whether the line of *place* is where it stays."""
        if place.line not in self._section:
            return False
        here = self._section[place.line]
        if here is None or place.line in self.put_elsewhere:
            return True
        return here is section_of(place.admitted.judgement.section)
