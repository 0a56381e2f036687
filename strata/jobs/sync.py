"""sync: what was said since the last time settles into daily notes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.errors import NotFound, TranscriptUnreadable
from strata.jobs.capture import Capture
from strata.jobs.captured import Captured
from strata.jobs.exclusions import REASON, exclusions
from strata.jobs.forgetting.keeping import keep_forgotten
from strata.jobs.labelling import label_all
from strata.jobs.runs import run_id
from strata.jobs.versioning import committed
from strata.models import SessionKind
from strata.workspace.locks import exclusive
from strata.workspace.seen import Glance, Seen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from strata.memory import Memory
    from strata.models import Block, Session
    from strata.transcripts.openclaw import Transcripts

LOCK_SECONDS = 120.0
SAVE_EVERY = 200
PRIVATE = {SessionKind.MAIN, SessionKind.DIRECT}

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
        run = _Run(memory, transcripts, seen, dry_run=dry_run)
        run.choose(transcripts.sessions(), only)
        with committed(memory, run_id("sync", memory.now.isoformat(), 0), "sync"):
            run.go(since, progress)
        if not dry_run:
            seen.save(last_sync=memory.now.isoformat(timespec="seconds"))
    return run.report


class _Run:
    """One pass over the conversations."""

    def __init__(
        self,
        memory: Memory,
        transcripts: Transcripts,
        seen: Seen,
        *,
        dry_run: bool,
    ) -> None:
        self.report = SyncReport()
        self._memory = memory
        self._transcripts = transcripts
        self._seen = seen
        self._dry_run = dry_run
        self._captured = Captured(memory.workspace)
        self._excluded = exclusions(memory.state_folder)
        self._capture: Capture | None = None
        self._private: list[Session] = []
        self._labels: dict[str, str] = {}

    def choose(self, sessions: list[Session], only: str | None) -> None:
        chosen = _chosen(sessions, only)
        self._private = [each for each in chosen if self._is_wanted(each)]
        self._labels = label_all(
            sessions, self._private, self._transcripts, self._captured.labels
        )

    def go(self, since: datetime | None, progress: Progress) -> None:
        due = [session for session in self._private if self._is_due(session, since)]
        for done, session in enumerate(due):
            progress(done, len(due))
            self._settle(session)
            if not self._dry_run and done % SAVE_EVERY == SAVE_EVERY - 1:
                self._seen.save(last_sync=self._seen.last_sync)
        progress(len(due), len(due))

    def _is_wanted(self, session: Session) -> bool:
        groups = self._memory.settings.capture_groups
        reason = session.kind.value
        if session.kind in PRIVATE or (groups and session.kind is SessionKind.GROUP):
            if self._memory.never_stored.covers(session.key):
                reason = "never stored"
            elif not self._excluded.cover(session):
                return True
            else:
                reason = REASON
        self.report.skipped.append((session.id, reason))
        self._seen.remember(session.id, Glance("", "", session.kind, reason))
        return False

    def _is_due(self, session: Session, since: datetime | None) -> bool:
        if since is not None and session.updated_at >= since:
            return True
        glance = self._seen.glances.get(session.id)
        digest = self._captured.digest(self._labels[session.id])
        same = (session.fingerprint, digest)
        if glance is None or (glance.fingerprint, glance.blocks) != same:
            return True
        self.report.skipped.append((session.id, glance.reason))
        return False

    def _settle(self, session: Session) -> None:
        if self._capture is None:
            self._capture = Capture(
                self._memory, self._transcripts, self._captured, dry=self._dry_run
            )
        label = self._labels[session.id]
        try:
            settled = self._capture.settle(session, label)
        except TranscriptUnreadable as error:
            self.report.problems.append(str(error))
            self.report.skipped.append((session.id, "unreadable"))
            return
        self.report.malformed_lines += settled.malformed_lines
        self.report.unsupported_facts += settled.unsupported_facts
        for block, path in settled.blocks:
            self.report.captured.append((session.id, block, path))
        if not settled.blocks:
            self.report.skipped.append((session.id, settled.reason))
        self._seen.remember(
            session.id,
            Glance(
                session.fingerprint,
                self._captured.digest(label),
                session.kind,
                settled.reason or "nothing new",
            ),
        )


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
