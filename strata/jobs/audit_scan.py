"""What already stands in memory and should not: secrets, orders, copies, junk."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from strata.history.names import CAPTURED
from strata.jobs.forgetting.documents import Document, documents
from strata.jobs.forgetting.removal import bytes_of, rewrite, rewrite_copies
from strata.jobs.forgetting.scrubbing import dumped, parsed
from strata.jobs.undoing.runs import alone, recorded
from strata.json_texts import with_texts
from strata.language.pasted import INJECTION
from strata.language.quotes import is_order_to_machines
from strata.messages import Notice
from strata.notes.markdown import heading
from strata.notes.sayings import sayings, words_of
from strata.search.indexing.purging import purge
from strata.transcripts.redaction import redact, secrets_by_line
from strata.workspace import stored

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from strata.memory import Memory
    from strata.notes.sayings import Said
    from strata.sensitivity import Rules

KINDS = ("secret", "unwanted", "instruction", "duplicate", "junk")

# What becomes a placeholder and is not taken out.
_MASKED = frozenset({"secret", "unwanted"})
SETTING = "trust.never_store"
# What programs write for each other and not for anybody's memory.
_NOISE = re.compile(
    r"\s*[-*]?\s*(?:HEARTBEAT_OK|NO_REPLY|ANNOUNCE_SKIP|\[object Object\]|undefined|null)"
    r"\W*"
)
_BLOB = re.compile(r"[A-Za-z0-9+/=]{400,}")
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f"
    r"\u200b-\u200f\u202a-\u202e\u2060\ufeff]"
)
# Unicode's tags: a model reads them.
_TAGGED = re.compile("[\U000e0020-\U000e007e]{4,}")
_FEWEST_WORDS = 4


@dataclass(frozen=True, slots=True)
class Finding:
    """
    A line that should not stand where it does: *what* is wrong with it.

    *fixable* ones `--fix` mends; *remedy* is what to run for the others. *said* are the
    words of the line, by which its copies are known.
    """

    kind: str
    path: str
    line: int
    what: str
    fixable: bool
    remedy: str
    said: tuple[str, ...] = field(default=(), repr=False, compare=False)

    @property
    def place(self) -> str:
        """Where the line stands."""
        return f"{self.path}:{self.line}"


@dataclass(slots=True)
class Scan:
    """What was read and found, and how many lines *fixed* by kind; *run* can be undone."""

    files: int = 0
    findings: list[Finding] = field(default_factory=list)
    fixed: Counter[str] = field(default_factory=Counter)
    run: str = ""

    def each_once(self) -> list[tuple[Finding, list[str]]]:
        """Return each finding with all its places: its note, its week, every copy."""
        places: dict[object, tuple[Finding, dict[str, None]]] = {}
        for each in self.findings:
            # Which line said it before is another number in every copy.
            what = "" if each.kind == "duplicate" else each.what
            key = (each.kind, what, each.said) if each.said else each.place
            places.setdefault(key, (each, {}))[1][each.place] = None
        return [(found, list(where)) for found, where in places.values()]


def scan(memory: Memory) -> Scan:
    """Look through every file of memory, whoever wrote it, and through its copies."""
    texts = documents(memory)
    found, left_out = Scan(len(texts)), _left_out(memory)
    for document in texts:
        found.findings += _findings(document, memory.allowances)
        found.findings += _unwanted(document, memory.never_stored, left_out)
    return found


def fix(memory: Memory) -> Scan:
    """
    Mend what can be mended safely, and return the scan from before.

    A secret, and what the settings never store, becomes a placeholder wherever it stands,
    copies included, and no copy of it is made; lines that go are recorded, so that `undo`
    brings them back.
    """
    with alone(memory, doing="mending"):
        found = scan(memory)
        masked = [f for f in found.findings if f.fixable and f.kind in _MASKED]
        if masked:
            _mask(memory)
            found.fixed += Counter(each.kind for each in masked)
        going = [f for f in found.findings if _goes(f)]
        if going:
            with recorded(memory, "audit") as run:
                found.run = run.id
                for path in dict.fromkeys(each.path for each in going):
                    memory.workspace.update(
                        path, partial(_mended, path, memory.allowances)
                    )
            found.fixed += Counter(each.kind for each in going)
        if masked:
            purge(memory.index)
    return found


def _findings(document: Document, allowed: Callable[[str], bool]) -> Iterator[Finding]:
    seen: dict[tuple[str, tuple[str, ...]], int] = {}
    section, secrets = "", secrets_by_line(document.text, allowed)
    for said in sayings(document.path, document.text):
        section = said.raw if heading(said.raw) else section
        place = (document.path, said)
        yield from (_finding("secret", place, kind) for kind in secrets[said.number])
        if document.place != "note":
            continue
        if words := _ordering(said):
            yield _finding("instruction", place, words)
        key = (section, words_of(said.text))
        first = seen.setdefault(key, said.number)
        stated = not said.frame and len(key[1]) >= _FEWEST_WORDS
        if stated and first != said.number:
            yield _finding("duplicate", place, Notice("audit.said-already", line=first))
        if why := _junk(said):
            yield _finding("junk", place, why)


def _unwanted(
    document: Document, never: Rules, left_out: Mapping[str, str]
) -> Iterator[Finding]:
    """Give the lines that would not have been stored, had today's settings held then."""
    for said in sayings(document.path, document.text):
        place = (document.path, said)
        found = _finding("unwanted", place, SETTING)
        if said.label in left_out:
            remedy = f"strata forget --session {left_out[said.label]}"
            yield replace(found, fixable=False, remedy=remedy)
        elif said.text and never.holds(said.text):
            yield found


