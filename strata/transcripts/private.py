"""What was said off the record, which is never read: whole stretches, and marked words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from strata.patterns import pattern

# An order stands where a sentence begins, and ends there: "I don't remember this" and
# "别记录日志" speak of something else.
_BEGINS = r"(?:^|[.!?;,:\n。！？；，：~～—-]\s*)"
# "The token stands in the header, don't log that" is about a program.
_BEGINS_ANEW = r"(?:^|[.!?\n。！？]\s*)"
_ENDS = r"(?=\s*(?:$|[.,:;!?\n。，：；！？~～—(-]))"
_FROM_HERE = (
    r"(?: (?:from here(?: on)?|now|please|for now|for a (?:moment|while|minute)))*"
)
_THIS = (
    r"(?:this|that|any of (?:this|that)|the following|the next (?:part|bit)"
    r"|what (?:follows|i(?:'m| am) (?:about to say|saying)|i say next))"
    r"(?: (?:part|bit|one|conversation|please|down))*"
)
_PUT_OFF = (
    (
        rf"{_BEGINS}(?:(?:ok(?:ay)?|please|now|and|so|but|hey)[, ]+)*"
        r"(?:(?:let'?s |we(?:'re| are) |i(?:'m| am) |that(?:'s| is) |going |go |strictly "
        r"|this (?:is|part is|stays|bit is) |what follows is |all this is "
        r"|the (?:next|following) (?:part|bit|thing) is "
        r"|everything (?:from here|now) is )+)?"
        rf"off the record{_FROM_HERE}{_ENDS}"
    ),
    (
        rf"{_BEGINS}(?:please )?(?:don'?t|do not|never) (?:record|remember|memori[sz]e"
        rf"|note|write down|keep a record of) {_THIS}{_ENDS}"
    ),
    (rf"{_BEGINS_ANEW}(?:please )?(?:don'?t|do not|never) (?:log|keep) {_THIS}{_ENDS}"),
    (
        rf"{_BEGINS}(?:please )?(?:stop (?:recording|taking notes|remembering)"
        r"|keep this (?:between us|out of (?:your )?(?:memory|notes|the notes)))"
        rf"{_FROM_HERE}{_ENDS}"
    ),
    # Chinese puts what it is about before the order, or behind it, or leaves it out.
    (
        r"(?:^|[\s.!?;,:。！？；，：])(?:(?:接下来|下面|以下|这段|这些|这句|后面|从现在起)"
        r"(?:的|说的|聊的)?(?:话|内容|对话|部分)?(?:呢)?)?(?:先|请|都|就|你)?"
        r"(?:别|不要|(?<![;,:；，：])(?<![;,:] )不用|不许|不准|勿)(?:再)?"
        r"记(?:录|下来|下|住|进去|进记忆|到记忆里|笔记)?"
        r"(?:这段(?:话|对话|内容)?|这个|这些|这句|以下内容|下面的(?:话|内容)?)?"
        rf"(?:了|啊|哦|哈)?{_ENDS}"
    ),
    (
        r"(?:^|[\s。！？；，：,.])(?:以下|接下来|这段)?(?:私下|悄悄)(?:说|讲|聊)(?:一?句|个事)?"
        rf"{_ENDS}"
    ),
    (
        r"(?:^|[\s。！？；，：,.])(?:请|先)?(?:暂停|停止|关掉)(?:记录|记忆|做笔记|记笔记)"
        rf"{_ENDS}"
    ),
)
_PUT_ON = (
    (
        r"(?<!\w)(?:(?:we(?:'re| are) |you(?:'re| are) |i(?:'m| am) )?back on"
        r" (?:the )?record|on the record (?:again|now)|(?:ok(?:ay)?,? |now )on the record"
        r"|(?:you (?:can|may) )?(?:record|remember|take notes|log)(?: things| this)? again"
        r"|(?:resume|start|restart|continue) (?:recording|taking notes|remembering"
        r"|the record))\b"
    ),
    r"^\W*on the record\b",
    (
        r"(?:可以|继续|恢复|重新|开始|接着)(?:再)?(?:记录|记忆|记笔记|做笔记|记)(?:了|吧|啦)?"
        r"(?=\s*(?:$|[.,:;!?\n。，：；！？~]))"
    ),
)
_OFF = pattern("|".join(_PUT_OFF), re.IGNORECASE)
_ON = pattern("|".join(_PUT_ON), re.IGNORECASE | re.MULTILINE)
_MARKED = pattern(
    r"<(private|私密)>.*?(?:</\1>|\Z)|\[(private|私密)\].*?(?:\[/\2\]|\Z)"
    r"|【私密】.*?(?:【/私密】|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_HINT = pattern(
    r"record|remember|memori|\blog\b|\bnote|write down|keep|记|私|<private>|\[private\]",
    re.IGNORECASE,
)
# An order of one's own stands in front; what comes later may be somebody's paste.
_HEAD_CHARS = 200


@dataclass(slots=True)
class Privacy:
    """Follows one conversation; the owner says when it is off the record, and on again."""

    off: bool = False

    def heard(self, text: str, *, by_owner: bool) -> str:
        """Return what of the next message may be read; nothing while off the record."""
        if by_owner and (self.off or _HINT.search(text)):
            text = self._outside(text)
        elif self.off:
            text = ""
        return _MARKED.sub(" ", text).strip() if _MARKED.search(text) else text

    def _outside(self, text: str) -> str:
        """Follow the owner's order in *text*; return what stands before and behind it."""
        before = ""
        if not self.off:
            ordered = _OFF.search(text[:_HEAD_CHARS])
            if ordered is None:
                return text
            self.off = True
            before, text = text[: ordered.start()], text[ordered.end() :]
        resumed = _ON.search(text[:_HEAD_CHARS])
        if resumed is None:
            return before.strip()
        self.off = False
        behind = text[resumed.end() :].lstrip(" .,:;!。，：；！")
        return f"{before} {behind}".strip()
