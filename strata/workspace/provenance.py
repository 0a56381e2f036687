"""
Whom OpenClaw takes for the writer of a memory file, which decides if the agent sees it.

Since 2026.8 OpenClaw records what its agent's tools write. A file that another program
changed and the agent then wrote again counts as untrusted for good, and is silently left
out of the prompt (openclaw/openclaw#153426). Read here, never written.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_QUERY = """
    SELECT value_json FROM plugin_state_entries
    WHERE plugin_id = 'core:memory-artifact-provenance'
      AND namespace = 'workspace-files' AND entry_key = ?
"""


@dataclass(frozen=True, slots=True)
class Provenance:
    """How OpenClaw classes a file, and the SHA-256 of what its agent last wrote there."""

    origin: str
    file_hash: str


def provenance(state: Path, workspace: Path, path: str) -> Provenance | None:
    """Return OpenClaw's record of *path* in *workspace*, None where there is none."""
    database = state / "state" / "openclaw.sqlite"
    if not database.exists():
        return None
    key = f"{_sha256(workspace.resolve().as_posix())}:{_sha256(path)}"
    try:
        with closing(
            sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)
        ) as opened:
            row = opened.execute(_QUERY, (key,)).fetchone()
        record = json.loads(row[0]) if row else {}
        return Provenance(record["originClass"], record["fileHash"]) if record else None
    except (sqlite3.Error, ValueError, KeyError, TypeError):
        return None  # another version's store: nothing is known


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
