"""Words that hardly anybody but the owner uses, and the owner again and again: names."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from strata.bank.names import key_of
from strata.judges.naming import Named
from strata.language.simplified import has_han

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

# So often, and on so many days, no slip of the keyboard comes.
_OFTEN, _DAYS = 3, 2
# Two hanzi are a word where one hardly stands elsewhere, and the other not too often.
_OWN, _OTHER = 0.6, 0.12
# What is called so may be anything, a thing more likely than a person: it is not sure.
_SORT, _CHANCE = "thing", 0.5

Spans = tuple[tuple[int, int], ...]


def coined_words(
    texts: Sequence[str], days: Sequence[date], unheard: Sequence[Spans]
) -> set[str]:
    """
    Return the keys of the words in *texts*, each said on one of *days*, that are coined.

    *unheard* are the places in each where a word stands that hardly anybody uses.
    """
    counts: Counter[str] = Counter()
    when: dict[str, set[date]] = defaultdict(set)
    for text, day, spans in zip(texts, days, unheard, strict=True):
        for start, end in spans:
            key = key_of(text[start:end])
            counts[key] += 1
            when[key].add(day)
    hanzi = Counter("".join(texts))
    return {
        key
        for key, count in counts.items()
        if count >= _OFTEN
        and len(when[key]) >= _DAYS
        and (not has_han(key) or _is_word(count, (hanzi[each] for each in key)))
    }


def with_coined(
    text: str, names: tuple[Named, ...], spans: Spans, coined: set[str]
) -> tuple[Named, ...]:
    """Return *names* of *text* with what at *spans* is *coined* and none of them has."""
    found = list(names)
    for start, end in spans:
        free = all(each.end <= start or end <= each.start for each in found)
        if free and key_of(text[start:end]) in coined:
            found.append(Named(start, end, text[start:end], _SORT, _CHANCE))
    return tuple(sorted(found, key=lambda each: each.start))


def _is_word(count: int, hanzi: Iterable[int]) -> bool:
    """Tell whether two that stand together *count* times, and so often in all, are one."""
    shares = [count / (each or 1) for each in hanzi]
    return max(shares) >= _OWN and min(shares) >= _OTHER
