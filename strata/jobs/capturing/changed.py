"""Entries that a hand changed or took out stay so when their block is captured again."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from strata.history.evidence import entry_id
from strata.history.names import DELETED, RESTORED, REWORDED, UNDONE
from strata.history.records import undone_runs
from strata.notes.entries import parse_entry, render_entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.memory import Memory
    from strata.models import Fact, Session


class Changed:
    """What hands made of entries, by the ids that those had."""

    def __init__(self, memory: Memory) -> None:
        records = list(memory.journal.records(REWORDED, DELETED, RESTORED, UNDONE))
        undone = undone_runs(records)
        latest: dict[str, dict[str, Any]] = {
            str(record["entry_id"]): record
            for record in records
            if record.get("entry_id") and record.get("run") not in undone
        }
        self._by_id = {
            name: record
            for name, record in latest.items()
            if record["event"] != RESTORED
        }

    def settled(self, session: Session, facts: Iterable[Fact]) -> tuple[Fact, ...]:
        """Return *facts* of *session* as hands have left them."""
        return tuple(each for fact in facts for each in self._left_of(session, fact))

    def _left_of(self, session: Session, fact: Fact) -> Iterator[Fact]:
        record = self._by_id and self._by_id.get(_id_of(session, fact))
        if not record:
            if not self._is_taken_out(fact):
                yield fact
            return
        from strata.jobs.forgetting.recognition import PLACEHOLDER  # noqa: PLC0415 - rare

        lines = map(str, record.get("after") or ())
        for entry in map(parse_entry, (e for e in lines if PLACEHOLDER not in e)):
            yield replace(
                fact,
                text=entry.text,
                tag=entry.tag,
                frame=entry.frame,
                topic=entry.topic,
                language=entry.language,
                # They were given for other words.
                terms=(),
                of=(),
            )

    def _is_taken_out(self, fact: Fact) -> bool:
        """Say whether *fact* says what was taken out since, in other words."""
        if not self._deleted:
            return False
        from strata.language.similarity import same, terms_of  # noqa: PLC0415 - patterns

        said_at, terms = fact.evidence[0].said_at, terms_of(fact.text)
        return any(said_at < at and same(terms, told) for at, told in self._deleted)

    @cached_property
    def _deleted(self) -> list[tuple[datetime, frozenset[str]]]:
        """Return when what was taken out."""
        from strata.language.similarity import terms_of  # noqa: PLC0415 - patterns

        return [
            (datetime.fromisoformat(record["at"]), terms_of(str(record["text"])))
            for record in self._by_id.values()
            if record["event"] == DELETED and record.get("text")
        ]


def _id_of(session: Session, fact: Fact) -> str:
    first = fact.evidence[0].message_id if fact.evidence else ""
    return entry_id(session.id, first, render_entry(fact.entry))
