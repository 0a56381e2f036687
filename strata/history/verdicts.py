"""The journal's records of what tidy found and did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strata.history.ledger import statement_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from strata.history.outcomes import Admitted, Refused
    from strata.models import Judgement, Mention

VERSION = 1


@dataclass(frozen=True, slots=True)
class Stamp:
    """What all records of a run share, and the days that have a note."""

    run: str
    at: str
    days: frozenset[str]

    @property
    def base(self) -> dict[str, Any]:
        """The fields that every record begins with."""
        return {"version": VERSION, "at": self.at, "run": self.run}


def promoted(event: str, admitted: Admitted, line: str, stamp: Stamp) -> dict[str, Any]:
    """Return the record of a line that enters, or gets other sources (``merged``)."""
    record = {
        "event": event,
        **stamp.base,
        "id": admitted.id,
        "text": admitted.text,
        "section": admitted.judgement.section,
        "line": line,
        "sources": sources(admitted.claim.mentions),
        "origin": "owner",
        **_judged(admitted.judgement),
    }
    return record | ({"by": admitted.id} if event == "merged" else {})


def source_key(source: Mapping[str, Any]) -> tuple[str, str]:
    """Return the day and the entry that a record names as a source."""
    return str(source.get("day")), str(source.get("entry"))


def departed(
    record: dict[str, Any], why: tuple[str, str, str, str], stamp: Stamp
) -> dict[str, Any]:
    """Return the record of a line that leaves; *record* is that of its arrival."""
    event, dimension, reason, by = why
    kept = ("id", "text", "section", "sources", "importance", "confidence", "origin")
    return {
        "event": event,
        **stamp.base,
        **{key: record[key] for key in kept if key in record},
        "left": record.get("line", ""),
        "dimension": dimension,
        "reason": reason,
    } | ({"by": by} if by else {})


def verdict(refused: Refused, stamp: Stamp) -> dict[str, Any]:
    """Return the record of something that has no line, and why."""
    record = {
        "event": refused.event,
        **stamp.base,
        "id": statement_id(refused.text),
        "text": refused.text,
        "sources": sources(refused.claim.mentions),
        "dimension": refused.dimension,
        "reason": refused.reason,
        "origin": origin_of(refused.claim.mentions),
    }
    if refused.judgement:
        record |= {"section": refused.judgement.section, **_judged(refused.judgement)}
    return record | ({"by": refused.by} if refused.by else {})


def sources(mentions: Iterable[Mention]) -> list[dict[str, str]]:
    """Return where *mentions* stand."""
    return [
        {
            "day": mention.day.isoformat(),
            "path": mention.path,
            "label": mention.label,
            "entry": mention.entry,
            "entry_id": mention.entry_id,
        }
        for mention in mentions
    ]


def origin_of(mentions: Iterable[Mention]) -> str:
    """Return the origin that is known of the first, or ``unknown``."""
    first = next(iter(mentions), None)
    return first.origin.value if first and first.origin else "unknown"


def _judged(judgement: Judgement) -> dict[str, Any]:
    names = ("prevents_mistake", "broadly_applicable", "self_contained")
    return {
        "importance": judgement.importance,
        "confidence": judgement.confidence,
        "verdicts": {name: getattr(judgement, name).reason for name in names}
        | {"not_duplicate": "no line says the same"},
        # Where nothing says who judged, it was the rules or a plugin.
        **(
            {"model": judgement.judge, "prompt": judgement.prompt}
            if judgement.prompt
            else {}
        ),
    }
