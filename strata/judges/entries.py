"""What a conversation leaves worth keeping, as the local judge finds it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from strata.judges.candidates import UNSURE, Candidate
from strata.judges.protocol import KEEPS, LASTS, TAGS
from strata.judges.reading import candidates_of
from strata.language.sentences import language_of
from strata.language.similarity import may_be_alike, same
from strata.language.wording import capitalised, with_dates, within
from strata.models import Fact, Frame, Origin
from strata.statements.antecedents import Talk
from strata.statements.exchanges import exchanges

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import tzinfo

    from strata.models import Message

# A conversation in which so much happened leaves at least so many entries.
_FEWEST = 3


def extract_facts(messages: Iterable[Message], *, timezone: tzinfo) -> list[Fact]:
    """
    Return what *messages* leave worth keeping, in the order it was said.

    They are the visible, redacted messages of one stretch of a conversation; they are
    read as a stream. *timezone* is where "tomorrow" begins. The same messages give the
    same facts.
    """
    return [fact_of(each, timezone) for each in find_candidates(messages)]


def find_candidates(messages: Iterable[Message]) -> list[Candidate]:
    """Return what `extract_facts` is made of: also what speaks for keeping it."""
    held: dict[tuple[str, str], Candidate] = {}
    talk = Talk()
    for exchange in exchanges(messages):
        for candidate in candidates_of(exchange, talk):
            for each in [e for e in held.values() if e.position in candidate.undoes]:
                del held[each.text, each.topic]
            # "Yes" is another statement of another question.
            keep, said = candidate.estimate.keep, (candidate.text, candidate.topic)
            rival = held.get(said)
            if keep >= UNSURE and (rival is None or keep > rival.estimate.keep):
                held[said] = candidate
    return sorted(_chosen(held.values()), key=lambda each: each.position)


def _rank(candidate: Candidate) -> tuple[bool, bool, float, int, tuple[int, int]]:
    """Return what comes first: what is worth an entry, and the owner's words for it."""
    keep = candidate.estimate.keep
    by_agent = _is_by_agent(candidate)
    return keep < KEEPS, by_agent, -keep, -len(candidate.text), candidate.position


def _chosen(held: Iterable[Candidate]) -> Iterator[Candidate]:
    """Give what is worth an entry, and the best of the rest where that is little."""
    ranked = sorted(held, key=_rank)
    chosen: dict[str, list[Candidate]] = defaultdict(list)
    count = 0
    for each in ranked:
        if each.estimate.keep < KEEPS and count >= _FEWEST:
            break
        if any(_are_twins(each, o) for term in each.terms for o in chosen[term]):
            continue
        for term in each.terms:
            chosen[term].append(each)
        count += 1
        yield each


def _are_twins(one: Candidate, other: Candidate) -> bool:
    """Say whether two statements say the same, and of the same; an echo says no more."""
    echo = _is_by_agent(one) is not _is_by_agent(other)
    alike = echo or may_be_alike(one.topic, other.topic)
    return alike and same(one.terms, other.terms)


def _is_by_agent(candidate: Candidate) -> bool:
    return candidate.evidence[0].origin is Origin.AGENT


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
