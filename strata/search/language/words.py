"""Words that carry no meaning in a question, in English and Chinese."""

from __future__ import annotations

import re
from functools import cache

_ENGLISH = """
a about above after again all also am an and any anyone anything are as at be because been
before being below between both but by can could did do does doing done down during each
either else ever every few for from further get gets getting give given go goes got had has
have having he her here hers herself him himself his how however i if in into is it its
itself just know let like many may me might mine more most much must my myself neither no
nor not now of off on once one only or other our ours out over own please quite rather
really s same say says she should show since so some someone something such t tell than that
the their theirs them themselves then there these they thing things this those though
through to too under until up upon us use used very was we were what whatever when where
whether which while who whom whose why will with within without would yes yet you your yours
yourself
d ll m re ve don didn doesn isn wasn weren won wouldn shouldn couldn hasn haven hadn aren
"""
ENGLISH = frozenset(_ENGLISH.split())

_CHINESE = """
什么时候 什么 怎么样 怎么 怎样 如何 为什么 为何
哪一天 哪一个 哪里 哪儿 哪些 哪个 哪位 哪天 哪几 哪 谁 多少 几个 几次 几点
是否 有没有 是不是 能不能 可不可以 请问 请 告诉 一下 一个 一些 关于
以及 或者 还是 因为 所以 但是 如果 那么
的 了 吗 呢 吧 啊 呀 嘛 是 在 有 和 与 及 或 也 都 就
把 被 对 从 到 给 让 向 为 以 于 之 其
我 你 他 她 它 您 我们 你们 他们 她们 它们 咱们 自己
这 那 这个 那个 这些 那些 这里 那里
"""

# Which of several values is meant, not what is asked for: no note need say it.
LATEST = re.compile(
    r"\b(?:current(?:ly)?|now|nowadays|latest|newest|most recent(?:ly)?|these days|so far"
    r"|right now|at the moment|at present)\b"
    r"|目前|现在|如今|最新|最近|眼下|至今",
    re.IGNORECASE,
)
EARLIEST = re.compile(
    r"\b(?:at first|first|initial(?:ly)?|original(?:ly)?|earliest|in the beginning)\b"
    r"|最早|最初|最开始|一开始|起初|当初|原先|原来|第一次|首次",
    re.IGNORECASE,
)
# What a thing is called is what the answer says.
_CALLED = r"[又也还]?(?:叫做?|称作|称为|名叫)什么(?:名字)?"
ORDER = re.compile(
    rf"{LATEST.pattern}|{EARLIEST.pattern}|\btoday\b|{_CALLED}", re.IGNORECASE
)


@cache
def chinese() -> re.Pattern[str]:
    """Return the pattern of the Chinese ones."""
    # The longer ones first, for a pattern takes the first that fits.
    return re.compile("|".join(sorted(_CHINESE.split(), key=len, reverse=True)))


def says_nothing(word: str) -> bool:
    """Tell whether *word*, in lower case, carries no meaning by itself."""
    return word in ENGLISH or chinese().fullmatch(word) is not None


# Who has no life of their own, where a talk stands in a note word by word.
ASSISTANTS = frozenset({"assistant", "agent", "ai", "助手", "助理"})
