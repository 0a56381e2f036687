"""The proof: all is read again from the disk, for any sign of what was forgotten."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from strata.errors import StrataError
from strata.jobs.forgetting.documents import TOP, notes
from strata.jobs.forgetting.removal import preview
from strata.jobs.forgetting.scrubbing import scrub_journal
from strata.jobs.forgetting.spelled import says
from strata.notes.sayings import words_of
from strata.workspace import stored
from strata.workspace.scopes import FOLDER as SCOPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.jobs.forgetting.recognition import Recogniser
    from strata.jobs.forgetting.spelled import Needles
    from strata.jobs.forgetting.target import Target
    from strata.memory import Memory

# Of files of others; memory is read to its end.
_MOST_BYTES = 64 * 1024 * 1024
_NEIGHBOURS = 5
# Git's objects are compressed; they are read through git.
_SKIPPED = {".git", "node_modules", ".venv"}
_FEWEST_WORDS = 4


@dataclass(slots=True)
class Proof:
    """
    What was read, and where anything was found again.

    *left* are places of memory that still say it, *named* files of it whose own names
    do, *elsewhere* files of others in the workspace, *neighbours* what lies nearest to
    it in meaning, with its cosine.
    """

    files: int = 0
    bytes: int = 0
    unread: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    neighbours: list[tuple[str, float]] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)

    def take_in(self, other: Proof, prefix: str) -> None:
        """Add what was found in another memory, whose folder is *prefix*."""
        self.files += other.files
        self.bytes += other.bytes
        self.unread += [prefix + path for path in other.unread]
        self.left += [prefix + path for path in other.left]
        self.named += [prefix + path for path in other.named]
        self.elsewhere += [prefix + path for path in other.elsewhere]
        self.neighbours += [(prefix + path, near) for path, near in other.neighbours]
        self.checks = list(dict.fromkeys([*self.checks, *other.checks]))

    @property
    def holds(self) -> bool:
        """Whether nothing of memory says it any more."""
        return not (self.left or self.named or any(map(_is_memory, self.unread)))


def prove(
    memory: Memory, known: Recogniser, target: Target | None, statements: Sequence[str]
) -> Proof:
    """
    Look for what is *known* as forgotten, and for *target* and *statements* as words.

    Without them, as after a crash, only the hashes are compared.
    """
    proof = Proof(checks=["lines", "journal", "files"])
    for document, lines in preview(memory, known):
        proof.left += [f"{document.path}:{said.number}" for said in lines]
    _journal(memory, known, proof)
    needles = _needles(target, statements)
    for file in _files(memory.workspace.root):
        _read(memory, file, needles, proof)
    if target:
        paths = (document.path for document in notes(memory))
        proof.named = [path for path in paths if known.forgets_name(path)]
    if target and target.words and target.text:
        _neighbours(memory, target.text, proof)
    return proof


def _needles(target: Target | None, statements: Sequence[str]) -> Needles:
    """Return what must be nowhere: of a time or a talk, other places may say the same."""
    if target is None or not target.words:
        return []
    texts = [target.text or target.entity]
    texts += [each for each in statements if len(words_of(each)) >= _FEWEST_WORDS]
    return [(text, words_of(text)) for text in dict.fromkeys(texts)]


def _journal(memory: Memory, known: Recogniser, proof: Proof) -> None:
    file = memory.workspace.layout.journal_file
    if file.exists() and scrub_journal(stored.read(file), known).changed:
        proof.left.append(file.relative_to(memory.workspace.root).as_posix())


def _files(root: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(root):
        skipped = {*_SKIPPED, SCOPES} if Path(place) == root else _SKIPPED
        folders[:] = sorted(set(folders) - skipped)
        for name in sorted(files):
            file = Path(place) / name
            if file.is_file() and not file.is_symlink():
                yield file


def _read(
    memory: Memory,
    file: Path,
    needles: Needles,
    proof: Proof,
) -> None:
    path = file.relative_to(memory.workspace.root).as_posix()
    try:
        size = file.stat().st_size
        too_big = size > _MOST_BYTES and not _is_memory(path)
        found = not too_big and says(file, needles)
    except OSError:
        too_big = True
    if too_big:
        proof.unread.append(path)
        return
    proof.files += 1
    proof.bytes += size
    if found:
        (proof.left if _is_memory(path) else proof.elsewhere).append(path)


def _is_memory(path: str) -> bool:
    """Say whether *path* is Strata's to keep clean; other files are only looked into."""
    if path.startswith(f"{SCOPES}/"):
        path = path.split("/", 2)[-1]
    return path.startswith((".strata/", "memory/")) or path in TOP


def _neighbours(memory: Memory, text: str, proof: Proof) -> None:
    """Note what lies nearest in meaning, where there are vectors."""
    from strata.search.indexing.embedding import reads  # noqa: PLC0415 - only for this
    from strata.search.stores.store import Scope  # noqa: PLC0415 - only for this

    index = memory.index
    if not index.has_vectors() or not reads(index.languages, text):
        return
    try:
        vector = index.encoder.encode([text])[0].tolist()
        found = index.search({}, vector, scope=Scope(), limit=_NEIGHBOURS)
    except StrataError:
        return
    proof.checks.append("vectors")
    for name, score in found.found.dense:
        row = found.rows.get(name)
        if row:
            place = f"{row.path}:{row.start_line}-{row.end_line}"
            proof.neighbours.append((place, round(float(score), 3)))
