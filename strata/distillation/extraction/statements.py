"""The sentences of a message, grouped into statements that stand for themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from strata.distillation.cues.kinds import Cue
from strata.distillation.cues.reading import find_cues
from strata.distillation.text.pointing import announces, points_back
from strata.distillation.text.sentences import split_sentences
from strata.distillation.text.vocabulary import content_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.distillation.text.sentences import Sentence

LONGEST = 280
# So few words announce something and state nothing.
_FEW = 3

_RULES = frozenset({Cue.STANDING, Cue.MEMO, Cue.REQUIRES})
_CERTAIN = frozenset(
    {Cue.STANDING, Cue.FINDING, Cue.CORRECTION, Cue.UNTIL, Cue.RECURRING, Cue.CONTACT}
)
_OPENERS = _RULES | {Cue.MANNER}
# What is news of its own, unless it leans on what was said before.
_NEWS = frozenset(
    {
        Cue.NUMBER, Cue.IDENTIFIER, Cue.EVENT, Cue.DEADLINE, Cue.CONTACT, Cue.RESULT,
        Cue.UNTIL, Cue.RECURRING,
        Cue.HABIT, Cue.MANNER, Cue.SELF, Cue.PROPERTY, Cue.REQUIRES, Cue.STANDING,
        Cue.DECIDED, Cue.DECISION, Cue.FINDING,
    }
)  # fmt: skip
# News in three words: "Tove handles tents."
_OWN = frozenset(
    {Cue.CONTACT, Cue.EVENT, Cue.DEADLINE, Cue.NUMBER, Cue.IDENTIFIER, Cue.HABIT}
)
_TOLD = _NEWS | {Cue.NAME, Cue.TIME, Cue.CORRECTION, Cue.MEMO, Cue.PROHIBITION}
_SAME = frozenset({Cue.DECISION, Cue.DECIDED, Cue.CORRECTION})
_SHIFT = re.compile(
    r"(?:also|one (?:more|other|last)|another|next|separately|as for|regarding"
    r"|by the way|btw|oh,? and|last(?:ly)?|finally|secondly?|thirdly?|first(?:ly)?"
    r"|other thing|unrelated|on (?:another|a different)|ps|p\.s\.)\b|另外|还有"
    r"|再一个|再就是|对了|顺便|最后[,:]|其次|第[二三四]|至于|关于|话说"
)
_LEANING = re.compile(
    r"(?:it|it's|its|that|that's|this|they|them|those|these|he|she|his|her|he's"
    r"|she's|the (?:same|latter|former|other)|both|neither|then|otherwise|because"
    r"|so|and|or|which|please keep (?:that|this|it)|keep (?:that|this|it)|same"
    r"|not)\b|[它他她这那此]|\d+[^,。]{0,2}那(?:还|才|都)?是"
    r"|(?:你)?(?:给我)?记[住牢好][,。]|别忘|以后都这|否则"
    r"|不然|因为|所以|就|都|跟[^,。]{1,8}(?:商量|说|对)过"
)

# "You know where the figures are? /srv/x.csv": a place that answers.
_WHERE = re.compile(r"\bwhere\b|哪")
_PLACE = re.compile(
    r"(?:~|[a-z]:|\.)?[/\\]\S|https?:|[\w-]+(?:\.[\w-]+)+(?=[\s,\uff0c。]|$)",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"^(?:i|we)(?:'ll)? \w+ (?:it|them|that)\b|\b(?:do it|it|keep it) (?:that"
    r"|this) way\b"
    r"|(?:这|那)(?:么|样)(?:办|做|来|弄)"
)
_WORD = re.compile(r"[^\W\d_]{3,}|\d+|[\u4e00-\u9fff]")
_PRESSING = frozenset(
    {"always", "never", "every", "time", "please", "only", "the", "and"}
)


@dataclass(frozen=True)
class Statement:
    """Neighbouring sentences of one message that say one thing, and their cues."""

    sentences: tuple[Sentence, ...]
    parts: tuple[frozenset[Cue], ...]

    @cached_property
    def cues(self) -> frozenset[Cue]:
        """The cues of all sentences."""
        return frozenset().union(*self.parts)

    @cached_property
    def text(self) -> str:
        """The words as they were said, on one line."""
        parts = [self.sentences[0].text]
        for sentence in self.sentences[1:]:
            close = (
                parts[-1][-1:] in "。!?;…」』”"
                or parts[-1][-1:] in "\uff01\uff1f\uff1b"
            )
            parts.append(("" if close and sentence.has_hanzi else " ") + sentence.text)
        return "".join(parts)

    @cached_property
    def plain(self) -> str:
        """The words that cues look at."""
        return " ".join(sentence.plain for sentence in self.sentences)

    @cached_property
    def content(self) -> int:
        """How many words carry meaning."""
        return content_words(self.plain)


def read_statements(text: str) -> list[Statement]:
    """Return what the message *text* states, in order; chatter is left out."""
    return list(_statements(split_sentences(text)))


def answered(parts: list[tuple[Sentence, frozenset[Cue]]]) -> list[frozenset[Cue]]:
    """Return the cues of each sentence; where a place answers "where", both tell it."""
    found = [cues for _, cues in parts]
    for place in range(len(parts) - 1):
        asked, told = found[place], found[place + 1]
        where = Cue.QUESTION in asked and _WHERE.search(parts[place][0].plain)
        if (
            where
            and Cue.QUESTION not in told
            and _PLACE.match(parts[place + 1][0].text)
        ):
            both = (asked | told | {Cue.LOCATED}) - {Cue.QUESTION, Cue.REQUEST}
            found[place] = found[place + 1] = both
    return found


def is_trap(cues: frozenset[Cue]) -> bool:
    """Say whether a sentence is not meant, not certain, or not its writer's own view."""
    if Cue.MEMO in cues:
        return False
    if cues & {Cue.HYPOTHETICAL, Cue.JOKE, Cue.DECLINED, Cue.QUOTES}:
        return True
    if Cue.REVOKED in cues and not cues & {Cue.DECIDED, Cue.DECISION}:
        return True
    if Cue.QUOTED in cues and not cues & {Cue.STANDING, Cue.IMPERATIVE, Cue.MANNER}:
        return True
    if Cue.OTHERS in cues and not _are_news(cues):
        return True
    return Cue.VAGUE in cues and not cues & _CERTAIN


