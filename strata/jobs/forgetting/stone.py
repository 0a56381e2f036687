"""From plain words to the tombstone that knows them again and cannot be read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from strata.jobs.forgetting.recognition import in_utc, sealed_line, sealed_terms
from strata.notes.sayings import words_of
from strata.workspace.tombstones import Tombstone

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.jobs.forgetting.choosing import Chosen
    from strata.jobs.forgetting.target import Target
    from strata.memory import Memory
    from strata.workspace.tombstones import Seal

# A shorter statement stands in other people's sentences by chance.
_FEWEST_WORDS = 5


def tombstone_of(
    memory: Memory, target: Target, chosen: Chosen, *, git: bool
) -> Tombstone:
    """Return the tombstone of *target* and of all that was *chosen* for it."""
    seal = memory.tombstones.seal
    now = in_utc(memory.now)
    texts = [target.text, *chosen.statements]
    terms = [sealed_terms(seal, text) for text in texts]
    return Tombstone(
        id=os.urandom(6).hex(),
        at=memory.now.isoformat(timespec="seconds"),
        kind=target.kind,
        lines=frozenset(sealed_line(seal, text) for text in chosen.everywhere) - {""},
        day_lines=frozenset(sealed_line(seal, t, day) for day, t in chosen.scoped),
        windows=_sealed(seal, [target.words]),
        parts=_sealed(seal, _long(texts)),
        terms=tuple(dict.fromkeys(each for each in terms if each)),
        messages=frozenset(seal.of("message", *each) for each in chosen.evidence),
        ids=frozenset(seal.of(each) for each in chosen.ids),
        sessions={seal.of("session", each): now for each in chosen.sessions},
        since=in_utc(target.since) if target.since else "",
        until=min(in_utc(target.until), now) if target.until else "",
        git=git,
    )


def _long(texts: Iterable[str]) -> list[tuple[str, ...]]:
    words = dict.fromkeys(words_of(text) for text in texts)
    return [each for each in words if len(each) >= _FEWEST_WORDS]


def _sealed(seal: Seal, runs: Iterable[tuple[str, ...]]) -> tuple[tuple[int, str], ...]:
    return tuple((len(words), seal.of("words", *words)) for words in runs if words)
