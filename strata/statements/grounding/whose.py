"""Whose words a proposal rests on: decided from the messages, not by who proposes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.language.statement import read
from strata.models import Evidence, Origin
from strata.statements.assent import agreed_to
from strata.statements.grounding.citing import quotes_of, resting_on
from strata.statements.grounding.replying import questions_answered, refuses, takes_up
from strata.statements.results import ADVICE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from strata.language.material import Line
    from strata.language.sentences import Sentence

# So much of a statement the owner must have said; the agent's words may say of what.
_OWN_SHARE = 0.5
_LONGEST = 600
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
    own words, or a yes to words of the agent. So must what was *asked* for.
    """
    told = read(text).terms
    owner = [lines[each] for each in cited if lines[each].by_owner]
    agent = [lines[each] for each in cited if not lines[each].by_owner]
    if any(refuses(text, each) for each in owner if each.id - 1 in cited):
        return "the owner did not say so"
    said = _quoted(told, owner, asked=asked, standing=standing)
    if said and (questions := tuple(questions_answered(text, cited, lines))):
        # A reply and its question are one statement, and the owner's.
        return (*said, *questions)
    reported = _quoted(told, agent, asked=False, standing=False)
    share = _share(told, said)
    by_owner = bool(said) and share >= _OWN_SHARE * _share(told, (*said, *reported))
    # The agent's words only say what the owner's refer to.
    referents = () if share >= 1 else reported
    named = _named(text, referents) - _named(text, said)
    if (standing or asked) and (not by_owner or (standing and named)):
        replied = _replied(text, said, owner, cited)
        return (*replied, *reported) if replied else _assented(text, told, owner, lines)
    speaker = speaker_of(text)
    if speaker and speaker is not (Origin.OWNER if by_owner else Origin.AGENT):
        return "somebody else said so"
    if by_owner:
        return (*said, *referents)
    firm = _quoted(told, agent, asked=False, standing=False, when=_states)
    return (*reported, *said) if firm else "the words do not say it"


def _replied(
    text: str,
    said: tuple[Evidence, ...],
    owner: Sequence[Line],
    cited: Sequence[int],
) -> tuple[Evidence, ...]:
    """
    Return *said* where the owner says it in reply to the agent's words, cited too.

    What the agent had told, asked or proposed says of what the owner speaks.
    """
    replies = [each for each in owner if each.id - 1 in cited]
    willing = all(takes_up(text, each) for each in replies)
    return said if replies and willing else ()


def _named(text: str, evidence: Sequence[Evidence]) -> frozenset[str]:
    """Return the names and values of *text* that the quoted words say."""
    named = {each.key for each in read(text).pieces if each.kind in {"name", "value"}}
    said = frozenset[str]().union(*(read(each.quote).terms for each in evidence))
    return frozenset(named & said)


def _quoted(
    told: frozenset[str],
    lines: Sequence[Line],
    *,
    asked: bool,
    standing: bool,
    when: Callable[[Sentence], bool] = bool,
) -> tuple[Evidence, ...]:
    found: list[Evidence] = []
    for line in lines:
        usable = [
            sentence
            for sentence in line.sentences
            if when(sentence)
            and _counts(sentence, line, asked=asked, standing=standing)
        ]
        found += quotes_of(line, resting_on(told, usable))
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
) -> tuple[Evidence, ...] | str:
    """Return the owner's yes and what it was said to, if *told* is that."""
    for line in owner:
        if not takes_up(text, line):
            continue
        meanings = list(agreed_to(line, lines))
        meant = max(meanings, key=lambda each: _share(told, (each,)), default=None)
        if meant and _share(told, (meant,)):
            message = line.message
            yes = message.text[:_LONGEST]
            own = Evidence(message.id, yes, message.time, message.origin)
            return (own, meant)
    return "the owner did not say so"


def _states(sentence: Sentence) -> bool:
    """Say whether the agent tells something, and does not ask or advise."""
    return "?" not in sentence.plain[-3:] and not ADVICE.search(sentence.plain)


def _share(told: frozenset[str], evidence: Sequence[Evidence]) -> float:
    """Return how much of *told* the quoted words say."""
    said = frozenset[str]().union(*(read(each.quote).terms for each in evidence))
    return len(told & said) / len(told) if told else 0.0


def speaker_of(text: str) -> Origin | None:
    """Return whom *text* makes its subject: the owner, the agent, or neither."""
    if _OWNER.match(text):
        return Origin.OWNER
    return Origin.AGENT if _AGENT.match(text) else None
