"""Which stretches of a message were pasted into it, and so are not the writer's words."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from strata.language import pasted_signs as signs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Span = tuple[int, int]

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
    for sign in signs.TO_THE_END:
        if found := sign.search(text):
            yield found.start()


def _injected(text: str) -> Iterator[int]:
    found = signs.INJECTION.search(text)
    if found and text[: found.start()].strip():
        yield found.start()


def _introduced(text: str) -> Iterator[int]:
    first, feed, _ = text.partition("\n")
    if not feed or len(first) > _LONGEST_REQUEST:
        return
    if signs.INTRODUCED.search(first) and not signs.GOES_ON.match(text, len(first)):
        yield len(first)


def _asked_about(text: str) -> Iterator[int]:
    """Give where some lines begin that the line above them asks about."""
    first, _, rest = text.partition("\n")
    if len(first) > _LONGEST_REQUEST or rest.strip().count("\n") < 1:
        return
    lines = [line for line in rest.split("\n") if line.strip()]
    if all(signs.LISTED.match(line) for line in lines):
        return
    if signs.WORKED_ON.search(first) and not signs.GOES_ON.match(lines[0]):
        yield len(first)


def _table(text: str) -> Iterator[int]:
    yield from _repeated(signs.FIELD, text)
    rows = list(signs.ROW.finditer(text)) if "\n" in text else []
    if len(rows) > _FEWEST_LINES and len({row[0].count(",") for row in rows}) == 1:
        yield rows[0].start()


def _web_page(text: str) -> Iterator[int]:
    if text.count("\n") < _FEWEST_LINES:
        return
    if signs.NAVIGATION.search(text) or signs.FURNITURE.search(text):
        first = text.find("\n") + 1
        alone = text[:first]
        furnished = signs.NAVIGATION.match(alone) or signs.FURNITURE.match(alone)
        yield 0 if furnished else first


def _chat(text: str) -> Iterator[int]:
    yield from _repeated(signs.STAMPED_SPEAKER, text)
    spoken = list(signs.SPEAKER.finditer(text)) if "\n" in text else []
    names = Counter(found["name"] for found in spoken)
    if len(spoken) > _FEWEST_LINES and 1 < len(names) < len(spoken):
        yield spoken[0].start()


def _document(text: str) -> Iterator[int]:
    yield from _repeated(signs.CLAUSE, text)
    greeting = signs.GREETING.search(text) if "\n" in text else None
    if greeting and signs.SIGNATURE.search(text, greeting.end()):
        yield greeting.start()


def _greeted(text: str) -> Iterator[int]:
    feed = text.find("\n")
    found = signs.SALUTATION.search(text, feed) if feed >= 0 else None
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
    for found in signs.MARKUP.finditer(text) if "</" in text else ():
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
    opened = signs.OPEN_BRACE.search(text)
    if opened:
        ends = [
            found.end() for found in signs.CLOSED_BRACE.finditer(text, opened.end())
        ]
        yield opened.start(), ends[-1] if ends else len(text)
    for found in signs.INLINE_OBJECT.finditer(text):
        yield found.span()


def _log(text: str) -> Iterator[Span]:
    lines = list(signs.LOG_LINE.finditer(text)) if "\n" in text else []
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
