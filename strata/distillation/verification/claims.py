"""What the owner's entries state by now, folded in the order in which they were said."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from strata.distillation.meaning.relations import Relation, folded_terms
from strata.distillation.meaning.succession import succession
from strata.distillation.verification.gist import gist_of
from strata.distillation.verification.neighbours import (
    messages_of,
    place_of,
    rules_of,
)
from strata.distillation.verification.opened import Open, decides, end_of, is_firm
from strata.distillation.verification.stated import Stated
from strata.distillation.verification.turn_words import (
    keeps_a_weekday,
    lasting_words,
    moving_words,
    undated,
    worded,
)
from strata.distillation.verification.turning import turns_around
from strata.models import Claim, Tag

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from strata.distillation.verification.gist import Gist
    from strata.distillation.verification.neighbours import Place
    from strata.models import Mention


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
    folding = _Folding(accepted, messages_of(said), rules_of(said))
    for mention in said:
        folding.add(mention)
    return folding.result()


class _Folding:
    def __init__(
        self,
        accepted: Callable[[Mention], bool],
        messages: Mapping[Place, str],
        rules: Mapping[Place, Sequence[str]],
    ) -> None:
        self._accepted = accepted
        self._rules = rules
        self._messages = messages
        self._passing: list[Mention] = []
        self._stated = Stated()
        self._all: list[Open] = []
        self._live: list[Open] = []
        self._by_term: dict[str, list[Open]] = {}

    def add(self, mention: Mention) -> None:
        gist = gist_of(mention.text, mention.tag)
        if gist.trap or (gist.kind is None and (gist.bound or mention.tag is None)):
            self._add_passing(mention, gist)
            return
        home, against = self._related(mention, gist)
        turned = self._turned(mention, gist.text, holds=gist.kind is not None)
        if home is None or home in turned:
            home = self._opened(mention, gist, turned)
        else:
            home.join(mention, gist)
            self._index(home)
        home.against += [each for each in (*against, *turned) if each is not home]
        home.firm = home.firm or self._accepted(mention)
        self._settle(home, turned)
        if gist.kind is None and not turned and len(home.mentions) == 1:
            self._changes(mention, gist, home)
            self._stated.add(mention, gist)

    def _changes(self, mention: Mention, gist: Gist, home: Open | None = None) -> bool:
        """Let *mention* count where it changes what was only stated until then."""
        around = self._messages[place_of(mention)]
        words, told = self._stated.changed_by(mention, gist, around)
        if told:
            home = home or self._open(replace(mention, text=words), gist)
            home.turns, home.holds, home.firm = told, True, True
        return bool(told)

    def _related(self, mention: Mention, gist: Gist) -> tuple[Open | None, list[Open]]:
        """Return the claim that *mention* repeats, and those that it is at odds with."""
        home: Open | None = None
        against: list[Open] = []
        for other in self._near(folded_terms(gist.text)):
            related = succession(
                other.text,
                gist.text,
                said=mention.text,
                decides=other.decides and decides(mention, gist),
                hold=other.holds and gist.kind is not None,
            )
            if related is Relation.SAME and home is None:
                home = other
            elif related in {Relation.UPDATES, Relation.CONTRADICTS}:
                against.append(other)
        return home, against

    def _opened(self, mention: Mention, gist: Gist, turned: Sequence[Open]) -> Open:
        """Open a claim; what takes the place of a rule is put so that it stands alone."""
        if not any(other.holds for other in turned):
            return self._open(mention, gist)
        words = worded(gist.text, self._messages[place_of(mention)])
        if any(keeps_a_weekday(other.text) for other in turned):
            words = moving_words(undated(words)) or words
        claim = self._open(replace(mention, text=words), gist)
        claim.text = words
        return claim

    def _add_passing(self, mention: Mention, gist: Gist) -> None:
        """Let what was said for the moment count where it turns something around."""
        words = "" if gist.trap else lasting_words(mention.text)
        turned = self._turned(mention, words, passing=True) if words else []
        if not turned and not gist.trap:
            # What moves a day of every week moves it to another, and to no date.
            words = moving_words(undated(mention.text))
            turned = self._turned(mention, words, passing=True) if words else []
            turned = [other for other in turned if keeps_a_weekday(other.text)]
        if not turned and not self._changes(mention, gist):
            self._passing.append(mention)
            self._stated.add(mention, gist)
        if not turned:
            return
        home = self._opened(mention, replace(gist, text=words), turned)
        home.against += turned
        self._settle(home, turned)

    def _turned(
        self,
        mention: Mention,
        words: str,
        *,
        holds: bool = False,
        passing: bool = False,
    ) -> list[Open]:
        """
        Return the lasting claims that *words* of *mention* turn around.

        What a rule of the same message turns around, a complaint beside it does not.
        """
        rules = () if holds else self._rules.get(place_of(mention), ())
        around = self._messages[place_of(mention)]
        return [
            other
            for other in self._near(folded_terms(around))
            if (other.holds or (other.rules and not passing))
            and place_of(other.mentions[0]) != place_of(mention)
            and turns_around(other.text, words, around, holds=holds)
            and not any(turns_around(other.text, rule, around) for rule in rules)
        ]

    def _settle(self, home: Open, turned: Sequence[Open]) -> None:
        for each in turned:
            home.turns += [*each.turns, *each.mentions]
        home.firm = home.firm or bool(turned)
        home.holds = home.holds or bool(turned)
        if home.against and home.confirmed:
            self._replace(home)

    def result(self) -> Fold:
        waiting = [claim for claim in self._live if _open_conflict(claim)]
        current = [claim for claim in self._live if not _open_conflict(claim)]
        return Fold(
            tuple(each.claim() for each in current),
            tuple(
                Replaced(each.claim(), end_of(each).claim())
                for each in self._all
                if each.replaced_by
            ),
            tuple(
                Replaced(each.claim(), other.claim())
                for each in waiting
                for other in each.against[:1]
            ),
            tuple(self._passing),
        )

    def _open(self, mention: Mention, gist: Gist) -> Open:
        claim = Open(
            [mention],
            gist.text,
            folded_terms(gist.text),
            firm=is_firm(gist),
            holds=gist.kind is not None,
            rules=mention.tag in {Tag.DECISION, Tag.PREFERENCE},
            decides=decides(mention, gist),
        )
        self._all.append(claim)
        self._live.append(claim)
        self._index(claim)
        return claim

    def _index(self, claim: Open) -> None:
        for term in claim.terms:
            places = self._by_term.setdefault(term, [])
            if claim not in places:
                places.append(claim)

    def _near(self, terms: frozenset[str]) -> Iterator[Open]:
        """Yield the claims that hold and share a word, the likeliest first."""
        shared: dict[int, int] = {}
        found: dict[int, Open] = {}
        for term in terms:
            for claim in self._by_term.get(term, ()):
                if claim.replaced_by is None:
                    shared[id(claim)] = shared.get(id(claim), 0) + 1
                    found[id(claim)] = claim
        order = {id(claim): place for place, claim in enumerate(self._live)}
        for key in sorted(found, key=lambda key: (-shared[key], order[key])):
            yield found[key]

    def _replace(self, new: Open) -> None:
        for old in new.against:
            if old.replaced_by is None and old is not new:
                old.replaced_by = new
                self._live.remove(old)
        new.against = []


def _open_conflict(claim: Open) -> bool:
    claim.against = [other for other in claim.against if other.replaced_by is None]
    return bool(claim.against)
