"""Who says something, and whether it is meant."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.distillation.cues.kinds import Cue
from strata.distillation.cues.reading import find_cues
from strata.distillation.extraction.statements import is_trap
from strata.models import Origin

if TYPE_CHECKING:
    from strata.distillation.text.sentences import Sentence

_OWNER = re.compile(r"(?:the )?(?:user|owner)\b|用户|主人|机主", re.IGNORECASE)
_AGENT = re.compile(
    r"(?:the )?(?:ai )?(?:agent|assistant)\b(?!s)|(?:智能)?助手|助理(?!们)|智能体",
    re.IGNORECASE,
)


_FIRST_PERSON = re.compile(r"(?:i|we)\b|我们?(?!的)|咱们?", re.IGNORECASE)

# A question by its mark alone: "never npm, ok?", "can you remember that I park in yard B?"
_NO_QUESTION = re.compile(
    r"[,;]\s*(?:ok(?:ay)?|alright|all right|right|yes|please|got it|understood|agreed"
    r"|好吗|好不好|好吧|行吗|可以吗|明白吗|懂吗|知道吗|记住了吗)\s*\?\s*\Z"
    r"|\A(?:(?:can|could|would|will) you (?:please )?|please )"
    r"(?:remember|note|memori[sz]e|keep in mind)\b"
    r"|\A(?:你?(?:能不能|能|可以)?(?:帮我|给我)?)记(?:住|一下|下)",
    re.IGNORECASE,
)


def speaker_of(text: str) -> Origin | None:
    """Return whom *text* makes its subject: the owner, the agent, or neither."""
    if _OWNER.match(text):
        return Origin.OWNER
    return Origin.AGENT if _AGENT.match(text) else None


def is_doubtful(sentence: Sentence, *, standing: bool) -> bool:
    """
    Say whether the owner's *sentence* states nothing that can be kept.

    Where a rule or a decision is to rest on it (*standing*), a question is nothing, and
    what others like is not the owner's.
    """
    cues = find_cues(sentence)
    if Cue.RELAYED in cues:
        return True
    if not standing or _FIRST_PERSON.match(sentence.text):
        # What others say may be news. "I drink tea; Lena likes coffee": what is whose is
        # told clause by clause.
        cues -= {Cue.OTHERS}
    is_question = Cue.QUESTION in cues and not _NO_QUESTION.search(sentence.plain)
    return is_trap(cues) or (standing and is_question)
