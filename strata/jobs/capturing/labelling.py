"""Every conversation gets a label of its own, the same in every run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.errors import TranscriptUnreadable
from strata.notes.labels import SHORTEST, labels, shared_starts, standing

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from strata.models import Session
    from strata.transcripts.openclaw import Transcripts


def label_all(
    sessions: Iterable[Session],
    wanted: Iterable[Session],
    transcripts: Transcripts,
    written: Iterable[str],
) -> dict[str, str]:
    """
    Name the *wanted* among all *sessions*; *written* are the labels that notes hold.

    Only those that share a start with others need a closer look. All sessions count, of
    whatever kind and whether they are captured now or not: a label must not depend on it.
    """
    by_id = {session.id: session for session in sessions}
    long_labels = [label for label in written if len(label) > SHORTEST]
    chosen = standing(by_id, long_labels) if long_labels else {}
    asked_for = {session.id for session in wanted}
    for group in shared_starts(by_id):
        if not asked_for.isdisjoint(group):
            kept = {each: chosen[each] for each in group if each in chosen}
            rest = [by_id[each] for each in group if each not in chosen]
            chosen.update(labels(_oldest_first(rest, transcripts), kept))
    return {
        session_id: chosen.get(session_id) or labels([session_id])[session_id]
        for session_id in asked_for
    }


def _oldest_first(sessions: Collection[Session], transcripts: Transcripts) -> list[str]:
    began = {session.id: _began(session, transcripts) for session in sessions}
    return sorted(began, key=lambda session_id: (began[session_id], session_id))


def _began(session: Session, transcripts: Transcripts) -> float:
    try:
        times = transcripts.outline(session).times
    except TranscriptUnreadable:
        return float("inf")
    return times[0] if times else float("inf")
