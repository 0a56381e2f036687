"""Facts that somebody proposes become facts only where the cited words bear them out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.quotes import is_order_to_machines
from strata.language.sentences import language_of, split_sentences
from strata.language.statement import read
from strata.language.wording import with_dates, within
from strata.models import Evidence, Fact, Frame, Origin, Tag
from strata.notes.entries import without_speaker
from strata.statements.grounding.agreement import disagreement
from strata.statements.grounding.dates import as_said, strange_date
from strata.statements.grounding.vagueness import is_vague
from strata.statements.grounding.whose import basis_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    from strata.language.material import Line

# Only the owner's own words can become one of these.
_OWNERS = frozenset({Tag.DECISION, Tag.PREFERENCE})
_LONGEST = 600
_HANZI_FIRST = "\u3400"
_MOST_WORDS = 4
_ENDS = " .,;!?。、，；！？"
# Said of the rest, it may be said of these words.
_NARROWS = cue("rewording.limit")
# An earlier statement up to a value, another value, and the rest; or two, and a proviso.
_MOST_STRETCHES = 3
_JOINTS = _ENDS + "/…\"'”’」』"
_WORD_END = re.compile(
    r"(?<=[\u3400-\u9fff])|(?<=\d)(?=[a-z])|(?<=[a-z0-9%])(?![a-z0-9'’%])|$"
)
_GOES_ON = re.compile(r"[a-z0-9'’]")


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
    text = " ".join(without_speaker(proposal.text).split())
    reason = _unfit(text, proposal, lines)
    if reason:
        return Refused(reason)
    basis = basis_of(
        text,
        proposal.cited,
        lines,
        standing=proposal.tag in _OWNERS,
        asked=proposal.request,
    )
    if isinstance(basis, str):
        return Refused(basis)
    wrong = unsaid(text, basis, timezone)
    return Refused(wrong) if wrong else _fact(text, proposal, basis, timezone)


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


def _fact(
    text: str, proposal: Proposal, basis: tuple[Evidence, ...], timezone: tzinfo
) -> Fact:
    said_at = basis[0].said_at.astimezone(timezone)
    standing = proposal.tag is Tag.PREFERENCE
    quotes = [each.quote for each in basis]
    line = with_dates(text, said_at, standing=standing, quotes=quotes)
    if proposal.request:
        return within(Fact(line, None, language_of(line), basis, frame=Frame.REQUEST))
    return within(Fact(line, proposal.tag, language_of(line), basis))


def unsaid(text: str, evidence: Sequence[Evidence], timezone: tzinfo) -> str | None:
    """Return what of *text* the words of *evidence* do not bear out, None if nothing."""
    quotes = [each.quote for each in evidence if each.quote.strip()]
    if not quotes:
        return "it cites no words"
    if _other_language(text, " ".join(quotes)):
        return "it is in another language than the words"
    date, undated = strange_date(text, evidence, timezone)
    if date:
        return f"the date {date!r} is not in the words"
    words = as_said(text)
    if any(_stands_in(words, quote) for quote in quotes):
        return None
    said = [(e.origin, each) for e in evidence for each in split_sentences(e.quote)]
    answers = [
        each.text
        for origin, each in said
        if origin is Origin.OWNER and not each.plain.rstrip().endswith("?")
    ]
    told = [each.text for _, each in said]
    return disagreement(words, undated, told or quotes, answers=answers)


def unsupported(fact: Fact, timezone: tzinfo) -> str | None:
    """
    Return what of *fact*, as code found it, its words do not bear out; None if nothing.

    What the local judge resolved is put together of the words themselves.
    """
    # Each remark that it is about stands by itself.
    parts = (without_speaker(fact.text), *fact.topic.split(" / "))
    for part in filter(None, parts):
        quotes = [as_said(each.quote) for each in fact.evidence]
        if fact.estimate and _is_put_together(as_said(part), quotes):
            continue
        # Nobody has to have said who speaks.
        if wrong := unsaid(part, fact.evidence, timezone):
            return wrong
    return None


def _is_put_together(text: str, quotes: Sequence[str]) -> bool:
    """Say whether *text* is a few stretches of *quotes*, word for word."""
    left = read(text).plain.strip(_ENDS)
    said = [read(each).plain for each in quotes]
    for _ in range(_MOST_STRETCHES):
        most = max((_stretch(left, each) for each in said), default=0)
        left = left[most:].strip(_JOINTS)
        if not left:
            return True
    return False


def _stretch(text: str, quote: str) -> int:
    """Return how much of the beginning of *text*, in whole words, *quote* says."""
    length = 0
    for found in _WORD_END.finditer(text):
        if text[: found.start()] not in quote:
            break
        length = found.start()
    return length


def _stands_in(text: str, quote: str) -> bool:
    """Say whether *text* stands in *quote* word by word, and nothing around narrows it."""
    folded = (read(each).plain.split() for each in (text, quote))
    told, said = (" ".join(words).strip(_ENDS) for words in folded)
    # A date that somebody has worked out may be all there is.
    if not told or told not in said:
        return False
    before, _, after = said.partition(told)
    narrowed = _NARROWS.search(f"{before} {after}") or read(before).denials
    return not _GOES_ON.match(after) and not narrowed


def _other_language(text: str, quoted: str) -> bool:
    if language_of(text) == language_of(quoted):
        return False
    hanzi = [any(c >= _HANZI_FIRST for c in each) for each in (text, quoted)]
    return hanzi[0] != hanzi[1] and (hanzi[0] or len(text.split()) > _MOST_WORDS)
