"""Whose words a proposal rests on: decided from the messages, not by who proposes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.language.statement import read
from strata.models import Evidence, Origin
from strata.statements.assent import agreed_to
from strata.statements.grounding.citing import quotes_of, resting_on
from strata.statements.grounding.replying import answers_question, refuses, takes_up
from strata.statements.results import ADVICE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from strata.language.material import Line
    from strata.language.sentences import Sentence

# So much of a statement the owner must have said; the agent's words may say of what.
_OWN_SHARE = 0.5
# Characters of a yes that are quoted at most, and of a message that is quoted whole.
_LONGEST, _SHORT = 600, 300
NOT_SAID = "the owner did not say so"
_OWNER = re.compile(r"(?:the )?(?:user|owner)\b|用户|主人|机主", re.IGNORECASE)
_AGENT = re.compile(
    r"(?:the )?(?:ai )?(?:agent|assistant)\b(?!s)|(?:智能)?助手|助理(?!们)|智能体",
    re.IGNORECASE,
)
# A question by its mark alone: "never npm, ok?", "can you remember that I park in yard B?"
_NO_QUESTION = re.compile(
    r"[,;]\s*(?:ok(?:ay)?|alright|all right|right|yes|please|got it|understood|agreed"
    r"|好吗|好不好|好吧|行吗|可以吗|明白吗|懂吗|知道吗|记住了吗)\s*\?\s*\Z"
    r"|\A(?:(?:can|could|would|will) you (?:please )?|please )"
    r"(?:remember|note|memori[sz]e|keep in mind)\b"
    r"|\A(?:你?(?:能不能|能|可以)?(?:帮我|给我)?)记(?:住|一下|下)",
    re.IGNORECASE,
)


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
    own words, or a yes to words of the agent. So must what was *asked* for. The other
    one's cited words come last: they tell what is spoken of.
    """
    told = read(text).terms
    owner = [lines[each] for each in cited if lines[each].by_owner]
    agent = [lines[each] for each in cited if not lines[each].by_owner]
    replies = [each for each in owner if each.id - 1 in cited]
    if any(refuses(text, each, lines.get(each.id - 1)) for each in replies):
        return NOT_SAID
    said = _quoted(told, owner, asked=asked, standing=standing)
    reported = _quoted(told, agent, asked=False, standing=False)
    share = _share(told, said)
    by_owner = 0 < share >= _OWN_SHARE * _share(told, (*said, *reported))
    taken = by_owner and not (standing and _chosen_by_agent(text, owner, agent))
    if (standing or asked) and not taken:
        # What the agent had told, asked or proposed says of what the owner speaks.
        replied = bool(replies) and all(
            takes_up(text, each, lines.get(each.id - 1)) for each in replies
        )
        if share and (replied or answers_question(text, cited, lines)):
            return (*said, *reported)
        meant = _assented(text, told, owner, lines)
        return (*meant, *said) if meant else NOT_SAID
    speaker = speaker_of(text)
    if speaker and speaker is not (Origin.OWNER if by_owner else Origin.AGENT):
        return "somebody else said so"
    if by_owner:
        return (*said, *reported)
    firm = any(
        _states(each, text)
        for line in agent
        for each in resting_on(told, line.sentences)
    )
    return (*reported, *said) if firm else "the words do not say it"


def _chosen_by_agent(text: str, owner: Sequence[Line], agent: Sequence[Line]) -> bool:
    """
    Say whether *text* has a name or a value of the agent's that the owner let be.

    What the agent named is the owner's where most of what the owner says of it follows.
    """
    told = read(text).terms
    named = {each.key for each in read(text).pieces if each.kind in {"name", "value"}}
    named -= _terms_of(owner)
    heard = [each.id for each in agent if named & read(each.text).terms]
    if not heard:
        return False
    after = [each for each in owner if each.id > min(heard)]
    said_after, said = (len(told & _terms_of(each)) for each in (after, owner))
    return said_after < _OWN_SHARE * said


def _terms_of(lines: Sequence[Line]) -> frozenset[str]:
    return frozenset[str]().union(*(read(each.text).terms for each in lines))


def _quoted(
    told: frozenset[str],
    lines: Sequence[Line],
    *,
    asked: bool,
    standing: bool,
) -> tuple[Evidence, ...]:
    found: list[Evidence] = []
    for line in lines:
        usable = [
            sentence
            for sentence in line.sentences
            if _counts(sentence, line, asked=asked, standing=standing)
        ]
        # Of a few words none is beside the point: a day, a "not", whom it is about.
        resting = resting_on(told, usable)
        whole = resting and len(line.text) <= _SHORT
        found += quotes_of(line, usable if whole else resting)
    return tuple(found)


def _counts(sentence: Sentence, line: Line, *, asked: bool, standing: bool) -> bool:
    """Say whether *sentence* may bear a statement: of a standing one no question does."""
    if not line.by_owner or asked or not standing:
        return True
    asks = sentence.plain.rstrip().endswith("?")
    return not asks or _NO_QUESTION.search(sentence.plain) is not None


def _assented(
    text: str,
    told: frozenset[str],
    owner: Sequence[Line],
    lines: Mapping[int, Line],
) -> tuple[Evidence, ...]:
    """Return the owner's yes and what it was said to, if *told* is that."""
    for line in owner:
        if not takes_up(text, line, lines.get(line.id - 1)):
            continue
        meanings = list(agreed_to(line, lines))
        meant = max(meanings, key=lambda each: _share(told, (each,)), default=None)
        if meant and _share(told, (meant,)):
            message = line.message
            yes = message.text[:_LONGEST]
            own = Evidence(message.id, yes, message.time, message.origin)
            return (own, meant)
    return ()


def _states(sentence: Sentence, text: str) -> bool:
    """Say whether the agent tells what *text* says, and does not ask or advise it."""
    advice = ADVICE.search(sentence.plain)
    kept = advice is None or advice[0] in read(text).plain
    return kept and "?" not in sentence.plain[-3:]


def _share(told: frozenset[str], evidence: Sequence[Evidence]) -> float:
    """Return how much of *told* the quoted words say."""
    said = frozenset[str]().union(*(read(each.quote).terms for each in evidence))
    return len(told & said) / len(told) if told else 0.0


def speaker_of(text: str) -> Origin | None:
    """Return whom *text* makes its subject: the owner, the agent, or neither."""
    if _OWNER.match(text):
        return Origin.OWNER
    return Origin.AGENT if _AGENT.match(text) else None
