"""sync: what was said since the last time settles into daily notes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from strata.errors import NotFound, TranscriptUnreadable
from strata.jobs.capture import Capture
from strata.jobs.captured import Captured
from strata.jobs.exclusions import REASON, exclusions
from strata.jobs.forgetting.keeping import keep_forgotten
from strata.jobs.labelling import label_all
from strata.jobs.runs import alone, run_id
from strata.jobs.scoping import Scoping
from strata.jobs.versioning import committed
from strata.workspace.locks import exclusive
from strata.workspace.scopes import PRIVATE
from strata.workspace.seen import Glance, Seen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from strata.memory import Memory
    from strata.models import Block, Session
    from strata.transcripts.openclaw import Transcripts

LOCK_SECONDS = 120.0
SAVE_EVERY = 200

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class SyncReport:
    """What a sync wrote, what it left out and why, and what went wrong."""

    captured: list[tuple[str, Block, str]] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    malformed_lines: int = 0
    unsupported_facts: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def paths(self) -> list[str]:
        """The notes that were written to, each once."""
        return sorted({path for _, _, path in self.captured})


def sync(
    memory: Memory,
    *,
    since: datetime | None = None,
    only: str | None = None,
    dry_run: bool = False,
    progress: Progress = lambda _done, _of: None,
) -> SyncReport:
    """
    Capture every conversation that has something new, and say what was done.

    *since* looks again at all that was active from then on; *only* is the id, or the
    start of it, of a single conversation. A transcript that cannot be read is reported
    and does not keep the others back.
    """
    with _alone(memory, dry_run=dry_run):
        if not dry_run:
            keep_forgotten(memory)
        seen = Seen(memory.workspace, under=_conditions(memory))
        transcripts = memory.transcripts(seen.kinds)
        with ExitStack() as turns:
            run = _Run(memory, transcripts, seen, turns, dry_run=dry_run)
            run.choose(transcripts.sessions(), only)
            with committed(memory, run_id("sync", memory.now.isoformat(), 0), "sync"):
                run.go(since, progress)
        if not dry_run:
            seen.save(last_sync=memory.now.isoformat(timespec="seconds"))
    return run.report


@dataclass(slots=True)
class _Place:
    """The memory of one scope: what its notes hold, and who adds to them."""

    memory: Memory
    captured: Captured
    sessions: list[Session] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    capture: Capture | None = None


class _Run:
    """One pass over the conversations."""

    def __init__(
        self,
        memory: Memory,
        transcripts: Transcripts,
        seen: Seen,
        turns: ExitStack,
        *,
        dry_run: bool,
    ) -> None:
        self.report = SyncReport()
        self._memory = memory
        self._transcripts = transcripts
        self._seen = seen
        self._turns = turns
        self._dry_run = dry_run
        self._excluded = exclusions(memory.state_folder)
        self._scoping = Scoping(memory, seen.scopes)
        self._places = {PRIVATE: _Place(memory, Captured(memory.workspace))}
        self._scope_of: dict[str, str] = {}

    def choose(self, sessions: list[Session], only: str | None) -> None:
        for session in _chosen(sessions, only):
            scope = self._wanted_in(session)
            if scope:
                self._scope_of[session.id] = scope
                self._place(scope).sessions.append(session)
        for place in self._places.values():
            place.labels = label_all(
                sessions, place.sessions, self._transcripts, place.captured.labels
            )

    def go(self, since: datetime | None, progress: Progress) -> None:
        due = [
            (place, session)
            for place in self._places.values()
            for session in place.sessions
            if self._is_due(place, session, since)
        ]
        for done, (place, session) in enumerate(due):
            progress(done, len(due))
            self._settle(place, session)
            if not self._dry_run and done % SAVE_EVERY == SAVE_EVERY - 1:
                self._seen.save(last_sync=self._seen.last_sync)
        progress(len(due), len(due))

    def _wanted_in(self, session: Session) -> str:
        """Return whose memory *session* goes into, or "" where it is left out."""
        scope, reason = self._scoping.scope_of(session)
        if scope and self._memory.never_stored.covers(session.key):
            reason = "never stored"
        elif scope and self._excluded.cover(session):
            reason = REASON
        if not reason:
            return scope
        self.report.skipped.append((session.id, reason))
        self._seen.remember(session.id, self._glance(session, "", "", reason, scope))
        return ""

    def _place(self, scope: str) -> _Place:
        if scope not in self._places:
            memory = self._scoped(scope)
            self._places[scope] = _Place(memory, Captured(memory.workspace))
        return self._places[scope]

    def _scoped(self, scope: str) -> Memory:
        if self._dry_run:
            found = self._memory.scopes.place(scope)
            empty = (
                None
                if found.is_dir()
                else Path(
                    self._turns.enter_context(TemporaryDirectory(prefix="strata-"))
                )
            )
            return self._memory.within(scope, root=empty)
        memory = self._memory.within(scope)
        self._turns.enter_context(alone(memory))
        keep_forgotten(memory)
        return memory

    def _is_due(self, place: _Place, session: Session, since: datetime | None) -> bool:
        if since is not None and session.updated_at >= since:
            return True
        glance = self._seen.glances.get(session.id)
        digest = place.captured.digest(place.labels[session.id])
        same = (session.fingerprint, digest)
        if glance is None or (glance.fingerprint, glance.blocks) != same:
            return True
        self.report.skipped.append((session.id, glance.reason))
        return False

    def _settle(self, place: _Place, session: Session) -> None:
        if place.capture is None:
            place.capture = Capture(
                place.memory, self._transcripts, place.captured, dry=self._dry_run
            )
        label = place.labels[session.id]
        try:
            settled = place.capture.settle(session, label)
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
        digest, reason = place.captured.digest(label), settled.reason or "nothing new"
        scope = self._scope_of[session.id]
        glance = self._glance(session, session.fingerprint, digest, reason, scope)
        self._seen.remember(session.id, glance)

    @staticmethod
    def _glance(
        session: Session, fingerprint: str, blocks: str, reason: str, scope: str
    ) -> Glance:
        apart = "" if scope == PRIVATE else scope
        return Glance(fingerprint, blocks, session.kind, reason, apart)


@contextmanager
def _alone(memory: Memory, *, dry_run: bool) -> Iterator[None]:
    """Let one sync at a time write; a dry run writes nothing and waits for nobody."""
    if dry_run:
        yield
        return
    memory.workspace.make_private()
    with exclusive(
        memory.workspace.layout.private / "locks" / "sync.lock",
        timeout_seconds=LOCK_SECONDS,
        doing="capturing conversations",
    ):
        yield


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
        raise NotFound(
            f"there is no conversation {only}; `strata sync --json` lists their ids"
        )
    return chosen
