"""What a model left out although the owner said it plainly, and the notes of both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.distillation.cues.kinds import Cue
from strata.distillation.extraction.scoring import WORTH_KEEPING
from strata.distillation.grounding.citing import terms_told
from strata.distillation.meaning.relations import Relation, relation
from strata.distillation.meaning.similarity import same, terms_of
from strata.models import Origin, Tag

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from strata.distillation.extraction.candidates import Candidate
    from strata.models import Fact

MOST_FACTS = 10
# What nobody says without wanting it kept: remember, from now on, decided, no: 5433.
_PLAIN = frozenset({Cue.MEMO, Cue.STANDING, Cue.DECIDED, Cue.CORRECTION})
# So much of what the owner said must stand in the facts that cite the same message.
_COVERED = 0.6
_RANKS = {Tag.DECISION: 0, Tag.PREFERENCE: 0, Tag.FINDING: 1, Tag.TASK: 1, None: 2}


def is_plain(candidate: Candidate) -> bool:
    """Say whether *candidate* is a statement of the owner that memory must not miss."""
    by_owner = candidate.evidence[0].origin is Origin.OWNER
    weighty = candidate.weight >= WORTH_KEEPING and candidate.tag is not None
    return by_owner and weighty and bool(candidate.cues & _PLAIN)


def is_covered(fact: Fact, proposed: Iterable[Fact]) -> bool:
    """Say whether *proposed* say what *fact*, found by rules, says."""
    about: set[str] = set()
    for other in proposed:
        if same(terms_of(fact.text), terms_of(other.text)):
            return True
        if _share_message(fact, other):
            about |= terms_told(other.text)
            if relation(fact.text, other.text) in {Relation.SAME, Relation.UPDATES}:
                return True
    told = terms_told(fact.text)
    values = {term for term in told if term.startswith(("number:", "time:", "date:"))}
    return len(told & about) >= _COVERED * len(told) and values <= about


def merged(proposed: Sequence[Fact], by_rules: Sequence[Fact]) -> list[Fact]:
    """
    Return both as the entries of one day, in the order in which it was said.

    No more than `MOST_FACTS`, of which those of the rules come first: they are there
    because nothing else says what they say.
    """
    distinct: list[Fact] = []
    for fact in (*by_rules, *sorted(proposed, key=lambda fact: _RANKS[fact.tag])):
        terms = terms_of(fact.text)
        if not any(same(terms, terms_of(other.text)) for other in distinct):
            distinct.append(fact)
    return sorted(distinct[:MOST_FACTS], key=lambda fact: fact.evidence[0].said_at)


def _share_message(one: Fact, other: Fact) -> bool:
    ids = {each.message_id for each in one.evidence}
    return any(each.message_id in ids for each in other.evidence)
