"""The few words by which OpenClaw knows that a line matters for a message."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.language.calendar import calendar
from strata.language.sentences import language_of
from strata.language.vocabulary import content_words

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_TRIGGERS = 3
LONGEST = 24

_QUOTED = re.compile(r"[「『“\"`]([^」』”\"`]{2,24})[」』”\"`]")
_NAMED = re.compile(
    r"(?:~|\.{0,2})/[\w./@-]{2,23}|[A-Za-z][\w.+#-]*(?:[\d_+#]|[./&-]\w)[\w.+#-]*"
    r"|(?<![.!?:] )(?<!^)\b[A-Z][\w&+-]+(?: [A-Z][\w&+-]+)?|\b[A-Z]{2,}s?\b"
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]{3,}")
_PLAIN_WORDS = """
    always never every each with from that this what when where which only please keep
    they them their there here have will would should must into onto also everything
    anything nothing everyone anyone else anymore unless whenever because since still
    stay stays write writes take takes make makes made give given goes going come comes
    put says said tell told want wants need needs like likes used uses using ever down
    over under than then about after before again back your yours mine ours whole just
    first last next more most less least very much many other another same such both
    decided final agreed rule general remember note move moved change changed switch
    until while
    during simply really thing things something back-to isn't don't doesn't won't can't all
    """
_SKIPPED = frozenset(_PLAIN_WORDS.split()) | {
    name for name, *_ in calendar("en").months if name != "may"
}
# What ends one Chinese word and begins another, unless it is part of a longer one.
_BREAK = re.compile(
    r"[^\u3400-\u9fff]+|[测等收升降提涨发]到|不[许准得]|以后|今后|往后|一律|所有|全部|任何|每次|每天|每个|不要|不能|不用"
    r"|可以|必须|统一|固定|因为|所以|时候?|如果|出现|什么|怎么|自己|大家|已经|还是|就是"
    r"|我们?|你们?|他们?|她们?|改成?|换成?|别(?!名)|都(?!市)|就(?!业)|要(?![求点闻])"
    r"|用(?![户例途品])|按(?![时钮揭])|和(?!解)|跟(?!踪)|与|及|的|了(?!解)|是|在(?!线)"
    r"|给|把(?!手)|被|让|这|那|也|还(?!款)|再|只(?!读)|才|会(?![议员计话])|能(?![源力])"
    r"|不(?!锈)|没|有(?![限机])|到(?!期)|从|对(?![账象齐])|为|放(?!假)|走(?!廊)"
    r"|(?<![缩编手])写|发(?![票布件货版])|找|做(?!法)|说(?!明)|一|里(?!程)"
    r"|个(?![人体性])|去(?![年世除掉])"
    r"|(?<![早晚以])上(?![午海线传班])|(?<![以])下(?![午载班周])|着|叫|帮|读|错(?!误)"
)
# What begins so counts something, and ends somewhere within the clause.
_COUNTS = ("两", "几", "俩", "仨")
_HANZI_WORD = range(2, 7)


def triggers_of(text: str) -> tuple[str, ...]:
    """Return at most three phrases of *text*, names first, in the order of the words."""
    chosen: dict[str, str] = {}
    for phrase in _phrases(text):
        known = phrase.casefold()
        if len(phrase) <= LONGEST and not any(known in other for other in chosen):
            chosen.setdefault(known, phrase)
        if len(chosen) == MOST_TRIGGERS:
            break
    return tuple(chosen.values())


def _phrases(text: str) -> Iterator[str]:
    for found in _QUOTED.finditer(text):
        yield found[1].strip()
    for found in _NAMED.finditer(text):
        if not found[0].rstrip(".").isdigit() and found[0].casefold() not in _SKIPPED:
            yield found[0].rstrip(".,/")
    if language_of(text) == "zh":
        pieces = [
            piece
            for piece in _BREAK.split(text)
            if len(piece) in _HANZI_WORD and not piece.startswith(_COUNTS)
        ]
        yield from sorted(pieces, key=len, reverse=True)
        return
    words = [word for word in _WORD.findall(text) if word.casefold() not in _SKIPPED]
    yield from sorted(
        (w.lower() for w in words if content_words(w.lower())), key=len, reverse=True
    )
