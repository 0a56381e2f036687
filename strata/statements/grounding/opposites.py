"""Words of which one turns the other round: above and below, 最多 and 至少."""

from __future__ import annotations

import re
import unicodedata
from itertools import permutations

_PAIRS = """
    above|over|高于|大于|超过|以上 = below|under|beneath|低于|小于|不足|以下
    more than|at least|minimum|至少|不少于 = less than|at most|maximum|最多|至多|不超过
    before|prior to|之前|以前 = after|following|之后|以后
    enable|enabled|turn on|turned on|打开|启用 = disable|disabled|turn off|关闭|禁用|停用
    allow|allowed|may|允许|可以 = forbid|forbidden|may not|must not|禁止|不许|不得|不能
    accept|accepted|接受|同意 = reject|rejected|refuse|refused|拒绝
    raise|raised|increase|increased|提高|增加 = lower|lowered|reduce|reduced|降低|减少
    left|左|左边 = right|右|右边
    first|earliest|最早|首先 = last|latest|最晚|最后
    include|included|including|包括|含 = exclude|excluded|excluding|不含|不包括
    open|opened|opens|开门 = close|closed|closes|shut|关门
    win|won|passed|通过 = lose|lost|failed|没通过|未通过
    buy|bought|买 = sell|sold|卖
    beginning of|early = middle of|mid = end of|late
    月初|年初 = 月中|年中 = 月底|月末|年底|年末
    morning|上午|早上 = afternoon|下午 = evening|晚上
    this week|这周|本周 = next week|下周 = last week|上周
    this month|这个月|本月 = next month|下个月|下月 = last month|上个月|上月
    today|今天 = tomorrow|明天 = yesterday|昨天 = 后天 = 前天
    continue|continues|继续 = stop|stops|stopped|停止|停掉
    add|added|加上|添加 = remove|removed|delete|deleted|删掉|删除|去掉
    lent|lend|lends|借给 = borrowed|borrow|borrows|借自
    faster|更快|快了 = slower|更慢|慢了
    higher|更高 = lower|更低
    bigger|larger|更大 = smaller|更小
    ahead of|ahead = behind
    online|线上 = offline|线下
    public|公开 = private|私有|不公开
    internal|内部 = external|外部
    upload|uploads|上传 = download|downloads|下载
    arrives|arrive|到达 = departs|depart|leaves|出发
    must|必须|务必 = need not|needn't|不必|无需
"""
_SIDES = [
    [side.strip().split("|") for side in line.split(" = ")]
    for line in _PAIRS.strip().splitlines()
]


# Whoever adds it says that there is more than was said.
_NOT_ONLY = re.compile(r"\bnot (?:only|just)\b|不只|不仅|不光|不止")


def turned_round(text: str, quoted: str) -> str | None:
    """Return the word in *text* whose opposite stands in *quoted*, and not it itself."""
    if (more := _NOT_ONLY.search(text)) and not _NOT_ONLY.search(quoted):
        return more[0]
    told, cited = (
        unicodedata.normalize("NFKC", each).lower() for each in (text, quoted)
    )
    for sides in _SIDES:
        for side, other in permutations(sides, 2):
            only_told = _has(told, side, other) and not _has(told, other, side)
            only_cited = _has(cited, other, side) and not _has(cited, side, other)
            if only_told and only_cited:
                return next(word for word in side if _stands(word, told))
    return None


def _has(text: str, side: list[str], other: list[str]) -> bool:
    """Say whether a word of *side* stands in *text*, not as a part of one of *other*."""
    longer = [word for word in other if any(each in word for each in side)]
    for word in longer:
        text = text.replace(word, " ")
    return any(_stands(word, text) for word in side)


def _stands(word: str, text: str) -> bool:
    if word[0] >= "\u3400":
        return word in text
    return re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", text) is not None
