"""
Whether what was said turns an earlier statement around, whatever the words.

People rarely say "replace X by Y". They complain of X in one clause and give Y in the
next one, or they give Y to the same topic with a word of finality. So a turn is known by
its shape: what the older statement affirms is named and left behind, or stays unsaid,
and its topic gets something new.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.lexicon import kind_of
from strata.statements.topics import (
    by_clock,
    clauses_of,
    parts_of,
    value_of,
    weight_of,
)
from strata.statements.turn_signs import (
    denies,
    goes_on_about,
    is_cry,
    is_signed,
    words_in_both,
)

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    from strata.language.meanings import Term
    from strata.statements.topics import Clause

FINAL = cue("turns.final")
REMINDER = cue("turns.reminder")
STRONG_TURN = cue("turns.strong_turn")
TROUBLE = cue("turns.trouble")
TURNED = cue("turns.turned")
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
# These go with many things and turn none around.
_VAGUE = frozenset({"weekday", "time of day", "frequency", "hour", "side", "city"})
_CLOCK = frozenset({"time", "weekday", "time of day"})


def turns_around(older: str, newer: str, around: str, *, holds: bool = True) -> bool:
    """
    Say whether *newer*, said among the words *around*, leaves what *older* states.

    Both are the owner's, *older* the one that has held so far. *holds* says that *newer*
    is a rule by itself; in other words what is new must stand apart from the complaint.
    """
    turn = _Turn(older, newer, around, holds=holds)
    return (turn.leaves() or turn.resets()) and not turn.reminds()


class _Turn:
    def __init__(self, older: str, newer: str, around: str, *, holds: bool) -> None:
        self._parts = parts_of(older)
        if goes_on_about(older):
            self._parts = (tuple(term for part in self._parts for term in part),)
        self._words = words_in_both(older, around)
        # What is said last of a thing counts: "I like it, but no more of it".
        self._old = {term.key: term for part in self._parts for term in part}
        self._clauses = [by_clock(each, self._old) for each in clauses_of(around)]
        self._new = {term.key for part in parts_of(newer) for term in part}
        said = {key for clause in self._clauses for key in clause.terms}
        self._shared = self._old.keys() & said
        self._around = around
        self._holds = holds

    def reminds(self) -> bool:
        """Say whether a rule is called to mind, and nothing is said of a change."""
        reminds = REMINDER.search(self._around) is not None
        return reminds and TURNED.search(self._around) is None

    def leaves(self) -> bool:
        """Say whether a value of the older one is named and left for something new."""
        named = self._share(self._shared) >= _NAMED
        set_anew = named and any(map(self._sets, range(len(self._clauses))))
        return set_anew or self._revalues(named=named)

    def _revalues(self, *, named: bool) -> bool:
        """
        Say whether the old value is named, and one other of its sort put there.

        A time that is moved outright is enough where little of the topic is *named*.
        """
        outright = STRONG_TURN.search(self._around) is not None
        if TURNED.search(self._around) is None:
            return False
        said = {k: t for clause in self._clauses for k, t in clause.terms.items()}
        for key in self._shared:
            sort = kind_of(key, self._old[key].kind)
            if not named and not (outright and sort == "time"):
                continue
            other = {
                k for k, t in said.items() if k not in self._old and value_of(t) == sort
            }
            if sort and len(other) == 1 and other & self._new and self._belongs({key}):
                topic = (k for k, t in self._old.items() if not value_of(t))
                return bool(self._words) or any(k in self._around for k in topic)
        return False

    def _sets(self, place: int) -> bool:
        """Say whether the clause at *place* puts something new for what was left."""
        clause = self._clauses[place]
        fresh = self._fresh(clause)
        left = {key for key in self._shared if self._is_left(key, place)}
        # One hanzi is half a word, and nothing to be put for another.
        if weight_of(fresh.values()) < 1 or not self._belongs(left):
            return False
        swapped = self._same_sort(left, fresh)
        clocked = not swapped and self._sets_a_clock(left, fresh)
        if not self._shared & self._sentence(clause).keys():
            # "It comes out on Mondays": the topic was named with what is left.
            turned = self._is_turned(clause) and not clocked
            return len(left) > 1 and (swapped or turned)
        if swapped:
            # Two values of one topic in one breath need no word for it.
            named = (self._shared - left) & clause.terms.keys()
            return bool(named) or is_signed(self._around)
        return not clocked and self._drops(left, clause)

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
        if any(self._says(clause, sign) for sign in (STRONG_TURN, FINAL)):
            return True
        plain = any(not value_of(self._old[key]) for key in left)
        turned = plain and self._says(clause, TURNED)
        apart = self._holds or not self._says(clause, TROUBLE)
        return turned or (apart and self._is_trouble(left - clause.terms.keys()))

    def resets(self) -> bool:
        """Say whether the topic of the older one gets another value with a word for it."""
        if not is_signed(self._around):
            return False
        gone = {k: self._old[k] for k in self._old.keys() - self._shared}
        for clause in self._clauses:
            if self._moves(clause):
                return True
            near = self._sentence(clause).keys() & self._shared
            if self._share(near) < _COVERED or not self._is_turned(clause):
                continue
            if self._could_replace(gone, clause):
                return True
        return any(map(self._flips, self._clauses))

    def _moves(self, clause: Clause) -> bool:
        """Say whether *clause* moves all that the older one is about to another value."""
        if STRONG_TURN.search(clause.text) is None:
            return False
        gone, fresh = self._old.keys() - clause.terms.keys(), self._fresh(clause)
        # What is named outside the clause alone may be the value that it moves away from.
        left = gone & self._shared
        topic = {key for key, term in self._old.items() if not value_of(term)} - left
        named = weight_of(self._old[key] for key in topic - gone)
        least = _MEANT if left else _COVERED
        if not named or named < least * weight_of(self._old[key] for key in topic):
            return False
        put = weight_of(fresh.values()) >= 1 and not self._sets_a_clock(left, fresh)
        return self._same_sort(gone, fresh) or bool(left and put)

    def _could_replace(self, gone: dict[str, Term], clause: Clause) -> bool:
        """Say whether *clause* has another value, or turns to what is no known value."""
        fresh = self._fresh(clause)
        if self._same_sort(gone, fresh):
            return True
        turned = STRONG_TURN.search(clause.text) is not None
        return bool(turned and gone and fresh) and not any(
            map(value_of, fresh.values())
        )

    def _flips(self, clause: Clause) -> bool:
        """Say whether a clause wants after all what the older one refuses."""
        flipped = {
            key
            for key in self._shared & clause.terms.keys() & self._new
            if self._old[key].sign < 0 < clause.terms[key].sign
            and value_of(self._old[key]) not in _VAGUE
        }
        near = (self._shared & self._sentence(clause).keys()) - flipped
        # A figure that both have makes no topic.
        rest = {key for key in near if not value_of(self._old[key])}
        both = weight_of(self._old[key] for key in flipped | rest)
        return bool(flipped and rest) and both >= _LEAST and self._is_turned(clause)

    def _is_turned(self, clause: Clause) -> bool:
        return self._says(clause, TURNED) or self._says(clause, FINAL)

    def _is_left(self, key: str, place: int) -> bool:
        """Say whether *key* is named, but not in the clause at *place* or after it."""
        if self._old[key].sign < 0:
            return False
        found = [
            number
            for number, clause in enumerate(self._clauses)
            if key in clause.terms
            and clause.terms[key].sign > 0
            and not self._is_refused(clause)
        ]
        return not found or max(found) < place

    def _is_refused(self, clause: Clause) -> bool:
        return TROUBLE.search(clause.text) is not None and not self._fresh(clause)

    def _is_trouble(self, left: set[str]) -> bool:
        """Say whether what is left is complained of, or waved off with a word."""
        return any(
            (left & clause.terms.keys() or is_cry(clause) or not clause.terms)
            and (TROUBLE.search(clause.text) or denies(clause))
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

    def _sets_a_clock(self, left: set[str], fresh: dict[str, Term]) -> bool:
        """Say whether a time is set for something that had none to be replaced."""
        valued = {sort for key in left if (sort := value_of(self._old[key]))}
        news = {sort for term in fresh.values() if (sort := value_of(term))}
        return not valued and bool(news) and news <= _CLOCK

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
