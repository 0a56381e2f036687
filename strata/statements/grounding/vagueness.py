"""Statements that say nothing: several things were discussed."""

from __future__ import annotations

import re

from strata.language.clauses import WEIGHTS
from strata.language.pieces import pieces

# What a summary is made of that names nothing; each stands for its forms.
_EMPTY = re.compile(
    r"(?:discuss|talk|mention|ask|request|cover|explor|review|address|respond|explain"
    r"|various|several|multiple|different|many|number|topic|subject|matter|issue|point"
    r"|question|detail|information|info|preference|conversation|chat|discussion|update"
    r"|help|assist|work|relat|certain|important|general|future|user|owner|agent"
    r"|assistant|continu|progress|share|provide|plan|something|stuff|made"
    r"|recent|task|project|decision)\w{0,4}$"
)
_EMPTY_CHINESE = re.compile(
    r"用户|主人|助手|讨论|谈到|谈论|聊了?|提到|询问|说明|解释|回答|各种|一些|几个|若干|多个|不同|很多"
    r"|某些|相关|有关|话题|主题|事情|事项|事宜|问题|情况|内容|细节|信息|偏好|对话|交流|更新|帮助|协助"
    r"|处理|工作|任务|项目|计划|重要|进展|进行|分享|提供|决定|了|的|和|与|及|等|有|对|在|关于|并|件|个|自己"
)
_LEAST = 2


def is_vague(text: str) -> bool:
    """Say whether fewer than two words of *text* name anything, and no value does."""
    telling = [
        piece
        for piece in pieces(_EMPTY_CHINESE.sub(" ", text))
        if WEIGHTS.get(piece.kind) and not _EMPTY.match(piece.said)
    ]
    if any(piece.kind == "value" for piece in telling):
        return False
    exact = sum(piece.kind == "name" and len(piece.said) > 1 for piece in telling)
    return len(telling) + exact < _LEAST
