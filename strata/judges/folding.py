"""What the owner's entries state by now, folded in the order in which they were said."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING

from strata.judges.holding import held_in, said_in
from strata.judges.succession import succession, tells_nothing_new
from strata.models import Claim, Tag
from strata.statements.relations import Relation, folded_terms, richer
from strata.statements.turning import turns_around

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from strata.judges.holding import Held
    from strata.models import Mention

    # One message of one conversation: its label, day and time.
    Place = tuple[str, date, str]

# So sure of lasting, what contradicts a line needs no second conversation.
_FIRM = 0.6
# A longer wording is no better one.
_LONG = 180
_SURE = 0.5


@dataclass(frozen=True, slots=True)
class Replaced:
    """A claim that no longer holds, and the one that took its place."""

    claim: Claim
    by: Claim


@dataclass(frozen=True, slots=True)
class Fold:
    """
    The claims that hold after all entries, those that were replaced, and those that wait.

    A claim waits where it contradicts one that holds and was not said firmly, until
    another conversation confirms it. *passing* is what was said for the moment.
    """

    current: tuple[Claim, ...]
    replaced: tuple[Replaced, ...]
    waiting: tuple[Replaced, ...]
    passing: tuple[Mention, ...] = ()


def fold_claims(
    mentions: Iterable[Mention],
    *,
    accepted: Callable[[Mention], bool] = lambda _: False,
) -> Fold:
    """
    Return what *mentions*, in the order in which they were said, come to.

    What the owner has *accepted* since needs no second conversation.
    """
    said = list(mentions)
    folding = _Folding(accepted, _messages_of(said), _lasting_of(said))
    for mention in said:
        folding.add(mention)
    return folding.result()


@dataclass(slots=True, eq=False)
class _Open:
    """A claim that more entries may join, and that others may replace."""

    mentions: list[Mention]
    text: str
    terms: frozenset[str]
    firm: bool
    holds: bool
    decides: bool
    replaced_by: _Open | None = None
    against: list[_Open] = field(default_factory=list)
    turns: list[Mention] = field(default_factory=list)

    def join(self, mention: Mention, held: Held, *, firm: bool) -> None:
        self.mentions.append(mention)
        # The owner's own words are better than what an agent retained of them.
        own = [each for each in self.mentions if not each.retained] or self.mentions
        if mention in own:
            self.text = _best_wording(
                [(self.text, self.holds), (held.text, held.holds)]
                if self.turns
                else [(each.text, each.holds) for each in map(held_in, own)]
            )
        edited = [each for each in self.mentions if each.edited_at]
        if edited:
            # A hand has chosen the words.
            self.text = held_in(edited[-1]).text
        self.terms |= folded_terms(held.said)
        self.firm = self.firm or firm
        self.holds = self.holds or held.holds
        self.decides = self.decides or _decides(mention)

    def is_retained_as(self, mention: Mention) -> bool:
        """Say whether *mention* is what an agent retained of a talk that this is of."""
        return bool(mention.retained and mention.label) and any(
            (each.label, each.day) == (mention.label, mention.day)
            for each in self.mentions
            if not each.retained
        )

    @property
    def confirmed(self) -> bool:
        return self.firm or self.claim().conversations > 1

    def claim(self) -> Claim:
        return Claim(self.text, tuple(self.mentions), turns=tuple(self.turns))


class _Folding:
    def __init__(
        self,
        accepted: Callable[[Mention], bool],
        messages: Mapping[Place, str],
        lasting: Mapping[Place, Sequence[str]],
    ) -> None:
        self._accepted = accepted
        self._messages = messages
        self._lasting = lasting
        self._passing: list[Mention] = []
        self._all: list[_Open] = []
        self._live: list[_Open] = []
        self._by_term: dict[str, list[_Open]] = {}

    def add(self, mention: Mention) -> None:
        held = held_in(mention)
        accepted = self._accepted(mention)
        home, against = self._related(mention, held)
        turned = self._turned(mention, held, against) if held.meant else []
        fleeting = not held.holds and (held.bound or mention.tag is None)
        if not turned and not accepted and (not held.meant or fleeting):
            self._passing.append(mention)
            return
        firm = accepted or held.estimate.lasts >= _FIRM
        if home is None or home in turned:
            home = self._opened(mention, held, firm=firm)
        else:
            home.join(mention, held, firm=firm)
            self._index(home)
        home.against += [each for each in (*against, *turned) if each is not home]
        for each in turned:
            home.turns += [*each.turns, *each.mentions]
        home.firm = home.firm or bool(turned)
        home.holds = home.holds or bool(turned)
        if home.against and home.confirmed:
            self._replace(home)

    def result(self) -> Fold:
        waiting = [each for each in self._live if _open_conflict(each)]
        return Fold(
            tuple(each.claim() for each in self._live if each not in waiting),
            tuple(
                Replaced(each.claim(), _end_of(each.replaced_by).claim())
                for each in self._all
                if each.replaced_by is not None
            ),
            tuple(
                Replaced(each.claim(), _end_of(other).claim())
                for each in waiting
                for other in each.against[:1]
            ),
            tuple(self._passing),
        )

    def _related(
        self, mention: Mention, held: Held
    ) -> tuple[_Open | None, list[_Open]]:
        """Return the claim that *mention* repeats, and those that it is at odds with."""
        home: _Open | None = None
        against: list[_Open] = []
        for other in self._near(folded_terms(held.said)):
            said = said_in(other.text)
            related = succession(said, held.said)
            if related is Relation.DIFFERENT and tells_nothing_new(said, held.said):
                related = Relation.SAME
            if related is Relation.SAME and home is None:
                home = other
            elif other.is_retained_as(mention):
                # It repeats a part of what was said there, and takes no place.
                continue
            elif related in {Relation.UPDATES, Relation.CONTRADICTS}:
                against.append(other)
        return home, against

    def _turned(
        self, mention: Mention, held: Held, against: Sequence[_Open]
    ) -> list[_Open]:
        """
        Return the lasting claims that *mention*, with its message, turns around.

        What changes a lasting line is one itself, in whatever words it was said; but a
        complaint beside it is none, where the same message tells what holds instead.
        """
        if held.bound:
            return []
        around = self._messages[_place_of(mention)]
        beside = () if held.holds else self._lasting.get(_place_of(mention), ())
        return [
            other
            for other in self._near(folded_terms(around))
            if other.holds
            and _place_of(other.mentions[0]) != _place_of(mention)
            and not other.is_retained_as(mention)
            and (
                other in against
                or turns_around(
                    said_in(other.text), held.said, around, holds=held.holds
                )
            )
            and not any(
                _takes_over(said_in(other.text), text, around) for text in beside
            )
        ]

    def _opened(self, mention: Mention, held: Held, *, firm: bool) -> _Open:
        claim = _Open(
            [mention],
            held.text,
            folded_terms(held.said),
            firm=firm,
            holds=held.holds,
            decides=_decides(mention),
        )
        self._all.append(claim)
        self._live.append(claim)
        self._index(claim)
        return claim

    def _index(self, claim: _Open) -> None:
        for term in claim.terms:
            places = self._by_term.setdefault(term, [])
            if claim not in places:
                places.append(claim)

    def _near(self, terms: frozenset[str]) -> Iterator[_Open]:
        """Yield the claims that hold and share a word, the likeliest first."""
        shared: dict[int, int] = {}
        found: dict[int, _Open] = {}
        for term in terms:
            for claim in self._by_term.get(term, ()):
                if claim.replaced_by is None:
                    shared[id(claim)] = shared.get(id(claim), 0) + 1
                    found[id(claim)] = claim
        order = {id(claim): place for place, claim in enumerate(self._live)}
        for key in sorted(found, key=lambda key: (-shared[key], order[key])):
            yield found[key]

    def _replace(self, new: _Open) -> None:
        for old in new.against:
            if old.replaced_by is None and old is not new:
                old.replaced_by = new
                self._live.remove(old)
        new.against = []


def _open_conflict(claim: _Open) -> bool:
    claim.against = [other for other in claim.against if other.replaced_by is None]
    return bool(claim.against)


def _end_of(claim: _Open) -> _Open:
    """Return what holds in the place of *claim* by now."""
    while claim.replaced_by is not None:
        claim = claim.replaced_by
    return claim


def _best_wording(wordings: Sequence[tuple[str, bool]]) -> str:
    """Return the wording that holds and says most, the earliest of equals."""
    ranks = [((holds, len(text) <= _LONG), text) for text, holds in wordings]
    top = max(rank for rank, _ in ranks)
    return reduce(richer, (text for rank, text in ranks if rank == top))


def _decides(mention: Mention) -> bool:
    """Say whether *mention* makes a decision known."""
    return mention.tag is Tag.DECISION


def _place_of(mention: Mention) -> Place:
    return mention.label, mention.day, mention.time


def _messages_of(mentions: Sequence[Mention]) -> Mapping[Place, str]:
    """Return the words of each message: neighbouring entries explain each other."""
    found: dict[Place, list[str]] = {}
    for mention in mentions:
        found.setdefault(_place_of(mention), []).append(held_in(mention).said)
    return {place: "\n".join(words) for place, words in found.items()}


def _lasting_of(mentions: Sequence[Mention]) -> Mapping[Place, Sequence[str]]:
    """Return what in each message holds by itself."""
    found: dict[Place, list[str]] = {}
    for mention in mentions:
        held = held_in(mention)
        if held.holds:
            found.setdefault(_place_of(mention), []).append(held.said)
    return found


def _takes_over(older: str, newer: str, around: str) -> bool:
    related = succession(older, newer)
    return related in {Relation.UPDATES, Relation.CONTRADICTS} or turns_around(
        older, newer, around, holds=True
    )
