"""The words of a piece of HTML, in lines, as a person would read them off the page."""

from __future__ import annotations

import re
from html.parser import HTMLParser

Attributes = list[tuple[str, str | None]]

_UNSEEN = frozenset({"script", "style", "template", "head", "title", "noscript", "svg"})
_PARAGRAPHS = frozenset(
    {
        *("p", "div", "section", "article", "blockquote", "figure", "hr", "table"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "pre"),
    }
)
_LINES = frozenset({"br", "li", "tr", "dt", "dd"})
_CELLS = frozenset({"td", "th"})
_BULLET = "- "
_BETWEEN_CELLS = " | "
_FENCE = "```"
# All but a single space, which nearly every one is.
_WHITE = re.compile(r"[ \t\r\n\xa0]{2,}|[\t\r\n\xa0]")
_DECLARATION = re.compile(r"<[!?][^<>]*>")
# A mark that begins no tag. Before Python 3.14 the parser takes time that grows with the
# square of what nobody closed, and gives up at some declarations.
_STRAY = re.compile(r"<(?!/?[a-zA-Z](?:[^<>\"']|\"[^<\"]*\"|'[^<']*')*>)")


class Page:
    """
    Text that grows with what a parser meets in HTML, and is `taken` when it is whole.

    Code stays between fences as it was, items of a list have bullets, links are their
    words, and pictures are left out.
    """

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._text: list[str] = []
        self._code: list[str] = []
        self._breaks = self._hidden = self._in_code = 0
        self._space = self._row_began = False
        self._lead = ""

    def opens(self, tag: str) -> None:
        """Take in that *tag* begins."""
        if tag in _UNSEEN:
            self._hidden += 1
        elif self._in_code:
            self._in_code += tag == "pre"
            self._code.append("\n" if tag == "br" else "")
        elif tag in _CELLS:
            self._lead = _BETWEEN_CELLS if self._row_began else self._lead
            self._row_began = True
        elif tag in _LINES or tag in _PARAGRAPHS:
            self._break(1 if tag in _LINES else 2)
            self._row_began = False
            self._lead = _BULLET if tag == "li" else self._lead
            self._in_code += tag == "pre"

    def closes(self, tag: str) -> None:
        """Take in that *tag* ends."""
        if tag in _UNSEEN:
            self._hidden = max(0, self._hidden - 1)
        elif self._in_code:
            self._in_code -= tag == "pre"
            if not self._in_code:
                self._end_code()
        elif tag in _PARAGRAPHS:
            self._break(2)

    def says(self, text: str) -> None:
        """Take in *text*, its characters already plain."""
        if self._hidden:
            return
        if self._in_code:
            self._code.append(text)
            return
        words = _WHITE.sub(" ", text)
        self._space = self._space or words.startswith(" ")
        if words := words.strip(" "):
            self._tell(words)
            self._space = text[-1:].isspace()

    def taken(self) -> str:
        """Return what has grown so far, and begin anew."""
        self._end_code()
        text = "".join(self._text)
        self._clear()
        return text

    def _break(self, lines: int) -> None:
        # The paragraph that an item holds begins on the line of its bullet.
        if not self._lead:
            self._breaks, self._space = max(self._breaks, lines), False

    def _tell(self, words: str) -> None:
        if self._text and self._breaks:
            self._text.append("\n" * self._breaks)
        elif self._text and self._space and not self._lead:
            self._text.append(" ")
        self._text += [self._lead, words]
        self._breaks, self._lead = 0, ""

    def _end_code(self) -> None:
        code, self._code = "".join(self._code).strip("\n"), []
        if code:
            self._lead = ""
            self._break(2)
            self._tell(f"{_FENCE}\n{code}\n{_FENCE}")
            self._break(2)


class _Reader(HTMLParser):
    """Hands everything in one piece of HTML to a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:  # noqa: ARG002 - as it is called
        self.page.opens(tag)

    def handle_endtag(self, tag: str) -> None:
        self.page.closes(tag)

    def handle_data(self, data: str) -> None:
        self.page.says(data)


def tidied(html: str) -> str:
    """Return *html* with nothing in it but whole tags and text."""
    first, *rest = html.split("<!--")
    seen = first + "".join(each.partition("-->")[2] for each in rest)
    return _STRAY.sub("&lt;", _DECLARATION.sub("", seen))


def plain(html: str) -> str:
    """Return what *html* says; broken markup is read as far as it can be."""
    reader = _Reader()
    reader.feed(tidied(html))
    reader.close()
    return reader.page.taken()
