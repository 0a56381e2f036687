"""Which name belongs to what, and of whom something is told."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from strata.language.cues import cue, words
from strata.language.lexicon import kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.language.pieces import Piece
    from strata.language.statement import Statement

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


def misplaced(told: Statement, cited: Statement) -> str | None:
    """
    Return what *told* tells of a name that *cited* tells of another one.

    A word counts as told of another only where every clause that has it names somebody
    whom *told* does not name. Which number counts what is looked at by itself.
    """
    said = cited.clauses
    orders = [_order(each) for each in said]
    things = [(each, _told_of(each)) for each in said]
    for clause in told.clauses:
        names = clause.named.get("name", frozenset())
        for word in sorted(clause.words) if names else ():
            if _belongs_elsewhere(word, names, said):
                return f"{word!r} is said of another name"
        if _in_other_order(clause, said, orders):
            return "two names have changed places"
        if any(_told_of_another(term, clause, things) for term in _told_of(clause)):
            return "it is said of somebody else"
    return None


def _belongs_elsewhere(
    word: str, names: frozenset[str], cited: Sequence[Statement]
) -> bool:
    # Of whom something is denied it is not said.
    homes = [
        place
        for place, clause in enumerate(cited)
        if word in clause.words and clause.denials % 2 == 0
    ]
    return bool(homes) and all(
        not names & _named_from(place, cited) and bool(cited[place].named.get("name"))
        for place in homes
    )


def _named_from(place: int, cited: Sequence[Statement]) -> frozenset[str]:
    """Return what a clause names, with its neighbours where one goes on about another."""
    first = place - 1 if place and _LEANING.match(cited[place].text) else place
    after = cited[place + 1 : place + 2]
    last = place + 1 if after and _LEANING.match(after[0].text) else place
    return frozenset[str]().union(
        *(each.named.get("name", frozenset()) for each in cited[first : last + 1])
    )


def _in_other_order(
    told: Statement, cited: Sequence[Statement], orders: Sequence[tuple[str, ...]]
) -> bool:
    """Say whether two names of *told* stand the other way round wherever both stand."""
    if _TURNED.search(told.text):
        return False
    # A name that opens a statement may only be known from the words.
    names = frozenset[str]().union(
        *(each.named.get("name", frozenset()) for each in (told, *cited))
    )
    for one, two in pairwise(each for each in _order(told) if each in names):
        homes = [order for order in orders if {one, two} <= set(order)]
        if homes and all(order.index(one) > order.index(two) for order in homes):
            return True
    return False


def _order(clause: Statement) -> tuple[str, ...]:
    return tuple(dict.fromkeys(piece.key for piece in clause.telling))


def _told_of(clause: Statement) -> frozenset[str]:
    """Return everything that is told of the subject of *clause*."""
    named = frozenset[str]().union(*clause.named.values())
    return (clause.words | named) - {_subject(clause)}


def _told_of_another(
    term: str, told: Statement, cited: Sequence[tuple[Statement, frozenset[str]]]
) -> bool:
    """Say whether every clause with *term* has somebody else with a name as its subject."""
    subject = _subject(told)
    homes = [clause for clause, things in cited if term in things]
    if not homes or subject in {"", _SOMEBODY_KEY}:
        return False
    # "She owns it" may be said of Lena, and not of whoever says it.
    vague = {""} if subject == _OWNER_KEY else {"", _SOMEBODY_KEY}
    return all(
        _subject(home) not in vague
        and (subject not in _everybody(home) or _is_done_by(home, subject))
        for home in homes
    )


def _is_done_by(home: Statement, subject: str) -> bool:
    """Say whether somebody with a name does in *home* what the owner is said to do."""
    named = _subject(home) not in {_OWNER_KEY, _SOMEBODY_KEY}
    return subject == _OWNER_KEY and named


@lru_cache(maxsize=1024)
def _subject(clause: Statement) -> str:
    """Return who does what a clause tells: the owner, or a name before a verb."""
    text, told = clause.text, clause.pieces
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


def _everybody(clause: Statement) -> frozenset[str]:
    """Return whom a clause names, the owner among them."""
    found = {piece.key for piece in clause.pieces if piece.kind == "name"}
    return frozenset(found | ({_OWNER_KEY} if clause.said & _OWNERS_WORDS else set()))
