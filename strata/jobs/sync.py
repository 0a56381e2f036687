"""sync: what was said since the last time settles into daily notes."""

from __future__ import annotations

import hashlib
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from strata.errors import Busy, NotFound, OpenClawNotFound, TranscriptUnreadable
from strata.jobs.capture import Capture
from strata.jobs.capturing.captured import Captured
from strata.jobs.capturing.exclusions import REASON, exclusions
from strata.jobs.capturing.kept_bookmarks import KeptBookmarks
from strata.jobs.capturing.labelling import label_all
from strata.jobs.capturing.scoping import Scoping
from strata.jobs.machines.together import together
from strata.jobs.thinking import has_model, thinking
from strata.jobs.undoing.runs import alone, committed, run_id, unfinished
from strata.messages import Notice
from strata.progress import silent
from strata.workspace.scopes import PRIVATE
from strata.workspace.seen import Glance, Seen

if TYPE_CHECKING:
    from datetime import datetime

    from strata.memory import Memory
    from strata.models import Block, Session
    from strata.progress import Progress
    from strata.transcripts.openclaw import Outline

    # The conversations as they were when the model read them; what came later waits.
    Asked = dict[str, tuple[Session, Outline]]

SAVE_EVERY = 200
# What a run is called that brings in what another tool had kept.
IMPORT = "import"


@dataclass(slots=True)
class SyncReport:
    """What a sync wrote, what it left out and why, and what went wrong."""

    captured: list[tuple[str, Block, str]] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    malformed_lines: int = 0
    unsupported_facts: int = 0
    problems: list[str] = field(default_factory=list)
    # The notes to which other machines brought something.
    brought: list[str] = field(default_factory=list)

    @property
    def paths(self) -> list[str]:
        """The notes that were written to, each once."""
        return sorted({path for _, _, path in self.captured} | {*self.brought})


def sync(  # noqa: PLR0913 - one option each
    memory: Memory,
    *,
    since: datetime | None = None,
    only: str | None = None,
    dry_run: bool = False,
    hurry: bool = False,
    progress: Progress = silent,
) -> SyncReport:
    """
    Capture every conversation that has something new, and say what was done.

    *since* looks again at all that was active from then on; *only* is the id, or the
    start of it, of a single conversation. A transcript that cannot be read is reported
    and does not keep the others back. A model is asked before memory is locked; neither a
    dry run asks it nor one in a *hurry*, whose blocks wait for `redo_waiting`.
    """
    asked: Asked = {}
    if has_model(memory) and not (dry_run or hurry):
        asked = _ask(memory, since, only, progress)
        # The time went by while it was asked; the rest is not told a second time.
        progress = silent
    # A dry run writes nothing and waits for nobody.
    with nullcontext() if dry_run else alone(memory):
        if not dry_run:
            keep_forgotten_out(memory)
        brought = [] if dry_run else together(memory)
        with ExitStack() as turns:
            run = _Run(memory, asked, turns, dry_run=dry_run)
            run.report.brought += brought
            run.choose(only)
            with committed(memory, run_id("sync", memory.now.isoformat(), 0), "sync"):
                run.go(since, progress)
        if not dry_run:
            run.seen.save(last_sync=memory.now.isoformat(timespec="seconds"))
            run.report.brought += together(memory)
    return run.report


def unsettled(memory: Memory) -> set[str]:
    """
    Return the ids of the conversations with words that no sync has looked at yet.

    Nothing is read but what tells that, and nothing is written.
    """
    run = _Run(memory.private, {}, None, dry_run=True)
    run.choose(None)
    return run.due_in(memory.scope if memory.parent else None)


def settle_imported(memory: Memory, turns: ExitStack, progress: Progress) -> SyncReport:
    """
    Capture what was imported into *memory*, and nothing else.

    The caller lets no other job in, into the private memory neither.
    """
    run = _Run(memory.private, {}, turns, dry_run=False, imported_into=memory)
    with suppress(OpenClawNotFound):
        run.choose(None)
    run.go(None, progress)
    run.seen.save(last_sync=run.seen.last_sync)
    return run.report


