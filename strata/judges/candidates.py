"""What may become an entry, and from where on it counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from strata.language.similarity import terms_of
from strata.models import Evidence

if TYPE_CHECKING:
    from strata.judges.topics import Topic
    from strata.models import Estimate, Message

# Less likely worth a note than this, something fills up a thin one at best.
UNSURE = 0.25
# What is judged less likely than this is chatter.
CHATTER = 0.1
_LONGEST_QUOTE = 600


@dataclass(frozen=True)
class Candidate:
    """
    Something that may become an entry.

    *position* orders candidates as they were said, *topic* is what it leans on. Those at
    the places that it *undoes* hold no longer, whatever becomes of it.
    """

    position: tuple[int, int]
    estimate: Estimate
    text: str
    evidence: tuple[Evidence, ...]
    topic: str = ""
    undoes: tuple[tuple[int, int], ...] = ()

    @cached_property
    def terms(self) -> frozenset[str]:
        """What the candidate is compared by."""
        return terms_of(self.text)


def quoted(message: Message, words: str) -> Evidence:
    """Return *words* of *message* as what justifies a statement."""
    return Evidence(message.id, words[:_LONGEST_QUOTE], message.time, message.origin)


def about(candidate: Candidate, topic: Topic) -> Candidate:
    """Return *candidate* with what it is about, and the words that say so."""
    quotes = (quoted(message, words) for message, words in topic.quotes)
    evidence = tuple(dict.fromkeys((*candidate.evidence, *quotes)))
    return replace(candidate, topic=topic.text, evidence=evidence)


def worthless(estimate: Estimate) -> Estimate:
    """Return *estimate* of what says nothing by itself."""
    return replace(estimate, keep=min(estimate.keep, CHATTER), lasts=0.0)


def repeats(text: str, other: str) -> bool:
    """Say whether *text* says little that *other* does not."""
    terms = terms_of(text)
    return 2 * len(terms & terms_of(other)) > len(terms)
