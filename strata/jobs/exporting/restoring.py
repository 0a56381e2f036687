"""restore: a workspace that holds nothing becomes what an archive says."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from strata.errors import NotAccepted
from strata.history.names import CAPTURED, OF_STATEMENTS
from strata.imports.bundles import Bundle
from strata.jobs.exporting.archive import (
    JOURNAL,
    RECALLS,
    VECTORS,
    is_archive,
    read_manifest,
    verify,
)
from strata.jobs.exporting.contents import without_consents
from strata.jobs.exporting.export import is_encrypted
from strata.jobs.exporting.talks import FOLDER, last_moment, without_forgotten
from strata.jobs.following import follow
from strata.jobs.forgetting.recognition import recogniser
from strata.jobs.forgetting.scrubbing import scrub_journal
from strata.jobs.forgetting.striking import without
from strata.jobs.sync import IMPORT
from strata.jobs.undoing.runs import (
    alone,
    new_recording,
    recording_to,
    unfinished,
)
from strata.messages import Notice
from strata.progress import silent
from strata.search.indexing.scanning import scan
from strata.workspace import stored
from strata.workspace.layout import BANK, SHARED_COPIES
from strata.workspace.scopes import PRIVATE

if TYPE_CHECKING:
    from pathlib import Path

    from strata.jobs.exporting.archive import Manifest
    from strata.memory import Memory
    from strata.progress import Progress

# OpenClaw itself makes this one with a workspace; what stands there is not ours.
_OPENCLAWS = "USER.md"
_INDEX_SECONDS = 60.0


@dataclass(slots=True)
class RestoreReport:
    """
    What came out of an archive of the moment *at*: *notes* that were not there before,
    and *talks* of other tools.

    *run* takes them back, "" where there were none. *remarks* say what is otherwise here.
    """

    at: str
    scope: str
    notes: int = 0
    talks: int = 0
    run: str = ""
    vectors: bool = False
    remarks: list[Notice] = field(default_factory=list)


def holds_archive(source: Path) -> bool:
    """Say whether *source*, a file or an unpacked folder, is an archive of Strata."""
    with Bundle(source) as bundle:
        return is_archive(bundle)


def restore(
    memory: Memory, source: Path, *, dry_run: bool = False, progress: Progress = silent
) -> RestoreReport:
    """
    Put into *memory*, which holds nothing else, what the archive *source* has of one.

    It may be killed anywhere, and done again. Raise `SourceUnreadable` where the archive
    is no whole one, and `NotAccepted` where *memory* holds something else, or is another
    kind of memory; then nothing is changed.
    """
    with Bundle(source) as bundle:
        manifest = read_manifest(bundle)
        _refuse_another_kind(memory, manifest)
        verify(bundle, manifest)
        with alone(memory, doing="restoring"):
            restoring = _Restoring(memory, bundle, manifest)
            restoring.refuse_other_memory()
            return restoring.dry() if dry_run else restoring.run(progress)


class _Restoring:
    """Takes what *manifest* lists out of *bundle*, without what was forgotten here."""

    def __init__(self, memory: Memory, bundle: Bundle, manifest: Manifest) -> None:
        self._memory, self._bundle, self._manifest = memory, bundle, manifest
        self._known = recogniser(memory)
        self._notes = manifest.notes
        self._journal = without_consents(self._bytes(JOURNAL))
        if self._known:
            self._journal = scrub_journal(self._journal, self._known)[0]
        self.report = RestoreReport(manifest.at, manifest.scope)

    def refuse_other_memory(self) -> None:
        """Raise `NotAccepted` where there is anything that the archive does not have."""
        workspace = self._memory.workspace
        # A page of the bank is made of the notes, and follows them; what other agents
        # share is theirs.
        others = (f"{BANK}/", f"{SHARED_COPIES}/")
        for path in scan(workspace.root):
            if path == _OPENCLAWS or path.startswith(others):
                continue
            present = workspace.read(path)
            if present and not (path in self._notes and present == self._text(path)):
                raise NotAccepted.of("restore.not-empty", path=path)
        if self._tells() and not self._has_journal():
            journal = workspace.layout.journal_file.relative_to(workspace.root)
            raise NotAccepted.of("restore.not-empty", path=journal)

    def _tells(self) -> bool:
        """Say whether the journal that is here tells of more than its own upkeep."""
        return any(self._memory.journal.records(CAPTURED, *OF_STATEMENTS))

    def _has_journal(self) -> bool:
        """Say whether the archive's journal is here, with what happened since behind."""
        return bool(self._journal) and self._present_journal().startswith(self._journal)

    def _present_journal(self) -> bytes:
        file = self._memory.workspace.layout.journal_file
        return stored.read(file) if file.exists() else b""

    def dry(self) -> RestoreReport:
        """Say what would be restored."""
        self.report.notes = sum(not self._stands(path) for path in self._notes)
        self._remark()
        return self.report

    def run(self, progress: Progress) -> RestoreReport:
        """Write what is not there yet: first what tells of notes, then the notes."""
        workspace, layout = self._memory.workspace, self._memory.workspace.layout
        if self._journal and not self._has_journal():
            journal = self._journal + self._present_journal()
            workspace.write_private(layout.journal_file, journal)
        if (recalls := self._bytes(RECALLS)) and not layout.recalls_file.exists():
            workspace.write_private(layout.recalls_file, recalls)
        recording = unfinished(self._memory, IMPORT) or new_recording(
            self._memory, IMPORT
        )
        with recording_to(self._memory, recording):
            talks, notes = self._manifest.talks, self._notes
            for done, name in enumerate(talks, 1):
                self._put_talk(name)
                progress(done, len(talks) + len(notes))
            for done, path in enumerate(notes, len(talks) + 1):
                if not self._stands(path):
                    self._put(path)
                progress(done, len(talks) + len(notes))
        self.report.run = recording.run.id if recording.is_begun else ""
        self._put_vectors()
        follow(self._memory)
        self._remark()
        return self.report

    def _put(self, path: str) -> None:
        workspace, text = self._memory.workspace, self._text(path)
        # What an undo takes back is in no page of the bank, which follows the notes.
        is_page = path.startswith(f"{BANK}/")
        with workspace.unrecorded() if is_page else nullcontext():
            new = workspace.update(path, lambda present: present or text)
        self.report.notes += new

    def _put_talk(self, name: str) -> None:
        workspace = self._memory.workspace
        folder = workspace.layout.imported_folder
        file = folder / name.removeprefix(FOLDER)
        text = self._bytes(name).decode("utf-8", "surrogateescape")
        at = last_moment(text) or datetime.fromisoformat(self._manifest.at)
        text = without_forgotten(text, file, self._known)
        path = file.relative_to(workspace.root).as_posix()
        self.report.talks += workspace.update(path, lambda present: present or text)
        # One that was killed may have come no further than to write it.
        workspace.date(path, at)

    def _stands(self, path: str) -> bool:
        return bool(self._memory.workspace.read(path)) or not self._text(path)

    def _put_vectors(self) -> None:
        """Keep the vectors that came along, so that nothing has to be embedded again."""
        memory = self._memory
        file = memory.workspace.layout.index_folder / "vectors.sqlite"
        content = b"" if is_encrypted(memory) or self._known else self._bytes(VECTORS)
        if content and not file.exists():
            with memory.index.shelf.locked(_INDEX_SECONDS):
                memory.workspace.write_private(file, content)
            self.report.vectors = True

    def _remark(self) -> None:
        settings = self._memory.settings
        here = {
            "timezone": str(self._memory.timezone),
            "embedding_model": settings.embedding_model,
        }
        for name, value in here.items():
            there = getattr(self._manifest, name)
            if there != value:
                key = f"restore.other-{name.replace('_', '-')}"
                self.report.remarks.append(Notice(key, there=there, here=value))
        if self._differs(_OPENCLAWS):
            self.report.remarks.append(Notice("restore.users", path=_OPENCLAWS))

    def _differs(self, path: str) -> bool:
        present = self._memory.workspace.read(path)
        return bool(path in self._notes and present and present != self._text(path))

    def _text(self, path: str) -> str:
        text = self._bytes(self._notes[path]).decode("utf-8", "surrogateescape")
        return without(path, text, self._known) if self._known else text

    def _bytes(self, name: str) -> bytes:
        if name not in self._manifest.files:
            return b""
        with self._bundle.open(name) as stream:
            return stream.read()


def _refuse_another_kind(memory: Memory, manifest: Manifest) -> None:
    """Let what a group said become no owner's memory, nor the reverse."""
    kinds = [scope.partition(":")[0] for scope in (memory.scope, manifest.scope)]
    if kinds[0] != kinds[1]:
        key = "restore.name-scope" if kinds[0] == PRIVATE else "restore.other-scope"
        raise NotAccepted.of(key, there=manifest.scope, here=memory.scope)
