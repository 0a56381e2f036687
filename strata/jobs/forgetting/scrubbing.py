"""Records lose what was forgotten and keep the rest: the journal, undo, and other JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from strata.history.names import CAPTURED
from strata.jobs.forgetting.recognition import PLACEHOLDER, in_utc
from strata.workspace import stored
from strata.workspace.recording import digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from strata.jobs.forgetting.recognition import Recogniser
    from strata.memory import Memory

_LINKS = ("by", "replaces")
# What these hold comes from Strata itself, and a record is of no use without it.
_FIXED = frozenset(
    {
        "at",
        "confidence",
        "day",
        "dimension",
        "entry_id",
        "event",
        "first",
        "id",
        "importance",
        "label",
        "last",
        "last_at",
        "message",
        "not_before",
        "origin",
        "path",
        "run",
        "said_at",
        "section",
        "session",
        "sha256",
        "undoes",
        "version",
        "wanted",
    }
)


@dataclass(slots=True)
class Scrubbed:
    """The lines of a file of records after scrubbing, and how many changed or went."""

    lines: list[bytes] = field(default_factory=list)
    changed: int = 0


def scrub_journal(content: bytes, recogniser: Recogniser) -> Scrubbed:
    """Return *content* of the journal without what was forgotten, the rest as it is."""
    scrubbed = Scrubbed()
    parsed = [(line, _parsed(line)) for line in content.splitlines(keepends=True)]
    supported = _supported((record for _, record in parsed if record), recogniser)
    for line, record in parsed:
        after = _journal_line(line, record, recogniser, supported)
        scrubbed.changed += after != line
        if after:
            scrubbed.lines.append(after)
    return scrubbed


def scrub_json(content: bytes, recogniser: Recogniser) -> bytes:
    """Return a JSON document with a placeholder for every string that was forgotten."""
    parsed = json.loads(content)
    after = _without_texts(parsed, recogniser)
    return content if after == parsed else _dumped(after)


def redigest(content: bytes, digests: Mapping[str, str]) -> bytes:
    """Return the log of a recording with the *digests* that its files have now."""
    lines = []
    for line in content.splitlines(keepends=True):
        record = _parsed(line)
        if record and {record.get("before"), record.get("after")} & digests.keys():
            for name in ("before", "after"):
                record[name] = digests.get(record[name], record[name])
            line = _dumped(record) + b"\n"  # noqa: PLW2901 - the rest stays as it is
        lines.append(line)
    return b"".join(lines)


def unnamed(content: bytes, known: Recogniser) -> bytes:
    """Return the log of a recording without files that are named after what went."""
    kept, gone = [], False
    for line in content.splitlines(keepends=True):
        record = _parsed(line) or {}
        places = (str(record.get(name) or "") for name in ("path", "target"))
        # What was withdrawn is the change on the line above.
        follows = gone and record.get("event") == "withdrawn"
        gone = follows or any(known.forgets_name(each) for each in places)
        kept += [] if gone else [line]
    return b"".join(kept)


def new_digests(pairs: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return the digest of each content before, and that of after."""
    return {digest(one): digest(other) for one, other in pairs if one != other}


def rewrite(memory: Memory, file: Path, content: bytes) -> bool:
    """Replace Strata's own *file* by *content*; say whether that differs."""
    if not file.exists() or stored.read(file) == content:
        return False
    memory.workspace.write_private(file, content)
    return True


def _journal_line(
    line: bytes, record: dict[str, Any] | None, known: Recogniser, supported: set[str]
) -> bytes:
    if record is None:
        # What a crash tore is no record, but can be read.
        return b"" if known.forgets_text(line.decode("utf-8", "replace")) else line
    after = _record(record, known, supported)
    if after is None:
        return b""
    return line if after == record else _dumped(after) + b"\n"


def _record(
    record: dict[str, Any], known: Recogniser, supported: set[str]
) -> dict[str, Any] | None:
    if record.get("event") == CAPTURED:
        return _captured(record, known)
    if record.get("event") == "compressed":
        lines = record.get("lines") or []
        return {
            **record,
            "lines": [each for each in lines if not known.knows(str(each))],
        }
    if _is_gone(record, known, supported):
        return None
    kept = {key: value for key, value in record.items() if key != "sources"}
    after = _without_texts(kept, known)
    if "sources" in record:
        after["sources"] = _sources(record, known)
    for name in _LINKS:
        if (
            name in after
            and known.knows(str(after[name]))
            and after[name] != after["id"]
        ):
            after[name] = ""
    return {key: after[key] for key in record}


def _captured(record: dict[str, Any], known: Recogniser) -> dict[str, Any] | None:
    if record.get("last_at") and _is_within(record, known):
        return None
    entries = record.get("entries") or []
    kept = [each for each in entries if not known.knows(str(each.get("id")))]
    if not kept and len(kept) < len(entries) and not record.get("label"):
        return None
    return {**record, "entries": kept}


def _is_within(record: dict[str, Any], known: Recogniser) -> bool:
    """Say whether the whole block was forgotten, with its conversation or its time."""
    last = datetime.fromtimestamp(float(record["last_at"]), UTC)
    return known.forgets_moment(str(record.get("session")), in_utc(last)) and all(
        known.knows(str(e.get("id"))) for e in record.get("entries") or []
    )


def _is_gone(record: dict[str, Any], known: Recogniser, supported: set[str]) -> bool:
    name = str(record.get("id") or "")
    if record.get("session") and _is_of(record, known):
        return True
    if record.get("sources") and not _sources(record, known):
        return True
    texts = (str(record.get(key) or "") for key in ("text", "line", "left"))
    if any(known.forgets_text(text) for text in texts):
        return name not in supported
    return bool(name) and known.knows(name) and name not in supported


def _is_of(record: dict[str, Any], known: Recogniser) -> bool:
    """Say whether *record* tells of a message that was forgotten with all around it."""
    try:
        at = in_utc(datetime.fromisoformat(str(record.get("at"))))
    except ValueError:
        return False
    return known.forgets_moment(str(record["session"]), at)


def _sources(record: dict[str, Any], known: Recogniser) -> list[dict[str, Any]]:
    kept = []
    for each in record.get("sources") or ():
        gone = known.knows(str(each.get("entry_id") or "-"))
        try:
            day = date.fromisoformat(str(each["day"]))
            gone = gone or known.forgets_entry(day, str(each["entry"]))
        except (KeyError, ValueError):
            pass
        if not gone:
            kept.append(each)
    return kept


def _supported(records: Iterable[dict[str, Any]], known: Recogniser) -> set[str]:
    """Return the ids of the statements that entries which stay still support."""
    return {
        str(record["id"])
        for record in records
        if record.get("id") and record.get("sources") and _sources(record, known)
    }


def _without_texts(value: Any, known: Recogniser) -> Any:  # Any: it is JSON
    if isinstance(value, str):
        return PLACEHOLDER if known.forgets_text(value) else value
    if isinstance(value, list):
        return [_without_texts(each, known) for each in value]
    if isinstance(value, dict):
        return {
            key: each if key in _FIXED else _without_texts(each, known)
            for key, each in value.items()
        }
    return value


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


def _dumped(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )
