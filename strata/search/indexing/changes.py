"""What differs between the files on the disk and what the index was made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.search.indexing.scanning import FileState, scan

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from strata.search.indexing.manifest import Manifest


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs between the disk and the index; false where nothing does."""

    stale: list[FileState]
    removed: list[str]

    def __bool__(self) -> bool:
        return bool(self.stale or self.removed)

    def only(self, paths: Sequence[str] | None) -> Changes:
        """Return the changes of *paths*, or all where they are not given."""
        if paths is None:
            return self
        return Changes(
            stale=[state for state in self.stale if state.path in paths],
            removed=[path for path in self.removed if path in paths],
        )


def changes(workspace: Path, manifest: Manifest) -> Changes:
    """Compare the files below *workspace* with *manifest*, by time and size alone."""
    known, found = manifest.files(), scan(workspace)
    return Changes(
        stale=[state for path, state in found.items() if known.get(path) != state],
        removed=[path for path in known if path not in found],
    )
