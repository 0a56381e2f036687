"""What the agent achieved: outcomes it reports, not what it proposes or repeats."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.distillation.cues.kinds import Cue
from strata.distillation.cues.reading import find_cues
from strata.distillation.extraction.statements import Statement, is_trap
from strata.distillation.text.sentences import split_sentences
from strata.models import Tag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.distillation.extraction.exchanges import Exchange, Reply

ADVICE = re.compile(
    r"\bi(?:'d| would|'ll| will| can| could| suggest| recommend)\b|\b(?:should"
    r"|could|consider|recommend|suggest|best practice|always|never|in general"
    r"|generally|usually|typically|hygiene|you may|you might|let me|if you)\b|建议"
    r"|最好|通常|一般|可以考虑|应该|始终|永远|不妨|推荐|要不要|我先|我去|我来|我会"
    r"|注意"
)
SECRETS = re.compile(
    r"\b(?:secrets?|tokens?|passwords?|private key|credentials?|ignored|instruct"
    r"|pretends?)\b|\u27e6|密钥|密码|私钥|令牌|口令|卡号|指令|伪造|不存|没有保存"
)
# What the agent read somewhere, and does not vouch for.
RELAYED = re.compile(
    r"\b(?:per|according to|as) the (?:\w+ )?(?:issue|ticket|mail|e-?mail|page|site"
    r"|document"
    r"|file|readme|post|message|text|article|note|review|thread)s?\b|\b(?:it|which|that"
    r"|(?:the|this) (?:\w+ )?(?:issue|ticket|mail|page|document|file|readme|post|message"
    r"|text|note|step|part|one)) (?:says|asks|tells|wants|reads|instructs|requests|demands)"
    r"\b|\b(?:noted|remembered|saved|stored)\b[^.]{0,20}[:,]"
    r"|(?:工单|邮件|网页|页面|文档|文件"
    r"|帖子|通知|正文|里面|第[一二三四五]步)[^。,]{0,6}(?:要求|写的是|写着|说|提到|指示)"
    r"|(?:记住|记下|保存|存)(?:了|好了|为)[^。]{0,4}[:,]"
)
_OUTCOME = re.compile(
    r"\b(?:\w{3,}ed|sent|done|ok|green|red|passed|fails?|put|set|built|found|stable"
    r"|live|online|up|down|faster|slower|took|takes|because)\b|了|好|成|过|通|完|处"
    r"|已|正常|失败"
)


_FIGURE = re.compile(
    r"\d+|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|noon"
    r"|周[一二三四五六日天]|[明后]天"
)
# What only says the owner's words again.
_ECHO = re.compile(
    r"(?:noted|corrected|understood|settled|changed|got it|ok(?:ay)?|right|sorry)\b"
    r"|[好已]|记"
)
# No outcome weighs as much.
HEAVIEST = 3.0


def results_of(exchange: Exchange) -> Iterator[tuple[Statement, Reply, float]]:
    """Give the outcomes that the agent reports, each with its weight."""
    known = _figures(exchange.said.text if exchange.said else "")
    for reply in exchange.replies:
        if not reply.after_tool and len(reply.message.text) > 200:  # noqa: PLR2004 - an essay
            continue
        for sentence in split_sentences(reply.message.text)[:6]:
            if not _looks_done(sentence.plain, known, after_tool=reply.after_tool):
                continue
            cues = find_cues(sentence)
            if _reports(cues):
                weight = (1.2 if reply.after_tool else 0.5) + _substance(cues)
                yield Statement((sentence,), (cues,)), reply, weight
                break


def result_tag(statement: Statement) -> Tag:
    """Return whether an outcome is something learnt or something done."""
    done = Cue.RESULT in statement.cues and Cue.FINDING not in statement.cues
    return Tag.TASK if done else Tag.FINDING


def _looks_done(plain: str, known: frozenset[str], *, after_tool: bool) -> bool:
    if not after_tool and (_ECHO.match(plain) or not _figures(plain) - known):
        return False
    if any(each.search(plain) for each in (ADVICE, SECRETS, RELAYED)):
        return False
    return _OUTCOME.search(plain) is not None


def _reports(cues: frozenset[Cue]) -> bool:
    if cues & {Cue.QUESTION, Cue.VAGUE, Cue.HYPOTHETICAL} or is_trap(cues):
        return False
    return bool(cues & {Cue.NUMBER, Cue.IDENTIFIER, Cue.TIME})


def _figures(text: str) -> frozenset[str]:
    return frozenset(_FIGURE.findall(text.lower()))


def _substance(cues: frozenset[Cue]) -> float:
    return (
        0.4 * bool(cues & {Cue.FINDING, Cue.REASON})
        + 0.3 * (Cue.IDENTIFIER in cues)
        + 0.2 * (Cue.TIME in cues)
    )
