"""The receipt of a forgetting, with the proof: all is read again, for any sign of it."""

from __future__ import annotations

import json
import os
from collections import Counter
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.errors import (
    OpenClawNotFound,
    StrataError,
    TranscriptUnreadable,
    UnsupportedStore,
)
from strata.jobs.forgetting.documents import TOP, decoded, notes
from strata.jobs.forgetting.recognition import Recogniser
from strata.jobs.forgetting.removal import preview
from strata.jobs.forgetting.scrubbing import parsed, scrub_journal
from strata.jobs.forgetting.shared import left_in_shared
from strata.jobs.forgetting.talks import changed_talks
from strata.notes.sayings import contains, may_say, words_of
from strata.workspace import stored
from strata.workspace.forms import is_encrypted
from strata.workspace.scopes import FOLDER as SCOPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.jobs.forgetting.talks import Clues
    from strata.jobs.forgetting.target import Chosen, Target
    from strata.memory import Memory
    from strata.models import Session
    from strata.transcripts.openclaw import Transcripts
    from strata.workspace.git_history import Rewritten

VERSION = 1
# Of files of others; memory is read to its end.
_MOST_BYTES = 64 * 1024 * 1024
_PIECE_BYTES = 1024 * 1024
_NOTHING = bytes(_PIECE_BYTES)
_NEIGHBOURS = 5
# Git's objects are compressed; they are read through git.
_SKIPPED = {".git", "node_modules", ".venv"}
# What is shorter stands elsewhere by chance: statements, and letters in bytes of no text.
_FEWEST_WORDS = 4
_SHORTEST = 4
_PLACES = ("unread", "left", "named", "elsewhere")


@dataclass(frozen=True, slots=True)
class Remaining:
    """A conversation that OpenClaw keeps, and in how many messages it says it."""

    session: str
    key: str
    messages: int


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
        for name in _PLACES:
            getattr(self, name).extend(prefix + path for path in getattr(other, name))
        self.neighbours += [(prefix + path, near) for path, near in other.neighbours]
        self.checks = list(dict.fromkeys([*self.checks, *other.checks]))

    @property
    def holds(self) -> bool:
        """Whether nothing of memory says it any more."""
        return not (self.left or self.named or any(map(_is_memory, self.unread)))


@dataclass(slots=True)
class Receipt:
    """
    One forgetting, told without a word of what it was.

    *history* is in how many versions git still has it, *rewritten* what was done to that.
    *scopes* counts the lines of each memory that was looked through, the owner's first.
    """

    id: str
    at: str
    kind: str
    lines: dict[str, int]
    more: dict[str, int]
    proof: Proof
    transcripts: list[Remaining] = field(default_factory=list)
    history: int = 0
    rewritten: Rewritten | None = None
    scopes: dict[str, int] = field(default_factory=dict)

    def take_in(self, other: Receipt, prefix: str) -> None:
        """Add what was done in another memory, whose folder is *prefix*."""
        self.lines |= {prefix + path: count for path, count in other.lines.items()}
        self.more = dict(Counter(self.more) + Counter(other.more))
        self.proof.take_in(other.proof, prefix)
        self.history += other.history
        self.scopes |= other.scopes
        if other.rewritten:
            self.rewritten = other.rewritten.after(self.rewritten)

    def document(self) -> dict[str, Any]:
        """Return it for a program."""
        return {"version": VERSION, **asdict(self), "proved": self.proof.holds}


def remaining(
    memory: Memory, target: Target, every: Sequence[Chosen]
) -> list[Remaining]:
    """Return the conversations in which *target*, or what *every* rests on, was said."""
    evidence = {pair for each in every for pair in each.evidence}
    whole = {session for each in every for session in each.sessions}
    try:
        transcripts = memory.transcripts()
        sessions = transcripts.sessions()
    except (OpenClawNotFound, UnsupportedStore):
        return []
    found = []
    for session in sessions:
        # What another tool had kept is Strata's own copy, and loses it too.
        if session.home:
            continue
        messages = {message for name, message in evidence if name == session.id}
        with suppress(TranscriptUnreadable):
            messages |= set(_saying(transcripts, session, target, whole))
        if messages:
            found.append(Remaining(session.id, session.key, len(messages)))
    return found


def _saying(
    transcripts: Transcripts, session: Session, target: Target, whole: set[str]
) -> Iterator[str]:
    goes = session.id in whole
    if target.session and not goes:
        return
    since, until = target.since, target.until
    if (
        since
        and until
        and not (session.started_at < until and since <= session.updated_at)
    ):
        return
    for message in transcripts.read(session):
        if since and until:
            goes = since <= message.time < until
        if goes or (target.words and contains(words_of(message.text), target.words)):
            yield message.id


def prove(  # noqa: PLR0913 - what is looked for, and where it may be
    memory: Memory,
    known: Recogniser,
    target: Target | None,
    statements: Sequence[str],
    *,
    until: datetime | None = None,
    clues: Clues | None = None,
) -> Proof:
    """
    Look for what is *known* as forgotten, and for *target* and *statements* as words.

    Without them, as after a crash, only the hashes are compared. What was said after
    *until* counts anew.
    """
    proof = Proof(checks=["lines", "journal"])
    for document, lines in preview(memory, known):
        proof.left += [f"{document.path}:{said.number}" for said in lines]
    proof.left += [each.path for each, _ in changed_talks(memory, known, clues)]
    proof.left += left_in_shared(memory, known) if memory.shares else ()
    root, journal = memory.workspace.root, memory.workspace.layout.journal_file
    records = _up_to(until, stored.read(journal)) if journal.exists() else b""
    if scrub_journal(records, known)[1]:
        proof.left.append(journal.relative_to(root).as_posix())
    needles: list[str] = []
    # Of a time or a talk, other places may say the same.
    if target and target.words:
        long = (each for each in statements if len(words_of(each)) >= _FEWEST_WORDS)
        needles = list(dict.fromkeys([target.text or target.entity, *long]))
    proof.checks += ["files"] if needles else []
    for file in _files(root):
        _look_into(file, file.relative_to(root).as_posix(), needles, proof)
    if target or until:
        paths = (document.path for document in notes(memory))
        proof.named = [path for path in paths if known.forgets_name(path)]
    if target and target.text:
        _neighbours(memory, target.text, proof)
    return proof


