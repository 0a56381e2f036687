"""Where names stand in what was said, also where nobody took them for one."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from strata.bank.finding import SHORTEST, Finder, cut_of
from strata.bank.growing import AGAIN, Span, Spans, longer_names, unlike
from strata.bank.names import is_short_for, key_of, parts_of
from strata.bank.reading import COMMON
from strata.bank.subjects import CHANCE
from strata.language.simplified import has_han

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Iterable,
        Mapping,
        Sequence,
    )

    from strata.bank.statements import Stated
    from strata.models import Subject

# A name is one where what stands there was taken for a name this often, all told.
_SURE = 0.4
# Where it almost always was, or nobody else uses the word, it is one wherever it stands.
_ALWAYS = 0.75
_PLAIN, _TOGETHER = 0.7, 1.0


@dataclass(slots=True)
class Form:
    """
    A name as it occurs: how often, of what sort, in which spellings and statements.

    It is *counted* as often as it stands behind a figure.
    """

    seen: int = 0
    counted: int = 0
    sure: float = 0.0
    surest: float = 0.0
    sorts: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    spellings: Counter[str] = field(default_factory=Counter)
    told: list[int] = field(default_factory=list)

    def spelling_of(self, key: str) -> str:
        """Return how *key* is mostly written, with its capitals where it ever has some."""
        own = {said: n for said, n in self.spellings.items() if key_of(said) == key}
        chosen = own or dict(self.spellings)
        return max(chosen, key=lambda said: (said != said.lower(), chosen[said], said))


class Occurrences:
    """
    The names in *stated*, each with where it stands: *forms*, by key.

    *common* says how many use a word as no name; *apart* are keys that are to be names,
    where they have one within them: my sister Anna.
    """

    def __init__(
        self,
        stated: Sequence[Stated],
        common: Callable[[str], int],
        apart: Collection[str] = (),
    ) -> None:
        self._stated = stated
        self._apart, self._longer = apart, set[str]()
        self._cuts = [cut_of(each.shown, each.start, each.end) for each in stated]
        self._common = common
        self._given = {key_of(e.name) for one in stated for e in one.of}
        self.forms: dict[str, Form] = {}
        self._spans = Spans()
        self._read()

    def commonness(self, key: str) -> int:
        """Return how common the least common word of *key* is."""
        parts = parts_of(key)
        if has_han(key) and len(parts) > 1:
            parts = tuple(a + b for a, b in pairwise(parts))
        return min((self._common(each) for each in parts), default=0)

    def is_role(self, key: str) -> bool:
        """Tell whether *key* is a word that may mean anybody's: a sister, 房东."""
        return self.commonness(key) >= COMMON

    def _read(self) -> None:
        """Find where each name stands, also where it was not taken for one."""
        named = {each.text for one in self._stated for each in one.names}
        self._find(named | self._given)
        # What is rare in a name in full is a name by itself: Calder of Calder Equine. The
        # last word of a place is a field or a street, of which there are many.
        parts = {
            part
            for key, form in self.forms.items()
            for part in _parts(key, is_person=top(form.sorts) == "person")
            if not self.is_role(part) and not self.commonness(part)
        }
        known = parts | set(self.forms)
        self._longer = {
            key
            for key in self._apart
            if key not in known and any(is_short_for(each, key) for each in known)
        }
        both = self._side_by_side(known) | self._longer
        if parts or both:
            self._find(known | both, parts | both)
        # What is cut out of a longer word, or stands with this or that one, goes on.
        texts = [each.shown for each in self._stated]
        spans = unlike(texts, {key: self._spans.get(key, []) for key in self.forms})
        if grown := longer_names(spans, texts, self._cuts, self._is_plain):
            self._longer |= grown
            self._find({*self.forms, *grown}, parts | both | grown)

    def _take(self, subject: Subject, place: int, held: list[tuple[int, bool]]) -> None:
        """Let the statement at *place* tell of *subject*, by whatever name it does so."""
        if (place, True) not in held:
            form = self.forms.setdefault(key_of(subject.name), Form())
            form.seen += 1
            form.sure += CHANCE
            form.surest = max(form.surest, CHANCE)
            form.sorts[subject.sort] += CHANCE
            form.spellings[subject.name] += 1
            held.append((place, True))

    def _is_plain(self, word: str) -> bool:
        """Tell whether *word* is no figure and no hanzi, and one that many use."""
        return word.isalpha() and not has_han(word) and self.is_role(word)

    def _side_by_side(self, keys: Collection[str]) -> set[str]:
        """Return the names in full that two of *keys* make where they stand in a row."""
        known = Finder(keys)
        found: set[str] = set()
        for one, cut in zip(self._stated, self._cuts, strict=True):
            for first, second in pairwise(known.found_in(cut)):
                beside = one.shown[first[2] : second[1]] == " "
                if beside and all(map(self._is_proper, (first[0], second[0]))):
                    found.add(key_of(one.shown[first[1] : second[2]]))
        return found

    def _is_proper(self, key: str) -> bool:
        """Tell whether *key* is a person's own name in letters, or may be half of one."""
        form = self.forms.get(key)
        own = form is None or top(form.sorts) == "person"
        return own and not has_han(key) and not self.is_role(key)

    def _find(self, names: Iterable[str], parts: Collection[str] = ()) -> None:
        """Keep those of *names* that are one often enough; *parts* always are."""
        before, self.forms, self._spans = self.forms, {}, {}
        known = Finder(filter(None, map(key_of, names)))
        held: dict[str, list[tuple[int, bool]]] = defaultdict(list)
        for place, (one, cut) in enumerate(zip(self._stated, self._cuts, strict=True)):
            named = {(each.start, each.end): each for each in one.names}
            for key, start, end in known.found_in(cut):
                form = self.forms.setdefault(key, Form())
                form.seen += 1
                form.counted += _is_counted(one.shown, start)
                found = named.get((start, end))
                if found is None and key in self._longer:
                    # A sister Anna is of the sort that Anna is.
                    found = next((n for n in one.names if start <= n.start < end), None)
                if found:
                    form.sure += found.chance
                    form.surest = max(form.surest, found.chance)
                    form.sorts[found.sort] += found.chance
                form.spellings[one.shown[start:end]] += 1
                held[key].append((place, found is not None))
                span = bisect_left(cut.starts, start), bisect_left(cut.ends, end)
                self._spans.setdefault(key, []).append(Span(place, *span))
            for subject in one.of:
                self._take(subject, place, held[key_of(subject.name)])
        for key, places in held.items():
            form = self.forms[key]
            share, rare = form.sure / form.seen, self.commonness(key) < COMMON
            # Of a word that hardly anybody uses one plain mention tells, or several.
            plain = form.surest >= _PLAIN or form.sure >= _TOGETHER
            if form.surest >= _SURE and form.seen >= AGAIN and not plain:
                plain = len({self._stated[place].day for place, _ in places}) > 1
            is_known = key in parts or key in before
            # What mostly stands behind a figure is its unit: 300 Mbps.
            is_unit = 2 * form.counted > form.seen and len(parts_of(key)) == 1
            if is_unit or not (is_known or share >= _SURE or (rare and plain)):
                del self.forms[key]
                continue
            always = share >= _ALWAYS or rare
            # Where a model read the talk, what it never names is no name.
            is_given = key in parts or key in self._given
            told = (
                place
                for place, tagged in places
                if tagged or (always and (is_given or not self._stated[place].of))
            )
            form.told = list(dict.fromkeys(told))
            if not form.told:
                del self.forms[key]


def top(sorts: Mapping[str, float]) -> str:
    """Return the likeliest of *sorts*."""
    return max(sorted(sorts), key=lambda sort: sorts[sort], default="")


def _is_counted(text: str, start: int) -> bool:
    """Tell whether what begins at *start* of *text* stands right behind a figure."""
    return text[max(0, start - 2) : start].rstrip()[-1:].isdigit()


def _parts(key: str, *, is_person: bool) -> list[str]:
    """Return what of the name *key* people say in its place: Calder, 建平 of 杨建平."""
    if has_han(key):
        # A title stands behind a name, and an only hanzi may be anything.
        return [key[at:] for at in range(1, len(key) - 1)] if is_person else []
    words = parts_of(key)
    said = words if is_person else words[:1]
    return [each for each in said if len(words) > 1 and len(each) >= SHORTEST]
