"""What forgetting something would take, from every memory, before anything does."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from strata.errors import NotAccepted, NotFound
from strata.jobs.forgetting.burying import tombstone_of
from strata.jobs.forgetting.choosing import choose
from strata.jobs.forgetting.documents import documents, versions
from strata.jobs.forgetting.receipt import remaining
from strata.jobs.forgetting.recognition import Recogniser
from strata.jobs.forgetting.removal import preview
from strata.jobs.forgetting.scrubbing import scrub_journal
from strata.jobs.forgetting.talks import Clues, changed_talks
from strata.jobs.forgetting.target import Chosen
from strata.jobs.forgetting.wholeness import other_words, too_short
from strata.progress import silent
from strata.workspace import stored

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.jobs.forgetting.documents import Document
    from strata.jobs.forgetting.receipt import Remaining
    from strata.jobs.forgetting.target import Target
    from strata.memory import Memory
    from strata.notes.sayings import Said
    from strata.progress import Progress
    from strata.workspace.tombstones import Tombstone


class PlanChanged(NotAccepted):
    """What would go is no longer what its owner was shown."""


@dataclass(slots=True)
class Plan:
    """
    What would go: *lines* by document, *records* of the journal, versions in git.

    *talks* of other tools would lose words. *others* are the plans for the scopes beside
    the owner's memory. *transcripts* are the conversations of OpenClaw in which the words
    remain.
    """

    target: Target
    chosen: Chosen
    tombstone: Tombstone
    lines: list[tuple[Document, list[Said]]]
    records: int
    versions: int
    talks: int
    scope: str
    other_words: list[str]
    """The words of this memory that go too because a very short name stands in them."""
    transcripts: list[Remaining] = field(default_factory=list)
    others: list[Plan] = field(default_factory=list)

    @property
    def all(self) -> list[Plan]:
        """Every plan, this one first."""
        return [self, *self.others]

    @property
    def counts(self) -> dict[str, int]:
        """How many lines would go from each memory."""
        return {p.scope: sum(len(lines) for _, lines in p.lines) for p in self.all}

    @property
    def objection(self) -> NotAccepted | None:
        """Why this is not done before somebody has seen it; words of others stay unsaid."""
        words = {word for each in self.all for word in each.other_words}
        return too_short(self.target, words, self.other_words) if words else None

    @property
    def is_empty(self) -> bool:
        """Whether no memory holds anything of it."""
        return not any(p.lines or p.records or p.versions or p.talks for p in self.all)

    @property
    def fingerprint(self) -> str:
        """Twelve hex digits that differ wherever another line or record would go."""
        goes = [(p.scope, _places(p), p.records, p.versions, p.talks) for p in self.all]
        content = json.dumps([goes, sorted(self.other_words)])
        return hashlib.sha256(content.encode()).hexdigest()[:12]


def _places(planned: Plan) -> list[tuple[str, str, int, str]]:
    return [
        (document.place, document.path, said.number, said.raw)
        for document, lines in planned.lines
        for said in lines
    ]


def plan_of(
    memory: Memory,
    target: Target,
    scopes: Sequence[Memory],
    progress: Progress,
    *,
    git: bool,
) -> Plan:
    """Return the plan for *memory* and *scopes*, one of which must know *target*."""
    plans, missing = [], []
    for each in (memory, *scopes):
        past = versions(each)
        # The owner's own is the long one.
        shown = progress if each is memory else silent
        try:
            chosen = choose(each, target, [*documents(each), *past], shown)
        except NotFound as error:
            chosen = Chosen()
            missing.append(error)
        plans.append(_part(each, target, chosen, past, git=git))
    if len(missing) == len(plans):
        raise missing[0]
    planned, *planned.others = plans
    planned.transcripts = remaining(memory, target, [each.chosen for each in plans])
    id_ = planned.tombstone.id
    others = {p.scope: replace(p.tombstone, id=id_) for p in planned.others}
    planned.tombstone = replace(planned.tombstone, others=others)
    return planned


def _part(
    memory: Memory,
    target: Target,
    chosen: Chosen,
    past: Sequence[Document],
    *,
    git: bool,
) -> Plan:
    """Return the plan for *memory* alone, in which *target* means *chosen*."""
    tombstone = tombstone_of(memory, target, chosen, git=git)
    known = Recogniser(memory.tombstones.seal, [tombstone])
    lines = preview(memory, known)
    raws = (said.raw for _, its in lines for said in its)
    journal = memory.workspace.layout.journal_file
    left = holding(past, known)
    if memory.parent and not left:
        # To rewrite the history once more would change nothing.
        tombstone = replace(tombstone, git=False)
    return Plan(
        target,
        chosen,
        tombstone,
        lines,
        scrub_journal(stored.read(journal), known)[1] if journal.exists() else 0,
        left,
        sum(1 for _ in changed_talks(memory, known, Clues.of(target, chosen))),
        memory.scope,
        other_words(target, [*chosen.statements, *raws]),
    )


def holding(past: Sequence[Document], known: Recogniser) -> int:
    """Return how many versions of the *past* hold something of what is *known*."""
    return sum(1 for each in past if known.lines(each.path, each.text))


def scopes_of(memory: Memory) -> list[Memory]:
    """Return the memories beside *memory*, where that is the owner's own."""
    if memory.parent:
        return []
    return [memory.within(name) for name in memory.scopes.names()]
