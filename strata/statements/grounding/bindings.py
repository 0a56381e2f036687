"""Which name and which value belong to what: port 80 to the web, port 90 to the API."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from strata.language.clauses import WEIGHTS
from strata.language.cues import cue, words
from strata.language.lexicon import kind_of, lexicon
from strata.language.pieces import pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from strata.language.pieces import Piece

CLAUSE = cue("bindings.clause")


_OWNER_KEY = "the owner"
_OWNER = cue("bindings.owner")
# "The report is sent to Ann by Tom" turns round who does what.
_TURNED = cue("bindings.turned", 0)
_SOMEBODY_KEY = "somebody"
_SOMEBODY = cue("bindings.somebody")
_OPENED = re.compile(r"(?:in|on|at|for|since|from|during)\b", re.IGNORECASE)
_PASSIVE = cue("bindings.passive")
_DOES = re.compile(r"[a-z]+[^\Ws]s|does|has|is|was|will")
_OWNERS_WORDS = frozenset(words("bindings.owners"))
_LEANING = cue("bindings.leaning")


@dataclass(frozen=True, slots=True)
class _Clause:
    """What one clause names, by sort, and its other words."""

    named: dict[str, frozenset[str]]
    words: frozenset[str]
    leans: bool
    denied: bool
    subject: str
    everybody: frozenset[str]
    order: tuple[str, ...]
    names: frozenset[str]
    turns: bool

    @property
    def terms(self) -> frozenset[str]:
        """Everything that is told of the subject."""
        named = frozenset[str]().union(*self.named.values())
        return (self.words | named) - {self.subject}


def named_in(text: str) -> tuple[dict[str, frozenset[str]], frozenset[str]]:
    """Return what *text* names, by sort, and its other words."""
    clause = _clause(text)
    return clause.named, clause.words


def misplaced(text: str, quotes: Iterable[str]) -> str | None:
    """
    Return what *text* tells of a name or a value that *quotes* tell of another one.

    A word counts as told of another only where every clause that has it names something
    of the same sort that *text* does not name, and not what *text* puts beside it.
    """
    told = _clauses(text)
    cited = [clause for quote in quotes for clause in _clauses(quote)]
    for clause in told:
        for sort, keys in clause.named.items():
            for word in clause.words:
                if _belongs_elsewhere(word, sort, keys, cited):
                    return f"{word!r} is said of another {sort}"
        if _in_other_order(clause, cited):
            return "two names have changed places"
        if any(_told_of_another(term, clause, cited) for term in clause.terms):
            return "it is said of somebody else"
    return None


def _in_other_order(told: _Clause, cited: Sequence[_Clause]) -> bool:
    """Say whether two names of *told* stand the other way round wherever both stand."""
    if told.turns:
        return False
    # A name that opens a statement may only be known from the words.
    names = told.names.union(*(each.names for each in cited))
    for one, two in pairwise(each for each in told.order if each in names):
        homes = [each.order for each in cited if {one, two} <= set(each.order)]
        if homes and all(each.index(one) > each.index(two) for each in homes):
            return True
    return False


def _told_of_another(term: str, told: _Clause, cited: Sequence[_Clause]) -> bool:
    """Say whether every clause with *term* has a subject, and none names that of *told*."""
    homes = [clause for clause in cited if term in clause.terms]
    if not homes or not told.subject or told.subject == _SOMEBODY_KEY:
        return False
    # "She owns it" may be said of Lena, and not of whoever says it.
    vague = set() if told.subject == _OWNER_KEY else {_SOMEBODY_KEY}
    return all(
        home.subject
        and home.subject not in vague
        and (told.subject not in home.everybody or _is_done_by(home, told))
        for home in homes
    )


def _is_done_by(home: _Clause, told: _Clause) -> bool:
    """Say whether somebody with a name does in *home* what the owner does in *told*."""
    named = home.subject not in {_OWNER_KEY, _SOMEBODY_KEY}
    return told.subject == _OWNER_KEY and named


def _belongs_elsewhere(
    word: str,
    sort: str,
    keys: frozenset[str],
    cited: Sequence[_Clause],
) -> bool:
    # Of what is no port nothing is said of the port.
    homes = [
        place
        for place, clause in enumerate(cited)
        if word in clause.words and not clause.denied
    ]
    return bool(homes) and all(
        not keys & _named_from(place, sort, cited)
        and bool(cited[place].named.get(sort))
        for place in homes
    )


def _named_from(place: int, sort: str, cited: Sequence[_Clause]) -> frozenset[str]:
    """Return what a clause names, with its neighbours where one goes on about another."""
    last = place + 1 if place + 1 < len(cited) and cited[place + 1].leans else place
    first = place - 1 if place and cited[place].leans else place
    return frozenset[str]().union(
        *(each.named.get(sort, frozenset()) for each in cited[first : last + 1])
    )


def _clauses(text: str) -> list[_Clause]:
    return [_clause(part.strip()) for part in CLAUSE.split(text) if part.strip()]


def _clause(text: str) -> _Clause:
    told = pieces(text)
    named: dict[str, set[str]] = {}
    words: set[str] = set()
    for piece in told:
        sort = _sort(piece)
        if sort:
            # A day of this year is often told without the year.
            key = piece.key[-5:] if sort == "date" else piece.key
            named.setdefault(sort, set()).add(key)
        elif WEIGHTS.get(piece.kind) and len(piece.key) > 1:
            words.add(piece.key)
    sorts = {sort: frozenset(keys) for sort, keys in named.items()}
    denials = sum(piece.said in lexicon().glue.negators for piece in told)
    leans = _LEANING.match(text) is not None
    return _Clause(
        sorts,
        frozenset(words),
        leans,
        denials % 2 == 1,
        _subject(text, told),
        _everybody(told),
        tuple(dict.fromkeys(p.key for p in told if WEIGHTS.get(p.kind))),
        frozenset(p.key for p in told if _sort(p) == "name"),
        _TURNED.search(text) is not None,
    )


def _subject(text: str, told: Sequence[Piece]) -> str:
    """Return who does what a clause tells: the owner, or a name before a verb."""
    if _OWNER.match(text):
        return _OWNER_KEY
    if _SOMEBODY.match(text):
        return _SOMEBODY_KEY
    if _OPENED.match(text):
        return _later_subject(told)
    is_named = len(told) > 1 and told[0].kind == "name" and text[:1].isupper()
    does = is_named and told[1].kind in {"word", "weak"}
    if does and kind_of(told[0].key, "name") is None:
        return told[0].key
    return _agent(told) if _PASSIVE.search(text) else ""


def _agent(told: Sequence[Piece]) -> str:
    """Return by whom something is done: refilled by Ann, 由小陶加."""
    for piece, after in pairwise(told):
        if piece.said in {"by", "由", "被"} and after.kind == "name":
            return after.key if kind_of(after.key, "name") is None else ""
    return ""


def _later_subject(told: Sequence[Piece]) -> str:
    """Return the first in a clause, "in the team Ann does history", who does something."""
    for piece, after in pairwise(told):
        if piece.said in _OWNERS_WORDS or _SOMEBODY.fullmatch(piece.said):
            return _OWNER_KEY if piece.said in _OWNERS_WORDS else _SOMEBODY_KEY
        does = _DOES.fullmatch(after.said) and after.kind != "name"
        if piece.kind == "name" and does and kind_of(piece.key, "name") is None:
            return piece.key
    return ""


def _everybody(told: Sequence[Piece]) -> frozenset[str]:
    """Return whom a clause names, the owner among them."""
    found = {piece.key for piece in told if piece.kind == "name"}
    owner = (
        {_OWNER_KEY} if any(piece.said in _OWNERS_WORDS for piece in told) else set()
    )
    return frozenset(found | owner)


def _sort(piece: Piece) -> str:
    """Return of what sort *piece* is where it names one of several: a name, a number."""
    if piece.kind == "value":
        return piece.key.partition(":")[0]
    known = kind_of(piece.key, piece.kind)
    return known or ("name" if piece.kind == "name" else "")
