"""What the agent found out because the owner asked: a cause, a price, where a thing is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from strata.judges.features import Remark
from strata.judges.local import local_judge
from strata.judges.protocol import KEEPS
from strata.language.sentences import split_sentences
from strata.models import Estimate
from strata.statements.results import ADVICE, RELAYED, SECRETS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from strata.language.sentences import Sentence
    from strata.statements.exchanges import Exchange, Reply

# Of a long answer only the beginning tells what came out.
_READ = 6
# Longer, and without a tool, it is an essay.
_ESSAY = 400
# So much of it is one line.
_LONGEST = 280
# Just after a tool an agent reports more often than it talks.
_AFTER_TOOL = 0.5


def findings_of(exchange: Exchange) -> Iterator[tuple[Sentence, Reply, Estimate]]:
    """
    Give what each of the agent's replies found out, if anything, and how sure that is.

    The owner had asked, what the agent read somewhere is not vouched for, and no finding
    is ever a rule or a taste: it holds for the note, and for nothing beyond.
    """
    if exchange.said is None:
        return
    for place, reply in enumerate(exchange.replies):
        if not reply.after_tool and len(reply.message.text) > _ESSAY:
            continue
        every = split_sentences(reply.message.text)[:_READ]
        fair = {at: each for at, each in enumerate(every) if _is_fair(each)}
        remarks = [_remark(exchange, place, each) for each in fair.values()]
        power = _AFTER_TOOL if reply.after_tool else 1
        likely = [each**power for each in local_judge().findings(remarks)]
        judged = zip(fair, likely, strict=True)
        sure = {at: each for at, each in judged if each >= KEEPS}
        if sure:
            best = max(sure, key=lambda at: sure[at])
            told = _around(best, {at: fair[at] for at in sure})
            yield told, reply, _found(sure[best])


def _around(best: int, told: Mapping[int, Sentence]) -> Sentence:
    """Return what stands at *best* as one with what is beside it: its cause, its end."""
    first = last = best
    for step in (1, -1):
        at = best + step
        while at in told and told[at].paragraph == told[best].paragraph:
            begin, end = told[min(first, at)], told[max(last, at)]
            if end.end - begin.start > _LONGEST:
                break
            first, last, at = min(first, at), max(last, at), at + step
    parts = [told[at] for at in range(first, last + 1)]
    gap = "" if parts[0].has_hanzi else " "
    return replace(
        parts[0],
        end=parts[-1].end,
        text=gap.join(each.text for each in parts),
        plain=gap.join(each.plain for each in parts),
    )


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
