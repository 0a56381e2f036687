"""What two agents were told alike is proposed to be shared, once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strata.errors import NotAccepted, NotFound, StrataError
from strata.history.names import OF_SHARING, OFFERED, SHARED, UNSHARED
from strata.history.sharing import share_id, share_of, shares
from strata.jobs.deciding.verdict_list import statements
from strata.jobs.other_agents import known_agents, other_memories
from strata.jobs.sharing.publishing import publish, publisher
from strata.jobs.sharing.share import owners_word, refuse_encrypted, tell
from strata.statements.relations import Relation, folded_terms, relation
from strata.workspace.layout import LONG_TERM, vault_root

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.history.statements import Statement
    from strata.memory import Memory


def tend(memory: Memory) -> None:
    """
    Bring the shared pages up, and propose what else might stand there.

    The caller lets no other job change *memory*.
    """
    if memory.parent:
        return
    publish(memory, anew=True)
    if memory.settings.shared_read and not _is_encrypted(memory):
        memory.journal.append(_proposals(memory))


def answer_proposal(memory: Memory, proposal: Statement, action: str) -> None:
    """Share the line of *proposal*, or never ask about it again; as `tend` for callers."""
    if action == "accept":
        refuse_encrypted(memory)
    event = SHARED if action == "accept" else UNSHARED
    tell(memory, event, share_of(proposal.record))
    publish(memory, anew=True)


def _proposals(memory: Memory) -> list[dict[str, Any]]:
    """Return a question for each line of the page that another agent was told as well."""
    own = publisher(memory)
    lines = _standing(memory) if own else []
    asked = {each.get("id") for each in memory.journal.records(*OF_SHARING)}
    fresh = [each for each in lines if share_id(each.text) not in asked]
    found: dict[str, dict[str, Any]] = {}
    for agent, other in _partners(memory, own) if fresh else ():
        other.saw(LONG_TERM)
        theirs = [each.text for each in _standing(other)]
        shared = [each.text for each in shares(other.journal)]
        for each in fresh:
            if not _says(each.text, theirs) or _says(each.text, shared):
                continue
            if record := _proposal(memory, each, agent):
                found.setdefault(record["id"], record)
    return list(found.values())


def _partners(memory: Memory, own: str) -> Iterator[tuple[str, Memory]]:
    """Yield the agents that read what is shared and come later: one of two is to ask."""
    order = known_agents(memory)
    for agent, other in other_memories(memory):
        late = order.index(agent) > order.index(own)
        if late and other.settings.shared_read and not _is_encrypted(other):
            yield agent, other


def _standing(memory: Memory) -> list[Statement]:
    try:
        known = statements(memory)
    except StrataError:
        # What cannot be read says nothing.
        return []
    return [each for each in known if each.line and each.kind == "promoted"]


def _says(text: str, others: list[str]) -> bool:
    """Say whether any of *others* says what *text* does, in whatever words."""
    terms = folded_terms(text)
    return any(
        relation(each, text) is Relation.SAME
        for each in others
        if each == text or terms & folded_terms(each)
    )


def _proposal(memory: Memory, found: Statement, agent: str) -> dict[str, Any] | None:
    try:
        share = owners_word(memory, f"{LONG_TERM}:{found.line}")
    except (NotAccepted, NotFound):
        return None
    record = share.record(OFFERED, at=memory.now.isoformat(timespec="seconds"), run="")
    reason = f"you told agent {agent} the same"
    return {**record, "dimension": SHARED, "reason": reason, "agent": agent}


def _is_encrypted(memory: Memory) -> bool:
    return vault_root(memory.workspace.layout.private) is not None
