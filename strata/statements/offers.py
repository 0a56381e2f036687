"""What the agent offered: a question, a proposal, or one of several options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.language.sentences import split_sentences
from strata.language.wording import trim
from strata.statements.results import SECRETS

if TYPE_CHECKING:
    from strata.language.sentences import Sentence
    from strata.models import Message

CHOICE = re.compile(
    r"(?:the )?(?:latter|former|first|second|third|last)\b(?: one| option| variant"
    r"| of (?:those|these|them|the \w+))?|(?:option |number "
    r"|variant )?[abc123](?=[,.;:!)]|$)"
    r"|前者|后者|[前后]面(?:那[个种条版套款样]|的)|第[一二三](?:个|种|条|版|套)"
    r"|[前后]一[个种]|(?:选|方案)\s?[abc一二三123]"
)
# A bare value as an answer: 那定 NAS 吧, 顺丰。, "Thursdays then,".
VALUE = re.compile(
    r"(?:那么?|就|还是|定|用|选|要|走|放|发|按)*\s*(?P<value>[\w\u4e00-\u9fff.+-]{1,12}?)"
    r"\s*(?:吧|呗|好了|then|please)?(?:[,\uff0c。.!\uff01]\s*|$)"
)
_LAST = re.compile(r"latter|last|后")
_NUMBERS = (
    re.compile(r"first|former|\ba\b|1|一|前|a"),
    re.compile(r"second|\bb\b|2|二|b"),
    re.compile(r"third|\bc\b|3|三|c"),
)
_OR = re.compile(r"[,,]?\s+or\s+|[,,]?\s*还是\s*")
_MARK = re.compile(
    r"\(?\b[1-3a-c][).](?=\s)\s*|[(\uff08][1-3a-c一二三][)\uff09]\s*"
    r"|(?:^|[:\uff1a;\uff1b,\uff0c。\s])[一二三1-3][、.\uff0e]\s*",
    re.IGNORECASE,
)
_PROPOSAL = re.compile(
    r"\b(?:i'd|i would|i suggest|i recommend|i propose|i can|i could|we could|you could"
    r"|how about|what about|let's|why not|better)\b|建议|可以|不如|推荐|要不|最好|方案"
)
_PROPOSING = re.compile(
    r"(?:i'd (?:suggest|recommend|propose|say)|i (?:suggest|recommend|propose|can"
    r"|could)"
    r"|(?:we|you) could|(?:shall|should) (?:i|we)|how about|what about|why not|let's"
    r"|(?:do you want|would you like)(?: me)?(?: to)?|我?建议|可以|不如|推荐|要不要?"
    r"|最好)[,:\s]*",
    re.IGNORECASE,
)
_EDGES = re.compile(r"^[\s,;.\uff0c\uff1b。]+|[\s,;.\uff0c\uff1b。]+$")
# A question that asks about what the sentence before it proposes.
_LEANS = re.compile(r"\b(?:that|it|this|them|those|so|too)\b|[这那它]|也|一起|一并")
# What asks for a fact offers nothing.
_ASKS = re.compile(
    r"\b(?:which|what|who|whom|whose|when|where|why|how (?:many|much|long"
    r"|often))\b(?! about)"
    r"|哪|什么|谁|几|多少|怎么|为何"
)
_LONGEST = 200
# "标签你说 A 好还是 B 好": what is asked about, before what is asked.
_ABOUT = re.compile(
    r"(?P<topic>[\u4e00-\u9fff][^,\uff0c]{1,13}?)[,\uff0c]?(?:(?:你说|你看|你觉得)是?|是(?=写|先|做|用|放|走))"
)
_PLAIN = re.compile(r"^先?是|[好呢]+$")


def offer_in(message: Message) -> tuple[Sentence, ...]:
    """Return the sentences of *message* that ask or propose something."""
    sentences = [s for s in split_sentences(message.text) if _is_fair(s)]
    for index in reversed(range(len(sentences))):
        sentence = sentences[index]
        if "?" in sentence.plain[-3:]:
            if _ASKS.search(sentence.plain) and not _OR.search(sentence.plain):
                return ()
            leaning = index > 0 and _LEANS.search(sentence.plain)
            return tuple(sentences[index - 1 : index + 1] if leaning else [sentence])
    proposals = [s for s in sentences if _PROPOSAL.search(s.plain)]
    return tuple(proposals[-1:])


def words_of(offer: tuple[Sentence, ...]) -> str:
    """Return what is offered, without the words that offer it."""
    text = trim(offer[0].text).rstrip("?\uff1f。. ")
    stripped = _PROPOSING.sub("", text, count=1) if _PROPOSING.match(text) else text
    return (stripped or text)[:_LONGEST]


def options_in(message: Message) -> list[str]:
    """Return the options that *message* counts, in order; none where it counts none."""
    parts = _MARK.split(message.text)[1:]
    options = [_EDGES.sub("", part) for part in parts]
    return [option[:_LONGEST] for option in options if option] if len(parts) > 1 else []


def chosen(words: str, options: list[str]) -> str | None:
    """Return the option that *words* ("the second one", 后者) name, if it is there."""
    if _LAST.search(words) and options:
        return options[-1]
    for index, pattern in enumerate(_NUMBERS):
        if pattern.search(words):
            return options[index] if index < len(options) else None
    return None


def sides_of(text: str) -> list[str]:
    """Return the sides of a question between things, each with what it is about."""
    sides = alternatives(text.rstrip("?\uff1f。. "))
    asked = _ABOUT.match(sides[0])
    if len(sides) == 1 or asked is None:
        return sides if len(sides) > 1 else []
    rest = [sides[0][asked.end() :], *sides[1:]]
    return [f"{asked['topic']}:{_PLAIN.sub('', side)}" for side in rest]


def alternatives(text: str) -> list[str]:
    """Return the two sides of "A or B"."""
    return _OR.split(text)


def _is_fair(sentence: Sentence) -> bool:
    """Nothing that repeats an order to machines, or speaks of secrets, is an offer."""
    if sentence.carries_order or sentence.injected:
        return False
    return SECRETS.search(sentence.plain) is None
