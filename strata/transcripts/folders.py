"""In which folders a conversation worked: as it began, and as its tools were called."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.transcripts.entries import Entry, Json

# What OpenClaw's own tools call it: where a command runs, and which file is meant.
_FOLDERS, _FILES = ("workdir", "cwd"), ("path", "file_path")


@dataclass(slots=True)
class Folders:
    """
    The folders that the conversation *session* was in, noted while it is read.

    *called* are the moment of each call of a tool, in seconds since the epoch, and the
    folder it names.
    """

    session: str = ""
    begun: str = ""
    called: set[tuple[float, str]] = field(default_factory=set)

    def noting(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Yield *entries* as they are, and note where they are from."""
        for entry in entries:
            if entry.folder:
                self.begun = entry.folder
            elif entry.said and entry.said.calls:
                for call in entry.said.calls:
                    if folder := _folder_of(call.arguments):
                        self.called.add((entry.said.time, folder))
            yield entry

    def between(self, first: float, last: float) -> list[str]:
        """Return the folders of those moments, the most used first, then where it began."""
        counts = Counter(
            each for at, each in sorted(self.called) if first <= at <= last
        )
        told = [folder for folder, _ in counts.most_common()]
        return [*told, *([self.begun] if self.begun else [])]


def _folder_of(arguments: Json) -> str:
    if not isinstance(arguments, dict):
        return ""
    for name in _FOLDERS:
        told = arguments.get(name)
        if isinstance(told, str) and told.startswith("/"):
            return told
    for name in _FILES:
        told = arguments.get(name)
        if isinstance(told, str) and told.startswith("/"):
            return told.rpartition("/")[0] or "/"
    return ""
