"""Where everything lies in an agent's workspace."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from strata.workspace.folders import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator

LONG_TERM = "MEMORY.md"
# Where nothing can be: an index that must not touch the disk has no other place.
NOWHERE = Path(os.devnull) / "nowhere"
# Where the memories of groups and other people lie.
SCOPES = "scopes"
# The key of an encrypted memory, locked: beside the notes, so that it goes wherever they
# go, and a spare copy.
VAULTS = ("memory/encryption.json", f"{PRIVATE}/encryption.json")
DAILY_NAME = re.compile(r"(\d{4}-\d\d-\d\d)\.md\Z")


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of one workspace; relative ones are POSIX strings below *root*."""

    root: Path

    @property
    def private(self) -> Path:
        """The folder that is Strata's own: index, journal, locks, settings."""
        return self.root / PRIVATE

    @property
    def settings_file(self) -> Path:
        """The user's settings, in TOML."""
        return self.private / "config.toml"

    @property
    def index_folder(self) -> Path:
        """The search index, which may be deleted at any time."""
        return self.private / "index"

    @property
    def journal_file(self) -> Path:
        """What happened, one JSON record a line."""
        return self.private / "journal.jsonl"

    @property
    def undo_folder(self) -> Path:
        """The bytes that the last runs replaced, one folder a run."""
        return self.private / "undo"

    @property
    def spool_folder(self) -> Path:
        """Events of the gateway that have not been handled yet."""
        return self.private / "spool"

    @property
    def sync_cache_file(self) -> Path:
        """What the last sync saw, so that the next one need not look again."""
        return self.private / "cache" / "sync.json"

    @property
    def audit_folder(self) -> Path:
        """Who read or wrote which memory file."""
        return self.private / "audit"

    @property
    def forgotten_file(self) -> Path:
        """Keyed hashes of what was forgotten."""
        return self.private / "forgotten.jsonl"

    @property
    def allowance_key_file(self) -> Path:
        """The key of the hashes by which a masked value that may be kept is known."""
        return self.private / "never-secret.key"

    @property
    def recalls_file(self) -> Path:
        """Which statements were asked for, and when."""
        return self.private / "cache" / "recalls.txt"

    @property
    def model_ledger_file(self) -> Path:
        """What asking a language model has cost, one JSON record a call."""
        return self.private / "model.jsonl"

    @property
    def model_cache_folder(self) -> Path:
        """Answers of a language model, so that none is paid for twice."""
        return self.private / "cache" / "model"

    @property
    def prepared_file(self) -> Path:
        """What an agent was asked about, so that its answer can be told from others."""
        return self.private / "cache" / "prepared.json"

    @property
    def model_breaker_file(self) -> Path:
        """How often the language model failed in a row."""
        return self.private / "cache" / "model.json"

    def daily(self, day: date) -> str:
        """Return the relative path of the note of *day*."""
        return f"memory/{day.isoformat()}.md"

    def archived(self, day: date) -> str:
        """Return the relative path that the note of *day* has after compression."""
        return f"memory/archive/{day.year:04d}/{day.isoformat()}.md"

    def daily_notes(self) -> Iterator[tuple[date, str]]:
        """Yield day and relative path of every daily note, archived ones too."""
        yield from self._notes_in("memory")
        archive = self.root / "memory" / "archive"
        if archive.is_dir():
            for year in sorted(archive.iterdir()):
                if year.is_dir():
                    yield from self._notes_in(f"memory/archive/{year.name}")

    def weekly_notes(self) -> Iterator[str]:
        """Yield the relative path of every weekly summary, the oldest first."""
        yield from (path for _, path in self._notes_in("memory/weekly"))

    def _notes_in(self, folder: str) -> Iterator[tuple[date, str]]:
        path = self.root / folder
        if not path.is_dir():
            return
        for name in sorted(entry.name for entry in path.iterdir()):
            if day := day_of_name(name):
                yield day, f"{folder}/{name}"


def vault_root(file: Path) -> Path | None:
    """
    Return the workspace around *file* whose vault it uses, None where there is none.

    A scope uses the owner's, around it; no other workspace uses that of one around it.
    """
    for folder in file.parents:
        # Not pathlib: whatever is written asks.
        if any(os.path.exists(f"{folder}/{name}") for name in VAULTS):  # noqa: PTH110
            return folder
        own = os.path.isdir(f"{folder}/{PRIVATE}")  # noqa: PTH112 - the same
        if own and folder.parent.name != SCOPES:
            return None
    return None


def day_of_name(name: str) -> date | None:
    """Return the day that a daily note's file *name* stands for, if it is one."""
    matched = DAILY_NAME.match(name)
    try:
        return date.fromisoformat(matched[1]) if matched else None
    except ValueError:
        return None
