"""What was forgotten stays so: a copy that somebody brings back loses it again."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from strata.errors import Busy, DecryptionFailed, StrataError
from strata.jobs.forgetting.documents import memory_files
from strata.jobs.forgetting.recognition import (
    Recogniser,
    in_utc,
    inherit,
    recogniser,
)
from strata.jobs.forgetting.removal import Removed, rewrite_copies, sweep
from strata.jobs.forgetting.talks import mark_talks, new_talks, scrubbed_talk
from strata.jobs.undoing.runs import alone
from strata.language.sentences import split_sentences
from strata.messages import Notice, to_people
from strata.models import Origin
from strata.notes.entries import worded
from strata.workspace import stored

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date
    from pathlib import Path

    from strata.memory import Memory
    from strata.models import Fact, Message


def keep_forgotten(memory: Memory) -> None:
    """
    Finish what a forgetting left undone, and clear what has come back since.

    The caller lets no other job in. Files that did not change are not read.
    """
    inherit(memory)
    if not memory.tombstones.exist:
        return
    from strata.jobs.forgetting.forget import (  # noqa: PLC0415 - few forget
        complete_unfinished,
    )

    memory.tombstones.heal()
    complete_unfinished(memory)
    _sweep(memory)


def notice_forgotten(memory: Memory) -> None:
    """
    Do as `keep_forgotten` does, where anything changed and nobody else is at it.

    For those who only read: they must neither wait nor find what came back.
    """
    swept = _swept(memory)
    if any(swept.get(str(each)) != _state(each) for each in memory_files(memory)):
        with suppress(Busy), alone(memory, patience_seconds=0.0):
            keep_forgotten(memory)


def told_anew(memory: Memory, text: str, day: date) -> None:
    """Let *text*, which the owner has told Strata just now, stand from *day* on."""
    known = recogniser(memory)
    if known and known.forgets_text(text):
        memory.tombstones.lift(known.lifting(text, day))


def unforgotten(
    known: Recogniser, session: str, messages: Iterable[Message]
) -> Iterator[Message]:
    """
    Yield *messages* of *session* without what was forgotten of them.

    That comes before any extraction: a model must not be told, nor its answer be cached.
    """
    for message in messages:
        said_at = in_utc(message.time)
        if known.forgets_moment(session, said_at):
            continue
        by_owner = message.origin is Origin.OWNER
        text = _without_sentences(known, message.text, said_at, by_owner=by_owner)
        if text or not message.text:
            yield message if text == message.text else replace(message, text=text)


def without_forgotten(
    memory: Memory, known: Recogniser, session: str, facts: Sequence[Fact]
) -> tuple[Fact, ...]:
    """Return the *facts* of *session* that may be kept; what the owner repeats counts."""
    kept = []
    for fact in facts:
        day = fact.evidence[0].said_at.astimezone(memory.timezone).date()
        if known.is_said_anew(fact, day):
            memory.tombstones.lift(known.lifting(worded(fact.entry), day))
            kept.append(fact)
            continue
        # A topic may have been forgotten alone, and leaves the entry alone.
        forms = (fact, replace(fact, topic=""))
        left = (each for each in forms if not known.forgets_fact(session, each, day))
        kept += islice(left, 1)
    return tuple(kept)


def _without_sentences(
    known: Recogniser, text: str, said_at: str, *, by_owner: bool
) -> str:
    position, kept = 0, []
    for sentence in split_sentences(text):
        said = text[sentence.start : sentence.end]
        if known.forgets_sentence(said, said_at, by_owner=by_owner):
            kept.append(text[position : sentence.start])
            position = sentence.end
    return "".join([*kept, text[position:]]).strip() if kept else text


def _sweep(memory: Memory) -> None:
    known, swept = recogniser(memory), _swept(memory)
    if known is None:
        return
    looked_at: set[Path] = set()

    def wanted(file: Path) -> bool:
        if swept.get(str(file)) == _state(file):
            return False
        looked_at.add(file)
        return True

    removed = Removed()
    sweep(memory, known, removed, wanted)
    back = [(each, scrubbed_talk(each, known)) for each in new_talks(memory)]
    rewrite_copies(memory, back)
    mark_talks(memory)
    if removed.lines:
        to_people(Notice("forget.came-back", count=sum(removed.lines.values())))
        _purge(memory)
    if looked_at:
        swept |= {str(each): _state(each) for each in looked_at if each.exists()}
        content = {"tombstones": _tombstones(memory), "files": swept}
        memory.workspace.write_private(_file(memory), json.dumps(content).encode())


def _purge(memory: Memory) -> None:
    from strata.search.indexing.purging import purge  # noqa: PLC0415 - only when it came back

    try:
        purge(memory.index)
    except StrataError as error:
        to_people(Notice("update.behind", error=error))


def _swept(memory: Memory) -> dict[str, list[int]]:
    """Return which files hold nothing that was forgotten, with the state they had then."""
    with suppress(OSError, ValueError, KeyError, TypeError, DecryptionFailed):
        found = json.loads(stored.read(_file(memory)))
        if found["tombstones"] == _tombstones(memory):
            return dict(found["files"])
    return {}


def _file(memory: Memory) -> Path:
    return memory.workspace.layout.private / "cache" / "swept.json"


def _tombstones(memory: Memory) -> str:
    """Return what changes whenever something is forgotten here, or everywhere."""
    both = (memory, memory.parent)
    return " ".join(each.tombstones.state() for each in both if each)


def _state(file: Path) -> list[int]:
    found = file.stat()
    return [found.st_mtime_ns, found.st_size]
