"""Shorter wordings for lines, also one for several, where the page is full."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from strata.history.names import SHORTENED
from strata.history.outcomes import Admitted
from strata.models import Claim

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from strata.history.records import Records

VERSION = 1


@dataclass(frozen=True, slots=True)
class Shortening:
    """What the lines with *ids* are together in fewer words, and who worded it."""

    ids: tuple[str, ...]
    text: str
    model: str
    prompt: str


@dataclass(frozen=True, slots=True)
class Standing:
    """A *line* as the page has it by now, and the *parts* that it was put together from."""

    line: Admitted
    parts: tuple[Admitted, ...]


@dataclass(slots=True)
class Shortenings:
    """
    Every shorter wording that a model has found, held to be true when it was journaled.

    *asked* are the ids of all lines that it was shown, *dead* those that it would let go
    where there is no room for all.
    """

    found: list[Shortening] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    dead: set[str] = field(default_factory=set)

    def add(self, record: Mapping[str, Any]) -> None:
        """Take in a record of the journal; one that is broken says nothing."""
        shown = set(_strings(record.get("asked")))
        self.asked |= shown
        # The whole page was shown: what it says now stands for what it said before.
        self.dead = (self.dead - shown) | (set(_strings(record.get("dead"))) & shown)
        ids, text = tuple(_strings(record.get("ids"))), record.get("text")
        if ids and isinstance(text, str) and text:
            names = str(record.get("model", "")), str(record.get("prompt", ""))
            self.found.append(Shortening(ids, text, *names))

    def lets_go(self, line: Admitted) -> bool:
        """Say whether *line* is one that says nothing any more."""
        return line.id in self.dead and is_ours_to_word(line)

    def applied(self, admitted: Sequence[Admitted]) -> list[Standing]:
        """Return *admitted* in the newest of the shorter wordings."""
        by_id = {each.id: each for each in admitted if is_ours_to_word(each)}
        made: dict[str, Standing] = {}
        for each in reversed(self.found):
            parts = [by_id.pop(name) for name in each.ids if name in by_id]
            if len(parts) < len(each.ids):
                # Another wording has some of them already, or they no longer hold.
                by_id |= {part.id: part for part in parts}
                continue
            shorter = Standing(_joined(parts, each), tuple(parts))
            made |= dict.fromkeys(each.ids, shorter)
        return list(_in_place(admitted, made))


def is_ours_to_word(admitted: Admitted) -> bool:
    """Say whether a line may be put in other words; not what the owner worded."""
    return not (admitted.explicit or admitted.pinned)


def read_shortenings(journal: Records) -> Shortenings:
    """Return the shorter wordings in *journal*."""
    shortenings = Shortenings()
    for record in journal.records(SHORTENED):
        shortenings.add(record)
    return shortenings


def _joined(parts: Sequence[Admitted], shorter: Shortening) -> Admitted:
    mentions = sorted(
        {mention for part in parts for mention in part.claim.mentions},
        key=lambda each: (each.day, each.time, each.entry),
    )
    known = (w for p in parts for w in (p.text, p.claim.text, *p.claim.reworded))
    claim = Claim(shorter.text, tuple(mentions), tuple(dict.fromkeys(known)))
    first = max(parts, key=lambda part: part.judgement.importance)
    judgement = replace(
        first.judgement,
        text=shorter.text,
        confidence=min(part.judgement.confidence for part in parts),
        judge=shorter.model,
        prompt=shorter.prompt,
    )
    return Admitted(claim, judgement, shorter.text)


def _in_place(
    admitted: Sequence[Admitted], made: Mapping[str, Standing]
) -> Iterator[Standing]:
    """Yield *admitted*, each in its wording, and what was put together once."""
    told: set[str] = set()
    for each in admitted:
        new = made.get(each.id) or Standing(each, (each,))
        if new.line.id not in told:
            told.add(new.line.id)
            yield new


def _strings(value: object) -> Iterator[str]:
    return (
        (each for each in value if isinstance(each, str))
        if isinstance(value, list)
        else iter(())
    )
