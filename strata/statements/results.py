"""What the agent achieved: outcomes it reports, not what it proposes or repeats."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.language.calendar import WEEKDAY_CHINESE, WEEKDAY_ENGLISH
from strata.language.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.language.sentences import Sentence
    from strata.statements.exchanges import Exchange, Reply

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
    rf"\d+|{WEEKDAY_ENGLISH}|{WEEKDAY_CHINESE}|tomorrow|tonight|noon|[明后]天"
)
# What only says the owner's words again.
_ECHO = re.compile(
    r"(?:noted|corrected|understood|settled|changed|got it|ok(?:ay)?|right|sorry)\b"
    r"|[好已]|记"
)
# Of a long answer only the beginning tells what came out.
_READ = 6
# Longer, and without a tool, it is an essay.
_ESSAY = 200


def results_of(exchange: Exchange) -> Iterator[tuple[Sentence, Reply]]:
    """Give the outcome that each of the agent's replies reports, if it does."""
    known = _figures(exchange.said.text if exchange.said else "")
    for reply in exchange.replies:
        if not reply.after_tool and len(reply.message.text) > _ESSAY:
            continue
        for sentence in split_sentences(reply.message.text)[:_READ]:
            if _looks_done(sentence.plain, known, after_tool=reply.after_tool):
                yield sentence, reply
                break


def _looks_done(plain: str, known: frozenset[str], *, after_tool: bool) -> bool:
    told = _figures(plain)
    if not told or "?" in plain or "\uff1f" in plain:
        return False
    if not after_tool and (_ECHO.match(plain) or not told - known):
        return False
    if any(each.search(plain) for each in (ADVICE, SECRETS, RELAYED)):
        return False
    return _OUTCOME.search(plain) is not None


def _figures(text: str) -> frozenset[str]:
    return frozenset(_FIGURE.findall(text.lower()))
