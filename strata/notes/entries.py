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
_FORGED_TAG = re.compile(
    rf"^\[({'|'.join([*(tag.value for tag in Tag), *CHINESE_TAGS.values()])})\](?= )"
)
_LINK = re.compile(r"!?\[([^\[\]]{0,300})\]\(([^()\s]{0,500})[^()]{0,200}\)")
_DOUBLE = re.compile(r"(?<!\[)\[\[+([^\[\]]{0,200})\]\]+")
_TAG = re.compile(
    r"<(?=/?(?:a|audio|base|body|button|details|div|embed|form|frame|head|html|iframe|img"
    r"|input|link|math|meta|object|p|script|source|span|style|svg|table|template|video)\b)",
    re.IGNORECASE,
)
_SOURCE = re.compile(r"\(src: (?=20\d\d-)")


def render_entry(fact: Fact) -> str:
    """Return *fact* as the text of one bullet, with its tag in its own language."""
    text = one_line(fact.text)
    if fact.tag is None:
        # An entry without a tag gets none by beginning with one.
        return _FORGED_TAG.sub(r"(\1)", text)
    return f"[{tag_name(fact.tag, fact.language)}] {text}"


def tag_name(tag: Tag, language: Language) -> str:
    """Return the word that stands in brackets before an entry."""
    return CHINESE_TAGS[tag] if language == "zh" else tag.value


def one_line(text: str) -> str:
    """
    Return *text* on one line, unable to forge the structure of a note.

    Control and invisible characters go, comment marks are broken up (OpenClaw reads
    instructions from comments), links and images become their words, tags of HTML and
    what poses as a source are opened, and a leading heading or bullet mark is dropped.
    """
    visible = "".join(
        character if unicodedata.category(character) not in {"Cc", "Cf", "Cs"} else " "
        for character in text
    )
    # Before anything is looked for that may only be so long.
    line = " ".join(visible.split()).replace("<!--", "‹!--").replace("-->", "--›")
    line = _SOURCE.sub("(src ", _TAG.sub("‹", _without_links(line)))
    line = re.sub(r"\s+", " ", line).strip()
    line = re.sub(r"^(?:[#>*+-]+\s+|\[[ xX]\]\s+)+", "", line)
    return _shortened(line)


def _without_links(line: str) -> str:
    """Return *line* with the words of its links; one may stand in another."""
    while (plain := _LINK.sub(r"\1 (\2)", _DOUBLE.sub(r"[\1]", line))) != line:
        line = plain
    return line


def _shortened(line: str) -> str:
    if len(line) <= LONGEST:
        return line
    cut = line[: LONGEST - 1]
    at_word = cut.rsplit(" ", 1)[0] if " " in cut[LONGEST // 2 :] else cut
    return f"{at_word}…"
