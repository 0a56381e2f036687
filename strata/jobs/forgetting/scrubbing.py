"""Records lose what was forgotten and keep the rest: the journal, undo, and other JSON."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from strata.history.evidence import records_in
from strata.history.names import CAPTURED, DESCRIBED, PROJECT, PROPOSED
from strata.jobs.forgetting.recognition import PLACEHOLDER, in_utc
from strata.json_texts import with_texts
from strata.workspace.journal import is_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from strata.jobs.forgetting.recognition import Recogniser

    # Any: it is what JSON holds.
    Record = dict[str, Any]

_LINKS = ("by", "replaces")
_WORDS = ("text", "line", "left")
# No record of ours comes near it; going through more would end in a RecursionError.
_DEEPEST = 100
# What these hold comes from Strata itself, and a record is of no use without it.
FIXED = frozenset(
    {
        *("event", "version", "run", "id", "undoes", "wanted", "dimension", "sha256"),
        *("at", "day", "said_at", "last_at", "not_before", "path", "section", "origin"),
        *("session", "label", "message", "first", "last", "entry_id"),
        *("importance", "confidence"),
    }
)


def scrub_journal(content: bytes, known: Recogniser) -> tuple[bytes, int]:
    """Return *content* of the journal without what was forgotten, and how much changed."""
    pairs = [(line, _whole(line)) for line in content.splitlines(keepends=True)]
    supported = _supported((record for _, record in pairs if record), known)
    kept, changed = [], 0
    for line, record in pairs:
        if record is None:
            # What is damaged is no record, but can be read.
            gone = known.forgets_text(line.decode("utf-8", "replace"))
            after = b"" if gone else line
        else:
            left = _record(record, known, supported)
            scrubbed = dumped(left) + b"\n" if left else b""
            after = line if left == record else scrubbed
        kept.append(after)
        changed += after != line
    return b"".join(kept), changed


def scrub_records(records: Sequence[Record], known: Recogniser) -> list[Record | None]:
    """Return what may stay of each of *records* of a journal, None where nothing may."""
    supported = _supported(records, known)
    return [_record(each, known, supported) for each in records]


def scrub_json(content: bytes, known: Recogniser) -> bytes:
    """
    Return a JSON document with a placeholder for every string that was forgotten.

    Raise `ValueError` where it is none, or too deep to go through.
    """
    found = _loaded(content)
    after = with_texts(found, known.masked, FIXED)
    return content if after == found else dumped(after)


def redigest(content: bytes, digests: Mapping[str, str]) -> bytes:
    """Return the log of a recording with the *digests* that its files have now."""
    lines = []
    for line in content.splitlines(keepends=True):
        record = parsed(line) or {}
        stale = {
            name: digests[record[name]]
            for name in ("before", "after")
            if record.get(name) in digests
        }
        lines.append(dumped(record | stale) + b"\n" if stale else line)
    return b"".join(lines)


def unnamed(content: bytes, known: Recogniser) -> bytes:
    """Return the log of a recording without files that are named after what went."""
    kept, gone = [], False
    for line in content.splitlines(keepends=True):
        record = parsed(line) or {}
        places = (str(record.get(name) or "") for name in ("path", "target"))
        # What was withdrawn is the change on the line above.
        follows = gone and record.get("event") == "withdrawn"
        gone = follows or any(known.forgets_name(each) for each in places)
        kept += [] if gone else [line]
    return b"".join(kept)


def _whole(line: bytes) -> Record | None:
    record = parsed(line)
    return record if record and is_whole(record) else None


def _record(record: Record, known: Recogniser, supported: set[str]) -> Record | None:
    """Return what may stay of *record*, under the ids of that, None where nothing may."""
    left = _kept(record, known, supported)
    renamed: Record | None = with_texts(left, known.renamed)
    return renamed


def _kept(record: Record, known: Recogniser, supported: set[str]) -> Record | None:
    if record.get("event") in {CAPTURED, PROJECT}:
        is_capture = record["event"] == CAPTURED
        return (_captured if is_capture else _of_project)(record, known)
    if record.get("event") in {DESCRIBED, PROPOSED}:
        return record if _rests_on_what_stays(record, known) else None
    if record.get("event") == "compressed":
        lines = record.get("lines") or []
        return record | {"lines": [e for e in lines if not known.knows(str(e))]}
    sources = _sources(record, known)
    if _is_of(record, known) or (record.get("sources") and not sources):
        return None
    name = str(record.get("id") or "")
    words = (str(record.get(key) or "") for key in _WORDS)
    said = any(known.masked(each) == PLACEHOLDER for each in words)
    said = said or bool(name and known.knows(name))
    if said and name not in supported:
        return None
    rest = {key: value for key, value in record.items() if key != "sources"}
    after: Record = record | with_texts(rest, known.masked, FIXED)
    if "sources" in record:
        after["sources"] = sources
    for link in _LINKS:
        other = after.get(link, after.get("id"))
        if other != after.get("id") and known.knows(str(other)):
            after[link] = ""
    return after


def _of_project(record: Record, known: Recogniser) -> Record | None:
    """Return the owner's word on a project without lines that go; None without its name."""
    names = (str(record.get(each) or "") for each in (PROJECT, "other", "called"))
    if any(map(known.forgets_text, names)):
        return None
    told = record.get("lines")
    if not isinstance(told, list):
        return record
    return record | {"lines": [e for e in told if not known.knows(f"recall:{e}")]}


