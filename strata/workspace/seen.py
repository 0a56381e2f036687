"""What the last sync saw of each conversation, so that the next one need not look again."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from strata.errors import DecryptionFailed
from strata.models import SessionKind
from strata.workspace import stored as on_disk

if TYPE_CHECKING:
    from strata.workspace.files import Workspace

VERSION = 1


@dataclass(frozen=True, slots=True)
class Glance:
    """
    One conversation as it was: transcript, blocks in the notes, and what came of it.

    *reason* says why nothing is left to capture: "nothing new", "1 user message", "cron".
    *scope* is whose memory it belongs to, "" where that is the owner's or nobody's. Of its
    first messages so many are *settled*, whether worth a note or not, that have the
    digest *said*.
    """

    fingerprint: str
    blocks: str
    kind: SessionKind
    reason: str
    scope: str = ""
    settled: int = 0
    said: str = ""


class Seen:
    """
    A cache of glances by session id; deleting it costs time and nothing else.

    Glances taken under other settings (*under*) do not count.
    """

    def __init__(self, workspace: Workspace, *, under: str) -> None:
        self._workspace = workspace
        self._file = workspace.layout.sync_cache_file
        self._under = under
        stored = self._stored()
        self.last_sync: str = _moment(stored.get("last_sync"))
        self.glances: dict[str, Glance] = {}
        self._load(stored)
        self._changed = False

    @property
    def kinds(self) -> dict[str, SessionKind]:
        """What is known of the kind of each conversation."""
        return {session_id: glance.kind for session_id, glance in self.glances.items()}

    @property
    def scopes(self) -> dict[str, str]:
        """Whose each conversation is that is a group's or another person's."""
        return {name: each.scope for name, each in self.glances.items() if each.scope}

    def remember(self, session_id: str, glance: Glance) -> None:
        """Keep *glance* in place of an earlier one."""
        if self.glances.get(session_id) != glance:
            self.glances[session_id] = glance
            self._changed = True

    def save(self, *, last_sync: str) -> None:
        """Write the cache if it says anything new."""
        if not self._changed and self.last_sync == last_sync:
            return
        rows = {session_id: _row(each) for session_id, each in self.glances.items()}
        content = {
            "version": VERSION,
            "under": self._under,
            "last_sync": last_sync,
            "sessions": rows,
        }
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        self._workspace.write_private(self._file, text.encode())
        self._changed = False

    def _stored(self) -> dict[str, object]:
        try:
            stored = json.loads(on_disk.read(self._file))
        except (OSError, ValueError, DecryptionFailed):
            return {}
        valid = isinstance(stored, dict) and stored.get("version") == VERSION
        return stored if valid else {}

    def _load(self, stored: dict[str, object]) -> None:
        rows = stored.get("sessions")
        for session_id, row in rows.items() if isinstance(rows, dict) else ():
            glance = _glance(row)
            if glance and stored.get("under") != self._under:
                glance = replace(glance, fingerprint="", settled=0)
            if glance:
                self.glances[session_id] = glance


def _moment(stored: object) -> str:
    """Return what is *stored* where it is a moment."""
    try:
        return datetime.fromisoformat(str(stored)).isoformat()
    except ValueError:
        return ""


def _row(glance: Glance) -> list[str]:
    row = [glance.fingerprint, glance.blocks, glance.kind.value, glance.reason]
    if glance.settled:
        return [*row, glance.scope, str(glance.settled), glance.said]
    return [*row, glance.scope] if glance.scope else row


def _glance(row: object) -> Glance | None:
    """Return what a stored *row* says, or None where another version wrote it."""
    try:
        fingerprint, blocks, kind, reason, *more = [str(each) for each in row]  # type: ignore[attr-defined]
        scope, settled, said = [*more, *["", "0", ""][len(more) :]]
        told = (SessionKind(kind), reason, scope, int(settled), said)
        return Glance(fingerprint, blocks, *told)
    except (TypeError, ValueError):
        return None
