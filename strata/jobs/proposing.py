"""What was said on several days and MEMORY.md does not say: the owner may want it there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.bank.statements import Kind
from strata.history.ledger import statement_id
from strata.jobs.banking.knowing import known_lines
from strata.jobs.deciding.verdict_list import statements
from strata.notes.lines import said_by
from strata.notes.long_term import bare_lines
from strata.statements.relations import Relation, relation
from strata.workspace.layout import LONG_TERM
from strata.workspace.scopes import PRIVATE

if TYPE_CHECKING:
    from strata.jobs.banking.knowing import Known
    from strata.memory import Memory

# On so many days somebody says what counts, and hardly what is said by the way.
_DAYS = 3
_LASTING = {Kind.WORLD.value, Kind.OPINION.value}


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the owner said on so many *days*, and the *sources*, ``path:line``, of that."""

    text: str
    days: int
    sources: tuple[str, ...]


def proposals(memory: Memory) -> list[Proposal]:
    """
    Return what the bank holds that MEMORY.md might, what was said most often first.

    It rests on the statements of the notes, as all of the bank does. What MEMORY.md says
    already, in whatever words, what waits for it, had a line and lost it, or was declined
    is left out; what tidy did not find worth a line is what the owner is told of.
    """
    if memory.scope != PRIVATE:
        return []
    page = [said_by(each) for each in bare_lines(memory.workspace.read(LONG_TERM))]
    missing = [
        each
        for each in known_lines(memory)
        if each.kind in _LASTING and not each.until and _days(each) >= _DAYS
        if all(relation(line, each.text) is Relation.DIFFERENT for line in page)
    ]
    # The journal is long: it is asked about what is left.
    judged = statements(memory) if missing else ()
    settled = {each.id for each in judged if each.kind != "rejected"}
    found = [
        Proposal(each.text, _days(each), each.sources)
        for each in missing
        if statement_id(each.text) not in settled
    ]
    return sorted(found, key=lambda each: (-each.days, each.sources))


def _days(line: Known) -> int:
    return len({source.rpartition(":")[0] for source in line.sources})