def _are_news(cues: frozenset[Cue]) -> bool:
    """Tell what others report or ask for from what they like and believe."""
    if cues & {Cue.REQUIRES, Cue.CONTACT}:
        return True
    concrete = cues & {Cue.NUMBER, Cue.TIME, Cue.IDENTIFIER, Cue.DECISION}
    return bool(concrete) and Cue.REPORTED in cues and Cue.TASTE not in cues


def _statements(sentences: tuple[Sentence, ...]) -> Iterator[Statement]:
    group: list[Sentence] = []
    parts: list[frozenset[Cue]] = []
    fair = [s for s in sentences if not s.injected and content_words(s.plain)]
    read = answered([(sentence, find_cues(sentence)) for sentence in fair])
    for sentence, cues in zip(fair, read, strict=True):
        held = frozenset[Cue]().union(*parts)
        if group and not _belongs(group, held, sentence, cues):
            yield _statement(group, parts)
            group, parts = [], []
        group.append(sentence)
        parts.append(cues)
    if group:
        yield _statement(group, parts)


def _statement(group: list[Sentence], parts: list[frozenset[Cue]]) -> Statement:
    """Return the statement of *group*, without the "Let him." that it answers first."""
    start = 0
    while (
        start + 1 < len(group)
        and _says_nothing(group[start], parts[start])
        and not announces(group[start].text, group[start + 1].text)
    ):
        start += 1
    return Statement(tuple(group[start:]), tuple(parts[start:]))


def _says_nothing(sentence: Sentence, cues: frozenset[Cue]) -> bool:
    return content_words(sentence.plain) < _FEW and not cues & _TOLD


def _belongs(
    group: list[Sentence],
    held: frozenset[Cue],
    sentence: Sentence,
    cues: frozenset[Cue],
) -> bool:
    """Say whether *sentence* goes on with what *group* states."""
    length = sentence.end - group[0].start
    if length > LONGEST or sentence.paragraph != group[-1].paragraph:
        return False
    if (Cue.QUESTION in cues) != (Cue.QUESTION in held):
        return False
    if is_trap(cues) != is_trap(held) or _SHIFT.match(sentence.plain):
        return False
    answers = Cue.LOCATED in held & cues and _PLACE.match(sentence.text)
    if answers or _LEANING.match(sentence.plain) or _POINTS_BACK.search(sentence.plain):
        return True
    if points_back(sentence.plain) or _says_again(group, sentence):
        return True
    return _same_purpose(group, held, sentence, cues)


def _says_again(group: list[Sentence], sentence: Sentence) -> bool:
    """Say whether a few words only press what *group* says: "text her. …, text, always"."""
    words = set(_WORD.findall(sentence.plain))
    said = {word for each in group for word in _WORD.findall(each.plain)}
    return content_words(sentence.plain) <= _FEW and words - _PRESSING <= said


def _same_purpose(
    group: list[Sentence],
    held: frozenset[Cue],
    sentence: Sentence,
    cues: frozenset[Cue],
) -> bool:
    """Keep a rule apart from the request or the event that led to it."""
    short = content_words(sentence.plain) < (_FEW if cues & _OWN else _FEW + 1)
    if cues & _OPENERS and not held & _OPENERS and Cue.REQUEST in held:
        return False
    if short or (held & _NEWS and _opens(group)) or held & cues & _SAME:
        return True
    if _stands_alone(held, cues):
        return False
    if cues & _RULES and not held & _RULES:
        return Cue.REASON in held
    request = Cue.REQUEST in cues and not cues & {
        Cue.SCOPE,
        Cue.PROHIBITION,
        Cue.REASON,
    }
    return not (held & _RULES and request and not cues & _RULES)


def _opens(group: list[Sentence]) -> bool:
    """Say whether a few words only announce what follows: "Day two.", 查到了。"""
    few = _FEW + group[0].has_hanzi
    return sum(content_words(sentence.plain) for sentence in group) < few


def _stands_alone(held: frozenset[Cue], cues: frozenset[Cue]) -> bool:
    """Say whether a sentence is news beside other news, and no reason or detail of it."""
    if (held | cues) & {Cue.REASON, Cue.MEMO} or Cue.DECIDED in held:
        return False
    return bool(held & _NEWS and cues & _NEWS)
