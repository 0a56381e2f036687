"""How the index stands to the files: what differs, what an update did, what is there."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

from strata.search.indexing.manifest import PARAPHRASED, PENDING, WITH_VECTORS
from strata.search.indexing.paraphrases import news
from strata.search.indexing.scanning import FileState, scan

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from strata.search.indexing.manifest import Manifest


@dataclass(frozen=True, slots=True)
class Changes:
    """
    What differs between the disk and the index; false where nothing does.

    *mark* tells how far the journal was read for terms.
    """

    stale: list[FileState]
    removed: list[str]
    mark: str = ""

    def __bool__(self) -> bool:
        return bool(self.stale or self.removed)


@dataclass(frozen=True, slots=True)
class UpdateReport:
    """How many files were read, chunks written, chunks embedded and files removed."""

    files: int = 0
    chunks: int = 0
    embedded: int = 0
    removed: int = 0

    def __add__(self, other: UpdateReport) -> UpdateReport:
        pairs = zip(astuple(self), astuple(other), strict=True)
        return UpdateReport(*map(sum, pairs))


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """What the index holds; *stale* counts files that changed since it was updated."""

    files: int
    chunks: int
    embedded: int
    pending: int
    stale: int


def changes(
    workspace: Path,
    manifest: Manifest,
    only: Sequence[str] | None = None,
    journal: Path | None = None,
) -> Changes:
    """
    Compare files of *workspace* with *manifest*, by time and size; *only* some.

    Those count as changed of whose lines *journal* tells new terms.
    """
    known, found = manifest.files(), scan(workspace)
    stale = [state for path, state in found.items() if known.get(path) != state]
    removed = [path for path in known if path not in found]
    if only is not None:
        stale = [state for state in stale if state.path in only]
        removed = [path for path in removed if path in only]
    told = news(journal, manifest.meta(PARAPHRASED))
    fresh = set(stale)
    stale += [
        state
        for path, state in found.items()
        if told.concern(path) and state not in fresh
    ]
    return Changes(stale, removed, told.mark)


def status_of(manifest: Manifest, workspace: Path, *, compare: bool) -> IndexStatus:
    """Tell what *manifest* holds; *compare* it with the files of *workspace* as well."""
    found = changes(workspace, manifest) if compare else Changes([], [], "")
    return IndexStatus(
        files=len(manifest.files()),
        chunks=manifest.count(),
        embedded=manifest.count(*WITH_VECTORS),
        pending=manifest.count(PENDING),
        stale=len(found.stale) + len(found.removed),
    )
