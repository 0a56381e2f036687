"""redo: what rules captured while there was no model is done again, by the model."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from strata.errors import Busy, OpenClawNotFound, SettingsError, TranscriptUnreadable
from strata.jobs.thinking import has_model, thinking
from strata.jobs.undoing.runs import alone, recorded
from strata.messages import Notice
from strata.progress import silent

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from strata.jobs.capturing.extraction import Found
    from strata.jobs.capturing.redoable import Conversation
    from strata.memory import Memory
    from strata.model.asking import Model
    from strata.models import Block
    from strata.progress import Progress

# What is older was left alone for so long that `strata sync --redo` must be told to.
WAITING_SINCE = timedelta(days=3)


@dataclass(slots=True)
class RedoReport:
    """
    What was done again, as session, block and note, and how much is left.

    *run* is what `strata undo` takes back.
    """

    run: str = ""
    redone: list[tuple[str, Block, str]] = field(default_factory=list)
    left: int = 0
    unsupported_facts: int = 0

    @property
    def paths(self) -> list[str]:
        """The notes that were written to, each once."""
        return sorted({path for _, _, path in self.redone})


def redo(
    memory: Memory,
    *,
    since: datetime,
    waiting: bool = False,
    dry_run: bool = False,
    progress: Progress = silent,
) -> RedoReport:
    """
    Ask the model about what rules captured since *since*, and replace their blocks.

    Only those that nobody has edited, or only what is *waiting* of them; archived days
    stay, for their weeks were made of them. What the model does not answer is left for
    the next time. A dry run asks nobody. The model is asked before memory is locked.
    """
    model = memory.model
    if model is None:
        raise SettingsError(Notice("sync.no-model"))
    asking = _Redoing(memory, model, since, waiting=waiting)
    if dry_run:
        return RedoReport(left=sum(len(each.blocks) for each in asking.found()))
    with thinking(memory):
        asking.ask(progress)
    with alone(memory), recorded(memory, "redo") as run:
        redoing = _Redoing(memory, model, since, waiting=waiting)
        redoing.write(asking.asked)
    redoing.report.run = run.id if redoing.report.redone else ""
    return redoing.report


def redo_waiting(memory: Memory) -> list[str]:
    """
    Let the model do again what was captured in a hurry, once; return the changed notes.

    Where another job is asking just now, the next call does it.
    """
    if not has_model(memory) or memory.model is None:
        return []
    since = memory.now - WAITING_SINCE
    with suppress(Busy, OpenClawNotFound):
        if _Redoing(memory, memory.model, since, waiting=True).found():
            return redo(memory, since=since, waiting=True).paths
    return []


class _Redoing:
    """Goes through conversations, first to ask about them, then to write them anew."""

    def __init__(
        self, memory: Memory, model: Model, since: datetime, *, waiting: bool
    ) -> None:
        self.report = RedoReport()
        self.asked: set[str] = set()
        self._memory = memory
        self._model = model
        self._since = since
        self._waiting = waiting
        # Every sync asks for what waits, and few have a model.
        from strata.jobs.capturing.extraction import Extraction  # noqa: PLC0415
        from strata.jobs.capturing.placing import Placing  # noqa: PLC0415 - as above

        self._extraction = Extraction(memory, memory.transcripts())
        self._placing = Placing(self._extraction)

    def found(self) -> list[Conversation]:
        from strata.jobs.capturing.redoable import redoable  # noqa: PLC0415 - as above

        return redoable(self._extraction, self._since, waiting=self._waiting)

    def ask(self, progress: Progress) -> None:
        from strata.jobs.capturing.gathering import Gathering  # noqa: PLC0415 - few have one

        gathering = Gathering(self._model, self._memory.timezone)
        for conversation in self.found():
            stretches = [each.stretch for each in conversation.blocks]
            with suppress(TranscriptUnreadable):
                gathering.add(self._extraction, conversation.session, stretches)
            self.asked.add(conversation.session.id)
        gathering.ask(progress)

    def write(self, asked: Collection[str]) -> None:
        """Write those of the conversations that were *asked* about."""
        from strata.jobs.capturing.redoable import relied_on  # noqa: PLC0415 - as above

        kept = relied_on(self._memory)
        for conversation in self.found():
            if conversation.session.id in asked:
                self._write(conversation, kept)
        self.report.unsupported_facts = self._extraction.refused

    def _by_model(self, conversation: Conversation) -> list[Found]:
        from strata.jobs.capturing.model_extraction import by_model  # noqa: PLC0415 - few have one

        stretches = [each.stretch for each in conversation.blocks]
        with suppress(TranscriptUnreadable):
            session = conversation.session
            return by_model(self._extraction, self._model, session, stretches)
        return []

    def _write(self, conversation: Conversation, kept: frozenset[str]) -> None:
        from strata.jobs.capturing.rewriting import leave, rewrite  # noqa: PLC0415 - as above

        session = conversation.session
        by_stretch = {each.stretch: each for each in self._by_model(conversation)}
        for old in conversation.blocks:
            found = by_stretch.get(old.stretch)
            if found is None or not found.answered:
                self.report.left += 1
                leave(self._memory, old)
                continue
            placed = self._placing.placed(found, old.project)
            found = self._extraction.admitted(session, placed)
            block = rewrite(self._memory, session, old, found, relied_on=kept)
            if block:
                self.report.redone.append((session.id, block, old.path))
