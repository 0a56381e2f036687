"""Which stretches of a message were pasted into it, and so are not the writer's words."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from strata.language.cues import cue, cues, source
from strata.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Span = tuple[int, int]

# All of them read text in its half-width form, so a Chinese colon is an ASCII one here.
_LINES = re.IGNORECASE | re.MULTILINE
# From where one of these matches on, nothing is the writer's own.
_TO_THE_END = cues("pasted.to_the_end", _LINES)
# A first line that hands over a text to be worked on; the text is what follows it.
_INTRODUCED = pattern(
    rf"(?:^|(?<=[ \t,.;?!。:]))(?:{source('pasted.introduced')})[ \t]*\Z", re.IGNORECASE
)
# A first line that asks something, and so is about the lines below it.
WORKED_ON = cue("pasted.worked_on")
# How a letter or a voice message begins; its reader greets in the first line only.
_SALUTATION = cue("pasted.salutation", _LINES)
# A single line behind such a first one, in which the same person goes on.
_GOES_ON = cue("pasted.goes_on")
# What stands around the words of a web page or a newsletter.
_NAVIGATION = cue("pasted.navigation", _LINES)
_FURNITURE = cue("pasted.furniture", _LINES)
# How the lines of a chat begin, with the time or without.
_STAMPED_SPEAKER = cue("pasted.stamped_speaker", _LINES)
_SPEAKER = cue("pasted.speaker", _LINES)
_LOG_LINE = cue("pasted.log_line", re.MULTILINE)
_CLAUSE = cue("pasted.clause", _LINES)
_GREETING = cue("pasted.greeting", _LINES)
_SIGNATURE = cue("pasted.signature", _LINES)
LISTED = pattern(r"^[ \t]*(?:[-*+•]|\d{1,2}[.)、])[ \t]", re.MULTILINE)
_ROW = pattern(r"^[^\n,]{0,60}(?:,[^\s,][^\n,]{0,120}){1,20}$", re.MULTILINE)
_FIELD = pattern(r"^[A-Z][A-Z_-]{2,30}[;:=]\S", re.MULTILINE)
_MARKUP = pattern(r"<(?P<tag>[a-z][a-z0-9-]{0,20})(?:\s[^<>]{0,300})?>", re.IGNORECASE)
_OPEN_BRACE = pattern(r"^[ \t]*[\[{][ \t]*$", re.MULTILINE)
_CLOSED_BRACE = pattern(r"^[ \t]*[\]}][ \t]*[,;]?[ \t]*$", re.MULTILINE)
_INLINE_OBJECT = pattern(r"\{[^{}\n]{0,2000}\":[^{}\n]{0,2000}\}")
# A sentence after which a text speaks to machines.
INJECTION = cue("pasted.injection")
_FEWEST_LINES = 2
_TERM_CHARS = 10
_LONGEST_REQUEST = 240


def pasted(text: str) -> list[Span]:
    """
    Return where in *text* (in half-width form) somebody else's words stand.

    What has an end of its own (markup, an object, a log) ends there. All else goes on to
    the end of the message: whoever wrote the paste could write an end into it.
    """
    starts = [at for find in _STARTS for at in find(text)]
    end = min(starts, default=len(text))
    spans = [span for find in _SPANS for span in find(text) if span[0] < end]
    return [*spans, *([(end, len(text))] if end < len(text) else [])]


def _signed(text: str) -> Iterator[int]:
    for sign in _TO_THE_END:
        if found := sign.search(text):
            yield found.start()


def _injected(text: str) -> Iterator[int]:
    found = INJECTION.search(text)
    if found and text[: found.start()].strip():
        yield found.start()


def _introduced(text: str) -> Iterator[int]:
    first, feed, _ = text.partition("\n")
    if not feed or len(first) > _LONGEST_REQUEST:
        return
    if _INTRODUCED.search(first) and not _GOES_ON.match(text, len(first)):
        yield len(first)


def _asked_about(text: str) -> Iterator[int]:
    """Give where some lines begin that the line above them asks about."""
    first, _, rest = text.partition("\n")
    if len(first) > _LONGEST_REQUEST or rest.strip().count("\n") < 1:
        return
    lines = [line for line in rest.split("\n") if line.strip()]
    if all(LISTED.match(line) for line in lines):
        return
    if WORKED_ON.search(first) and not _GOES_ON.match(lines[0]):
        yield len(first)


def _table(text: str) -> Iterator[int]:
    yield from _repeated(_FIELD, text)
    rows = list(_ROW.finditer(text)) if "\n" in text else []
    if len(rows) > _FEWEST_LINES and len({row[0].count(",") for row in rows}) == 1:
        yield rows[0].start()


def _web_page(text: str) -> Iterator[int]:
    if text.count("\n") < _FEWEST_LINES:
        return
    if _NAVIGATION.search(text) or _FURNITURE.search(text):
        first = text.find("\n") + 1
        alone = text[:first]
        furnished = _NAVIGATION.match(alone) or _FURNITURE.match(alone)
        yield 0 if furnished else first


def _chat(text: str) -> Iterator[int]:
    yield from _repeated(_STAMPED_SPEAKER, text)
    spoken = list(_SPEAKER.finditer(text)) if "\n" in text else []
    names = Counter(found["name"] for found in spoken)
    if len(spoken) > _FEWEST_LINES and 1 < len(names) < len(spoken):
        yield spoken[0].start()


def _document(text: str) -> Iterator[int]:
    yield from _repeated(_CLAUSE, text)
    greeting = _GREETING.search(text) if "\n" in text else None
    if greeting and _SIGNATURE.search(text, greeting.end()):
        yield greeting.start()


def _greeted(text: str) -> Iterator[int]:
    feed = text.find("\n")
    found = _SALUTATION.search(text, feed) if feed >= 0 else None
    if found:
        yield found.start()


def _repeated(sign: re.Pattern[str], text: str) -> Iterator[int]:
    if "\n" not in text:
        return
    found = sign.search(text)
    if found and sign.search(text, found.end()):
        yield found.start()


def _markup(text: str) -> Iterator[Span]:
    """Give the stretch from the first tag that is closed to where the last one closes."""
    for found in _MARKUP.finditer(text) if "</" in text else ():
        if text.find(f"</{found['tag']}>", found.end()) >= 0:
            close = text.find(">", text.rfind("</"))
            end = close + 1 if close >= 0 else len(text)
            # A tag or two around a word is a term of somebody who writes about markup.
            if len(re.sub(r"<[^<>]*>", "", text[found.start() : end])) > _TERM_CHARS:
                yield found.start(), end
            return


def _objects(text: str) -> Iterator[Span]:
    if "{" not in text and "[" not in text:
        return
    opened = _OPEN_BRACE.search(text)
    if opened:
        ends = [found.end() for found in _CLOSED_BRACE.finditer(text, opened.end())]
        yield opened.start(), ends[-1] if ends else len(text)
    for found in _INLINE_OBJECT.finditer(text):
        yield found.span()


def _log(text: str) -> Iterator[Span]:
    lines = list(_LOG_LINE.finditer(text)) if "\n" in text else []
    if len(lines) >= _FEWEST_LINES:
        paragraph = text.find("\n\n", lines[-1].end())
        yield lines[0].start(), paragraph if paragraph >= 0 else len(text)


_STARTS: tuple[Callable[[str], Iterator[int]], ...] = (
    _signed,
    _injected,
    _introduced,
    _asked_about,
    _table,
    _greeted,
    _web_page,
    _chat,
    _document,
)
_SPANS: tuple[Callable[[str], Iterator[Span]], ...] = (_markup, _objects, _log)
