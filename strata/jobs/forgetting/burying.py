"""The tombstone of what was chosen to be forgotten: hashes, and up to when they hold."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from strata.jobs.forgetting.recognition import in_utc, sealed_line, sealed_terms
from strata.notes.sayings import words_of
from strata.workspace.tombstones import Tombstone

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.jobs.forgetting.target import Chosen, Target
    from strata.memory import Memory
    from strata.workspace.tombstones import Seal

# A shorter statement stands in other people's sentences by chance.
_FEWEST_WORDS = 5


def tombstone_of(
    memory: Memory, target: Target, chosen: Chosen, *, git: bool
) -> Tombstone:
    """Return the tombstone of *target* and of all that was *chosen* for it."""
    seal = memory.tombstones.seal
    now, at = in_utc(memory.now), memory.now.isoformat(timespec="seconds")
    last = max(chosen.moments, default="")
    talked = max(now, _end_of(memory, last)) if last else now
    texts = [target.text, *chosen.statements]
    terms = dict.fromkeys(sealed_terms(seal, text) for text in texts)
    long = [words for each in texts if len(words := words_of(each)) >= _FEWEST_WORDS]
    return Tombstone(
        id=os.urandom(6).hex(),
        at=at,
        last=last if last > at[: len(last)] else "",
        kind=target.kind,
        lines=frozenset(sealed_line(seal, text) for text in chosen.everywhere) - {""},
        day_lines=frozenset(sealed_line(seal, t, day) for day, t in chosen.scoped),
        windows=_sealed(seal, [target.words] if target.words else []),
        parts=_sealed(seal, long),
        terms=tuple(each for each in terms if each),
        messages=frozenset(seal.of("message", *each) for each in chosen.evidence),
        ids=frozenset(seal.of(each) for each in chosen.ids),
        renamed={seal.of(old): new for old, new in chosen.renamed.items()},
        sessions={seal.of("session", each): talked for each in chosen.sessions},
        since=in_utc(target.since) if target.since else "",
        until=min(in_utc(target.until), now) if target.until else "",
        git=git,
    )


def _end_of(memory: Memory, moment: str) -> str:
    """Return the last second of a local *moment*, a minute or a day, in UTC."""
    begun = datetime.fromisoformat(moment).replace(tzinfo=memory.timezone)
    whole = timedelta(minutes=1) if "T" in moment else timedelta(days=1)
    return in_utc(begun + whole - timedelta(seconds=1))


def _sealed(seal: Seal, runs: Iterable[tuple[str, ...]]) -> tuple[tuple[int, str], ...]:
    once = dict.fromkeys(runs)
    return tuple((len(words), seal.of("words", *words)) for words in once)
