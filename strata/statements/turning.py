"""
Whether what was said turns an earlier statement around, whatever the words.

People rarely say "replace X by Y". They complain of X in one clause and give Y in the
next one, or they give Y to the same topic with a word of finality. So a turn is known by
its shape: what the older statement affirms is named and left behind, or stays unsaid,
and its topic gets something new.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.vocabulary import content_words
from strata.statements.topics import (
    clauses_of,
    parts_of,
    value_of,
    weight_of,
)

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    from strata.language.meanings import Term
    from strata.statements.topics import Clause

_FINAL = cue("turns.final")
_STRONG_TURN = cue("turns.strong_turn")
_TROUBLE = cue("turns.trouble")
_TURNED = cue("turns.turned")
# So much of what the older statement is about must be named again.
_NAMED = 0.34
# So much where nothing of the same sort takes the place of a value.
_MEANT = 0.5
# Where its old value is not named, so much.
_COVERED = 0.6
# What one clause says weighs at least so much: a word alone is no topic.
_LEAST = 2.0
# Or so much of all that the older one tells.
_MOST = 0.75
# So much of the whole older statement must be shared, whatever its best clause.
_WHOLE = 0.25


def turns_around(older: str, newer: str, around: str, *, holds: bool = True) -> bool:
    """
    Say whether *newer*, said among the words *around*, leaves what *older* states.

    Both are the owner's, *older* the one that has held so far. *holds* says that *newer*
    is a rule by itself; in other words what is new must stand apart from the complaint.
    """
    turn = _Turn(older, newer, around, holds=holds)
    return turn.leaves() or turn.resets()


class _Turn:
    def __init__(self, older: str, newer: str, around: str, *, holds: bool) -> None:
        self._parts = parts_of(older)
        # What is said last of a thing counts: "I like it, but no more of it".
        self._old = {term.key: term for part in self._parts for term in part}
        self._clauses = clauses_of(around)
        self._new = {term.key for part in parts_of(newer) for term in part}
        said = {key for clause in self._clauses for key in clause.terms}
        self._shared = self._old.keys() & said
        self._around = around
        self._holds = holds

    def leaves(self) -> bool:
        """Say whether a value of the older one is named and left for something new."""
        named = self._share(self._shared) >= _NAMED
        return named and any(map(self._sets, range(len(self._clauses))))

    def _sets(self, place: int) -> bool:
        """Say whether the clause at *place* puts something new for what was left."""
        clause = self._clauses[place]
        fresh = self._fresh(clause)
        left = {key for key in self._shared if self._is_left(key, place)}
        # One hanzi is half a word, and nothing to be put for another.
        if weight_of(fresh.values()) < 1 or not self._belongs(left):
            return False
        swapped = self._same_sort(left, fresh)
        if not self._shared & self._sentence(clause).keys():
            # "It comes out on Mondays": the topic was named with what is left.
            return len(left) > 1 and (swapped or self._is_turned(clause))
        if swapped:
            # Two values of one topic in one breath need no word for it.
            named = (self._shared - left) & clause.terms.keys()
            return bool(named) or _is_signed(self._around)
        return self._drops(left, clause)

    def _belongs(self, left: set[str]) -> bool:
        """Say whether what is *left* was said of their topic, and not in an aside."""
        topic = self._shared - left or left
        clauses = ({term.key for term in part} for part in self._parts)
        return any(told & left and told & topic for told in clauses)

    def _drops(self, left: set[str], clause: Clause) -> bool:
        """Say whether no known value but something is *left* for what *clause* says."""
        if (
            self._is_thin(clause)
            or self._affirms(self._sentence(clause), left)
            or self._share(self._shared - left) >= _COVERED
            or self._share(self._shared) < _MEANT
        ):
            return False
        if any(self._says(clause, sign) for sign in (_STRONG_TURN, _FINAL)):
            return True
        plain = any(not value_of(self._old[key]) for key in left)
        turned = plain and self._says(clause, _TURNED)
        apart = self._holds or not self._says(clause, _TROUBLE)
        return turned or (apart and self._is_trouble(left - clause.terms.keys()))

    def resets(self) -> bool:
        """Say whether the topic of the older one gets another value with a word for it."""
        if not _is_signed(self._around):
            return False
        gone = {k: self._old[k] for k in self._old.keys() - self._shared}
        for clause in self._clauses:
            near = self._sentence(clause).keys() & self._shared
            if self._share(near) < _COVERED or not self._is_turned(clause):
                continue
            if self._could_replace(gone, clause):
                return True
        return False

    def _could_replace(self, gone: dict[str, Term], clause: Clause) -> bool:
        """Say whether *clause* has another value, or turns to what is no known value."""
        fresh = self._fresh(clause)
        if self._same_sort(gone, fresh):
            return True
        turned = _STRONG_TURN.search(clause.text) is not None
        return bool(turned and gone and fresh) and not any(
            map(value_of, fresh.values())
        )

    def _is_turned(self, clause: Clause) -> bool:
        return self._says(clause, _TURNED) or self._says(clause, _FINAL)

    def _is_left(self, key: str, place: int) -> bool:
        """Say whether *key* is named, but not in the clause at *place* or after it."""
        if self._old[key].sign < 0:
            return False
        found = [
            number
            for number, clause in enumerate(self._clauses)
            if key in clause.terms and clause.terms[key].sign > 0
        ]
        return not found or max(found) < place

    def _is_trouble(self, left: set[str]) -> bool:
        """Say whether what is left is complained of, or waved off with a word."""
        return any(
            (left & clause.terms.keys() or _is_cry(clause) or not clause.terms)
            and (_TROUBLE.search(clause.text) or _denies(clause))
            for clause in self._clauses
        )

    def _is_thin(self, until: Clause) -> bool:
        """Say whether too little is shared so far to be a topic."""
        said = {
            k for c in self._clauses if c.sentence <= until.sentence for k in c.terms
        }
        both = weight_of(self._old[key] for key in self._shared & said)
        return both < min(_LEAST, _MOST * weight_of(self._old.values()))

    def _fresh(self, clause: Clause) -> dict[str, Term]:
        return {
            key: term
            for key, term in clause.terms.items()
            if key not in self._old and key in self._new and term.sign > 0
        }

    def _same_sort(self, gone: Iterable[str], fresh: dict[str, Term]) -> bool:
        """Say whether something new could fill the place of what is gone."""
        old = {value_of(self._old[key]) for key in gone}
        return bool((old & {value_of(term) for term in fresh.values()}) - {None})

    def _affirms(self, near: dict[str, Term], left: set[str]) -> bool:
        """Say whether a value of the older one is said again: it still holds."""
        again = (self._shared & near.keys()) - left
        return any(value_of(self._old[k]) and near[k].sign > 0 for k in again)

    def _says(self, clause: Clause, sign: re.Pattern[str]) -> bool:
        texts = [c.text for c in self._clauses if c.sentence == clause.sentence]
        return any(map(sign.search, texts))

    def _sentence(self, clause: Clause) -> dict[str, Term]:
        found: dict[str, Term] = {}
        for each in self._clauses:
            if each.sentence == clause.sentence:
                found |= each.terms
        return found

    def _share(self, keys: Iterable[str]) -> float:
        """Return how much of the older one *keys* are; its best clause counts."""
        chosen = set(keys)
        if weight_of(
            t for k, t in self._old.items() if k in chosen
        ) < _WHOLE * weight_of(self._old.values()):
            return 0.0
        return max(
            (
                weight_of(t for t in clause if t.key in chosen)
                / max(_LEAST, weight_of(clause))
                for clause in self._parts
            ),
            default=0.0,
        )


@lru_cache(maxsize=4096)
def _is_signed(around: str) -> bool:
    """Say whether anything is said of a change, of trouble, or of finality."""
    return any(sign.search(around) for sign in (_TURNED, _TROUBLE, _FINAL))


def _is_cry(clause: Clause) -> bool:
    """Say whether a clause is no more than a word: "enough", 算了."""
    return content_words(clause.text.lower()) <= 1


def _denies(clause: Clause) -> bool:
    """Say whether a clause _denies anything."""
    return any(term.sign < 0 for term in clause.terms.values())
