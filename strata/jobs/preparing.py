"""The agent takes the model's place: it is handed a question, and hands in the answer."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from strata.errors import DecryptionFailed, NotAccepted
from strata.jobs.capturing.extraction import Extraction, Found
from strata.jobs.capturing.model_extraction import rows_of
from strata.jobs.capturing.proposing import Proposing, is_worth_asking
from strata.jobs.capturing.redoable import redoable, relied_on
from strata.jobs.capturing.rewriting import consider, rewrite
from strata.jobs.redo import RedoReport
from strata.jobs.undoing.runs import alone, recorded
from strata.language.material import line_of, numbered
from strata.messages import Notice
from strata.model.extraction import (
    extraction_prompt,
    facts_about,
    handed_out,
    rows_as_data,
)
from strata.models import Proposer
from strata.workspace import stored

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from strata.jobs.capturing.redoable import RuleBlock
    from strata.language.material import Line
    from strata.memory import Memory
    from strata.model.extraction import HandedIn, ProposedFact, Row
    from strata.models import Session

# What an agent reads and answers in one turn.
MOST_CHARS = 24_000
AGENT = "agent"


@dataclass(frozen=True, slots=True)
class Question:
    """What the agent is asked, the token of its answer, and of how many blocks it is."""

    text: str
    token: str
    blocks: int


@dataclass(frozen=True, slots=True)
class _Part:
    """A block that rules wrote, and the lines that it is about, numbered from 1."""

    session: Session
    old: RuleBlock
    lines: Sequence[Line]

    @property
    def key(self) -> tuple[str, str, int]:
        block = self.old.block
        return self.session.id, block.day.isoformat(), block.messages

    @property
    def size(self) -> int:
        return sum(line.size for line in self.lines)


def prepare(memory: Memory, *, since: datetime, command: str) -> Question | None:
    """
    Return a question about what rules captured since *since*, or None where there is none.

    It has a bounded size; what does not fit comes the next time, when what was answered
    until then is not asked again. *command* is how the answer is handed in.
    """
    with alone(memory):
        extraction = Extraction(memory, memory.transcripts())
        rows: list[Row] = []
        blocks: list[list[Any]] = []
        for part in _fitting(_parts(extraction, since)):
            own = rows_of(part.lines, memory.timezone)
            blocks.append([*part.key, len(rows) + 1, len(own), _digest(own)])
            rows += own
        if not blocks:
            return None
        token = hashlib.sha256(json.dumps(blocks).encode()).hexdigest()[:16]
        plan = {"token": token, "since": since.isoformat(), "blocks": blocks}
        memory.workspace.write_private(
            memory.workspace.layout.prepared_file, json.dumps(plan).encode()
        )
    return Question(handed_out(rows, token=token, command=command), token, len(blocks))


def commit(memory: Memory, answer: HandedIn) -> RedoReport:
    """
    Write what *answer* proposes in the place of what rules had written.

    Every fact is held to the words that it cites, as a model's is; a block that somebody
    has changed since it was asked about stays as it is. Raise `NotAccepted` where the
    answer is to no question, or to an older one.
    """
    with alone(memory):
        plan = _plan(memory)
        if answer.token != plan.get("token"):
            raise NotAccepted(Notice("sync.old-answer"))
        with recorded(memory, "redo") as run:
            report = _committed(memory, answer.facts, plan)
    report.run = run.id if report.redone else ""
    return report


def _committed(
    memory: Memory, facts: Sequence[ProposedFact], plan: dict[str, Any]
) -> RedoReport:
    report = RedoReport()
    extraction = Extraction(memory, memory.transcripts())
    kept = relied_on(memory)
    since = datetime.fromisoformat(plan["since"])
    asked = {tuple(each[:3]): (each[3], each[5]) for each in plan["blocks"]}
    numbers = range(1, 1 + sum(each[4] for each in plan["blocks"]))
    for part in _parts(extraction, since):
        first, digest = asked.get(part.key, (0, ""))
        if digest != _digest(rows_of(part.lines, memory.timezone)):
            continue
        given = facts_about(facts, first, len(part.lines))
        found = _proposed(extraction, part, given) if given else None
        if found is None or not found.answered:
            # It was asked once; rules had written down what there was.
            consider(memory, part.old)
        elif block := rewrite(memory, part.session, part.old, found, relied_on=kept):
            report.redone.append((part.session.id, block, part.old.path))
    # What cites no message of the question was said by nobody.
    strays = sum(not any(n in numbers for n in each.messages) for each in facts)
    report.unsupported_facts = extraction.refused + strays
    return report


def _proposed(
    extraction: Extraction, part: _Part, given: Sequence[ProposedFact]
) -> Found:
    """Return what is *given* for *part* as a model's answer would be taken."""
    agent = Proposer(AGENT, extraction_prompt(()).label)
    proposing = Proposing(
        extraction, lambda _window: given, agent, most_chars=2 * MOST_CHARS
    )
    [found] = proposing.found(part.session, [part.old.stretch])
    return extraction.admitted(part.session, found)


def _parts(extraction: Extraction, since: datetime) -> Iterator[_Part]:
    """Give every block that may be asked about."""
    for conversation in redoable(extraction, since):
        session = conversation.session
        stretches = [old.stretch for old in conversation.blocks]
        # All blocks in one reading: every reading hears the whole conversation.
        spans = list(dict.fromkeys((each.first, each.last) for each in stretches))
        said = {
            spans[place]: numbered(filter(None, map(line_of, messages)))
            for place, messages in extraction.read(session, spans)
        }
        for old, stretch in zip(conversation.blocks, stretches, strict=True):
            yield _Part(session, old, said.get((stretch.first, stretch.last), []))


def _fitting(parts: Iterable[_Part]) -> Iterator[_Part]:
    """Give as many of *parts* as fit; what is too long stays as it is."""
    size = 0
    for part in parts:
        if is_worth_asking(part.lines) and size + part.size <= MOST_CHARS:
            yield part
            size += part.size


def _digest(rows: Iterable[Row]) -> str:
    """Return what changes where the words of *rows* do."""
    told = rows_as_data(rows)
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _plan(memory: Memory) -> dict[str, Any]:
    try:
        plan = json.loads(stored.read(memory.workspace.layout.prepared_file))
    except (OSError, ValueError, DecryptionFailed):
        return {}
    return plan if isinstance(plan, dict) else {}
