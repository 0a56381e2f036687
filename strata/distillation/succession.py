"""
What a statement is to an earlier one of the same owner, in the loose words of talk.

`relations` compares two statements as such. In a conversation people repeat a rule in half
a sentence ("the rule stays"), or turn it around while telling why ("the server was down
twice, I'm giving up on it"). The words that do so are what this module knows.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.distillation.holding import STRONG_TURN
from strata.distillation.meanings import kind_of, read_meaning
from strata.distillation.relations import Relation, relation
from strata.distillation.vocabulary import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.distillation.meanings import Term

_TURN = re.compile(
    r"\b(?:change of (?:plans?|mind|heart)|chang(?:e|es|ed|ing)|switch\w*|mov(?:e"
    r"|es|ed|ing)"
    r"|migrat\w+|replac\w+|instead|no longer|not any ?more|any ?more|back to"
    r"|go(?:es|ing)? back"
    r"|g[ia]v(?:e|ing|en) up on|done with|forget|drop(?:s|ped|ping)?|ditch\w*"
    r"|retir\w+|after all"
    r"|from now on|as of|scrap\w*|abandon\w*|(?:is|are) (?:out|dead|history|gone"
    r"|off)|rejects?"
    r"|too (?:slow|heavy|expensive|often)|new \w+ (?:go|goes|are|run|use)"
    r"|this time it|never again"
    r"|says no|correction|actually|wrong|swap\w*|rather)\b"
    r"|改(?!天|日|动|善|进|稿)|换|不再|回(?=[\u4e00-\u9fffA-Za-z ]{1,8}(?:了|,"
    r"|\uff0c|。|$))|别(?:再|用|写|放|按|叫|发)"
    r"|还是|不用[^\u4e00-\u9fff]|弃用|停用|放弃|取消|太(?:慢|重|贵|亏|烦|麻烦)"
    r"|老(?:掉|断|出|卡|崩)|算了|最后定|搬"
    r"|以后|今后|从[今下这明]",
    re.IGNORECASE,
)
# Words that call an earlier rule to mind.
REMINDER = re.compile(
    r"\b(?:same as (?:ever|always|usual)|as (?:ever|always|usual)"
    r"|you know the (?:drill|rule)"
    r"|the rule (?:stays|stands|holds)|still (?:holds|stands|applies)"
    r"|thanks for asking|how often"
    r"|like (?:i|we) (?:always )?sa(?:y|id))\b"
    r"|还是(?:老|那句)|老(?:要求|规矩|规格)|照(?:例|旧|样)|你懂的|再说一遍|再强调"
    r"|说过(?:了|多少|好几)",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"\b(?:same as (?:ever|always|usual|before)|as (?:ever|always|usual"
    r"|i (?:always )?(?:said|say))"
    r"|you know the (?:drill|rule)|the rule (?:stays|stands|holds|is)"
    r"|still (?:holds|stands|applies)"
    r"|(?:stays?|remains?|keep)\b|again|once more|how often|like (?:i"
    r"|we) (?:always )?sa(?:y|id)"
    r"|remember|don't forget|thanks for asking|of course)\b"
    r"|还是(?:老|那|这)|老(?:要求|规矩|规格)|照(?:例|旧|样|常)|你懂的|再说一遍"
    r"|再强调|还是那句|说过|又来|别忘|记得|一样"
    r"|跟[^,\uff0c。]{1,6}(?:讲|说)(?:清楚|一声)?|继续",
    re.IGNORECASE,
)
_REJECTED = re.compile(
    r"\b(?:forget|drop(?:ped|ping)?|ditch\w*|no more|g[ia]v(?:e|ing|en) up on"
    r"|done with|kill\w*"
    r"|retir(?:e|ed|ing)|leav(?:e|ing)|against|stop using|instead of|rather than"
    r"|no longer(?: use)?"
    r"|rejects?|not)\s+(?:the |any |our |my "
    r"|using )?[\"“']?(?P<after>[\w&.+#/-]+(?: [\w&.+#-]+)?)"
    r"|(?P<before>[\w&.+#/-]+(?: [\w&.+#-]+)?) (?:is|are|was|were) (?:out|dead"
    r"|history|gone|too \w+)\b"
    r"|(?:不再?用|弃用|停用|放弃|别(?:再)?(?:用|写|放|按|叫|发)"
    r"|不要)\s*[「“]?(?P<zh_after>[A-Za-z][\w.+#-]*|[\u4e00-\u9fff]{2,4})"
    r"|(?P<zh_before>[A-Za-z][\w.+#-]*"
    r"|[\u4e00-\u9fff]{2,4})\s*(?:[\u4e00-\u9fff]{0,2}太[慢重贵亏烦]|老[掉断出卡崩]"
    r"|不用了)",
    re.IGNORECASE,
)
_RETURNED = re.compile(
    r"\b(?:back to|return(?:ing|ed)? to|go(?:es|ing)? back to)\s+(?:the |our "
    r"|my )?([\w&.+#-]+(?: [\w&.+#-]+)?)"
    r"|(?:用|换|改|搬|转|还是)回(?:到|去)?\s*([A-Za-z][\w.+#-]*|[\u4e00-\u9fff]{2,4})",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:.!\uff0c;\uff1b\uff1a。]\s*|\s[–—-]\s")
_HALF_HOUR = re.compile(r"\bhalf an hour\b|\bhalf hour\b|\bhalf-hour\b", re.IGNORECASE)
_HALF_HOUR_CHINESE = re.compile(r"半个?(?:小时|钟头)")
# The parts of a path are words as well.
_PATH = re.compile(r"/([\w.-]+)/([\w.-]+)")
# Words that many statements share without being about the same.
_WIDE_WORDS = """
    use write send time day work thing people project job client customer ask new all make
    back stay change switch move case rule way kind part server new old user
    file time of day frequency means tone number time daily weekly monthly month week year
    people person name document read go get put take keep good long short old team
    """
_WIDE = frozenset(_WIDE_WORDS.split())
# So much shared meaning makes a topic, where the newer one says that something changes.
_TOPIC = 1.4
_TOPIC_WITH_SORT = 0.9
# What they share is what the older one is about, or at least no aside of it.
_ABOUT = 0.3
_BESIDE = 0.2
_ASIDE = 0.15
# So much of the smaller one must stand in the larger for them to be the same.
_CONTAINED = 0.66
_CONTAINED_AGAIN = 0.4
_TELLING = 3


def succession(
    older: str, newer: str, *, said: str = "", decides: bool = False, hold: bool = True
) -> Relation:
    """
    Return what *newer* is to *older*, both an owner's, the older one still in force.

    *said* is the whole entry of which *newer* is what lasts. *decides* says that both are
    decisions: two about one topic exclude each other; *hold*, that both hold for long.
    """
    related = relation(older, newer)
    if related is Relation.SAME:
        return related
    old, new = _contents(older), _contents(newer)
    shared = {key for key in old.keys() & new.keys() if _tells(old[key])}
    pair = _Pair(older, said or newer, old, new, shared)
    if related is Relation.DIFFERENT and (
        pair.repeats() or _shares_a_clause(older, newer)
    ):
        return Relation.SAME
    if pair.turns(decides=decides, hold=hold):
        return Relation.UPDATES
    if related is not Relation.DIFFERENT and pair.is_about_same():
        return related
    return Relation.CONTRADICTS if pair.clashes() else Relation.DIFFERENT


class _Pair:
    """Two statements, and what they share."""

    def __init__(
        self,
        older: str,
        said: str,
        old: dict[str, Term],
        new: dict[str, Term],
        shared: set[str],
    ) -> None:
        self._older, self._said = older, said
        self._old, self._new, self._shared = old, new, shared
        self._topic = sum(old[key].weight for key in shared if not _value(old[key]))
        self._common = _weight(old[key] for key in shared)
        self._share = self._common / max(_weight(old.values()), 0.1)
        self._changes = _TURN.search(said) is not None

    def repeats(self) -> bool:
        """Say whether the newer one says nearly the same, or calls the older to mind."""
        if self._other_values() or self._rejects() or self._opposes():
            return False
        again = _AGAIN.search(self._said) is not None
        if self._changes and not again:
            return False
        weights = [_weight(self._old.values()), _weight(self._new.values())]
        least = _CONTAINED_AGAIN if again else _CONTAINED
        enough = self._common >= _TOPIC_WITH_SORT
        return enough and self._common / max(min(weights), 0.1) >= least

    def turns(self, *, decides: bool, hold: bool) -> bool:
        """Say whether the newer one puts something else in the place of the older."""
        news = (t for key, t in self._new.items() if key not in self._shared)
        if not any(map(_tells, news)) or self._sets_another_clock():
            return False
        if self._rejects() or self._returns():
            return self._share >= _ASIDE or bool(self._returns())
        outright = hold and STRONG_TURN.search(self._said) is not None
        if self._share < (_BESIDE if outright else _ABOUT):
            return False
        if self._other_values() and (self._changes or decides):
            return self._topic >= _TOPIC_WITH_SORT
        least = _TOPIC_WITH_SORT if outright else _TOPIC
        return (outright or (self._changes and decides)) and self._topic >= least

    def clashes(self) -> bool:
        """Say whether they give two values to one thing, without a word of change."""
        return self._other_values() and self._topic >= _TOPIC and self._share >= _ABOUT

    def is_about_same(self) -> bool:
        """Say whether what they share is more than a word in passing."""
        return self._topic >= _TOPIC_WITH_SORT and self._share >= _BESIDE

    def _other_values(self) -> bool:
        """Say whether what only one of them says is another value of one sort."""
        old, new = (
            {
                kind_of(t.key, t.kind)
                for key, t in side.items()
                if key not in self._shared
            }
            for side in (self._old, self._new)
        )
        return bool((old & new) - {None})

    def _sets_another_clock(self) -> bool:
        """Say whether the newer one sets a time, and the older one has none to replace."""
        sets = any(key.startswith("time:") for key in self._new.keys() - self._shared)
        return sets and not any(key.startswith("time:") for key in self._old)

    def _opposes(self) -> bool:
        """Say whether one denies most of what they share, and the other affirms it."""
        opposed = [k for k in self._shared if self._old[k].sign != self._new[k].sign]
        return 2 * _weight(self._old[key] for key in opposed) > self._common

    def _rejects(self) -> bool:
        """Say whether the newer one turns against something that the older one is for."""
        gone = rejected(self._said) - _keys_of(_REJECTED, self._older)
        return any(self._old[key].sign > 0 for key in gone & self._old.keys())

    def _returns(self) -> bool:
        """Say whether the newer one goes back to what the older one left."""
        left = STRONG_TURN.search(self._older) is not None
        return left and bool(_keys_of(_RETURNED, self._said) & self._old.keys())


def _shares_a_clause(older: str, newer: str) -> bool:
    """Say whether a rule of the older one stands in the newer as a clause of its own."""
    return any(
        relation(one, other) is Relation.SAME
        for one in _clauses(older)
        for other in _clauses(newer)
    )


@lru_cache(maxsize=4096)
def _clauses(text: str) -> tuple[str, ...]:
    """Return the clauses of *text* that tell enough to be a rule by themselves."""
    parts = (part.strip() for part in _CLAUSE.split(text))
    return tuple(part for part in parts if content_words(part.lower()) >= _TELLING)


@lru_cache(maxsize=4096)
def rejected(text: str) -> frozenset[str]:
    """Return the terms of what *text* turns against."""
    return _keys_of(_REJECTED, text)


def _keys_of(pattern: re.Pattern[str], text: str) -> frozenset[str]:
    found: set[str] = set()
    for match in pattern.finditer(text):
        words = next((group for group in match.groups() if group), "")
        found |= {key for key, term in read_meaning(words).keys.items() if _tells(term)}
    return frozenset(found)


def _contents(text: str) -> dict[str, Term]:
    """Return the terms of *text* that carry weight, without those that only name a sort."""
    plain = _PATH.sub(
        r"\1 \2", _HALF_HOUR.sub("30 minutes ", _HALF_HOUR_CHINESE.sub("30 分钟", text))
    )
    terms = {key: term for key, term in read_meaning(plain).keys.items() if term.weight}
    sorts = {kind_of(term.key, term.kind) for term in terms.values()}
    return {key: term for key, term in terms.items() if key not in sorts}


def _tells(term: Term) -> bool:
    return term.key not in _WIDE and term.weight >= 0.5  # noqa: PLR2004 - hanzi by themselves weigh half


def _value(term: Term) -> bool:
    return kind_of(term.key, term.kind) is not None


def _weight(terms: Iterable[Term]) -> float:
    return sum(term.weight for term in terms if term.key not in _WIDE)
