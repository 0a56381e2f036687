"""Whose words they are: a question about one person is not answered by another's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from strata.search.snippets import Marked
    from strata.search.terms import Finder

# "- Caroline: I went …", "- 刘琳：我最近…"; "[decision] …" and "https://…" name nobody.
_SPOKEN = re.compile(
    r"\s*[-*]\s+(?P<who>[^\W\d_][\w .·'-]{0,23}?)[:：](?=[^/\s]|\s)\s*"
)
_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_OWN = re.compile(r"\b(?:I|my|me|mine|we|our|us)\b|[我咱]")
_ADDRESSED = re.compile(r"\b(?:you|your|yours)\b|[你您]", re.IGNORECASE)
_ASKING = ("?", "？")
# What is said to somebody tells of them, though less surely than their own words.
_SAID_TO = 0.8


def told_of_others(
    question: str,
    passages: Sequence[Marked],
    weights: Mapping[str, float],
    finder: Finder,
) -> float:
    """
    Say by how much others' sentences fit *question* better than the named person's own.

    From -1 to 1; 0 where the passages are no talk, or *question* names none of its
    speakers or several of them.
    """
    lines = [line for passage in passages for line in _spoken(passage)]
    named = [who for who in {line[0] for line in lines} if _names(question, who)]
    if len(named) != 1:
        return 0.0
    terms = {t: w for t, w in weights.items() if t not in finder.present(named[0])}
    total = sum(terms.values())
    if not total:
        return 0.0
    own, others = _best(named[0], lines, terms, finder)
    return (others - own) / total


def _spoken(passage: Marked) -> Iterator[tuple[str, str, frozenset[str]]]:
    for line, found in zip(passage.lines, passage.found, strict=True):
        match = _SPOKEN.match(line)
        if match:
            yield match["who"], line[match.end() :], found


def _names(text: str, who: str) -> bool:
    if not who.isascii():
        return who in text
    return re.search(rf"\b{re.escape(who)}\b", text) is not None


def _best(
    who: str,
    lines: Sequence[tuple[str, str, frozenset[str]]],
    terms: Mapping[str, float],
    finder: Finder,
) -> tuple[float, float]:
    """Return the best value of a sentence about *who*, and of one about anybody else."""
    own = others = 0.0
    for speaker, said, found in lines:
        if _value(found, terms) <= min(own, others):
            continue
        for sentence in _SENTENCES.split(said):
            value = _value(finder.present(sentence), terms)
            addressed = _ADDRESSED.search(sentence) is not None
            if speaker != who:
                others = others if addressed else max(others, value)
                own = max(own, _SAID_TO * value) if addressed else own
            elif _OWN.search(sentence) or not sentence.rstrip().endswith(_ASKING):
                own = max(own, value)
    return own, others


def _value(found: frozenset[str] | set[str], terms: Mapping[str, float]) -> float:
    return sum(terms.get(term, 0.0) for term in found)