def receipts_folder(memory: Memory) -> Path:
    """Return where the receipts of *memory* are kept."""
    return memory.workspace.layout.private / "receipts"


def keep_receipt(memory: Memory, receipt: Receipt) -> None:
    """
    Keep *receipt* in `.strata/receipts` and note it in the journal.

    Names of files that say what was forgotten stay out of it.
    """
    known = Recogniser(memory.tombstones.seal, memory.tombstones.all())
    document = receipt.document()
    document["lines"] = Counter[str]()
    for path, count in receipt.lines.items():
        document["lines"][known.unnamed(path)] += count
    for name in _PLACES:
        paths = document["proof"][name]
        document["proof"][name] = [known.unnamed(path) for path in paths]
    text = json.dumps(document, ensure_ascii=False, indent=1)
    file = receipts_folder(memory) / f"{receipt.id}.json"
    # Half a sign, of a name that is no UTF-8, becomes an escape of JSON.
    memory.workspace.write_private(file, text.encode("utf-8", "backslashreplace"))
    record = {
        "event": "forgotten",
        "version": VERSION,
        "at": receipt.at,
        "id": "",
        "tombstone": receipt.id,
        "kind": receipt.kind,
        "lines": sum(receipt.lines.values()),
    }
    memory.journal.append([record])


def _up_to(moment: datetime | None, content: bytes) -> bytes:
    """Return the records of *content* that are no later than *moment*, if it is given."""
    if moment is None:
        return content
    lines = content.splitlines(keepends=True)
    return b"".join(each for each in lines if not _is_after(moment, parsed(each) or {}))


def _is_after(moment: datetime, record: dict[str, Any]) -> bool:
    try:
        if "at" in record:
            return datetime.fromisoformat(str(record["at"])) > moment
        return datetime.fromtimestamp(float(record["last_at"]), UTC) > moment
    except (KeyError, TypeError, ValueError):
        return False


def _files(root: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(root):
        skipped = {*_SKIPPED, SCOPES} if Path(place) == root else _SKIPPED
        folders[:] = sorted(set(folders) - skipped)
        for name in sorted(files):
            file = Path(place) / name
            if file.is_file() and not file.is_symlink():
                yield file


def _look_into(file: Path, path: str, needles: Sequence[str], proof: Proof) -> None:
    ours = _is_memory(path)
    try:
        size = file.stat().st_size
        readable = ours or size <= _MOST_BYTES
        found = readable and _says(file, needles)
    except OSError:
        readable = False
    if not readable:
        proof.unread.append(path)
        return
    proof.files += 1
    proof.bytes += size
    if found:
        (proof.left if ours else proof.elsewhere).append(path)


def _is_memory(path: str) -> bool:
    """Say whether *path* is Strata's to keep clean; other files are only looked into."""
    if path.startswith(f"{SCOPES}/"):
        path = path.split("/", 2)[-1]
    return path.startswith((".strata/", "memory/")) or path in TOP


def _says(file: Path, needles: Sequence[str]) -> bool:
    """
    Say whether *file* spells or words any of *needles*; raise OSError.

    What is no text, as the index is, is read in pieces: it can be larger than memory.
    """
    spellings = {each for text in needles for each in _spellings(text)}
    with file.open("rb") as opened:
        first = opened.read(_PIECE_BYTES)
    if b"\0" in first and not is_encrypted(first):
        pieces = _pieces(file, max(map(len, spellings))) if spellings else ()
        return any(each in piece for piece in pieces for each in spellings)
    content = stored.read(file)
    if any(each in content for each in spellings):
        return True
    text = decoded(content) if needles else None
    wanted = [words for each in needles if may_say(text or "", words := words_of(each))]
    lines = [words_of(line) for line in (text or "").splitlines()] if wanted else []
    return any(contains(line, words) for words in wanted for line in lines)


def _spellings(text: str) -> set[bytes]:
    if len(text) < _SHORTEST:
        return set()
    return {text.encode(), text.encode("utf-16-le"), json.dumps(text)[1:-1].encode()}


def _pieces(file: Path, overlap: int) -> Iterator[bytes]:
    """Yield what *file* holds, in pieces that overlap, but for long stretches of zeros."""
    with file.open("rb") as opened:
        before = b""
        while read := opened.read(_PIECE_BYTES):
            if read != _NOTHING or any(before):
                yield before + read
            before = read[-overlap:]


def _neighbours(memory: Memory, text: str, proof: Proof) -> None:
    """Note what lies nearest in meaning, where there are vectors."""
    from strata.search.stores.store import Scope  # noqa: PLC0415 - only for this

    index = memory.index
    if not index.compares(text):
        return
    try:
        vector = index.vector_of(text)
        found = index.search({}, vector, scope=Scope(), limit=_NEIGHBOURS)
    except StrataError:
        return
    proof.checks.append("vectors")
    for name, score in found.found.dense:
        row = found.rows.get(name)
        if row:
            place = f"{row.path}:{row.start_line}-{row.end_line}"
            proof.neighbours.append((place, round(float(score), 3)))
