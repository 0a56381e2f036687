"""What the owner puts right of the agent's last words: a figure, a number, a name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.distillation.cues.kinds import Cue
from strata.distillation.cues.reading import are_misread, are_misspelt, find_cues
from strata.distillation.extraction.results import SECRETS
from strata.distillation.text.sentences import language_of, split_sentences
from strata.distillation.text.vocabulary import content_words
from strata.distillation.text.wording import trim

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.distillation.extraction.statements import Statement
    from strata.models import Message

# Letters and figures of one value, and the word that says what it counts.
_VALUE = re.compile(
    r"(?<![\w.])(?P<value>[A-Z]{0,3}\d+(?:[.,:/-]?\d+)*)(?![\w%])"
    r"(?: (?P<unit>[a-z]{2,}))?"
)
_NAME = re.compile(r"\b[A-Z][a-z]{2,}\b")
_MARKS = re.compile(r"[.!,;:]+$")
_LONGEST = 140
# So much shorter, a name is the short form of the other.
_CUT = 2
_ASKS = frozenset(
    {Cue.QUESTION, Cue.REQUEST, Cue.IMPERATIVE, Cue.ONE_OFF, Cue.DECISION}
)
_HAPPENS = frozenset(
    {Cue.QUESTION, Cue.RESULT, Cue.EVENT, Cue.DEADLINE, Cue.UNTIL, Cue.ONE_OFF}
)


@dataclass(frozen=True, slots=True)
class Correction:
    """The entry that says what is right, and the words of the agent."""

    text: str
    message: Message
    quote: str


def correction_of(before: Message | None, statement: Statement) -> Correction | None:
    """Return what *statement* sets right of the agent's words *before* it, if anything."""
    if before is None or statement.parts[0] & _ASKS:
        return None
    bare = trim(statement.text)
    first = _MARKS.sub("", bare.split(maxsplit=1)[0]) if bare else ""
    for sentence in split_sentences(before.text.strip('"“”「」')):
        if len(sentence.text) > _LONGEST or sentence.carries_order:
            continue
        pair = next(_pairs(sentence.text, bare), None)
        if pair is None or SECRETS.search(sentence.plain):
            continue
        wrong, right = pair
        cues = find_cues(sentence)
        if first == right and not cues & _HAPPENS:
            text = _marked(trim(sentence.text).replace(wrong, right, 1))
        elif Cue.CORRECTION in statement.cues:
            return None
        else:
            text = _marked_in(bare, right)
        return Correction(text, before, sentence.quote(before.text))
    return None


def _pairs(agents: str, owners: str) -> Iterator[tuple[str, str]]:
    """Give each value of the agent's that is wrong, with the owner's one for it."""
    wrong, right = (list(_VALUE.finditer(each)) for each in (agents, owners))
    for one in wrong:
        for other in right:
            if _is_instead(one, other):
                yield one["value"], other["value"]
    names = _NAME.findall(agents)
    for name in _NAME.findall(owners):
        if name not in names and (
            near := next((n for n in names if _is_for(n, name)), None)
        ):
            yield near, name


def _is_for(wrong: str, right: str) -> bool:
    """Say whether *wrong* is a slip for *right*: neither Mel for Melanie, nor The."""
    if not content_words(wrong.lower()) or not content_words(right.lower()):
        return False
    short, long = sorted((wrong, right), key=len)
    cut = long.startswith(short) and len(long) - len(short) >= _CUT
    return are_misspelt(wrong, right) and not cut


def _is_instead(one: re.Match[str], other: re.Match[str]) -> bool:
    """Say whether two values are read for each other, or count one and the same thing."""
    if one["value"] == other["value"]:
        return False
    if are_misread(one["value"], other["value"]):
        return True
    units = one["unit"], other["unit"]
    return None not in units and units[0].rstrip("s") == units[1].rstrip("s")


def _marked_in(whole: str, right: str) -> str:
    """Return the owner's words, of which the first sentence with *right* is marked."""
    sentences = (each.text for each in split_sentences(whole))
    first = next((text for text in sentences if right in text), whole)
    return whole.replace(first, _marked(first) + ".", 1).rstrip(".")


def _marked(text: str) -> str:
    """Return *text* as a correction; what was wrong is not worth remembering."""
    bare = _MARKS.sub("", text.rstrip("。. "))
    mark = "\uff08已更正\uff09" if language_of(text) == "zh" else " (corrected)"
    return bare + mark
