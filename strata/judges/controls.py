"""Questions with known answers: who gets them wrong is not believed about the others."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.language.sentences import language_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.models import Language

# What any careful reader keeps for good, and what any such reader leaves alone. It is
# about nothing that a real owner talks of, so that it is known from no line of memory.
_LASTING: dict[Language, tuple[str, ...]] = {
    "en": (
        "From now on always have the lighthouse clock wound before sunset, never after.",
        "Please remember for good: the museum's harpsichord is tuned to 415 hertz.",
        "Never lend the brass diving helmet of the museum to anybody, whoever asks.",
    ),
    "zh": (
        "记住,灯塔的钟以后一律在日落之前上弦,不要等到日落之后。",
        "博物馆那顶铜潜水头盔,从今往后谁来借都不许借。",
        "永远记住,馆里的古大键琴一律按 415 赫兹调音。",
    ),
}
_PASSING: dict[Language, tuple[str, ...]] = {
    "en": (
        "Just this once, leave the shutters of the lighthouse open tonight.",
        "Hang the whale skeleton poster a bit lower for a minute, please.",
        "Ha, the joke about the diving helmet made me laugh today.",
    ),
    "zh": (
        "就这一次,今晚灯塔的百叶窗先开着吧。",
        "先把鲸鱼骨架的海报挂低一点,就一会儿。",
        "哈哈,潜水头盔那个笑话今天可把我逗乐了。",
    ),
}


@dataclass(frozen=True, slots=True)
class Control:
    """A statement of which one knows whether it *lasts*, and the place where it goes."""

    text: str
    lasts: bool
    place: int


def control_for(texts: Sequence[str], *, turn: int = 0) -> Control:
    """
    Return the question to hide among *texts*; the same texts get the same one.

    Batches of one night take *turn* after turn, so that both kinds are asked.
    """
    digest = hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).digest()
    chinese = sum(language_of(text) == "zh" for text in texts)
    language: Language = "zh" if 2 * chinese > len(texts) else "en"
    lasts = (digest[0] + turn) % 2 == 0
    chosen = (_LASTING if lasts else _PASSING)[language]
    return Control(chosen[digest[1] % len(chosen)], lasts, digest[2] % (len(texts) + 1))


def known_answer(text: str) -> bool | None:
    """Say whether *text* must last, where it is one of these questions, else None."""
    if any(text in texts for texts in _LASTING.values()):
        return True
    return False if any(text in texts for texts in _PASSING.values()) else None
