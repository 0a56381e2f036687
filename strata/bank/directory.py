"""Which names are one person or thing, and which statements tell of it: coreference."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.bank.appositions import said_to_be
from strata.bank.grouping import Groups
from strata.bank.kin import is_kin
from strata.bank.names import is_short_for, key_of, parts_of
from strata.bank.occurrences import Occurrences, top
from strata.bank.roles import Twofold, twofold

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Iterator,
        Mapping,
        Sequence,
    )

    from strata.bank.statements import Stated

# A page needs so many days, or so many statements.
DAYS, STATEMENTS = 2, 3
_PERSON = "person"
# One sort is sure with so much of what a name was taken for, and likely with so much.
_SURE, _LIKELY = 0.75, 0.15


@dataclass(frozen=True, slots=True)
class Entity:
    """
    Somebody or something: by its *key*, called *name*, of a *sort*, and in *forms*.

    *told* are the places of the statements that name it, in the order of time. *forms*
    are the other names that mean it, the most frequent first. *unsure* are the sorts of
    which it may be, where the reading is not sure.
    """

    key: str
    name: str
    sort: str
    forms: tuple[str, ...]
    told: tuple[int, ...]
    unsure: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Doubt:
    """A name that may mean any of several: only the owner can tell."""

    name: str
    among: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choices:
    """
    What the owner decided: which names are *one*, which are *apart*, and how one is called.

    *one* and *apart* are pairs of keys, *called* maps a key to the name that is wanted.
    *answered* are the ids of questions whether one name is two.
    """

    one: tuple[tuple[str, str], ...] = ()
    apart: frozenset[frozenset[str]] = frozenset()
    called: Mapping[str, str] = field(default_factory=dict)
    answered: frozenset[str] = frozenset()

    def by_keys(self, keys: Mapping[str, str]) -> Choices:
        """Return the same with each name that *keys* has as what it stands for there."""

        def meant(name: str) -> str:
            return keys.get(name, name)

        return Choices(
            one=tuple((meant(one), meant(other)) for one, other in self.one),
            apart=frozenset(frozenset(map(meant, pair)) for pair in self.apart),
            called={meant(name): wanted for name, wanted in self.called.items()},
            answered=self.answered,
        )


@dataclass(frozen=True, slots=True)
class Directory:
    """
    Everybody and everything that has enough for a page, and what is in doubt.

    *rare* are the names of those of whom too little is said for a page, *twofold* those
    who may be two.
    """

    entities: tuple[Entity, ...]
    doubts: tuple[Doubt, ...] = ()
    rare: tuple[str, ...] = ()
    twofold: tuple[Twofold, ...] = ()


def directory_of(
    stated: Sequence[Stated],
    common: Callable[[str], int],
    choices: Choices | None = None,
    *,
    everybody: bool = False,
) -> Directory:
    """
    Return who and what *stated* tell of; *everybody* has no need of enough for a page.

    *common* says how common a word is, as `judges.naming` counts it. What *choices* say
    stands above all that is found.
    """
    found = _Directory(stated, common, choices or Choices())
    return found.built(0 if everybody else DAYS)


class _Directory:
    def __init__(
        self,
        stated: Sequence[Stated],
        common: Callable[[str], int],
        choices: Choices,
    ) -> None:
        self._stated = stated
        found = Occurrences(stated, common, frozenset().union(*choices.apart))
        self._forms, self._is_role = found.forms, found.is_role
        # A page may be called as the name is mostly written: the Calders, of Calder.
        written = {
            key_of(each): key
            for key, form in self._forms.items()
            for each in form.spellings
        }
        self._choices = choices.by_keys(
            {each: key for each, key in written.items() if each not in self._forms}
        )
        # Whom a model names in each talk, and what else somebody is called.
        self._subjects: dict[str, set[str]] = defaultdict(set)
        self._aliases: set[str] = set()
        for one in stated:
            for subject in one.of:
                also = set(map(key_of, subject.also))
                self._subjects[one.talk] |= {key_of(subject.name), *also}
                self._aliases |= also
        self._aliases -= {key_of(each.name) for one in stated for each in one.of}
        self._doubts: list[Doubt] = []
        # What is left of a short form that always meant one in full.
        self._meant: dict[str, str] = {}

    def built(self, days: int) -> Directory:
        entities: list[Entity] = []
        rare: dict[str, str] = {}
        for group in self._joined():
            if found := self._entity(group, days):
                entities.append(found)
            else:
                rare |= {key_of(name): name for name in self._names(group)}
        entities.sort(key=lambda each: (each.told[0], each.key))
        names = tuple(name for _, name in sorted(rare.items()))
        two = tuple(filter(None, map(self._twofold, entities)))
        return Directory(tuple(entities), tuple(self._doubts), names, two)

    def _twofold(self, entity: Entity) -> Twofold | None:
        """Return why *entity* may be two, unless the owner has said so or the contrary."""
        if entity.sort != _PERSON:
            return None
        one = {key for pair in self._choices.one for key in pair}
        names = (entity.name, *entity.forms)
        for found in twofold(entity.name, names, entity.told, self._stated):
            sides = frozenset(map(key_of, (found.one, found.other)))
            decided = sides & one or sides in self._choices.apart
            if not decided and found.id not in self._choices.answered:
                return found
        return None

    def _joined(self) -> list[list[str]]:
        """Return the keys that mean one, group by group."""
        groups = Groups(self._forms, self._choices.apart)
        self._by_word()
        for one, other in self._said():
            groups.join(one, other)
        for pair in self._choices.one:
            one, other = (self._meant.get(key, key) for key in pair)
            if one in self._forms and other in self._forms:
                groups.join(one, other)
        return groups.all()

    def _said(self) -> Iterator[tuple[str, str]]:
        """Give the pairs of which somebody said that they are one, where that is plain."""
        partners: dict[str, set[str]] = defaultdict(set)
        for one in self._stated:
            for pair in said_to_be(one.shown, one.names, self._is_role_text):
                first, second = map(key_of, pair)
                # There is one mother, and any number of vets.
                if any(self._is_role(e) and not is_kin(e) for e in (first, second)):
                    continue
                if first in self._forms and second in self._forms:
                    partners[first].add(second)
                    partners[second].add(first)
            for first, second in self._called_also(one):
                partners[first].add(second)
                partners[second].add(first)
        for key, others in sorted(partners.items()):
            if self._alone(key, partners):
                yield from ((key, other) for other in sorted(others))

    def _called_also(self, stated: Stated) -> Iterator[tuple[str, str]]:
        """Give the written names that a model says mean one; of vets there are many."""
        for subject in stated.of:
            own = key_of(subject.name)
            for called in map(key_of, subject.also):
                one, other = (self._meant.get(key, key) for key in (own, called))
                known = {one, other} <= self._forms.keys() and one != other
                if known and (not self._is_role(called) or is_kin(called)):
                    yield one, other

    def _alone(self, key: str, partners: Mapping[str, set[str]]) -> bool:
        """Tell whether *key* and its partners are one: a sister of two names is not."""
        names = (key, *partners[key])
        return all(len(partners[each]) == 1 for each in names if self._is_role(each))

    def _is_role_text(self, text: str) -> bool:
        return self._is_role(key_of(text))

    def _by_word(self) -> None:
        """Let a short form mean whom its line, its talk, or all of memory has in full."""
        for short, fulls in sorted(self._fulls().items()):
            decided = {full for full in fulls if self._is_decided(short, full)}
            self._resolve(short, decided or fulls, decided=bool(decided))
        for short in [key for key, form in self._forms.items() if not form.told]:
            del self._forms[short]

    def _resolve(self, short: str, fulls: set[str], *, decided: bool) -> None:
        """Give what names *short* to whom of *fulls* it means."""
        form = self._forms[short]
        lines: dict[int, set[str]] = defaultdict(set)
        talks: dict[str, set[str]] = defaultdict(set)
        for full in fulls:
            for place in self._forms[full].told:
                lines[place].add(full)
                talks[self._stated[place].talk].add(full)
        # Who is called by a full name first is meant by the short one afterwards.
        earliest = min(form.told)
        met = (
            decided
            or any(min(self._forms[full].told) <= earliest for full in fulls)
            or any(talks[self._stated[place].talk] for place in form.told)
        )
        kept: list[int] = []
        for place in form.told:
            chosen = lines[place] or talks[self._stated[place].talk]
            if len(fulls) > 1:
                chosen = chosen - self._told_apart(short, place)
            elif met:
                chosen = fulls
            if len(chosen) == 1:
                # What may mean another one elsewhere leads to nobody's page.
                self._give(min(chosen), short, place, leads=len(fulls) == 1)
            else:
                kept.append(place)
        if kept and len(fulls) > 1:
            self._doubts.append(Doubt(short, tuple(sorted(fulls))))
        form.told = kept
        if not kept:
            self._meant[short] = min(fulls)

    def _told_apart(self, short: str, place: int) -> set[str]:
        """
        Return whom a model that names *short* at *place* names otherwise in that talk.

        It gives a name in full where the talk has it: who is called *short* is another.
        """
        one = self._stated[place]
        named = short in {key_of(each.name) for each in one.of}
        return self._subjects[one.talk] if named else set()

    def _is_decided(self, one: str, other: str) -> bool:
        """Tell whether the owner said that *one* and *other* are one."""
        return {(one, other), (other, one)} & set(self._choices.one) != set()

    def _give(self, full: str, short: str, place: int, *, leads: bool) -> None:
        """Let the statement at *place* tell of *full*, which it calls *short*."""
        form = self._forms[full]
        if place not in form.told:
            form.told.append(place)
        if leads:
            # However often: the name in full is what it is called by.
            form.spellings |= self._forms[short].spellings

    def _fulls(self) -> dict[str, set[str]]:
        """Return the names in full of which each short one may be what is left."""
        by_part: dict[str, set[str]] = defaultdict(set)
        for key in self._forms:
            for part in parts_of(key):
                by_part[part].add(key)
        found: dict[str, set[str]] = {}
        for key in self._forms:
            if self._is_role(key):
                continue
            parts = parts_of(key)
            others = (
                set.intersection(*(by_part[part] for part in parts)) if parts else set()
            )
            fulls = {
                full
                for full in others
                if is_short_for(key, full)
                and (self._same_sort(key, full) or self._meet(key, full))
                and frozenset((key, full)) not in self._choices.apart
            }
            # Mrs Daly and Fergus Daly are two; Daly and Mr Fergus Daly is one of one.
            longest = {
                full
                for full in fulls
                if not any(full != more and is_short_for(full, more) for more in fulls)
            }
            if longest:
                found[key] = longest
        return found

    def _same_sort(self, one: str, other: str) -> bool:
        return top(self._forms[one].sorts) == top(self._forms[other].sorts)

    def _meet(self, one: str, other: str) -> bool:
        """Tell whether both are named in one conversation."""
        talks = {self._stated[place].talk for place in self._forms[one].told}
        return any(
            self._stated[place].talk in talks for place in self._forms[other].told
        )

    def _entity(self, group: Sequence[str], least_days: int) -> Entity | None:
        forms = [self._forms[key] for key in group]
        told = sorted({place for form in forms for place in form.told})
        days = {self._stated[place].day for place in told}
        words = {self._stated[place].shown for place in told}
        if len(days) < least_days and len(words) < STATEMENTS:
            return None
        sorts: dict[str, float] = defaultdict(float)
        for form in forms:
            for sort, sure in form.sorts.items():
                sorts[sort] += sure
        best = min(group, key=self._rank)
        spellings: Counter[str] = Counter()
        for form in forms:
            spellings.update(form.spellings)
        name = self._wanted(group) or self._forms[best].spelling_of(best)
        others = {key_of(each) for each in spellings} - {key_of(name)}
        named = {
            other: max(
                (s for s in spellings if key_of(s) == other),
                key=lambda s: (spellings[s], s != s.lower(), s),
            )
            for other in others
        }
        ordered = sorted(named, key=lambda other: (-_count(spellings, other), other))
        return Entity(
            best,
            name,
            top(sorts) or "person",
            tuple(named[o] for o in ordered),
            tuple(told),
            _unsure(sorts),
        )

    def _names(self, group: Sequence[str]) -> list[str]:
        """Return all that *group* is called, of two spellings the one in capitals last."""
        said = {each for key in group for each in self._forms[key].spellings}
        wanted = self._wanted(group)
        return [*sorted(said, reverse=True), *([wanted] if wanted else [])]

    def _wanted(self, group: Sequence[str]) -> str:
        """Return what the owner wants any name of *group* to be called, or ""."""
        called = self._choices.called
        short = (key for key, full in self._meant.items() if full in group)
        return next((called[key] for key in (*group, *short) if key in called), "")

    def _rank(self, key: str) -> tuple[bool, bool, int, int, str]:
        """Order names: a proper one before a role, the fullest, the most frequent."""
        form = self._forms[key]
        is_alias = key in self._aliases
        return self._is_role(key), is_alias, -len(parts_of(key)), -form.seen, key


def _unsure(sorts: Mapping[str, float]) -> tuple[str, ...]:
    """Return the *sorts* that come into question, none where one is sure."""
    total = sum(sorts.values())
    if not total or max(sorts.values()) >= _SURE * total:
        return ()
    likely = (each for each in sorts if sorts[each] >= _LIKELY * total)
    return tuple(sorted(likely, key=lambda each: (-sorts[each], each)))


def _count(spellings: Counter[str], key: str) -> int:
    return sum(count for said, count in spellings.items() if key_of(said) == key)