def _left_out(memory: Memory) -> dict[str, str]:
    """Return the conversations that today's settings leave out, by their labels."""
    return {
        str(record.get("label")): str(record.get("session"))
        for record in memory.journal.records(CAPTURED)
        if memory.never_stored.covers(str(record.get("session_key", "")))
    }


def _finding(kind: str, place: tuple[str, Said], what: str) -> Finding:
    path, said = place
    fixable = kind != "instruction"
    delete = f"strata delete {path}:{said.number}"
    remedy = "strata audit scan --fix" if fixable else delete
    words = words_of(said.text)
    return Finding(kind, path, said.number, what, fixable, remedy, words)


def _ordering(said: Said) -> str:
    """Return what makes a line an order to the agent that reads it, or ""."""
    if _TAGGED.search(said.raw):
        return Notice("audit.hidden")
    if INJECTION.search(said.raw):
        return Notice("audit.injection")
    titles = heading(said.raw) or said.raw.startswith(">")
    # Here as in what the owner says: to name an agent, or what a client agreed to, is no
    # order.
    if not titles and is_order_to_machines(said.text, quoted=False):
        return Notice("audit.orders")
    return ""


def _junk(said: Said) -> str:
    if _NOISE.fullmatch(said.raw):
        return Notice("audit.sign")
    if _BLOB.search(said.raw):
        return Notice("audit.blob")
    bare = _UNSEEN.sub("", said.raw)
    return "" if bare.strip(" -*") or said.raw == bare else Notice("audit.unseen")


def cleaner(memory: Memory) -> Callable[[str], str]:
    """Return what puts placeholders for all that must not stand in a text of *memory*."""
    masked = partial(redact, allowed=memory.allowances)

    def clean(text: str) -> str:
        lines = (masked(line) for line in masked(text).split("\n"))
        return memory.never_stored.removed("\n".join(lines))

    return clean


def _mask(memory: Memory) -> None:
    """Put placeholders for all secrets; the logs of undo get the new digests first."""
    clean = cleaner(memory)
    texts = [(document, clean(document.text)) for document in documents(memory)]
    rewrite_copies(memory, texts)
    private = memory.workspace.layout.private
    for document, after in texts:
        if after != document.text and not document.file.is_relative_to(private):
            memory.workspace.update(document.path, clean)
    journal = memory.workspace.layout.journal_file
    if journal.exists():
        lines = stored.read(journal).splitlines(keepends=True)
        rewrite(memory, journal, b"".join(cleaned(line, clean) for line in lines))


def cleaned(
    line: bytes, clean: Callable[[str], str], fixed: Collection[str] = ()
) -> bytes:
    """
    Return the record *line* with its texts clean: a sentence must not end its JSON.

    What stands under a *fixed* name is no text of anybody's.
    """
    record = parsed(line)
    if record is None:
        return bytes_of(clean(line.decode("utf-8", "surrogateescape")))
    after = with_texts(record, clean, fixed)
    return line if after == record else dumped(after) + b"\n"


def _goes(finding: Finding) -> bool:
    return finding.fixable and finding.kind not in _MASKED


def _mended(path: str, allowed: Callable[[str], bool], text: str) -> str:
    """
    Return the *text* of the note *path* without the lines that are to go.

    It is looked through as it is now: a placeholder for a key of many lines moves those
    below it, and so does an owner who writes meanwhile.
    """
    found = _findings(Document("note", path, text, Path(path)), allowed)
    gone = {each.line for each in found if _goes(each)}
    lines = enumerate(text.split("\n"), 1)
    return "\n".join(line for number, line in lines if number not in gone)
