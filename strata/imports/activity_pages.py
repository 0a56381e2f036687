"""Google's "My Activity" as a page of HTML, read one activity at a time."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from strata.errors import SourceUnreadable
from strata.imports.activity_dates import moment
from strata.imports.html_texts import Attributes, Page, tidied

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from typing import BinaryIO

_CHUNK_BYTES = 256 * 1024
# A page begins with 150 KB of styles, and one activity has a long answer at most.
_LONGEST_CELL = 32 * 1024 * 1024
_CELL = re.compile(r"<div\b[^<>]*\bouter-cell\b")
_CHAT = re.compile(
    r"^https?://(?:gemini|bard)\.google\.com/(?:u/\d+/)?(?:app|chat)/(?:c/)?([\w-]{6,64})"
)
# "Attached 2 files." stands before their names, in the words of some language.
_LONGEST_COUNT = 60
_DIGIT = re.compile(r"\d")
_LONGEST_MARKS = 200
_HEADER, _BODY, _FOOT = "header", "body", "foot"


@dataclass(frozen=True, slots=True)
class Activity:
    """
    One activity of a Google account: its *title*, in which a prompt stands, and *answer*.

    *product* is in the account's language. *chats* are the ids of the conversations that
    it belongs to, more than one where somebody went on from it in two ways.
    """

    product: str
    title: str
    answer: str
    at: datetime | None
    chats: tuple[str, ...] = ()


def chat_of(url: str) -> str:
    """Return the id of the conversation that *url* leads to, "" where it leads to none."""
    found = _CHAT.match(url)
    return found[1] if found else ""


def activities_on(page: BinaryIO, name: str) -> Iterator[Activity]:
    """
    Yield the activities on *page*, a stream of HTML in UTF-8, in its order.

    Raise `SourceUnreadable`, after all that is whole, where the page, called *name*, ends
    within one.
    """
    for cell in _cells(page, name):
        reader = _Cell()
        reader.feed(tidied(cell))
        reader.close()
        yield reader.activity()


def _cells(page: BinaryIO, name: str) -> Iterator[str]:
    """Yield the HTML of each activity but the marks that open it."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
    text, inside = "", False
    while chunk := page.read(_CHUNK_BYTES):
        text += decoder.decode(chunk)
        before, *cells = _CELL.split(text)
        if inside and cells:
            yield before
        yield from cells[:-1]
        inside = inside or bool(cells)
        text = cells[-1] if cells else text
        if not inside or len(text) > _LONGEST_CELL:
            # The marks that open the next one may be cut in two.
            text, inside = text[-_LONGEST_MARKS:], False
    if inside and text.count("</div") <= text.count("<div"):
        raise SourceUnreadable.of("import.cut-off", name=name)
    if inside:
        yield text


class _Cell(HTMLParser):
    """Reads one activity: the product above, title, date and answer, the chat below."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._places: list[str] = []
        self._header, self._body = Page(), Page()
        self._at: datetime | None = None
        self._lines: list[str] = []
        self._answer = ""
        self._links_file = False
        self._chats: dict[str, None] = {}

    def activity(self) -> Activity:
        """Return what was read."""
        self._end_body()
        return Activity(
            product=self._header.taken(),
            title="\n".join(filter(None, self._lines)),
            answer=self._answer,
            at=self._at,
            chats=tuple(self._chats),
        )

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "div":
            self._places.append(self._place(said.get("class", "").split()))
        elif tag == "a":
            self._link(said.get("href", ""))
        if self._place_now == _BODY:
            if tag == "br" and self._at is None:
                self._end_line()
            self._body.opens(tag)
        elif self._place_now == _HEADER:
            self._header.opens(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._place_now == _BODY:
            self._body.closes(tag)
        if tag == "div" and self._places:
            ended = self._places.pop()
            if ended == _BODY != self._place_now:
                self._end_body()

    def handle_data(self, data: str) -> None:
        if self._place_now == _BODY:
            self._body.says(data)
        elif self._place_now == _HEADER:
            self._header.says(data)

    @property
    def _place_now(self) -> str:
        return self._places[-1] if self._places else ""

    def _place(self, classes: list[str]) -> str:
        if "header-cell" in classes:
            return _HEADER
        if "content-cell" not in classes:
            return self._place_now
        if "mdl-typography--caption" in classes:
            return _FOOT
        # A second one, to the right, has pictures.
        return "" if "mdl-typography--text-right" in classes else _BODY

    def _link(self, url: str) -> None:
        if self._place_now == _FOOT and (chat := chat_of(url)):
            self._chats[chat] = None
        elif self._place_now == _BODY:
            self._links_file = bool(url) and not url.startswith(("http:", "https:"))

    def _end_line(self) -> None:
        """Take in a line of the title, unless it is the date that ends it."""
        line, self._at = self._body.taken(), None
        if (at := moment(line)) is not None:
            self._at = at
            return
        if self._links_file:
            counted = self._lines[-1] if self._lines[1:] else ""
            if len(counted) <= _LONGEST_COUNT and _DIGIT.search(counted):
                self._lines.pop()
            line = ""
        self._lines.append(line)
        self._links_file = False

    def _end_body(self) -> None:
        if self._at is None:
            self._end_line()
        self._answer = f"{self._answer}\n{self._body.taken()}".strip()
