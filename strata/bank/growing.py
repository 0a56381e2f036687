"""Names of which only a part was taken for one: they go on with what stands beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from strata.bank.names import key_of
from strata.language.simplified import has_han
from strata.search.language.words import says_nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from strata.bank.finding import Cut

# A name goes on with the word that almost always stands beside it, so often at least, or
# with several that mostly do.
AGAIN = 3
_ALMOST, _MOSTLY = 0.75, 0.7


class Span(NamedTuple):
    """Where a name stands: in which text, from its *first* word to its *last* one."""

    place: int
    first: int
    last: int


Spans = dict[str, list[Span]]


def longer_names(
    found: Mapping[str, Sequence[Span]],
    texts: Sequence[str],
    cuts: Sequence[Cut],
    is_plain: Callable[[str], bool],
) -> set[str]:
    """
    Return the names that those *found* are a part of: Old Duke, 弹子石站.

    *cuts* are *texts* in words. A word that *is_plain* belongs to a name only where both
    have a capital.
    """
    longer: set[str] = set()
    growing = Spans({key: list(rows) for key, rows in found.items()})
    while growing:
        grown = Spans()
        for key, rows in growing.items():
            for after in (False, True):
                beside = _beside(key, rows, texts, cuts, is_plain, after=after)
                for whole in _chosen(beside, len(rows)):
                    grown[whole] = beside[whole]
        growing = {k: v for k, v in grown.items() if k not in longer and k not in found}
        longer |= growing.keys()
    return longer


def _beside(  # noqa: PLR0913 - a side of a name, and what tells of words
    key: str,
    rows: Sequence[Span],
    texts: Sequence[str],
    cuts: Sequence[Cut],
    is_plain: Callable[[str], bool],
    *,
    after: bool,
) -> Spans:
    """Return where *key* stands with each word that comes right *after* it, or before."""
    found = Spans()
    titled: set[str] = set()
    plain: set[str] = set()
    for place, first, last in rows:
        cut, text = cuts[place], texts[place]
        word = last + 1 if after else first - 1
        if not 0 <= word < len(cut.words) or not _goes_on(
            text, cut, max(first, word), word
        ):
            continue
        span = Span(place, min(first, word), max(last, word))
        said = text[cut.starts[span.first] : cut.ends[span.last]]
        whole = key_of(said)
        found.setdefault(whole, []).append(span)
        if is_plain(cut.words[word]):
            plain.add(whole)
        if all(each[:1].isupper() for each in said.split()):
            titled.add(whole)
    return {
        whole: spans
        for whole, spans in found.items()
        if len(spans) > 1 and whole != key and (whole in titled or whole not in plain)
    }


def _goes_on(text: str, cut: Cut, second: int, word: int) -> bool:
    """Tell whether *word* of *cut* says anything, and nothing parts it from the name."""
    gap = text[cut.ends[second - 1] : cut.starts[second]]
    both = cut.words[second - 1], cut.words[second]
    if gap not in {"", " "} or (gap and any(map(has_han, both))):
        return False
    said = cut.words[word]
    return said.isalnum() and not says_nothing(said)


def _chosen(beside: Spans, seen: int) -> Iterator[str]:
    """Give with which of *beside* a name goes on that was *seen* so often."""
    counts = {whole: len(spans) for whole, spans in beside.items()}
    most = max(counts, key=lambda whole: (counts[whole], whole), default="")
    if counts.get(most, 0) >= max(AGAIN, _ALMOST * seen):
        yield most
    elif len(counts) > 1 and sum(counts.values()) >= _MOSTLY * seen:
        yield from counts


def unlike(texts: Sequence[str], spans: Mapping[str, Sequence[Span]]) -> Spans:
    """Return *spans* without those in a text that another one repeats word for word."""
    once = frozenset({text: place for place, text in enumerate(texts)}.values())
    return {
        key: [row for row in rows if row.place in once] for key, rows in spans.items()
    }