def _ask(
    memory: Memory, since: datetime | None, only: str | None, progress: Progress
) -> Asked:
    """Ask about all that is due; where another job asks for long, about nothing."""
    with suppress(Busy), thinking(memory):
        run = _Run(memory, {}, None, dry_run=False)
        run.choose(only)
        return run.ask(since, progress)
    return {}


@dataclass(slots=True)
class _Place:
    """The memory of one *scope*: what its notes hold, and who adds to them."""

    scope: str
    memory: Memory
    captured: Captured
    sessions: list[Session] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    capture: Capture | None = None
    # Whether an import into it did not come to its end; None while nobody has asked.
    cut_off: bool | None = None


class _Run:
    """
    One pass over the conversations; without *turns* it locks and writes nothing.

    It takes what was *imported_into* a memory and nothing else, where that is given.
    """

    def __init__(
        self,
        memory: Memory,
        asked: Asked,
        turns: ExitStack | None,
        *,
        dry_run: bool,
        imported_into: Memory | None = None,
    ) -> None:
        self.report = SyncReport()
        self.seen = Seen(memory.workspace, under=_conditions(memory))
        self._memory = memory
        self._transcripts = memory.transcripts(self.seen.kinds)
        dry = dry_run or turns is None
        self._transcripts.bookmarks = KeptBookmarks(memory.workspace, dry)
        self._asked = asked
        self._turns = turns
        self._dry_run = dry_run
        self._excluded = exclusions(memory.state_folder)
        self._scoping = Scoping(memory, self.seen.scopes)
        self._imported_into = imported_into
        own = imported_into or memory
        self._places = {own.scope: _Place(own.scope, own, Captured(own.workspace))}

    def choose(self, only: str | None) -> None:
        listed = self._transcripts.sessions()
        sessions = [self._asked.get(s.id, (s,))[0] for s in listed]
        for session in _chosen(sessions, only):
            scope = self._wanted_in(session)
            if scope:
                self._place(scope).sessions.append(session)
        for place in self._places.values():
            place.labels = label_all(
                sessions, place.sessions, self._transcripts, place.captured.labels
            )

    def ask(self, since: datetime | None, progress: Progress) -> Asked:
        """Let the model answer what `go` is going to ask, and say about whom it was."""
        from strata.jobs.capturing.gathering import Gathering  # noqa: PLC0415 - few have one

        asked: Asked = {}
        for place, due in groupby(self._due(since), key=itemgetter(0)):
            model = place.memory.model
            if model is None:
                continue
            gathering = Gathering(model, self._memory.timezone)
            for _, session in due:
                with suppress(TranscriptUnreadable):
                    label, capturing = place.labels[session.id], self._capturing(place)
                    before = None if since else self.seen.glances.get(session.id)
                    outline = capturing.gather(session, label, gathering, before)
                    if outline:
                        asked[session.id] = session, outline
            gathering.ask(progress)
        return asked

    def go(self, since: datetime | None, progress: Progress) -> None:
        due = self._due(since)
        for done, (place, session) in enumerate(due):
            progress(done, len(due))
            self._settle(place, session, again=since is not None)
            if not self._dry_run and done % SAVE_EVERY == SAVE_EVERY - 1:
                self.seen.save(last_sync=self.seen.last_sync)
        progress(len(due), len(due))

    def due_in(self, scope: str | None) -> set[str]:
        """Return the ids of what is due in *scope*, or in all of them."""
        due = self._due(None)
        return {each.id for place, each in due if scope in {None, place.scope}}

    def _due(self, since: datetime | None) -> list[tuple[_Place, Session]]:
        return [
            (place, session)
            for place in self._places.values()
            for session in place.sessions
            if self._is_due(place, session, since)
        ]

    def _wanted_in(self, session: Session) -> str:
        """Return whose memory *session* goes into, or "" where it is left out."""
        if self._imported_into and session.home != self._imported_into.scope:
            return ""
        scope, reason = self._scoping.scope_of(session)
        if scope and self._memory.never_stored.covers(session.key):
            reason = "never stored"
        elif scope and not session.home and self._excluded.cover(session):
            # What the owner imports is no chat that OpenClaw knows.
            reason = REASON
        if not reason:
            return scope
        self.report.skipped.append((session.id, reason))
        self.seen.remember(session.id, self._glance(session, "", "", reason, scope))
        return ""

    def _place(self, scope: str) -> _Place:
        if scope not in self._places:
            memory = self._scoped(scope)
            self._places[scope] = _Place(scope, memory, Captured(memory.workspace))
        return self._places[scope]

    def _scoped(self, scope: str) -> Memory:
        if self._turns is None:
            return self._memory.within(scope)
        if self._dry_run:
            empty = None
            if not self._memory.scopes.place(scope).is_dir():
                made = TemporaryDirectory(prefix="strata-")
                empty = Path(self._turns.enter_context(made))
            return self._memory.within(scope, root=empty)
        memory = self._memory.within(scope)
        self._turns.enter_context(alone(memory))
        keep_forgotten_out(memory)
        return memory

    def _is_due(self, place: _Place, session: Session, since: datetime | None) -> bool:
        if since is not None and session.updated_at >= since:
            return True
        glance = self.seen.glances.get(session.id)
        digest = place.captured.digest(place.labels[session.id])
        same = (session.fingerprint, digest)
        if glance is None or (glance.fingerprint, glance.blocks) != same:
            # What an import that was cut off has brought is settled by the next one, so
            # that one undo takes all of it back.
            return not (session.home and self._is_cut_off(place))
        self.report.skipped.append((session.id, glance.reason))
        return False

    def _is_cut_off(self, place: _Place) -> bool:
        if self._imported_into:
            return False
        if place.cut_off is None:
            place.cut_off = bool(unfinished(place.memory, IMPORT))
        return place.cut_off

    def _capturing(self, place: _Place) -> Capture:
        if place.capture is None:
            place.capture = Capture(
                place.memory,
                self._transcripts,
                place.captured,
                dry=self._dry_run,
            )
        return place.capture

    def _settle(self, place: _Place, session: Session, *, again: bool) -> None:
        label = place.labels[session.id]
        _, outline = self._asked.get(session.id, (session, None))
        before = None if again else self.seen.glances.get(session.id)
        try:
            capturing = self._capturing(place)
            settled = capturing.settle(session, label, outline, before)
        except TranscriptUnreadable as error:
            self.report.problems.append(str(error))
            self.report.skipped.append((session.id, "unreadable"))
            return
        self.report.malformed_lines += settled.malformed_lines
        self.report.unsupported_facts += settled.unsupported_facts
        for block, path in settled.blocks:
            named = place.memory.path_in_private(path)
            self.report.captured.append((session.id, block, named))
        if not settled.blocks:
            self.report.skipped.append((session.id, settled.reason))
        digest = place.captured.digest(label)
        # What a model is still to be asked about is looked at again.
        fingerprint = "" if settled.waits else session.fingerprint
        glance = self._glance(session, fingerprint, digest, settled.reason, place.scope)
        known = replace(glance, settled=settled.settled, said=settled.said)
        self.seen.remember(session.id, known)

    @staticmethod
    def _glance(
        session: Session, fingerprint: str, blocks: str, reason: str, scope: str
    ) -> Glance:
        apart = "" if scope == PRIVATE else scope
        return Glance(fingerprint, blocks, session.kind, reason, apart)


def keep_forgotten_out(memory: Memory) -> None:
    """Clear what was forgotten and has come back, where anything ever was."""
    if memory.tombstones.exist or memory.private.tombstones.exist:
        from strata.jobs.forgetting.keeping import (  # noqa: PLC0415 - few forget
            keep_forgotten,
        )

        keep_forgotten(memory)


def _conditions(memory: Memory) -> str:
    """Return what changes when earlier glances no longer hold."""
    settings = memory.settings
    conditions = (
        settings.capture_groups,
        settings.capture_user_messages,
        str(memory.timezone),
    )
    return hashlib.sha256(repr(conditions).encode()).hexdigest()[:12]


def _chosen(sessions: list[Session], only: str | None) -> list[Session]:
    if only is None:
        return sessions
    chosen = [session for session in sessions if session.id.startswith(only)]
    if not chosen:
        raise NotFound(Notice("sync.no-conversation", id=only))
    return chosen
