"""What a run may do to MEMORY.md without the owner's word, and what it must ask first."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from strata.history.decisions import BY_OWNER
from strata.history.outcomes import Considered, Refused
from strata.history.verdicts import verdict
from strata.jobs.deciding.considering import ids_of
from strata.jobs.deciding.page import Plan, plan_page
from strata.notes.long_term import bare_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.history.decisions import Decisions
    from strata.history.outcomes import Admitted
    from strata.history.verdicts import Stamp
    from strata.jobs.deciding.page import Basis


class Mode(StrEnum):
    """
    How much a run decides by itself.

    ``auto``: everything. ``ask``: it proposes, and does what the owner has accepted.
    ``decided``: it does what the owner has decided, and is silent about all else.
    """

    AUTO = "auto"
    ASK = "ask"
    DECIDED = "decided"


ASKS = "ask"


def plan_asked(text: str, basis: Basis, mode: Mode) -> Plan:
    """Return the plan for MEMORY.md *text* that does nothing of its own accord."""
    lines = basis.ledger.lines
    present = [lines[line] for line in bare_lines(text) if line in lines]
    asked = ask_first(basis.considered, basis.decided, present, basis.stamp)
    plan = plan_page(
        text, replace(basis, considered=asked.considered, decided=asked.decided)
    )
    if mode is Mode.DECIDED:
        # The rest is for the night to tell.
        said = basis.decided.accepted | {each.id for each in basis.decided.remembered}
        records = [each for each in plan.records if _is_told(each, said)]
        return Plan(plan.text, records)
    news = [each for each in asked.proposals if basis.ledger.is_news(each)]
    return Plan(plan.text, [*plan.records, *news])


@dataclass(slots=True)
class Asked:
    """What may happen, under which decisions, and which records propose the rest."""

    considered: Considered
    decided: Decisions
    proposals: list[dict[str, Any]] = field(default_factory=list)


def ask_first(
    considered: Considered,
    decided: Decisions,
    present: Iterable[dict[str, Any]],
    stamp: Stamp,
) -> Asked:
    """
    Hold back what the owner has not decided: new lines, and the end of *present* ones.

    *present* are the records of the lines that stand now. A line leaves with its heir's
    acceptance, where it was declined or released, and where the limits force it out.
    """
    records = {str(record["id"]): record for record in present}
    asked = Asked(Considered(), decided)
    heirs: set[str] = set()
    for each in considered.admitted:
        own = ids_of(each.claim) & records.keys()
        if each.explicit or (own and each.id in own):
            asked.considered.admitted.append(each)
            heirs |= {each.id, *ids_of(each.claim)} if each.explicit else set()
        elif not own:
            asked.considered.refused.append(_wait(each))
    staying = {each.id for each in asked.considered.admitted} | decided.released
    for refused in considered.refused:
        names = ids_of(refused.claim) & records.keys() - staying
        if not names or refused.by in heirs or refused.dimension in BY_OWNER:
            asked.considered.refused.append(refused)
            staying |= names
        else:
            asked.proposals += [_leave(records[name], refused, stamp) for name in names]
    asked.decided = replace(decided, pinned=decided.pinned | (records.keys() - staying))
    return asked


def _wait(each: Admitted) -> Refused:
    return Refused(
        "waiting",
        each.claim,
        each.text,
        ASKS,
        "it waits for your word, as tidy.mode is ask",
        judgement=each.judgement,
    )


def _leave(record: dict[str, Any], refused: Refused, stamp: Stamp) -> dict[str, Any]:
    """Return the proposal to let a line go that stands in MEMORY.md."""
    wanted = refused.event if refused.event != "rejected" else "expired"
    proposal = verdict(replace(refused, event="waiting", dimension=ASKS), stamp)
    return {**proposal, "id": record["id"], "text": record["text"], "wanted": wanted}


def _is_told(record: dict[str, Any], said: frozenset[str] | set[str]) -> bool:
    """Say whether *record* is about a line that comes or goes, or what the owner said."""
    return bool(record.get("line") or record.get("left") or record["id"] in said)
