"""Facts that somebody proposes become facts only where the cited words bear them out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from strata.distillation.agreement import disagreement
from strata.distillation.assent import agreed_to
from strata.distillation.bounds import other_side
from strata.distillation.citing import quotes_of, resting_on, terms_told
from strata.distillation.denials import spelled_out
from strata.distillation.grounding import strange_date, unsupported, without_frame
from strata.distillation.quotes import is_order_to_machines
from strata.distillation.results import ADVICE
from strata.distillation.sentences import language_of, split_sentences
from strata.distillation.speakers import is_doubtful, speaker_of
from strata.distillation.vagueness import is_vague
from strata.distillation.wording import capitalised, framed, shortened, with_dates
from strata.models import Evidence, Fact, Origin, Tag

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    from strata.distillation.material import Line
    from strata.distillation.sentences import Sentence

# Only the owner's own words can become one of these.
_OWNERS = frozenset({Tag.DECISION, Tag.PREFERENCE})
# So much of a decision the owner must have said; the agent's words may say of what.
_OWN_SHARE = 0.5
_LONGEST = 600
_HANZI_FIRST = "\u3400"
_MOST_WORDS = 4


@dataclass(frozen=True, slots=True)
class Proposal:
    """What somebody would keep: one line, its kind, and the numbers of the lines cited."""

    text: str
    tag: Tag | None
    request: bool
    cited: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a proposal is no fact."""

    reason: str


def ground(
    proposal: Proposal, lines: Mapping[int, Line], *, timezone: tzinfo
) -> Fact | Refused:
    """
    Return *proposal* as a fact with the words that justify it, or why it is none.

    Whose words they are is decided here, from the messages, and not by who proposes.
    """
    text = " ".join(without_frame(proposal.text).split())
    reason = _unfit(text, proposal, lines)
    if reason:
        return Refused(reason)
    basis = _basis(text, proposal, [lines[each] for each in proposal.cited], lines)
    if isinstance(basis, Refused):
        return basis
    fact = _fact(text, proposal, basis, timezone)
    unsaid = _unsaid(text, fact, timezone)
    return Refused(unsaid) if unsaid else fact


def _unfit(text: str, proposal: Proposal, lines: Mapping[int, Line]) -> str:
    """Return why *text* is no entry, whatever was said."""
    if not proposal.cited or not all(each in lines for each in proposal.cited):
        return "it cites a message that is not there"
    if len(text) > _LONGEST:
        return "it is too long for one line"
    if "⟦" in text or is_order_to_machines(text, quoted=False):
        return "it repeats a secret's place or an order to machines"
    if is_vague(text):
        return "it is vague"
    return ""


def _basis(
    text: str, proposal: Proposal, cited: Sequence[Line], lines: Mapping[int, Line]
) -> tuple[Evidence, ...] | Refused:
    """Return the words that *text* rests on, those of whoever tells it first."""
    told = terms_told(text)
    standing = proposal.tag in _OWNERS
    owner = [line for line in cited if line.by_owner]
    agent = [line for line in cited if not line.by_owner]
    said = _quoted(told, owner, asked=proposal.request, standing=standing)
    reported = _quoted(told, agent, asked=False, standing=False)
    share = _share(told, said)
    by_owner = bool(said) and share >= _OWN_SHARE * _share(told, (*said, *reported))
    if not by_owner and (standing or proposal.request):
        return _assented(told, owner, lines)
    speaker = speaker_of(text)
    if speaker and speaker is not (Origin.OWNER if by_owner else Origin.AGENT):
        return Refused("somebody else said so")
    if by_owner:
        # The agent's words only say what the owner's refer to.
        referents = () if share >= 1 else reported
        return (*said, *referents)
    return (*reported, *said) if reported else Refused("the words do not say it")


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
) -> tuple[Evidence, ...] | Refused:
    """Return the owner's yes and what it was said to, if *told* is that."""
    for line in owner:
        meanings = list(agreed_to(line, lines))
        meant = max(meanings, key=lambda each: _share(told, (each,)), default=None)
        if meant and _share(told, (meant,)):
            message = line.message
            yes = message.text[:_LONGEST]
            own = Evidence(message.id, yes, message.time, message.origin)
            return (own, meant)
    return Refused("the owner did not say so")


def _share(told: frozenset[str], evidence: Sequence[Evidence]) -> float:
    """Return how much of *told* the quoted words say."""
    said = frozenset[str]().union(*(terms_told(each.quote) for each in evidence))
    return len(told & said) / len(told) if told else 0.0


def _fact(
    text: str, proposal: Proposal, basis: tuple[Evidence, ...], timezone: tzinfo
) -> Fact:
    line = with_dates(text, basis[0].said_at.astimezone(timezone))
    line = framed(line, "request") if proposal.request else capitalised(line)
    tag = None if proposal.request else proposal.tag
    return Fact(shortened(line), tag, language_of(line), basis)


def _unsaid(text: str, fact: Fact, timezone: tzinfo) -> str | None:
    """Return what of *fact* its words do not bear out."""
    quotes = [each.quote for each in fact.evidence]
    if _other_language(text, " ".join(quotes)):
        return "it is in another language than the words"
    date, undated = strange_date(text, fact.evidence, timezone)
    if date:
        return f"the date {date!r} is not in the words"
    if turned := other_side(text, fact.evidence, timezone):
        return f"the words put {turned!r} on the other side"
    said = [each.text for quote in quotes for each in split_sentences(quote)]
    plainly = replace(fact, text=spelled_out(fact.text))
    return unsupported(plainly, timezone=timezone) or disagreement(
        text, undated, said or quotes
    )


def _other_language(text: str, quoted: str) -> bool:
    if language_of(text) == language_of(quoted):
        return False
    hanzi = [any(c >= _HANZI_FIRST for c in each) for each in (text, quoted)]
    return hanzi[0] != hanzi[1] and (hanzi[0] or len(text.split()) > _MOST_WORDS)
