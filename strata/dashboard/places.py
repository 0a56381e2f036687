"""Where in the window a line of a memory file is shown, changed, and told the story of."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from strata.search.answering.citations import parsed

if TYPE_CHECKING:
    from strata.memory import Memory

_LINKING = ("href", "src", "action")


def address_of(path: str, line: int = 0) -> str:
    """Return where the memory file *path* is read, at *line* where one is meant."""
    told = f"/read?path={quoted(path)}"
    # A long file has several pages: the number leads to the one that has the line.
    return f"{told}&line={line}#L{line}" if line else told


def address_of_cited(citation: str) -> str:
    """Return the address of the first line that *citation* names."""
    path, first, _ = parsed(citation)
    return address_of(path, first)


def change_of(path: str, line: int) -> str:
    """Return where *line* of the memory file *path* is reworded or deleted."""
    return f"/read?path={quoted(path)}&change={line}#L{line}"


def story_of(what: str) -> str:
    """Return where the story of *what* is told, a ``PATH:LINE`` or an id."""
    return f"/story?of={quoted(what)}"


def note_named(memory: Memory, name: str) -> str:
    """Return where the note *name* lies, as a page of the bank calls it."""
    paths = (f"memory/{name}.md", f"memory/archive/{name[:4]}/{name}.md")
    there = (path for path in paths if (memory.workspace.root / path).is_file())
    return next(there, paths[0])


def quoted(text: str) -> str:
    """Return *text* as it stands in an address; the name of a file need not be UTF-8."""
    return quote(text, safe="/:", errors="surrogatepass")


def seen_from(at: str, to: str) -> str:
    """
    Return the address *to* as it leads there from the page at *at*.

    Below which path all pages stand, no page needs to know, nor may one tell.
    """
    return ("../" * (at.count("/") - 1) or "./") + to.removeprefix("/")


def with_links_from(at: str, page: str) -> str:
    """Return *page* with the links of the page at *at*."""
    # No text that was said looks like it: its quotation marks are escaped.
    for each in _LINKING:
        page = page.replace(f' {each}="/', f' {each}="{seen_from(at, "/")}')
    return page
