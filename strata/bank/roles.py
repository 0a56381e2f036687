"""Whether one name is said of two: my sister Anna, and Anna from accounting."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from strata.bank.finding import Finder
from strata.bank.kin import kin_words
from strata.bank.names import is_short_for, key_of, parts_of
from strata.history.evidence import digest_of
from strata.language.cues import cue
from strata.language.lexicon import kind_of, lexicon
from strata.language.simplified import has_han
from strata.language.statement import read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.bank.statements import Stated
    from strata.language.pieces import Piece

# Before a role that is the owner's: my, our older.
_MY = cue("naming.my")
# Between a name and a role that follows: Ana, my sister; and where somebody is from.
_MINE, _FROM = cue("naming.mine"), cue("naming.from")
# Before or behind what is somebody else's: 杨建平的同事, Ana's.
_OWNS = cue("naming.owns")
# A role stands within so many letters of the name, and to read more takes time.
_NEAR = 40
_DIGITS = 12
_WORDS, _CITY, _OUT_OF = {"word", "name", "hanzi"}, "city", "from "


@dataclass(frozen=True, slots=True)
class Role:
    """
    What a statement says the bearer of a name is to the owner, or where from.

    *role* is the same in any words; *name* and *phrase*, which has both, are as they stand
    in the text, the name from *start* on.
    """

    role: str
    name: str
    phrase: str
    start: int


@dataclass(frozen=True, slots=True)
class Twofold:
    """
    A *name* of which nobody can be all that is said, so that it may be that of two.

    *one* and *other* are what tells the two apart, each with the places of the statements
    that say so. *id* is the same whatever the words are that tell so: twelve hex digits.
    """

    id: str
    name: str
    one: str
    other: str
    told_of_one: tuple[int, ...]
    told_of_other: tuple[int, ...]


def twofold(
    name: str, names: Sequence[str], told: Sequence[int], stated: Sequence[Stated]
) -> Iterator[Twofold]:
    """
    Give each two that *name* may mean, of whom the statements at *told* tell.

    They name one of *names*. Only kinship tells: who is my sister is neither my mother
    nor Anna from accounting, but a neighbour may be the dentist.
    """
    finder = Finder(map(key_of, names))
    said: dict[tuple[str, str], list[tuple[int, Role]]] = defaultdict(list)
    for place in told:
        for role in roles_said(stated[place].shown, finder):
            said[role.role, key_of(role.name)].append((place, role))
    for one, other in combinations(said, 2):
        rows = said[one], said[other]
        # My sister Anna from accounting is one.
        here, there = ({(place, role.start) for place, role in row} for row in rows)
        if exclude(one[0], other[0]) and here.isdisjoint(there):
            tells = _told_by(rows[0], other[1]), _told_by(rows[1], one[1])
            places = (tuple(dict.fromkeys(place for place, _ in row)) for row in rows)
            yield Twofold(_id_of(one, other), name, *tells, *places)


def _id_of(one: tuple[str, str], other: tuple[str, str]) -> str:
    """Return what stands for two roles of one name, which may be short in one of them."""
    roles, names = zip(one, other, strict=True)
    name = min(names, key=lambda key: (len(parts_of(key)), key))
    return digest_of("\x1f".join(["two", name, *sorted(roles)]))[:_DIGITS]


def _told_by(rows: Sequence[tuple[int, Role]], other: str) -> str:
    """Return by what one is told from who is called *other*: a name in full if it does."""
    roles = [role for _, role in rows]
    if is_short_for(other, key_of(roles[0].name)):
        return roles[0].name
    phrases = Counter(role.phrase for role in roles)
    return max(phrases, key=lambda phrase: phrases[phrase])


def exclude(one: str, other: str) -> bool:
    """Tell whether nobody is *one* and *other* to the same person."""
    kin = lexicon().kin
    if one == other:
        return False
    if {one, other} & kin_words():
        return not any({one, other} <= group for group in kin)
    # Who is from one city is not from another one.
    cities = (lexicon().kinds.get(each.removeprefix(_OUT_OF)) for each in (one, other))
    return all(each.startswith(_OUT_OF) for each in (one, other)) and {*cities} == {
        _CITY
    }


def roles_said(text: str, finder: Finder) -> Iterator[Role]:
    """Give what *text* says of each name of *finder* in it that somebody is."""
    for _, start, end in finder.found(text):
        if not _OWNS.match(text, end):
            yield from _before(text, start, end)
            yield from _behind(text, start, end)


def _before(text: str, start: int, end: int) -> Iterator[Role]:
    """Give the role right before a name, where it is what somebody is to the owner."""
    lead = text[:start].rstrip()
    role = next(reversed(read(lead[-_NEAR:]).pieces), None)
    if role and is_role(role) and lead.lower().endswith(role.said):
        first = len(lead) - len(role.said)
        if has_han(role.said):
            is_own = not (first and _OWNS.match(text, first - 1))
        else:
            is_own = _MY.search(text[:first]) is not None
        if is_own:
            yield Role(role.key, text[start:end], text[first:end], start)


def _behind(text: str, start: int, end: int) -> Iterator[Role]:
    """Give the role that follows a name: Anna, my sister; Anna from accounting."""
    name = text[start:end]
    for between, is_place in ((_MINE, False), (_FROM, True)):
        joined = between.match(text, end)
        rest = text[joined.end() :] if joined else ""
        role = next(iter(read(rest[:_NEAR]).pieces), None)
        if (
            role is None
            or role.kind not in _WORDS
            or not rest.lower().startswith(role.said)
        ):
            continue
        last = len(text) - len(rest) + len(role.said)
        if _OWNS.match(text, last) or role.said.endswith("'s"):
            continue
        if is_place and kind_of(role.key, role.kind) in {None, _CITY}:
            yield Role(f"{_OUT_OF}{role.key}", name, text[start:last], start)
        elif not is_place and is_role(role):
            yield Role(role.key, name, text[start:last], start)


def is_role(piece: Piece) -> bool:
    """Tell whether *piece* says what somebody is to others."""
    known = lexicon()
    return piece.key in known.relatives | known.roles
