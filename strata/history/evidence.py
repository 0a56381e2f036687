"""The trail from an entry back to the words: what the journal keeps of a capture."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING, Any

from strata.history.names import CAPTURED
from strata.models import Subject
from strata.notes.coverage import Written
from strata.notes.marks import line_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from strata.models import Block, Evidence, Fact, Session
    from strata.notes.stretches import Stretch
    from strata.workspace.journal import Journal

VERSION = 1


def capture_record(  # noqa: PLR0913 - a record names everything that it ties together
    session: Session,
    block: Block,
    *,
    path: str,
    stretch: Stretch,
    last_at: float,
    entries: Iterable[tuple[str, Fact]],
    answered: bool = False,
    waits: bool = False,
    project: str = "",
) -> dict[str, Any]:
    """
    Return the journal's record of *block*: ids and hashes, never what was said.

    Only what a model gave for an entry are words: search terms, and whom it tells of. With
    terms stands what tells the entry's line, in whatever note it is. So it does where it is
    known of which *project* the folder was in which the block was said.

    A model has *answered* what it would keep, or the block *waits* to be asked about.
    """
    from strata.transcripts.redaction import redact  # noqa: PLC0415 - patterns

    asked: dict[str, Any] = {"waits": True} if waits else {}
    if answered:
        asked = {"material": [[stretch.first, stretch.last]]}
    return {
        "event": CAPTURED,
        "version": VERSION,
        "session": session.id,
        # OpenClaw puts the number of the person one talks to into the key.
        "session_key": redact(session.key),
        "label": block.label,
        "day": block.day.isoformat(),
        "path": path,
        "first": stretch.first,
        "last": stretch.last,
        "last_at": last_at,
        "entries": [
            _entry(session, entry, fact, placed=bool(project))
            for entry, fact in entries
        ],
        **asked,
        **({"project": project} if project else {}),
    }


def entry_id(session_id: str, message_id: str, entry: str) -> str:
    """Return the id of an entry, the same in every run: twelve hex digits."""
    key = f"{session_id}\x1f{message_id}\x1f{entry}"
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def is_entry(record: Mapping[str, Any], told: Mapping[str, Any], entry: str) -> bool:
    """Say whether what a capture *record* has *told* of is *entry*, as a note has it."""
    session = str(record.get("session"))
    return bool(told.get("id") == entry_id(session, first_message(told), entry))


def is_block(record: Mapping[str, Any], block: Block) -> bool:
    """Say whether *block* has the entries that *record* tells of, and no others."""
    told = records_in(record.get("entries"))
    return len(block.entries) == len(told) and all(
        is_entry(record, each, entry)
        for each, entry in zip(told, block.entries, strict=True)
    )


def first_message(told: Mapping[str, Any]) -> str:
    """Return the message on which an entry rests first, or ""."""
    cited = evidence_of(told)
    return str(cited[0].get("message", "")) if cited else ""


def evidence_of(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what an entry rests on; what is broken counts for nothing."""
    return records_in(told.get("evidence"))


def records_in(value: object) -> list[dict[str, Any]]:
    """Return the records in what should be a list of them."""
    listed = value if isinstance(value, list) else []
    return [each for each in listed if isinstance(each, dict)]


def digest_of(words: str) -> str:
    """Return the SHA-256 under which the journal knows *words*."""
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()


def subjects_of(told: Mapping[str, Any]) -> tuple[Subject, ...]:
    """Return whom a model said that an entry tells of; what is broken is nobody."""
    return tuple(
        Subject(
            str(each.get("name")),
            str(each.get("sort")),
            tuple(map(str, also if isinstance(also := each.get("also"), list) else ())),
        )
        for each in records_in(told.get("of"))
    )


def capture_records(journal: Journal) -> dict[str, list[dict[str, Any]]]:
    """Return the records of blocks by the session that they are of."""
    records: dict[str, list[dict[str, Any]]] = {}
    for record in journal.records(CAPTURED):
        # What the owner told Strata itself, or a hand has changed, is no block.
        if record.get("label") and record.get("last"):
            records.setdefault(str(record.get("session")), []).append(record)
    return records


def written(records: Iterable[Mapping[str, Any]]) -> Iterator[Written]:
    """Yield what *records* say of their blocks; those that are broken say nothing."""
    for record in records:
        with suppress(KeyError, TypeError, ValueError):
            yield Written(
                date.fromisoformat(record["day"]),
                int(record["first"]),
                int(record["last"]),
                float(record["last_at"]),
            )


def _entry(session: Session, entry: str, fact: Fact, *, placed: bool) -> dict[str, Any]:
    first = fact.evidence[0].message_id if fact.evidence else ""
    by = fact.proposer
    proposer = {"prompt": by.prompt, "model": by.model} if by else {}
    line = {"line": line_key(f"- {entry}")} if fact.terms or placed else {}
    return {
        "id": entry_id(session.id, first, entry),
        "tag": fact.tag.value if fact.tag else None,
        "evidence": [_evidence(each) for each in fact.evidence],
        **({"judged": asdict(fact.estimate)} if fact.estimate else {}),
        **proposer,
        **line,
        **({"terms": list(fact.terms)} if fact.terms else {}),
        **({"of": [asdict(each) for each in fact.of]} if fact.of else {}),
    }


def _evidence(evidence: Evidence) -> dict[str, str]:
    return {
        "message": evidence.message_id,
        "sha256": digest_of(evidence.quote),
        "said_at": evidence.said_at.isoformat(),
        "origin": evidence.origin.value,
    }