def _rests_on_what_stays(record: Record, known: Recogniser) -> bool:
    """
    Say whether a model's *record* has no word, and no entry it rests on, that goes.

    It may tell in other words what was forgotten; what is left is asked about again.
    """
    parts = (
        record,
        *records_in(record.get("lines")),
        *records_in(record.get("refused")),
        *records_in(record.get("over")),
        *records_in(record.get("holds")),
    )
    sources = [each for part in parts for each in records_in(part.get("sources"))]
    words = with_texts(record, known.masked, FIXED)
    return bool(words == record) and all(_source(e, known) == e for e in sources)


def _captured(record: Record, known: Recogniser) -> Record | None:
    entries = record.get("entries") or []
    kept = [each for each in entries if not known.knows(str(each.get("id")))]
    if not kept and record.get("last_at"):
        # The whole block was forgotten, with its conversation or its time.
        last = in_utc(datetime.fromtimestamp(float(record["last_at"]), UTC))
        if known.forgets_moment(str(record.get("session")), last):
            return None
    if not kept and entries and not record.get("label"):
        return None
    told = dict(record)
    if known.forgets_text(str(record.get("project") or "")):
        del told["project"]
    placed = "project" in told
    return told | {"entries": [_bare(each, known, placed=placed) for each in kept]}


def _bare(entry: Record, known: Recogniser, *, placed: bool) -> Record:
    """
    Return *entry* without the words on which only a forgotten topic rested.

    The search terms of such an entry may be about that topic, so that all of them go, and
    whom it tells of. What tells its line stays for terms, and where the block is *placed*
    in a project.
    """
    cited = entry.get("evidence") or []
    kept = [e for e in cited if not known.knows(quote_id(entry.get("id"), e))]
    name = str(entry.get("id"))
    lost_topic = kept != cited or known.renamed(name) != name
    terms = entry.get("terms")
    given = terms if isinstance(terms, list) and not lost_topic else []
    left = [each for each in given if not known.forgets_text(str(each))]
    bare = entry if kept == cited else entry | {"evidence": kept}
    if left != terms and terms is not None:
        rest = {key: each for key, each in bare.items() if key != "terms"}
        bare = rest | ({"terms": left} if left else {})
    if "of" in bare:
        told = [] if lost_topic else list(_subjects(bare, known))
        rest = {key: each for key, each in bare.items() if key != "of"}
        bare = rest | ({"of": told} if told else {})
    # It stands for words that are not there any more.
    stale = lost_topic or not ("terms" in bare or placed)
    return {key: each for key, each in bare.items() if not (stale and key == "line")}


def _subjects(entry: Record, known: Recogniser) -> Iterator[Record]:
    """Give whom *entry* tells of, by the names of which none was forgotten."""
    for each in records_in(entry.get("of")):
        if not known.forgets_text(str(each.get("name"))):
            also = each.get("also")
            named = also if isinstance(also, list) else []
            left = [name for name in named if not known.forgets_text(str(name))]
            yield each | {"also": left}


def quote_id(entry: object, cited: Record) -> str:
    """Return what stands for the words *cited* as evidence of *entry*, an id."""
    return f"quote:{entry}:{cited.get('sha256')}"


def _is_of(record: Record, known: Recogniser) -> bool:
    """Say whether *record* tells of a message that was forgotten with all around it."""
    try:
        at = in_utc(datetime.fromisoformat(str(record.get("at"))))
    except ValueError:
        return False
    session = record.get("session")
    return bool(session) and known.forgets_moment(str(session), at)


def _sources(record: Record, known: Recogniser) -> list[Record]:
    left = (_source(each, known) for each in record.get("sources") or ())
    return [each for each in left if each]


def _source(source: Record, known: Recogniser) -> Record | None:
    """Return what may stay of *source*, None where nothing may."""
    if known.knows(str(source.get("entry_id") or "-")):
        return None
    try:
        day, entry = date.fromisoformat(str(source["day"])), str(source["entry"])
    except (KeyError, ValueError):
        return source
    left = known.entry_left(day, entry)
    return source | {"entry": left} if left else None


def _supported(records: Iterable[Record], known: Recogniser) -> set[str]:
    """Return the ids of the statements that entries which stay still support."""
    return {
        str(record["id"])
        for record in records
        if record.get("id") and record.get("sources") and _sources(record, known)
    }


def parsed(line: bytes) -> Record | None:
    """Return the record on *line*, None where it is none, or too deep for one of ours."""
    try:
        record = _loaded(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


def _loaded(content: bytes) -> Any:  # Any: it is JSON
    try:
        found = json.loads(content)
    except RecursionError:
        raise ValueError("nested too deep") from None
    if not _is_within(found, _DEEPEST):
        raise ValueError("nested too deep")
    return found


def _is_within(value: object, levels: int) -> bool:
    """Say whether *value* has so many *levels* at most: what can be read may have more."""
    if not isinstance(value, dict | list):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_is_within(each, levels - 1) for each in inner)


def dumped(value: object) -> bytes:
    """Return *value* as a line of the journal has it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")
