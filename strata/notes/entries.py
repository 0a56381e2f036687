"""An entry: one statement as one line of Markdown, and that line as a statement again."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from strata.models import Entry, Frame, Tag
from strata.notes.marks import reworded, source_days, spoken, unmarked
from strata.notes.words import LANGUAGES, words_in
from strata.patterns import pattern

if TYPE_CHECKING:
    from strata.models import Language

LONGEST = 400
# What an entry leans on may have been said in several remarks.
_BETWEEN = " / "
_LINK = pattern(r"!?\[([^\[\]]{0,300})\]\(([^()\s]{0,500})[^()]{0,200}\)")
_DOUBLE = pattern(r"(?<!\[)\[\[+([^\[\]]{0,200})\]\]+")
_HTML = pattern(
    r"<(?=/?(?:a|audio|base|body|button|details|div|embed|form|frame|head|html|iframe|img"
    r"|input|link|math|meta|object|p|script|source|span|style|svg|table|template|video)\b)",
    re.IGNORECASE,
)
_SOURCE = pattern(r"\(src: (?=20\d\d-)")
# One of these is in all that is opened, and with one of those begins what is dropped.
_MARKUP = ("<", "[", "-->", "(src: ")
_LEADS = ("#", ">", "*", "+", "-", "[")
_HANZI = pattern(r"[\u3400-\u9fff]")
# What stands in brackets may itself have some: a date in full.
_FLAT = r"[^()\uff08\uff09]"
_NESTED = rf"[(\uff08]{_FLAT}*[)\uff09]"
# How else a model or a person says that it is the owner who speaks.
_SPEAKER = pattern(
    r"^(?:the )?(?:user|owner|agent|assistant)\s+"
    r"(?:\w+ed|asks|said|says|told|found|wants)\b[^:]{0,30}:\s*"
    r"|^用户(?:要求|说|问|决定|希望)[:\uff1a]?\s*",
    re.IGNORECASE,
)


class _Reading(NamedTuple):
    """The words of every language, and what each stands for."""

    tags: dict[str, tuple[Tag, Language]]
    tagged: re.Pattern[str]
    frames: dict[str, tuple[Frame, Language]]
    framed: re.Pattern[str]
    about: re.Pattern[str]


def parse_entry(line: str) -> Entry:
    """
    Return what *line* says, the text of one bullet: ours, or that of anybody else.

    Brackets that hold no tag, and words before a colon that are no frame, are text.
    """
    reading = _reading()
    text, tag, frame = unmarked(line), None, Frame.NONE
    language: Language = "zh" if _HANZI.search(text) else "en"
    if (found := reading.tagged.match(text)) and found.end() < len(text):
        tag, language = reading.tags[found[1]]
        text = text[found.end() :]
    if found := reading.framed.match(text):
        frame, language = reading.frames[_plain(found[1])]
        text = text[found.end() :]
    about = reading.about.search(text)
    return Entry(
        text=without_topic(text),
        tag=tag,
        frame=frame,
        topic=about["topic"] if about else "",
        language=language,
        days=source_days(line),
    )


def render_entry(entry: Entry) -> str:
    """Return *entry* as the text of one bullet, with its tag in its own language."""
    text = one_line(worded(entry))
    if entry.tag is None:
        # An entry without a tag gets none by beginning with one.
        found = _reading().tagged.match(text)
        return f"({found[1]}){found[2]}{text[found.end() :]}" if found else text
    return f"[{tag_name(entry.tag, entry.language)}] {text}"


def worded(entry: Entry) -> str:
    """Return what *entry* says without its tag: who speaks, what, and about what."""
    words = words_in(entry.language)
    text = entry.text
    if entry.topic:
        before, after = words.topic
        text = f"{text.rstrip('。.')}{before}{entry.topic}{after}"
    return f"{words.frames[entry.frame]}{text}" if entry.frame else text


def split_tag(text: str) -> tuple[Tag | None, str]:
    """Return the tag of an entry and all that stands behind it, its frame included."""
    reading = _reading()
    found = reading.tagged.match(text)
    said = text[found.end() :] if found else ""
    return (reading.tags[found[1]][0], said) if found and said else (None, text)


def tag_name(tag: Tag, language: Language) -> str:
    """Return the word that stands in brackets before an entry."""
    return words_in(language).tags[tag]


def without_frame(text: str) -> str:
    """Return the words of an entry without those that say who speaks."""
    found = _reading().framed.match(text)
    return text[found.end() :] if found else text


def without_topic(text: str) -> str:
    """Return the words of an entry without those that say what they lean on."""
    found = _reading().about.search(text)
    return text[: found.start()].rstrip() if found else text


def topics_in(text: str) -> list[str]:
    """Return what the words of an entry say that they lean on, remark by remark."""
    found = _reading().about.search(text)
    return found["topic"].split(_BETWEEN) if found else []


def topicless(line: str) -> str:
    """Return *line* without its topic, and with all that stands around what it says."""
    said = spoken(line)
    bare = without_topic(said)
    return line if bare == said else reworded(line, bare)


def without_speaker(text: str) -> str:
    """Return *text* without what it says, in whatever words, about who speaks."""
    return _SPEAKER.sub("", text, count=1)


def one_line(text: str) -> str:
    """
    Return *text* on one line, unable to forge the structure of a note.

    Control and invisible characters go, comment marks are broken up (OpenClaw reads
    instructions from comments), links and images become their words, tags of HTML and
    what poses as a source are opened, and a leading heading or bullet mark is dropped.
    """
    visible = text if text.isprintable() else _visible(text)
    # Before anything is looked for that may only be so long.
    line = " ".join(visible.split())
    # Few lines have any of it, and notes have many.
    if any(mark in line for mark in _MARKUP):
        line = line.replace("<!--", "‹!--").replace("-->", "--›")
        line = _SOURCE.sub("(src ", _HTML.sub("‹", _without_links(line)))
        line = re.sub(r"\s+", " ", line).strip()
    if line.startswith(_LEADS):
        line = re.sub(r"^(?:[#>*+-]+\s+|\[[ xX]\]\s+)+", "", line)
    return _shortened(line)


def _visible(text: str) -> str:
    """Return *text* with a space in place of what controls, or is not seen."""
    return "".join(
        character if unicodedata.category(character) not in {"Cc", "Cf", "Cs"} else " "
        for character in text
    )


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


@cache
def _reading() -> _Reading:
    """Return how entries are read: in every language, whoever the owner is."""
    every = {language: words_in(language) for language in LANGUAGES}
    tags = {
        name: (Tag(tag), language)
        for language, each in every.items()
        for tag, name in each.tags.items()
    }
    frames = {
        _plain(said): (Frame(frame), language)
        for language, each in every.items()
        for frame, said in each.frames.items()
    }
    topics = "|".join(_loosely(each.topic[0].strip()) for each in every.values())
    return _Reading(
        tags,
        pattern(rf"\[({'|'.join(tags)})\](\s*)"),
        frames,
        pattern(rf"(?:the )?({'|'.join(map(_loosely, frames))})\s*", re.IGNORECASE),
        pattern(rf"(?:{topics})\s*(?P<topic>(?:{_FLAT}|{_NESTED})*)[)\uff09]$"),
    )


def _plain(frame: str) -> str:
    return frame.strip().casefold().replace("\uff1a", ":")


def _loosely(words: str) -> str:
    """Return a pattern for *words* with marks of either width: older notes have both."""
    widths = {"(": "[(\uff08]", ":": "[:\uff1a]"}
    narrow = words.replace("\uff08", "(").replace("\uff1a", ":")
    return "".join(widths.get(each, re.escape(each)) for each in narrow)
