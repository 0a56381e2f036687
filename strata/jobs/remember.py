"""remember: the owner's explicit word is in long-term memory at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.errors import NotAccepted
from strata.history.decisions import decisions
from strata.history.ledger import read_ledger, statement_id
from strata.jobs.deciding.asking import Mode
from strata.jobs.deciding.told import let_wait, note_path, tell
from strata.jobs.deciding.wording import fit_for_memory
from strata.jobs.distil import DistilReport, distil
from strata.jobs.forgetting.recognition import recogniser
from strata.jobs.undoing.runs import alone, recorded
from strata.messages import Notice
from strata.models import Claim, Mention, Origin, Tag
from strata.notes.lines import said_by
from strata.notes.long_term import Section, bare_lines
from strata.notes.markdown import heading
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from datetime import date

    from strata.memory import Memory

_HIGHEST = 10


@dataclass(frozen=True, slots=True)
class RememberReport:
    """
    What was remembered: its *line* in MEMORY.md and its *note*.

    Where lines that may not leave fill the page, *line* is 0: it waits in the note.

    *known* is set where MEMORY.md said so already, and nothing was written; it *waits*
    where an agent asked for it and the owner did not say so.
    """

    id: str
    text: str
    section: str
    note: str = ""
    line: int = 0
    standing: str = ""
    known: bool = False
    waits: bool = False
    distilled: DistilReport | None = None

    @property
    def gone(self) -> list[str]:
        """What left MEMORY.md for it: what it replaces, or what was worth least."""
        return [*self.replaced, *self.evicted]

    @property
    def replaced(self) -> list[str]:
        """What left because this stands there now."""
        if self.distilled is None or not self.line:
            return []
        events = ("superseded", "merged")
        records = [record for each in events for record in self.distilled.of(each)]
        return [
            str(record["text"])
            for record in records
            if record.get("left") and record.get("by") == self.id
        ]

    @property
    def evicted(self) -> list[str]:
        """What of that left only because there was no room for both."""
        records = self.distilled.of("evicted") if self.distilled else []
        return [str(record["text"]) for record in records]

    @property
    def paths(self) -> list[str]:
        """The memory files that changed."""
        return [] if self.known or self.waits else [LONG_TERM, self.note]


def remember(
    memory: Memory, text: str, *, section: str = "", importance: int | None = None
) -> RememberReport:
    """
    Put *text* into MEMORY.md and today's note, as the owner's word of this moment.

    Raise `NotAccepted` where it is not fit for memory.
    """
    if importance is not None and not 1 <= importance <= _HIGHEST:
        told = Notice("remember.importance", highest=_HIGHEST, importance=importance)
        raise NotAccepted(told)
    statement = fit_for_memory(text, memory.now, memory.never_stored, memory.allowances)
    with alone(memory):
        known = _standing(memory, statement)
        if known:
            return known
        chosen = section or section_of(statement, memory.now.date())
        with recorded(memory, "remember") as run:
            tell(memory, run, text=statement, section=chosen, importance=importance)
            distilled = distil(memory, run=run.id, mode=Mode.DECIDED)
    name = statement_id(statement)
    line, standing = where(memory, name)
    note = note_path(memory, memory.now.date())
    return RememberReport(
        name, statement, chosen, note, line, standing, distilled=distilled
    )


def remember_for_agent(
    memory: Memory, text: str, *, section: str = "", importance: int | None = None
) -> RememberReport:
    """
    Do the same for an agent, as far as the owner said so in the conversation just now.

    Else the statement waits for the owner's word: an agent may have read it in a web page.
    """
    from strata.jobs.capturing.vouching import is_vouched  # noqa: PLC0415 - few agents ask

    statement = fit_for_memory(text, memory.now, memory.never_stored, memory.allowances)
    known = _standing(memory, statement)
    if known:
        return known
    if is_vouched(memory, text):
        return remember(memory, text, section=section, importance=importance)
    name = statement_id(statement)
    with alone(memory):
        _refuse_decided(memory, name, statement)
        chosen = section or section_of(statement, memory.now.date())
        let_wait(memory, text=statement, section=chosen, importance=importance)
    return RememberReport(name, statement, chosen, waits=True)


def where(memory: Memory, name: str) -> tuple[int, str]:
    """Return number and text of the line that the statement *name* has, or 0 and ""."""
    lines = read_ledger(memory.journal).lines
    for number, line in enumerate(bare_lines(memory.workspace.read(LONG_TERM)), 1):
        if lines.get(line, {}).get("id") == name:
            return number, line
    return 0, ""


def section_of(text: str, day: date) -> str:
    """Return the heading below which *text* belongs."""
    from strata.judges.verdicts import judge  # noqa: PLC0415 - patterns

    # What the owner wants remembered is a preference where nothing else is plain.
    mention = Mention(text, Tag.PREFERENCE, day, "", "", "", text, "", Origin.OWNER)
    return judge(Claim(text, (mention,))).section


def _refuse_decided(memory: Memory, name: str, text: str) -> None:
    forgotten = recogniser(memory)
    if name in decisions(memory.journal).declined:
        raise NotAccepted(Notice("remember.declined"))
    if forgotten and forgotten.forgets_text(text):
        raise NotAccepted(Notice("remember.forgotten"))


def _standing(memory: Memory, text: str) -> RememberReport | None:
    from strata.statements.relations import Relation, relation  # noqa: PLC0415

    section = ""
    for number, line in enumerate(bare_lines(memory.workspace.read(LONG_TERM)), 1):
        if titled := heading(line):
            section = titled.title
        elif line.strip() and relation(said_by(line), text) is Relation.SAME:
            name = statement_id(text)
            return RememberReport(
                name, text, section, "", number, said_by(line), known=True
            )
    return None


SECTIONS = [section.value for section in Section]
