"""The bookmarks of long conversations: a cache, one file a conversation."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.errors import DecryptionFailed
from strata.transcripts.bookmarks import packed, unpacked
from strata.workspace import stored

if TYPE_CHECKING:
    from pathlib import Path

    from strata.transcripts.bookmarks import Bookmark
    from strata.workspace.files import Workspace

# Of the conversations that were not read for longest, bookmarks go.
_MOST = 50


@dataclass(frozen=True, slots=True)
class KeptBookmarks:
    """Bookmarks in the own folder of *workspace*; a *dry* run keeps none."""

    workspace: Workspace
    dry: bool

    def find(self, session_id: str) -> Bookmark | None:
        """Return the bookmark in a conversation, if there is one."""
        try:
            return unpacked(stored.read(self._file(session_id)))
        except (OSError, DecryptionFailed):
            return None

    def keep(self, session_id: str, mark: Bookmark) -> None:
        """Keep *mark* in place of an earlier one."""
        if self.dry:
            return
        self.workspace.write_private(self._file(session_id), packed(mark))
        files = self.workspace.layout.bookmark_folder.glob("*.json")
        for old in sorted(files, key=_moment, reverse=True)[_MOST:]:
            self.workspace.remove_private(old)

    def _file(self, session_id: str) -> Path:
        name = hashlib.sha256(session_id.encode("utf-8", "surrogatepass")).hexdigest()
        return self.workspace.layout.bookmark_folder / f"{name[:32]}.json"


def _moment(file: Path) -> int:
    return file.stat().st_mtime_ns
