"""A line of MEMORY.md that a hand wrote, and what may not stand beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.history.ledger import statement_id
from strata.history.outcomes import Refused
from strata.jobs.deciding.by_hand import human_lines
from strata.notes.lines import said_by
from strata.statements.relations import Relation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.history.ledger import Ledger
    from strata.history.outcomes import Admitted


@dataclass(frozen=True, slots=True)
class Theirs:
    """
    What such a *line* says.

    *entries* are the ids of what it is a new wording of, where it took the place of a line
    of ours *at* that moment (ISO 8601, local), and is newer than what was said before.
    """

    text: str
    line: str = ""
    entries: frozenset[str] = frozenset()
    at: str = ""

    def refuses(self, admitted: Admitted | Refused, related: Relation) -> Refused:
        """Return why *admitted*, *related* to the line, does not stand beside it."""
        by = ""
        if related is Relation.SAME:
            why = (
                "rejected",
                "not_duplicate",
                f"MEMORY.md says so already: {self.text}",
            )
        elif self._is_newer(admitted):
            by = statement_id(self.text)
            why = ("superseded", "consistent", f"you changed it by hand: {self.text}")
        else:
            told = f"it contradicts a line that you wrote: {self.text}"
            why = ("waiting", "consistent", told)
        event, dimension, reason = why
        return Refused(
            event,
            admitted.claim,
            admitted.text,
            dimension,
            reason,
            by,
            judgement=admitted.judgement,
        )

    def is_older(self, said: Admitted | Refused) -> bool:
        """Say whether it took the place of a line of ours before that was *said*."""
        return bool(self.entries) and not self._is_newer(said)

    def _is_newer(self, admitted: Admitted | Refused) -> bool:
        said = "T".join(max(each.moment for each in admitted.claim.mentions))
        return bool(self.entries) and said <= self.at[: len(said)]


def theirs_of(text: str, ledger: Ledger) -> Iterator[Theirs]:
    """Yield the lines of the page *text* that are not Strata's."""
    adopted = ledger.adopted()
    for _, line in human_lines(text, ledger):
        said = said_by(line)
        record = adopted.get(statement_id(said), {})
        entries = [str(s.get("entry", "")) for s in record.get("sources") or ()]
        at = str(record.get("saved_at", ""))
        yield Theirs(said, line, frozenset(map(statement_id, entries)), at)
