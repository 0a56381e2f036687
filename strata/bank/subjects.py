"""Whom and what an entry tells of, as a model says, and where its words name them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from strata.bank.finding import SHORTEST, Finder
from strata.bank.kin import is_kin
from strata.bank.names import key_of, parts_of, why_not_one
from strata.judges.naming import Named
from strata.language.quotes import carries_orders
from strata.language.simplified import has_han
from strata.language.vocabulary import content_words
from strata.models import Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

# A model says by itself what a name is; it may be wrong all the same.
CHANCE = 0.99
MOST = 8
_LONGEST = 60
_PERSON = "person"


def grounded(
    given: Iterable[Subject], said: Sequence[str], talk: Sequence[str]
) -> tuple[Subject, ...]:
    """
    Return those of *given* who are named in *talk*, each once.

    What somebody is called as well counts where one text of *said*, the owner's words, has
    both names; a name that looks like the other, or is what is left of it, is none.
    """
    kept: dict[str, Subject] = {}
    for each in given:
        name, key = " ".join(each.name.split()), key_of(each.name)
        if key not in kept and _is_name(name) and _stands(key, talk):
            also = tuple(_also(each, said))
            kept[key] = Subject(name, each.sort, also)
    return tuple(kept.values())[:MOST]


def named_by(
    subjects: Sequence[Subject], text: str, is_role: Callable[[str], bool]
) -> tuple[Named, ...]:
    """
    Return where *text* names *subjects*, be it by what is left of a name.

    What else they are called, or is left, names none where it *is_role*, but for kin; nor
    does what may be left of several.
    """

    def is_own(name: str) -> bool:
        return not is_role(name) or is_kin(key_of(name))

    sorts = {
        key_of(name): each.sort
        for each in subjects
        for name in (each.name, *filter(is_own, each.also))
    }
    short = Counter(
        key
        for each in subjects
        for key in {part for part in _parts(each) if not is_role(part)}
        if key not in sorts
    )
    for each in subjects:
        sorts |= {key: each.sort for key in _parts(each) if short[key] == 1}
    return tuple(
        Named(start, end, text[start:end], sorts[key], CHANCE)
        for key, start, end in Finder(sorts).found(text)
    )


def _is_name(name: str) -> bool:
    telling = content_words(name.lower()) > 0 and len(name) <= _LONGEST
    return telling and not carries_orders(name)


def _stands(key: str, texts: Iterable[str]) -> bool:
    finder = Finder([key])
    return any(any(finder.found(text)) for text in texts)


def _also(subject: Subject, said: Sequence[str]) -> Iterator[str]:
    """Give what one text of *said* calls *subject* beside its name, or a part of that."""
    own = {key_of(subject.name), *_parts(subject)}
    for name in subject.also:
        key, called = key_of(name), " ".join(name.split())
        both = (text for text in said if _stands(key, [text]))
        if _is_name(called) and not why_not_one(subject.name, called):
            finder = Finder(own)
            if any(any(finder.found(text)) for text in both):
                yield called


def _parts(subject: Subject) -> set[str]:
    """Return what people may say in the place of a name: words in a row, last hanzi."""
    parts = parts_of(key := key_of(subject.name))
    if has_han(key):
        rows = [parts[at:] for at in range(1, len(parts) - 1)]
        return {"".join(row) for row in rows} if subject.sort == _PERSON else set()
    size = len(parts)
    rows = [parts[a:b] for a in range(size) for b in range(a + 1, size + 1)]
    joined = {" ".join(row) for row in rows if len(row) < size}
    return {each for each in joined if len(each) >= SHORTEST}
