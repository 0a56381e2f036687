"""Whose words they are: a question about one person is not answered by another's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.search.answering.snippets import value_of
from strata.search.language.keywords import subject_terms
from strata.search.language.words import ASSISTANTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from strata.search.answering.snippets import Marked
    from strata.search.language.terms import Finder

    Line = tuple[str, str, frozenset[str]]

# "- Caroline: I went …", "- 刘琳：我最近…"; "[decision] …" and "https://…" name nobody.
_SPOKEN = re.compile(
    r"\s*[-*]\s+(?P<who>[^\W\d_][\w .·'-]{0,23}?)[:：](?=[^/\s]|\s)\s*"
)
_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_OWN = re.compile(r"\b(?:I|my|me|mine|we|our|us)\b|[我咱]")
_ADDRESSED = re.compile(r"\b(?:you|your|yours)\b|[你您]", re.IGNORECASE)
_ASKING = ("?", "？")
# Who takes part in a talk says more than one line of it; "- Note: …" is none.
_LINES = 2
# How surely a sentence tells of a person, next to one in which they say "I": what is asked
# of them, what is said to them, and what they say of no one.
_ASKED, _SAID_TO, _OF_NO_ONE = 0.8, 0.6, 0.6
# One word that another's sentence shares with the question is often a coincidence.
_ONE_WORD = 0.5


def told_of_others(
    question: str,
    passages: Sequence[Marked],
    weights: Mapping[str, float],
    finder: Finder,
) -> tuple[float, str]:
    """
    Say by how much others' lives fit *question* better than the named person's, and whose.

    From -1 to 1; 0 where the passages are no talk, or *question* names none of its
    speakers or several of them.
    """
    lines = [line for passage in passages for line in _spoken(passage)]
    speakers = [speaker for speaker, _, _ in lines]
    named = [who for who in set(speakers) if _names(question, who)]
    if len(named) != 1 or speakers.count(named[0]) < _LINES:
        return 0.0, ""
    asked = subject_terms(question).keys() - finder.present(named[0])
    terms = {term: weights[term] for term in asked & weights.keys()}
    told = _told(named[0], lines, terms, finder)
    own, total = told.pop(named[0]), sum(terms.values())
    # An assistant has no life that could be told instead.
    told = {who: value for who, value in told.items() if who.lower() not in ASSISTANTS}
    if not told or not total:
        return 0.0, ""
    whose = max(told, key=told.__getitem__)
    return (told[whose] - own) / total, whose


def _spoken(passage: Marked) -> Iterator[Line]:
    for line, found in zip(passage.lines, passage.found, strict=True):
        match = _SPOKEN.match(line)
        if match:
            yield match["who"], line[match.end() :], found


def _names(text: str, who: str) -> bool:
    if not who.isascii():
        return who in text
    return re.search(rf"\b{re.escape(who)}\b", text) is not None


def _told(
    who: str,
    lines: Sequence[Line],
    terms: Mapping[str, float],
    finder: Finder,
) -> dict[str, float]:
    """Return the best value of a sentence on each speaker; *who* talks with the others."""
    told = dict.fromkeys((speaker for speaker, _, _ in lines), 0.0)
    other = next((speaker for speaker in told if speaker != who), who)
    for speaker, said, found in lines:
        other = other if speaker == who else speaker
        people = speaker, other if speaker == who else who
        most = value_of(found, terms)
        # No sentence tells of its hearer more surely than a question does.
        if most <= told[people[0]] and _ASKED * most <= told[people[1]]:
            continue
        sentences = _SENTENCES.split(said)
        for sentence in sentences:
            present = finder.present(sentence) if len(sentences) > 1 else found
            shared = present & terms.keys()
            value = value_of(shared, terms)
            for person, sure in zip(people, _sureness(sentence), strict=True):
                alone = _ONE_WORD if len(shared) == 1 and person != who else 1.0
                told[person] = max(told[person], sure * alone * value)
    return told


def _sureness(sentence: str) -> tuple[float, float]:
    """Say how surely *sentence* tells of who says it, and of who hears it."""
    asking = sentence.rstrip().endswith(_ASKING)
    if asking and _ADDRESSED.search(sentence):
        return 0.0, _ASKED
    if _OWN.search(sentence):
        return 1.0, 0.0
    if asking:
        return 0.0, _ASKED
    if _ADDRESSED.search(sentence):
        return 0.0, _SAID_TO
    return _OF_NO_ONE, 0.0
