"""The sentences of an entry that hold beyond the day on which they were said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.distillation.cues.kinds import Cue
from strata.distillation.cues.reading import find_cues
from strata.distillation.extraction.statements import answered, is_trap
from strata.distillation.meaning.turns import STRONG_TURN
from strata.distillation.text.pointing import announces
from strata.distillation.text.sentences import split_sentences
from strata.distillation.text.vocabulary import content_words
from strata.distillation.text.wording import capitalised, trim
from strata.distillation.verification.holding import EARNEST, Kind, is_bound, kind_of
from strata.distillation.verification.leaning import points_outside, repaired
from strata.models import Tag

if TYPE_CHECKING:
    from strata.distillation.text.sentences import Sentence

# "User asked: …" and the like frame what was wanted at that moment.
_FRAMED = re.compile(r"(?:The )?[Uu]ser (?:asked|said):|用户(?:要求|说)[:\uff1a]")
_TOPIC = re.compile(
    r"\s*\(about: ?[^()]*\)$|\s*[(\uff08]所指[:\uff1a][^()\uff08\uff09]*[)\uff09]$"
)
# What leads up to a rule and adds nothing to it: "Please remember: ".
_LEAD = re.compile(
    r"(?:(?:please |and |so |ok,? )*(?:remember|note|keep in mind|bear in mind"
    r"|write down"
    r"|a |one |the |my |our |general |house |standing |golden |new |simple |last "
    r"|another )+"
    r"(?:more )?(?:rule|thing|point|note|request|item|one)?s?"
    r"(?: (?:for|of) [^:,.;]{1,40})?:\s+"
    r"|(?:one )?(?:more|another|something|a note) for your [\w -]{3,30}:\s*"
    r"|(?:remember|note) (?:for|in) (?:all |any |the )?[^:.;]{1,40}:\s*"
    r"|(?:first|last|one) (?:of all|thing)[:,]\s*|(?:and )?that's why(?: not)?[,.:]\s*"
    r"|(?:请|帮我|给我|你)*(?:记住|记一下|记下来?|记好|记牢|记着|切记|别忘了)(?:了"
    r"|啊|哈|一条|一点)?"
    r"\s*[:\uff1a,\uff0c。]\s*|(?:先说(?:这个|一?[条件]|个事儿?)|再有|还有(?:就是|一条)?|我跟你(?:讲|说)|再说一遍|再强调一[次遍下]|强调一下|说一下|规矩"
    r"|规则|原则|新规矩)"
    r"\s*[:\uff1a,\uff0c]\s*)",
    re.IGNORECASE,
)


# What the agent did wrong before it was told how things are.
_BLAMES = re.compile(
    r"\byou (?:had|wrote|put|said|sent|made|used|forgot|keep|kept)\b"
    r"|你(?:又|刚才|上回|上次)?(?:写|说|发|弄|填|记)(?:的|成|错)",
    re.IGNORECASE,
)
_DATE = re.compile(r"\s?[(\uff08]20\d\d[^)\uff09]*[)\uff09]")
# What happened on a day that is past, beside what is so now.
_PAST = re.compile(
    r"(?:just )?(?:yesterday|last (?:week|month|year|night|term))\b"
    r"|(?:昨[天晚]|前[天几]|上个?(?:周|月|星期|学期)|去年|刚)(?!的)",
    re.IGNORECASE,
)
_NOW = re.compile(r"\bnow\b|现在|如今", re.IGNORECASE)
_CLAUSES = re.compile(r"(?<!\d)[,\uff0c]\s*")
_FEWEST_WORDS = 2
_TELLING = frozenset({Cue.NAME, Cue.IDENTIFIER, Cue.NUMBER, Cue.MANNER, Cue.SCOPE})
_Part = tuple["Sentence", frozenset[Cue]]


@dataclass(frozen=True, slots=True)
class Gist:
    """What of an entry may hold for long: its words, and what kind of statement it is."""

    text: str
    kind: Kind | None
    cues: frozenset[Cue]
    bound: bool
    trap: bool


@lru_cache(maxsize=8192)
def gist_of(text: str, tag: Tag | None) -> Gist:
    """Return the part of the entry *text* that is worth a line, if any is."""
    if _FRAMED.match(text):
        return Gist(text, None, frozenset(), bound=True, trap=False)
    said = _clauses_of_note(_TOPIC.sub("", text))
    kept = [
        part
        for part, after in zip(said, [*said[1:], None], strict=True)
        if not _is_noise(*part) or (after is not None and _heads(part, after))
    ]
    while kept and _only_leads(kept, tag):
        kept = kept[1:]
    cues = _union(kept)
    kind = _kind(kept, tag)
    if kind is None:
        every = _union(said)
        bound = any(is_bound(sentence.text, own) for sentence, own in said)
        return Gist(_led(_joined(said)), None, every, bound, is_trap(every))
    return Gist(
        repaired(_led(_joined(kept)), kind, tag), kind, cues, bound=False, trap=False
    )


def _clauses_of_note(text: str) -> list[_Part]:
    told = [_without_past(s) for s in split_sentences(text) if not s.injected]
    parts = [(sentence, _cues_of(sentence)) for sentence in told]
    return list(zip(told, answered(parts), strict=True))


def _without_past(sentence: Sentence) -> Sentence:
    """Leave out a clause that tells since when or why: 上周来了一个, 现在 43 人."""
    clauses = _CLAUSES.split(sentence.text)
    kept = [clause for clause in clauses if not _PAST.match(clause)]
    tells = any(_NOW.search(clause) or STRONG_TURN.search(clause) for clause in kept)
    if len(kept) == len(clauses) or not tells:
        return sentence
    return split_sentences((", " if sentence.text.isascii() else ",").join(kept))[0]


def _cues_of(sentence: Sentence) -> frozenset[Cue]:
    """Return the cues; "from tonight (2026-11-20) on" is read without the day in it."""
    cues, bare = find_cues(sentence), _DATE.sub("", sentence.text)
    if bare == sentence.text:
        return cues
    undated = frozenset[Cue]().union(*map(find_cues, split_sentences(bare)))
    return undated if Cue.STANDING in undated else cues | (undated & {Cue.CORRECTION})


def _is_noise(sentence: Sentence, cues: frozenset[Cue]) -> bool:
    """Say whether a sentence adds nothing that lasts: a day, a mood, a question, a joke."""
    if is_trap(cues) or is_bound(sentence.text, cues):
        return True
    if cues & {Cue.QUESTION, Cue.LAUGHTER, Cue.RELAYED}:
        return True
    if Cue.MOOD in cues and not cues & EARNEST:
        return True
    return content_words(sentence.plain) < _FEWEST_WORDS and not cues & _TELLING


def _heads(part: _Part, after: _Part) -> bool:
    """Say whether a few words name what the sentence *after* them speaks of."""
    sentence, cues = part
    few = content_words(sentence.plain) <= _FEWEST_WORDS
    if not few or cues & {Cue.QUESTION, Cue.LAUGHTER} or _is_noise(*after):
        return False
    return announces(sentence.text, after[0].text)


def _only_leads(kept: list[_Part], tag: Tag | None) -> bool:
    """Say whether the first sentence leans on what is not there and can be spared."""
    sentence, cues = kept[0]
    if len(kept) == 1 or _kind(kept[1:], tag) is None or _heads(kept[0], kept[1]):
        return False
    own = kind_of(cues, tag, sentence.text)
    mended = repaired(sentence.text, own, tag) if own else sentence.text
    if points_outside(mended):
        return True
    if points_outside(kept[1][0].text):
        return False
    return _BLAMES.search(sentence.text) is not None or (
        kind_of(cues, tag, sentence.text) is None
        and not cues & _TELLING
        and tag is not Tag.DECISION
    )


def _kind(kept: list[_Part], tag: Tag | None) -> Kind | None:
    """Return the firmest kind of any sentence; a decision may take several to tell."""
    kinds = [kind for part in kept if (kind := kind_of(part[1], tag, part[0].text))]
    if tag is Tag.DECISION and len(kept) > 1 and Cue.DECIDED in _union(kept):
        kinds.append(Kind.DECISION)
    return min(kinds, key=list(Kind).index, default=None)


def _union(parts: list[_Part]) -> frozenset[Cue]:
    return frozenset[Cue]().union(*(cues for _, cues in parts))


def _joined(parts: list[_Part]) -> str:
    words = parts[0][0].text if parts else ""
    for sentence, _ in parts[1:]:
        close = words[-1:] in "。!?;…」』”\uff01\uff1f\uff1b"
        words += ("" if close and sentence.has_hanzi else " ") + sentence.text
    return words


def _led(words: str) -> str:
    """Return *words* without what leads up to them."""
    shorter = trim(words)
    while (lead := _LEAD.match(shorter)) and content_words(shorter[lead.end() :]) > 1:
        shorter = trim(shorter[lead.end() :])
    return capitalised(shorter)
