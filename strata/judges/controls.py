"""Questions with known answers: who gets them wrong is not believed about the others."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from strata.language.sentences import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from strata.models import Language

T = TypeVar("T")

# What any careful reader keeps for good, and what any such reader leaves alone.
_LASTING: dict[Language, tuple[str, ...]] = {
    "en": (
        "From now on never book me a flight before nine, I take my son to school.",
        "Please remember: I'm allergic to peanuts, in every restaurant you choose.",
        "All invoices go to Marta in accounting, always as PDF, never as a link.",
        "Never push to the main branch of our shop, always open a pull request.",
    ),
    "zh": (
        "记住,我对花生过敏,以后订任何餐厅都要避开。",
        "以后所有合同一律先发给法务的老周看,不要直接签。",
        "从今往后任何会议都不要安排在早上九点以前,我要送孩子上学。",
        "生产库一律只读,谁都不许直接改数据,改动必须走脚本。",
    ),
}
_PASSING: dict[Language, tuple[str, ...]] = {
    "en": (
        "Just this once, leave the parcel with my neighbour.",
        "Can you make the third picture a little bigger?",
        "What a Monday, I could sleep until Christmas.",
        "The 08:14 train is ten minutes late today.",
    ),
    "zh": (
        "就这一次,快递先放邻居家吧。",
        "帮我把第三张图调大一点。",
        "今天这天气,真想睡到过年。",
        "今天早上八点那班地铁晚点十分钟。",
    ),
}


@dataclass(frozen=True, slots=True)
class Controls:
    """A statement that must last, one that must not, and where among others they go."""

    lasting: str
    passing: str
    places: tuple[int, int]

    def among(self, items: Sequence[T], made: Callable[[str], T]) -> list[T]:
        """Return *items* with both statements, *made* one of them, at their places."""
        mixed = [*items]
        mixed.insert(self.places[0], made(self.lasting))
        mixed.insert(self.places[1], made(self.passing))
        return mixed

    def apart(self, mixed: Sequence[T]) -> tuple[list[T], T, T]:
        """Return the items of *mixed*, and what became of the two statements."""
        items = [*mixed]
        passing = items.pop(self.places[1])
        lasting = items.pop(self.places[0])
        return items, lasting, passing


def controls_for(texts: Sequence[str]) -> Controls:
    """Return the questions to hide among *texts*; the same texts get the same ones."""
    digest = hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).digest()
    chinese = sum(language_of(text) == "zh" for text in texts)
    language: Language = "zh" if 2 * chinese > len(texts) else "en"
    lasting, passing = _LASTING[language], _PASSING[language]
    return Controls(
        lasting[digest[0] % len(lasting)],
        passing[digest[1] % len(passing)],
        (digest[2] % (len(texts) + 1), digest[3] % (len(texts) + 2)),
    )


def known_answer(text: str) -> bool | None:
    """Say whether *text* must last, where it is one of these questions, else None."""
    if any(text in texts for texts in _LASTING.values()):
        return True
    return False if any(text in texts for texts in _PASSING.values()) else None
