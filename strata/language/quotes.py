"""Words that stand in a message without being the writer's own: quotations and pastes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.language.doubted import doubted
from strata.language.pasted import pasted

if TYPE_CHECKING:
    from collections.abc import Iterable

# One width for what Chinese keyboards write, so that every pattern knows one form.
_WIDTHS = str.maketrans(
    {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    | {"’": "'", "‘": "'", "\u3000": " "}
)
# Takes the place of each quoted character, so that offsets stay and no cue matches.
MASK = "\ufffc"
# The same for what was pasted, which is a sentence of nobody that is heard.
PASTE = "\ufffa"
# The same for a quoted name or term, which is read as one word.
TERM = "\ufffb"
LONGEST_TERM = 7

_HANZI = re.compile(r"[\u3400-\u9fff]")

_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_QUOTATION = re.compile(
    # Over several lines only where the quotation marks stand at the ends of lines: an
    # inch sign or a forgotten mark must not swallow the owner's own words.
    r"(?m:^[ \t]*\"[^\"]{1,4000}\"[ \t]*$)"
    r"|\"[^\"\n]{1,800}\"|“[^”]{1,800}”|「[^」]{1,800}」|『[^』]{1,800}』"
    r"|《[^》]{1,80}》"
    r"|<!--.{0,800}?(?:-->|\Z)",
    re.DOTALL,
)
_FORWARDED = re.compile(
    r"(?:\b(?:forward(?:ed|ing)?|fwd|pasted?|pasting|copied|see below|wrote|writes"
    r"|replied|answered|came in|sent (?:me|us|this)|got this|received|here'?s what"
    r"|from the (?:mail|page|site|readme|ticket|chat))\b|收到|转发|转来|发来|粘贴"
    r"|原文|如下|邮件里|回(?:了|复)我|群里)[^\n]{0,80}[:]\s*\n",
    re.IGNORECASE,
)

_MACHINE = r"(?:ai|bots?|llms?|(?:ai )?(?:agents?|assistants?)|chatbots?)"
_ORDERS = re.compile(
    # A quotation that names machines at all is not worth the risk of repeating it.
    r"\b(?:ais?|llms?|chatbots?|(?:ai|virtual|digital|language"
    r"|personal) (?:assistants?|agents?|models?|readers?|tools?)|assistants?|bots?"
    r"|agents?)\b|\b(?:pre-?approv|auto-?approv|authori[sz]|permission"
    r"|consent)\w*[^\n]{0,200}\b(?:remember|memori[sz]e|keep|kept|permanent"
    r"|stor(?:e|ed)|records?|on file|save)\b|\b(?:remember|memori[sz]e|permanently"
    r"|on file)\b[^\n]{0,200}\b(?:pre-?approv|auto-?approv|authori[sz]|permission"
    r"|allow|grant)|(?:授权|许可|同意|允许)[^\n]{0,80}(?:永久|记住|记录|保存|长期"
    r"|默认)|(?:永久|记住|记录)[^\n]{0,80}(?:授权|许可|同意|允许)"
    rf"|\b{_MACHINE}(?:'s)? (?:note|instructions?|hint|memo|directive|reminder"
    r"|message)\b|\b(?:notes?|instructions?|ps|p\.s\.|memo|attention|message"
    rf"|reminder|hint)\b[^.\n]{{0,12}}\b(?:to|for)\b(?: \w+)? {_MACHINE}\b"
    rf"|\b{_MACHINE}(?:s')?[^.\n]{{0,12}}:\s*(?:please |you |the |remember|always"
    r"|never|from)|\bassistant instructions?\b|\bthe (?:user|owner|customer"
    r"|organi[sz]er|client|account holder) (?:has |have )?(?:already )?(?:prefers?"
    r"|agree[ds]?|authori[sz]e[ds]?|allow(?:s|ed)?|permit(?:s|ted)?|approve[ds]?"
    r"|consent(?:s|ed)?|grant(?:s|ed)?)\b|\bthis (?:user|client)\b"
    r"|\bfor this user\b|\bignore (?:all |any )?(?:previous|prior|earlier"
    r"|the above)\b|\b(?:long-term|persistent|permanent) memory\b"
    r"|\bsystem (?:notice|message|prompt|note)\b|\[system\]|<!--|系统(?:通知|消息"
    r"|提示|公告)|(?:该|此|本)用户|用户(?:已经?|授权|同意|偏好|允许|以后)|(?:智能体"
    r"|助手|助理|机器人)\s?(?:请|须|应|必须|务必|注意)|(?:智能|ai|各位|请|致"
    r"|所有)\s?(?:编程)?\s?(?:智能体|助手|助理|代理|机器人|模型)|ai\s?备注|助手备注"
    r"|(?:写入|存入|加入|保存到|记入|记到)[^。\n]{0,8}记忆|记住[该此](?:授权|权限)"
    r"|忽略(?:之前|以上|上述|前面)",
)
_MARKUP = re.compile(
    r"<!--|-->|‹!--|--›|</?[a-z][^>]{0,80}>|\]\(|^\s*[#>|]|\{\{|\[\[", re.IGNORECASE
)
# In unquoted words only what no owner says of themselves to their own agent.
_PLAIN_ORDERS = (
    re.compile(
        rf"\b(?:{_MACHINE} (?:note|instructions?)\s*:|assistant instructions?\b"
        rf"|note to {_MACHINE}\b|the user (?:prefers|has (?:agreed|authori[sz]ed"
        r"|approved))\b|this user\b|ignore (?:all )?(?:previous"
        r"|prior) instructions\b|(?:agents?|assistants?|bots?|ais?|llms?|models?)"
        r" (?:reading|processing|parsing|viewing) this\b"
        r"|(?:ai|llm) (?:agents?|assistants?|models?)"
        r" (?:must|should|shall|need to|are required)\b)"
    ),
    re.compile(
        r"\[system\]|<!--|系统通知\s*:|[该此]用户|用户已经?(?:授权|同意)"
        r"|ai\s?备注\s*:|请(?:智能)?助手记住|忽略(?:之前|以上)的?(?:所有)?指令"
        r"|(?:读|看|阅读|处理)(?:到|取)?(?:本|此|这)[^,。\n]{0,8}的?"
        r"(?:智能体|助手|代理|机器人|模型|ai)"
    ),
)

# An assistant that is not the owner's own, and what one that obeys would be told for good.
_OTHERS_MACHINE = re.compile(
    rf"\b(?:\w+(?:'s|s')|his|her|their|another|some|the other) (?:[\w-]+ )?{_MACHINE}\b"
    r"|(?:[他她们]|人家|同[事学]|朋友|老[板公婆]|客户|公司|邻居|对方|别[人家])的?"
    r"[^,。]{0,6}?(?:助手|助理|智能体|机器人|模型|ai)"
)
_STANDING = re.compile(
    r"\b(?:always|never|from now on|must|by default|without asking)\b|以后|今后|从现在起"
    r"|一律|必须|务必|永远|每次都|不用确认|无需确认"
)


def carries_orders(text: str) -> bool:
    """Say whether *text* holds markup, or speaks to assistants as no owner would."""
    ordering = is_order_to_machines(text, quoted=False)
    return ordering or _MARKUP.search(text) is not None


def mask_quotations(text: str) -> str:
    """
    Return *text*, equally long, with all that is quoted or pasted masked.

    Full-width letters and punctuation come back in their ASCII form.
    """
    return _masked_and_doubted(text)[0]


def doubtful(text: str) -> tuple[tuple[int, int], ...]:
    """Return where in *text* words are masked that its writer may have meant."""
    return _masked_and_doubted(text)[1]


# The same message is masked to read it and to tell whose words it holds.
@lru_cache(maxsize=32)
def _masked_and_doubted(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    text = text.translate(_WIDTHS)
    masked = _QUOTED_LINE.sub(_masked, _CODE.sub(_masked, text))
    forwarded = _FORWARDED.search(masked) if "\n" in masked else None
    if forwarded:
        masked = masked[: forwarded.end()] + MASK * (len(text) - forwarded.end())
    masked = _with_pastes(masked, pasted(masked))
    doubts = tuple(doubted(masked))
    return _QUOTATION.sub(_masked_words, _with_pastes(masked, doubts)), doubts


def _with_pastes(masked: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, end in spans:
        masked = masked[:start] + PASTE * (end - start) + masked[end:]
    return masked


def is_order_to_machines(words: str, *, quoted: bool) -> bool:
    """Say whether *words* try to instruct assistants or speak for "the user"."""
    plain = words.translate(_WIDTHS).lower()
    patterns = (_ORDERS,) if quoted else _PLAIN_ORDERS
    return any(pattern.search(plain) for pattern in patterns)


def is_order_to_other(words: str, spoken: str) -> bool:
    """Say whether the quoted *words* bid the assistant of others that is *spoken* of."""
    frame, plain = (each.translate(_WIDTHS).lower() for each in (spoken, words))
    return bool(_STANDING.search(plain) and _OTHERS_MACHINE.search(frame))


def _masked_words(match: re.Match[str]) -> str:
    """Tell a quoted name or term from a quoted sentence, which is somebody's words."""
    words = match[0]
    long = len(_HANZI.findall(words)) + 2 * words.count(" ") > LONGEST_TERM
    foreign = long or is_order_to_machines(words, quoted=True)
    return (MASK if foreign else TERM) * len(words)


def _masked(match: re.Match[str]) -> str:
    return MASK * len(match[0])
