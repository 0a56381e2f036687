"""What a model makes of the notes in a night, asked before memory is locked."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strata.errors import Busy
from strata.history.decisions import decisions
from strata.history.names import OPINION, SHORTENED, SUMMARISED
from strata.history.opinions import Opinions, is_about, read_opinions
from strata.jobs.compress import uncompressed
from strata.jobs.deciding.consulting import Consultation
from strata.jobs.deciding.entries_by_hand import entry_records
from strata.jobs.deciding.questions import prompt_label
from strata.jobs.deciding.summarising import summarise
from strata.jobs.distil import ask_ahead
from strata.jobs.forgetting.keeping import keep_forgotten
from strata.jobs.thinking import forgotten_state, thinking
from strata.jobs.undoing.runs import alone
from strata.judges.asked import is_open
from strata.workspace.journal import Draft

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence
    from datetime import date

    from strata.history.outcomes import Admitted
    from strata.memory import Memory
    from strata.model.asking import Model
    from strata.models import Claim, Judgement


def ponder(
    memory: Memory, model: Model, *, compress: bool, distill: bool
) -> Pondered | None:
    """
    Let *model* answer whatever tonight asks it; nobody else waits for that.

    What it says is only written once memory is locked, where it is still about what
    stands there then. None where another job asks for long: rules must do.
    """
    with alone(memory):
        # What was forgotten and has come back must not be told to a model.
        keep_forgotten(memory)
    before, draft = forgotten_state(memory), Draft(memory.journal)
    with suppress(Busy), thinking(memory):
        drafting = memory.with_journal(draft)
        draft.append(entry_records(memory))
        if compress and (days := uncompressed(drafting, decisions(draft).days)):
            summarise(drafting, model, days)
        if distill:
            ask_ahead(drafting, Consultation(drafting, model))
        return Pondered(memory, model.name, draft.new, before)
    return None


@dataclass(slots=True)
class Pondered:
    """
    The records of what a model said, to be journaled where they still hold.

    *judge* said it, knowing of what was *forgotten* until then. *judged* counts the
    candidates on which it was heard, *left* those left to the rules.
    """

    memory: Memory
    judge: str
    records: list[dict[str, Any]]
    forgotten: set[str]
    run: str = ""
    judged: int = 0
    left: int = 0

    def begin(self, run: str) -> None:
        """Go on as part of *run*, with memory locked."""
        self.run = run
        if forgotten_state(self.memory) != self.forgotten:
            # What was forgotten meanwhile may be in what the model had read.
            self.records = []

    def summaries(self, held: Container[date]) -> None:
        """Journal how the entries are put that stand as they did."""
        standing = {
            (day.isoformat(), entry)
            for day, entries in uncompressed(self.memory, held)
            for entry in entries
        }
        self._journal(
            each for each in self._of(SUMMARISED) if _entries(each) <= standing
        )

    def opinions_on(self, ruled: Sequence[tuple[Claim, Judgement]]) -> Opinions:
        """Journal what is about those of *ruled* that are open; return all opinions."""
        known = read_opinions(self.memory.journal)
        asked = [
            claim
            for claim, judgement in ruled
            if is_open(claim, judgement)
            and not known.is_given(claim, self.judge, prompt_label())
        ]
        records = [
            each
            for each in self._of(OPINION)
            if any(is_about(each, claim) for claim in asked)
        ]
        self.judged = sum(each["trusted"] for each in records)
        self.left = len(asked) - self.judged
        self._journal(records)
        return read_opinions(self.memory.journal)

    def shorten(self, admitted: Sequence[Admitted]) -> None:
        """Journal the shorter words for lines that are *admitted*."""
        ids = {each.id for each in admitted}
        self._journal(
            each
            for each in self._of(SHORTENED)
            if {*each.get("ids", ()), *each.get("asked", ())} <= ids
        )

    def _of(self, event: str) -> Iterator[dict[str, Any]]:
        return (each for each in self.records if each["event"] == event)

    def _journal(self, records: Iterable[dict[str, Any]]) -> None:
        told = [each | {"run": self.run} for each in records]
        if told:
            self.memory.journal.append(told)


def _entries(record: dict[str, Any]) -> set[tuple[str, str]]:
    """Return the entries that *record* of a summary rests on, with their days."""
    cited = {(str(e["day"]), str(e["entry"])) for e in record.get("sources", ())}
    return cited | {(str(record["day"]), e) for e in record.get("entries", ())}
