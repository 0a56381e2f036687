"""Whose words a fact rests on: decided by code, whoever found the fact."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from strata.language.quotes import MASK, PASTE, mask_quotations
from strata.models import Frame, Origin, Tag
from strata.notes.entries import parse_entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from strata.models import Evidence, Fact, Message

_FOREIGN = frozenset({Origin.UNTRUSTED, Origin.SYSTEM})
# What nobody but the owner can say, and what an agent finds out.
_FOUND = frozenset({Tag.PREFERENCE, Tag.DECISION, Tag.FINDING})


def with_origins(
    fact: Fact, messages: Mapping[str, Message], *, shared: bool = False
) -> Fact:
    """
    Return *fact* as its evidence allows, whatever its finder took it for.

    What rests on pasted or other people's words is an event that names its source; what
    rests on the agent's alone is a result, or what it found. *messages* holds those that
    it cites, by id.
    In a *shared* memory, of a group say, others are those who talk there.
    """
    evidence = tuple(_settled(each, messages) for each in fact.evidence)
    fact = replace(fact, evidence=evidence)
    origins = {each.origin for each in evidence}
    if origins & _FOREIGN:
        # One label is enough: the words are theirs, whoever asked for what in them.
        told = parse_entry(fact.text)
        frame, topic = (Frame.HEARD if shared else Frame.READ), fact.topic or told.topic
        return replace(fact, tag=None, text=told.text, frame=frame, topic=topic)
    # What comes after the first only says what it is about; a model cites in any order.
    speakers = origins if fact.proposer else {each.origin for each in evidence[:1]}
    if fact.tag in _FOUND and Origin.OWNER not in speakers:
        return replace(fact, tag=Tag.FINDING, frame=Frame.FOUND)
    return _as_said(fact) if _is_doubted(evidence, messages) else fact


def _is_doubted(evidence: Iterable[Evidence], messages: Mapping[str, Message]) -> bool:
    told = (messages.get(each.message_id) for each in evidence)
    return any(message is not None and message.doubted for message in told)


def _as_said(fact: Fact) -> Fact:
    """Return *fact* as what was said, and no more: perhaps nobody meant it."""
    return replace(fact, tag=None, frame=fact.frame or Frame.SAYING)


def _settled(evidence: Evidence, messages: Mapping[str, Message]) -> Evidence:
    message = messages.get(evidence.message_id)
    if message is None:
        return evidence
    if message.origin is Origin.OWNER and _is_pasted(evidence.quote, message.text):
        return replace(evidence, origin=Origin.UNTRUSTED)
    return replace(evidence, origin=message.origin)


def _is_pasted(quote: str, text: str) -> bool:
    """Say whether the words of *quote* are, in *text*, somebody else's."""
    at = text.find(quote)
    if at < 0 or not quote.strip():
        return False
    own = mask_quotations(text)[at : at + len(quote)]
    return PASTE in own or 2 * own.count(MASK) > len(own)
