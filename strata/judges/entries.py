"""What a conversation leaves worth keeping, as the local judge finds it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from strata.judges.protocol import KEEPS, LASTS, TAGS
from strata.judges.reading import UNSURE, Candidate, candidates_of
from strata.language.sentences import language_of
from strata.language.similarity import same
from strata.language.wording import capitalised, with_dates, within
from strata.models import Fact, Frame, Origin
from strata.statements.exchanges import exchanges

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import tzinfo

    from strata.models import Message

# A conversation in which so much happened leaves at least so many entries.
_FEWEST = 3


def extract_facts(
    messages: Iterable[Message], *, timezone: tzinfo, floor: int = 1
) -> list[Fact]:
    """
    Return what *messages* leave worth keeping, in the order it was said.

    They are the visible, redacted messages of one session on one local day, or of a later
    stretch of it; they are read as a stream. At least *floor* facts come back wherever
    the owner said anything. *timezone* is where "tomorrow" begins. The same messages give
    the same facts.
    """
    return [fact_of(each, timezone) for each in find_candidates(messages, floor=floor)]


def find_candidates(messages: Iterable[Message], *, floor: int = 0) -> list[Candidate]:
    """Return what `extract_facts` is made of: also what speaks for keeping it."""
    held: dict[str, Candidate] = {}
    spare: list[Candidate] = []
    for exchange in exchanges(messages):
        for candidate in candidates_of(exchange):
            if candidate.estimate.keep < UNSURE:
                # Only the best of these is ever wanted, and a conversation may be long.
                spare = sorted([*spare, candidate], key=_says_more)[:floor]
                continue
            rival = held.get(candidate.text)
            if rival is None or candidate.estimate.keep > rival.estimate.keep:
                held[candidate.text] = candidate
    chosen = _chosen([*held.values(), *spare], floor)
    return sorted(chosen, key=lambda each: each.position)


def _says_more(candidate: Candidate) -> tuple[int, tuple[int, int]]:
    return -len(candidate.text), candidate.position


def _rank(candidate: Candidate) -> tuple[bool, bool, float, int, tuple[int, int]]:
    """Return what comes first: what is worth an entry, and the owner's words for it."""
    keep = candidate.estimate.keep
    by_agent = candidate.evidence[0].origin is Origin.AGENT
    return keep < KEEPS, by_agent, -keep, -len(candidate.text), candidate.position


def _chosen(held: Iterable[Candidate], floor: int) -> Iterator[Candidate]:
    """Give what is worth an entry, and the best of the rest where that is little."""
    ranked = sorted(held, key=_rank)
    chosen: dict[str, list[frozenset[str]]] = defaultdict(list)
    count = 0
    for each in ranked:
        keep = each.estimate.keep
        least = _FEWEST if keep >= UNSURE else floor
        if keep < KEEPS and count >= least:
            break
        if any(
            same(each.terms, other) for term in each.terms for other in chosen[term]
        ):
            continue
        for term in each.terms:
            chosen[term].append(each.terms)
        count += 1
        yield each


def fact_of(candidate: Candidate, timezone: tzinfo) -> Fact:
    """Return the entry in its final wording."""
    said_at = candidate.evidence[0].said_at.astimezone(timezone)
    kind, kept = candidate.estimate.kind, candidate.estimate.keep >= KEEPS
    standing = kind == "preference" and candidate.estimate.lasts >= LASTS
    text = with_dates(candidate.text, said_at, standing=standing)
    topic = with_dates(candidate.topic, said_at, standing=standing)
    frame = Frame.NONE
    if kept and kind != "request":
        text = capitalised(text)
    else:
        frame = Frame.REQUEST if kept else Frame.SAYING
    fact = Fact(
        text,
        TAGS.get(kind) if kept else None,
        language_of(text if frame else text + topic),
        candidate.evidence,
        estimate=candidate.estimate,
        frame=frame,
        topic=topic,
    )
    return within(fact)
