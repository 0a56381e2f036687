"""An entry: one fact as one line of Markdown that cannot pose as anything else."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from strata.models import Tag

if TYPE_CHECKING:
    from strata.models import Fact, Language

CHINESE_TAGS = {
    Tag.DECISION: "决策",
    Tag.FINDING: "发现",
    Tag.PREFERENCE: "偏好",
    Tag.TASK: "任务",
}
LONGEST = 400


def render_entry(fact: Fact) -> str:
    """Return *fact* as the text of one bullet, with its tag in its own language."""
    text = one_line(fact.text)
    if fact.tag is None:
        return text
    return f"[{tag_name(fact.tag, fact.language)}] {text}"


def tag_name(tag: Tag, language: Language) -> str:
    """Return the word that stands in brackets before an entry."""
    return CHINESE_TAGS[tag] if language == "zh" else tag.value


def one_line(text: str) -> str:
    """
    Return *text* on one line, unable to forge the structure of a note.

    Control and invisible characters go, comment marks are broken up (OpenClaw reads
    instructions from comments), and a leading heading or bullet mark is dropped.
    """
    visible = "".join(
        character if unicodedata.category(character) not in {"Cc", "Cf", "Cs"} else " "
        for character in text
    )
    line = re.sub(r"\s+", " ", visible).strip()
    line = line.replace("<!--", "‹!--").replace("-->", "--›")
    line = re.sub(r"^(?:[#>*+-]+\s+|\[[ xX]\]\s+)+", "", line)
    return _shortened(line)


def _shortened(line: str) -> str:
    if len(line) <= LONGEST:
        return line
    cut = line[: LONGEST - 1]
    at_word = cut.rsplit(" ", 1)[0] if " " in cut[LONGEST // 2 :] else cut
    return f"{at_word}…"
