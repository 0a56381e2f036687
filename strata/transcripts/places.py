"""Where the conversations of one agent lie: OpenClaw's files, found by name."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from strata.errors import NeverTalked, OpenClawNotFound, UnsupportedStore
from strata.messages import Notice
from strata.transcripts.archives import parse_name
from strata.transcripts.entries import decode
from strata.workspace.openclaw import is_configured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.entries import Json

STORE_NAME = "openclaw-agent.sqlite"
INDEX_NAME = "sessions.json"
_STATE_VARIABLES = (
    "$STATE",
    "${STATE}",
    "$OPENCLAW_STATE_DIR",
    "${OPENCLAW_STATE_DIR}",
)


@dataclass(frozen=True, slots=True)
class TranscriptFile:
    """One transcript file as it stood when it was found; *moment* is empty if live."""

    moment: str
    path: Path
    size: int
    modified_ns: int


@dataclass(frozen=True, slots=True)
class Listed:
    """What ``sessions.json`` says about one session, or the store by the same names."""

    id: str
    key: str
    entry: dict[str, Json]
    current: bool


@dataclass(frozen=True, slots=True)
class ImportedFolder:
    """
    Where Strata keeps talks of other tools that belong into the memory *home*.

    Each tool has a folder there, each talk a transcript, last changed when it ended.
    """

    home: str
    root: Path

    def files(self) -> Iterator[tuple[str, TranscriptFile]]:
        """Yield each transcript with the name of its tool."""
        for folder in _folders_in(self.root):
            with suppress(OSError), os.scandir(folder) as entries:
                for item in entries:
                    file = look_at(Path(item.path), "")
                    if item.name.endswith(".jsonl") and file:
                        yield folder.name, file


class AgentFolder:
    """
    The folder of one agent in OpenClaw's state directory, or a copy of what it held.

    A copy has no ``agents`` folder: the store and the transcripts lie in *state_dir*
    itself or one folder below. Raise `OpenClawNotFound` if there is neither.
    """

    def __init__(self, state_dir: Path, agent: str) -> None:
        self._state_dir = state_dir
        agents = state_dir / "agents"
        if agents.is_dir():
            folder = _agent_folder(agents, agent)
            self.sessions = folder / "sessions"
            self.database = folder / "agent" / STORE_NAME
            return
        copies = [state_dir, *_folders_in(state_dir)]
        stores = [each for each in copies if (each / STORE_NAME).is_file()]
        indexed = [each for each in copies if (each / INDEX_NAME).is_file()]
        if not stores and not indexed:
            _check_silent(state_dir, agent)
            raise OpenClawNotFound.of("transcripts.no-agents", state_dir=state_dir)
        self.sessions = (indexed or [state_dir / "sessions"])[0]
        self.database = (stores or [state_dir])[0] / STORE_NAME

    @property
    def cold_folders(self) -> tuple[Path, Path]:
        """The folders beside which OpenClaw may keep its ``cold`` folder."""
        return self.sessions, self.database.parent

    def files(self) -> dict[str, list[TranscriptFile]]:
        """Return transcript files by the start of their name, live first, then newest."""
        found: dict[str, list[TranscriptFile]] = {}
        for item in self._entries():
            name = parse_name(item.name)
            file = look_at(Path(item.path), name.moment) if name else None
            if name and file:
                found.setdefault(name.stem, []).append(file)
        for files in found.values():
            files.sort(key=_newest_first)
        return found

    def listed(self) -> list[Listed]:
        """
        Return the sessions that ``sessions.json`` names, the current ones first.

        Raise `UnsupportedStore` if it cannot be read: without it, private conversations
        cannot be told from group chats.
        """
        listed: list[Listed] = []
        for key, entry in self._index().items():
            if isinstance(entry, dict) and isinstance(entry.get("sessionId"), str):
                listed.append(Listed(entry["sessionId"], key, entry, current=True))
        return listed + [
            Listed(earlier, each.key, each.entry, current=False)
            for each in listed
            for earlier in _earlier_ids(each.entry)
        ]

    def told_file(self, listed: Listed) -> Path | None:
        """Return the transcript that the index names for a session, if it lies here."""
        told = listed.entry.get("sessionFile") if listed.current else None
        if not isinstance(told, str) or "\0" in told:
            return None
        for variable in _STATE_VARIABLES:
            if told.startswith(variable + "/"):
                told = f"{self._state_dir}{told.removeprefix(variable)}"
        path = self.sessions / told
        if parse_name(path.name) is None or not path.is_file():
            return None
        inside = path.resolve().is_relative_to(self._state_dir.resolve())
        return path if inside else None

    def _index(self) -> dict[str, Json]:
        path = self.sessions / INDEX_NAME
        try:
            index = decode(path.read_bytes() or b"{}")
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise UnsupportedStore.of(
                "transcripts.no-kinds", path=path, error=error
            ) from None
        return index if isinstance(index, dict) else {}

    def _entries(self) -> Iterator[os.DirEntry[str]]:
        try:
            with os.scandir(self.sessions) as entries:
                yield from entries
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            raise UnsupportedStore.of(
                "transcripts.no-list", sessions=self.sessions, strerror=error.strerror
            ) from None


def _agent_folder(agents: Path, agent: str) -> Path:
    names = [each.name for each in _folders_in(agents)]
    if agent not in names:
        _check_silent(agents.parent, agent)
        raise OpenClawNotFound.of(
            "transcripts.no-agent",
            folder=agents.parent,
            agent=agent,
            names=", ".join(names) or Notice("transcripts.none-yet"),
        )
    return agents / agent


def _check_silent(state_dir: Path, agent: str) -> None:
    """Raise `NeverTalked` where OpenClaw knows *agent*, and only has heard nothing yet."""
    if is_configured(state_dir, agent):
        raise NeverTalked.of("transcripts.never-talked", agent=agent)


def _folders_in(folder: Path) -> list[Path]:
    try:
        return sorted(each for each in folder.iterdir() if each.is_dir())
    except OSError:
        return []


def look_at(path: Path, moment: str) -> TranscriptFile | None:
    """Remember how a transcript file stands now; None where there is none any more."""
    try:
        status = path.stat()
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return TranscriptFile(moment, path, status.st_size, status.st_mtime_ns)


def _newest_first(file: TranscriptFile) -> tuple[bool, int, str]:
    ordinal = int("".join(filter(str.isdecimal, file.moment)) or 0)
    return bool(file.moment), -ordinal, file.path.name


def _earlier_ids(entry: dict[str, Json]) -> list[str]:
    ids = entry.get("usageFamilySessionIds")
    ids = ids if isinstance(ids, list) else []
    return [
        each for each in ids if isinstance(each, str) and each != entry["sessionId"]
    ]
