"""What of a week somebody will look for later: said once, still held, and within bounds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log1p
from typing import TYPE_CHECKING

from strata.judges.folding import fold_claims
from strata.judges.holding import held_in
from strata.judges.protocol import KEEPS
from strata.models import Origin
from strata.statements.relations import Relation, folded_terms, relation, richer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from strata.models import Mention

# So many lines a week has for each entry of its days, and so many at least.
_SHARE = 0.6
_FEWEST = 3
# Beside being worth a note: what lasts, what says more, and what is said again.
_LASTING = 0.5
_SAYING = 0.05
_AGAIN = 0.1


@dataclass(frozen=True)
class Line:
    """A line of a week: entries that say the same, of which *mention* says it best."""

    mention: Mention
    mentions: tuple[Mention, ...]

    @property
    def days(self) -> tuple[date, ...]:
        """The days on which it was said."""
        return tuple(sorted({mention.day for mention in self.mentions}))

    @cached_property
    def worth(self) -> float:
        """How likely somebody will look for it."""
        again = _AGAIN * (len(self.days) - 1)
        return again + max(_weight(mention) for mention in self.mentions)


def choose(mentions: Sequence[Mention]) -> list[Line]:
    """
    Return the lines of a week in which *mentions* were said, the likeliest wanted first.

    What says the same on several days is one line; what another took the place of within
    the week is none, and neither is what nobody meant or what is the trace of a talk.
    """
    noted = [each for each in mentions if _is_noted(each)]
    lasting = [each for each in noted if _lasts(each)]
    replaced = {
        id(mention)
        for each in fold_claims(lasting).replaced
        for mention in each.claim.mentions
    }
    lines = _merged(each for each in noted if id(each) not in replaced)
    return sorted(lines, key=lambda line: -line.worth)


def room_for(entries: int, *, late: int, standing: int) -> int:
    """
    Return how many lines a week may add for *late* ones among so many *entries*.

    What comes late has its share even where the *standing* lines fill the week.
    """
    whole = max(_FEWEST, int(_SHARE * entries))
    return max(whole - standing, int(_SHARE * late), 1)


def _is_noted(mention: Mention) -> bool:
    """Say whether *mention* is meant, and more than the trace that a talk leaves."""
    held = held_in(mention)
    asked = mention.origin is Origin.OWNER and held.estimate.keep >= KEEPS
    return held.meant and (mention.tag is not None or asked)


def _lasts(mention: Mention) -> bool:
    """Say whether *mention* may take another's place: the agent's words replace nothing."""
    return held_in(mention).holds and mention.origin is not Origin.AGENT


def _merged(mentions: Iterable[Mention]) -> list[Line]:
    """Return *mentions* with those of one tag that say the same made one."""
    lines: list[Line] = []
    terms: list[frozenset[str]] = []
    for mention in mentions:
        own = _terms(mention)
        for place, line in enumerate(lines):
            if own & terms[place] and _says_the_same(line.mention, mention):
                lines[place] = _joined(line, mention)
                terms[place] |= own
                break
        else:
            lines.append(Line(mention, (mention,)))
            terms.append(own)
    return lines


def _says_the_same(one: Mention, other: Mention) -> bool:
    said = _words(one), _words(other)
    return one.tag is other.tag and relation(*said) is Relation.SAME


def _joined(line: Line, mention: Mention) -> Line:
    words = _words(line.mention)
    better = richer(words, _words(mention)) != words
    return Line(mention if better else line.mention, (*line.mentions, mention))


def _weight(mention: Mention) -> float:
    estimate = held_in(mention).estimate
    said = _SAYING * log1p(len(_terms(mention)))
    return estimate.keep + _LASTING * estimate.lasts + said


def _terms(mention: Mention) -> frozenset[str]:
    return folded_terms(_words(mention))


def _words(mention: Mention) -> str:
    """Return what *mention* says: what it is about may be what another one says."""
    return held_in(mention).said
