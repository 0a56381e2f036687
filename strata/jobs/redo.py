"""redo: what rules captured while there was no model is done again, by the model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.errors import SettingsError, TranscriptUnreadable
from strata.jobs.extraction import Extraction
from strata.jobs.redoable import known_transcripts, redoable, relied_on
from strata.jobs.rewriting import rewrite
from strata.jobs.runs import alone, recorded

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from strata.jobs.redoable import Conversation
    from strata.memory import Memory
    from strata.model.asking import Model
    from strata.models import Block


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
    dry_run: bool = False,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> RedoReport:
    """
    Ask the model about what rules captured since *since*, and replace their blocks.

    Only those that nobody has edited; archived days stay, for their weeks were made of
    them. What the model does not answer is left for the next time. A dry run asks nobody.
    """
    if memory.model is None:
        raise SettingsError(
            "there is no model to redo it with; set model.provider, or let the agent "
            "do it with `strata sync --prepare`"
        )
    with alone(memory):
        transcripts = known_transcripts(memory)
        found = redoable(memory, transcripts, since.astimezone(memory.timezone).date())
        if dry_run:
            return RedoReport(left=sum(len(each.blocks) for each in found))
        with recorded(memory, "redo") as run:
            redoing = _Redoing(memory, memory.model, Extraction(memory, transcripts))
            for done, conversation in enumerate(found):
                progress(done, len(found))
                redoing.redo(conversation)
            progress(len(found), len(found))
    redoing.report.run = run.id if redoing.report.redone else ""
    return redoing.report


class _Redoing:
    """Goes through conversations for as long as the model answers."""

    def __init__(self, memory: Memory, model: Model, extraction: Extraction) -> None:
        self.report = RedoReport()
        self._memory = memory
        self._model = model
        self._extraction = extraction
        self._relied_on = relied_on(memory)

    def redo(self, conversation: Conversation) -> None:
        from strata.jobs.model_extraction import by_model  # noqa: PLC0415 - few have one

        stretches = [each.stretch for each in conversation.blocks]
        try:
            found = by_model(
                self._extraction, self._model, conversation.session, stretches, {}
            )
        except TranscriptUnreadable:
            return
        by_stretch = {each.stretch: each for each in found}
        for old in conversation.blocks:
            proposed = by_stretch.get(old.stretch)
            if proposed is None or not proposed.material:
                self.report.left += 1
                continue
            session = conversation.session
            block = rewrite(
                self._memory,
                session,
                old,
                self._extraction.admitted(session, proposed),
                relied_on=self._relied_on,
            )
            if block:
                self.report.redone.append((conversation.session.id, block, old.path))
        self.report.unsupported_facts = self._extraction.refused
