"""What the agent found out because the owner asked: a cause, a price, where a thing is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.judges.features import Remark
from strata.judges.local import local_judge
from strata.judges.protocol import KEEPS
from strata.language.sentences import split_sentences
from strata.models import Estimate
from strata.statements.results import ADVICE, RELAYED, SECRETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.language.sentences import Sentence
    from strata.statements.exchanges import Exchange, Reply

# Of a long answer only the beginning tells what came out.
_READ = 6
# Longer, and without a tool, it is an essay.
_ESSAY = 400
# Just after a tool an agent reports more often than it talks.
_AFTER_TOOL = 0.5


def findings_of(exchange: Exchange) -> Iterator[tuple[Sentence, Reply, Estimate]]:
    """
    Give of each of the agent's replies what it found out, and how sure that is.

    The owner had asked, what the agent read somewhere is not vouched for, and no finding
    is ever a rule or a taste: it holds for the note, and for nothing beyond.
    """
    if exchange.said is None:
        return
    for place, reply in enumerate(exchange.replies):
        if not reply.after_tool and len(reply.message.text) > _ESSAY:
            continue
        every = split_sentences(reply.message.text)[:_READ]
        told = [each for each in every if _is_fair(each)]
        remarks = [_remark(exchange, place, each) for each in told]
        for sentence, likely in zip(told, local_judge().findings(remarks), strict=True):
            sure = likely ** (_AFTER_TOOL if reply.after_tool else 1)
            if sure >= KEEPS:
                yield sentence, reply, _found(sure)


def _is_fair(sentence: Sentence) -> bool:
    if sentence.injected or sentence.carries_order or "?" in sentence.plain[-3:]:
        return False
    return not any(each.search(sentence.plain) for each in (ADVICE, RELAYED, SECRETS))


def _remark(exchange: Exchange, place: int, sentence: Sentence) -> Remark:
    """Return *sentence* of a reply, with the owner's words as those of the other."""
    text, replies = exchange.replies[place].message.text, exchange.replies
    earlier = replies[place - 1].message if place else exchange.before
    later = replies[place + 1 : place + 2]
    return Remark(
        sentence.text,
        lead=text[: sentence.start],
        rest=text[sentence.end :],
        before=exchange.said.text if exchange.said and not place else "",
        reply=exchange.after.text if exchange.after and not later else "",
        earlier=earlier.text if earlier else "",
        after=later[0].message.text if later else "",
    )


def _found(sure: float) -> Estimate:
    return Estimate("finding", round(sure, 3), 0.05, 0.05, 1.0, 0.0, 0.0, 0.0, 0.0)
