"""Whose words a proposal rests on: decided from the messages, not by who proposes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.distillation.extraction.assent import agreed_to
from strata.distillation.extraction.results import ADVICE
from strata.distillation.extraction.speakers import is_doubtful, speaker_of
from strata.distillation.grounding.citing import quotes_of, resting_on, terms_told
from strata.distillation.meaning.pieces import pieces
from strata.models import Evidence, Origin

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from strata.distillation.text.material import Line
    from strata.distillation.text.sentences import Sentence

# So much of a statement the owner must have said; the agent's words may say of what.
_OWN_SHARE = 0.5
_LONGEST = 600


def basis_of(
    text: str,
    cited: Sequence[int],
    lines: Mapping[int, Line],
    *,
    standing: bool,
    asked: bool,
) -> tuple[Evidence, ...] | str:
    """
    Return the words that *text* rests on, those of whoever tells it first; or why not.

    What is *standing*, a decision or a preference, must be the owner's: in the owner's
    own words, or a yes to words of the agent. So must what was *asked* for.
    """
    told = terms_told(text)
    owner = [lines[each] for each in cited if lines[each].by_owner]
    agent = [lines[each] for each in cited if not lines[each].by_owner]
    said = _quoted(told, owner, asked=asked, standing=standing)
    reported = _quoted(told, agent, asked=False, standing=False)
    share = _share(told, said)
    by_owner = bool(said) and share >= _OWN_SHARE * _share(told, (*said, *reported))
    # The agent's words only say what the owner's refer to.
    referents = () if share >= 1 else reported
    named = _named(text, referents) - _named(text, said)
    if (standing or asked) and (not by_owner or (standing and named)):
        return _assented(told, owner, lines)
    speaker = speaker_of(text)
    if speaker and speaker is not (Origin.OWNER if by_owner else Origin.AGENT):
        return "somebody else said so"
    if by_owner:
        return (*said, *referents)
    return (*reported, *said) if reported else "the words do not say it"


def _named(text: str, evidence: Sequence[Evidence]) -> frozenset[str]:
    """Return the names and values of *text* that the quoted words say."""
    named = {each.key for each in pieces(text) if each.kind in {"name", "value"}}
    said = frozenset[str]().union(*(terms_told(each.quote) for each in evidence))
    return frozenset(named & said)


def _quoted(
    told: frozenset[str], lines: Sequence[Line], *, asked: bool, standing: bool
) -> tuple[Evidence, ...]:
    found: list[Evidence] = []
    for line in lines:
        usable = [
            sentence
            for sentence in line.sentences
            if _counts(sentence, line, asked=asked, standing=standing)
        ]
        found += quotes_of(line, resting_on(told, usable))
    return tuple(found)


def _counts(sentence: Sentence, line: Line, *, asked: bool, standing: bool) -> bool:
    """Say whether *sentence* states something: no question, no advice, no joke."""
    if not line.by_owner:
        return "?" not in sentence.plain[-3:] and not ADVICE.search(sentence.plain)
    return asked or not is_doubtful(sentence, standing=standing)


def _assented(
    told: frozenset[str],
    owner: Sequence[Line],
    lines: Mapping[int, Line],
) -> tuple[Evidence, ...] | str:
    """Return the owner's yes and what it was said to, if *told* is that."""
    for line in owner:
        meanings = list(agreed_to(line, lines))
        meant = max(meanings, key=lambda each: _share(told, (each,)), default=None)
        if meant and _share(told, (meant,)):
            message = line.message
            yes = message.text[:_LONGEST]
            own = Evidence(message.id, yes, message.time, message.origin)
            return (own, meant)
    return "the owner did not say so"


def _share(told: frozenset[str], evidence: Sequence[Evidence]) -> float:
    """Return how much of *told* the quoted words say."""
    said = frozenset[str]().union(*(terms_told(each.quote) for each in evidence))
    return len(told & said) / len(told) if told else 0.0
