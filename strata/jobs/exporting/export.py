"""export: one memory in a file, for elsewhere, for another program, or for a person."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from strata.errors import PathNotAllowed, UsageError
from strata.jobs.exporting.archive import (
    ENTRIES,
    JOURNAL,
    NOTES,
    RECALLS,
    VECTORS,
    write_archive,
)
from strata.jobs.exporting.contents import contents
from strata.jobs.exporting.readable import readable
from strata.jobs.exporting.talks import talks_of
from strata.jobs.forgetting.removal import bytes_of
from strata.json_texts import with_texts
from strata.messages import Notice
from strata.progress import silent
from strata.search.indexing.purging import purge
from strata.search.stores.store import batches
from strata.workspace.folders import PRIVATE
from strata.workspace.handing_over import new_file, new_folder, require_room
from strata.workspace.layout import SCOPES, vault_root

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date
    from pathlib import Path
    from typing import BinaryIO

    from strata.jobs.exporting.contents import Contents
    from strata.memory import Memory
    from strata.progress import Progress

ARCHIVE, JSONL, MARKDOWN, HTML = FORMS = ("archive", "jsonl", "markdown", "html")
ENDINGS = {ARCHIVE: ".zip", JSONL: ".jsonl", MARKDOWN: "", HTML: ".html"}
_OURS = ("memory", PRIVATE, SCOPES)
_INDEX_SECONDS = 60.0
# So many names are one record of the audit log.
_NAMED_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class ExportReport:
    """
    What was exported where to, and how much of it; *masked* counts lines with a secret.

    *index* says why an index that was wanted is not in it, None where it is or was not.
    """

    target: Path
    form: str
    scope: str
    notes: int
    entries: int
    masked: int
    left_out: Sequence[str]
    bytes: int
    index: Notice | None = None


def is_encrypted(memory: Memory) -> bool:
    """Say whether what *memory* exports is less locked than where it lies."""
    return vault_root(memory.workspace.layout.private) is not None


def export(  # noqa: PLR0913 - one option each
    memory: Memory,
    target: Path,
    form: str = ARCHIVE,
    *,
    since: date | None = None,
    with_index: bool = False,
    overwrite: bool = False,
    progress: Progress = silent,
) -> ExportReport:
    """
    Write what may leave *memory* to *target*, in one of `FORMS`.

    It is one scope's: that of *memory*. Nothing forgotten is in it, and for each secret a
    placeholder. Raise `WorkspaceUnavailable` where *target* is there and no file that may
    be *overwritten*, `PathNotAllowed` where it would be memory itself.
    """
    if form == ARCHIVE and since:
        raise UsageError.of("export.whole")
    if form != ARCHIVE and with_index:
        raise UsageError.of("export.no-index")
    _refuse_memory(memory, target)
    # Before all is read, which takes a while.
    require_room(target, overwrite=overwrite, folder=form == MARKDOWN)
    found = contents(memory, since, progress)
    why = _why_no_index(memory, found) if with_index else None
    for names in batches(list(found.notes), _NAMED_AT_ONCE):
        memory.saw(*names)
    masked = found.masked
    if form == MARKDOWN:
        with new_folder(target) as put:
            for path, text in found.notes.items():
                put(path, bytes_of(text))
    else:
        with (
            _held_vectors(memory, wanted=with_index and not why) as files,
            new_file(target, overwrite=overwrite) as file,
        ):
            masked += _write(memory, file, form, found, files)
    return ExportReport(
        target,
        form,
        memory.scope,
        notes=len(found.notes),
        entries=sum(each["kind"] == "entry" for each in found.entries),
        masked=masked,
        left_out=found.left_out,
        bytes=_size(target),
        index=why,
    )


def _refuse_memory(memory: Memory, target: Path) -> None:
    """Let no export be found by a search, or taken for memory."""
    root = memory.private.workspace.root
    place = target.resolve()
    if any(place.is_relative_to(root / name) for name in _OURS):
        raise PathNotAllowed.of("export.inside", target=target)


def _write(
    memory: Memory,
    file: BinaryIO,
    form: str,
    found: Contents,
    files: Mapping[str, Path],
) -> int:
    """Write *found* as *form*, and return in how many lines of talks a secret was."""
    if form == HTML:
        file.write(_unbroken(readable(memory, found.notes)).encode())
        return 0
    entries = (with_texts(each, _unbroken) for each in found.entries)
    lines = b"".join(orjson.dumps(each) + b"\n" for each in entries)
    if form == JSONL:
        file.write(lines)
        return 0
    texts = {f"{NOTES}{path}": bytes_of(text) for path, text in found.notes.items()}
    more = {JOURNAL: found.journal, RECALLS: found.recalls, ENTRIES: lines}
    texts |= {name: content for name, content in more.items() if content}
    masked = 0

    def every() -> Iterator[tuple[str, bytes]]:
        nonlocal masked
        yield from texts.items()
        # One at a time: years of them are more than all notes.
        for name, content, lines in talks_of(memory):
            masked += lines
            yield name, content

    write_archive(file, memory, every(), files)
    return masked


def _unbroken(text: str) -> str:
    """Return *text* with U+FFFD for what is half a sign, or a byte that was no UTF-8."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _why_no_index(memory: Memory, found: Contents) -> Notice | None:
    """Say why the index stays here: it must hold nothing that the notes do not say."""
    if found.masked:
        return Notice("export.index-secret")
    if is_encrypted(memory):
        return Notice("export.index-encrypted")
    return Notice("export.index-server") if memory.settings.qdrant_url else None


@contextmanager
def _held_vectors(memory: Memory, *, wanted: bool) -> Iterator[dict[str, Path]]:
    """
    Give the file of all vectors, where it is *wanted*; nobody changes it meanwhile.

    It is what took long to make, and without those of lines that are gone.
    """
    if not wanted:
        yield {}
        return
    purge(memory.index)
    shelf = memory.index.shelf
    with shelf.locked(_INDEX_SECONDS):
        yield {VECTORS: shelf.vectors_file} if shelf.vectors_file.exists() else {}


def _size(target: Path) -> int:
    files = target.rglob("*") if target.is_dir() else [target]
    return sum(file.stat().st_size for file in files if file.is_file())
