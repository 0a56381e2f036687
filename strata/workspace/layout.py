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
BANK = "memory/bank"
# Where nothing can be: an index that must not touch the disk has no other place.
NOWHERE = Path(os.devnull) / "nowhere"
# Where the memories of groups and other people lie.
SCOPES = "scopes"
# What agents share, in OpenClaw's state folder, and the copies in a workspace.
SHARED, SHARED_COPIES = "strata/shared", "memory/shared"
# The key of an encrypted memory, locked: beside the notes, so that it goes wherever they
# go, and a spare copy.
VAULTS = ("memory/encryption.json", f"{PRIVATE}/encryption.json")
DAILY_NAME = re.compile(r"(\d{4}-\d\d-\d\d)\.md\Z")


class _Below:
    """A place in the folder that is Strata's own."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __get__(self, layout: Layout, owner: type[Layout]) -> Path:
        return layout.private / self._path


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of one workspace; relative ones are POSIX strings below *root*."""

    root: Path

    settings_file = _Below("config.toml")
    """The user's settings, in TOML."""
    index_folder = _Below("index")
    """The search index, which may be deleted at any time."""
    journal_file = _Below("journal.jsonl")
    """What happened, one JSON record a line."""
    undo_folder = _Below("undo")
    """The bytes that the last runs replaced, one folder a run."""
    spool_folder = _Below("spool")
    """Events of the gateway that have not been handled yet."""
    bookmark_folder = _Below("cache/bookmarks")
    """How far long conversations were read, which may be deleted at any time."""
    sync_cache_file = _Below("cache/sync.json")
    """What the last sync saw, so that the next one need not look again."""
    imported_folder = _Below("imported")
    """Talks of other tools, redacted: a folder a tool, a transcript a talk."""
    machines_folder = _Below("machines")
    """The logs of the machines that share this memory, this one's among them."""
    audit_folder = _Below("audit")
    """Who read or wrote which memory file."""
    forgotten_file = _Below("forgotten.jsonl")
    """Keyed hashes of what was forgotten."""
    allowance_key_file = _Below("never-secret.key")
    """The key of the hashes by which a masked value that may be kept is known."""
    recalls_file = _Below("cache/recalls.txt")
    """Which statements were asked for, and when."""
    model_ledger_file = _Below("model.jsonl")
    """What asking a language model has cost, one JSON record a call."""
    model_cache_folder = _Below("cache/model")
    """Answers of a language model, so that none is paid for twice."""
    prepared_file = _Below("cache/prepared.json")
    """What an agent was asked about, so that its answer can be told from others."""
    bank_file = _Below("cache/bank.json")
    """What the pages of the bank hold, line by line; `strata reflect` makes it again."""
    bank_names_file = _Below("cache/bank-names.json")
    """Who and what has a page, by every name."""
    heard_names_file = _Below("cache/bank-heard.json")
    """Which names lead to no page, or may mean several."""
    readings_file = _Below("cache/readings.json")
    """What statements were read as, which may be deleted at any time."""
    redaction_file = _Below("cache/redaction")
    """By which redaction all that stands was gone through."""
    model_breaker_file = _Below("cache/model.json")
    """How often the language model failed in a row."""

    @property
    def private(self) -> Path:
        """The folder that is Strata's own: index, journal, locks, settings."""
        return self.root / PRIVATE

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
